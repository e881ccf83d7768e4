package flame

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/stages/timing/flame"
)

// WriteFolded writes a line for every call path: its frames, the lowest first, with semicolons between them, and its time in ns.
// Semicolons in names become commas. Frames without own time have no line: their time is in the lines of their callees.
func WriteFolded(out io.Writer, g *flame.Graph) error {
	w := bufio.NewWriter(out)
	for _, i := range g.Sorted() {
		if ns := g.Frames[i].Ns; ns > 0 {
			var names []string
			for _, f := range stackOf(g, i) {
				names = append(names, strings.ReplaceAll(g.Frames[f].Name, ";", ","))
			}
			fmt.Fprintf(w, "%s %d\n", strings.Join(names, ";"), ns)
		}
	}
	return w.Flush()
}

// stackOf returns the positions of a frame and of those below it, the lowest first. Frame 0 is the root of all stacks.
func stackOf(g *flame.Graph, i int) (stack []int) {
	for ; i > 0; i = g.Frames[i].Parent {
		stack = append(stack, i)
	}
	stack = append(stack, 0)
	slices.Reverse(stack)
	return stack
}

// The file format of speedscope, with one sampled profile.
type (
	speedscopeFile struct {
		Schema   string              `json:"$schema"`  // where the format is described
		Shared   speedscopeShared    `json:"shared"`   // what profiles refer to
		Profiles []speedscopeProfile `json:"profiles"` // always one
		Name     string              `json:"name"`     // shown as the title
	}
	speedscopeShared struct {
		Frames []speedscopeFrame `json:"frames"` // one for each name, in the order of their first use
	}
	speedscopeFrame struct {
		Name string `json:"name"` // of the function
	}
	speedscopeProfile struct {
		Type       string  `json:"type"`       // sampled: stacks with weights, in no order of time
		Name       string  `json:"name"`       // the run or release
		Unit       string  `json:"unit"`       // of the weights
		StartValue int64   `json:"startValue"` // 0: samples have no place in time
		EndValue   int64   `json:"endValue"`   // the sum of the weights
		Samples    [][]int `json:"samples"`    // call paths as positions of frames, the lowest first
		Weights    []int64 `json:"weights"`    // their times, in ns
	}
)

// WriteSpeedscope writes the graph as one profile in the file format of speedscope.
func WriteSpeedscope(out io.Writer, g *flame.Graph) error {
	f := speedscopeFile{Schema: "https://www.speedscope.app/file-format-schema.json", Name: g.Frames[0].Name}
	p := speedscopeProfile{Type: "sampled", Name: g.Frames[0].Name, Unit: "nanoseconds", Samples: [][]int{}, Weights: []int64{}}
	// Speedscope sums up a function over all stacks by its frame, so one frame stands for all that have its name.
	numbers := make(map[string]int) // of frames by name
	f.Shared.Frames = []speedscopeFrame{}
	for _, i := range g.Sorted() {
		if g.Frames[i].Ns <= 0 {
			continue
		}
		var sample []int
		for _, at := range stackOf(g, i) {
			name := g.Frames[at].Name
			n, known := numbers[name]
			if !known {
				n = len(f.Shared.Frames)
				numbers[name] = n
				f.Shared.Frames = append(f.Shared.Frames, speedscopeFrame{name})
			}
			sample = append(sample, n)
		}
		// EndValue grows by each weight, since samples lie one behind the other on the axis.
		p.Samples, p.Weights, p.EndValue = append(p.Samples, sample), append(p.Weights, g.Frames[i].Ns), p.EndValue+g.Frames[i].Ns
	}
	f.Profiles = []speedscopeProfile{p}
	return json.NewEncoder(out).Encode(f)
}
