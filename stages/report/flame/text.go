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
// Semicolons in names become commas.
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

// stackOf returns the positions of a frame and of those below it, the lowest first.
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
		Schema   string              `json:"$schema"`
		Shared   speedscopeShared    `json:"shared"`
		Profiles []speedscopeProfile `json:"profiles"`
		Name     string              `json:"name"`
	}
	speedscopeShared struct {
		Frames []speedscopeFrame `json:"frames"`
	}
	speedscopeFrame struct {
		Name string `json:"name"`
	}
	speedscopeProfile struct {
		Type       string  `json:"type"`
		Name       string  `json:"name"`
		Unit       string  `json:"unit"`
		StartValue int64   `json:"startValue"`
		EndValue   int64   `json:"endValue"`
		Samples    [][]int `json:"samples"` // call paths as positions of frames, the lowest first
		Weights    []int64 `json:"weights"` // their times, in ns
	}
)

// WriteSpeedscope writes the graph as one profile in the file format of speedscope.
func WriteSpeedscope(out io.Writer, g *flame.Graph) error {
	f := speedscopeFile{Schema: "https://www.speedscope.app/file-format-schema.json", Name: g.Frames[0].Name}
	p := speedscopeProfile{Type: "sampled", Name: g.Frames[0].Name, Unit: "nanoseconds", Samples: [][]int{}, Weights: []int64{}}
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
		p.Samples, p.Weights, p.EndValue = append(p.Samples, sample), append(p.Weights, g.Frames[i].Ns), p.EndValue+g.Frames[i].Ns
	}
	f.Profiles = []speedscopeProfile{p}
	return json.NewEncoder(out).Encode(f)
}
