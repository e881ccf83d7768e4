package claims

import (
	"bytes"
	"context"
	"strconv"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/claimorder"
	report "github.com/tracelake/tracelake/stages/report/claims"
)

// Behaviours finds which items of a run were treated alike, and returns what analyze behaviours RUN --item ITEM --format json prints. Without attributes
// in by, all but the item count.
func Behaviours(ctx context.Context, g *console.Globals, l *lake.Lake, run, item string, by []string) ([]byte, error) {
	f := &behavioursFlags{command: command{Globals: g, by: by}, item: item}
	set, described, err := f.readOf(ctx, l, []string{run}, item)
	if err != nil {
		return nil, err
	}
	items := set.Items(item, by, false)
	found, err := f.behaviours(set, described, items, classesOf(items))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = found.WriteJSON(&out)
	return out.Bytes(), err
}

// Words are what a picture says of executions: of each the place of a word.
type Words struct {
	Executions []int64
	Places     []int
	Words      []string
}

// BehaviourOf says of every execution that belongs to an item which behaviour the item has: 1 is the most frequent one, as in Behaviours.
func BehaviourOf(ctx context.Context, g *console.Globals, l *lake.Lake, run, item string, by []string) (*Words, error) {
	f := &behavioursFlags{command: command{Globals: g, by: by}, item: item}
	set, _, err := f.readOf(ctx, l, []string{run}, item)
	if err != nil {
		return nil, err
	}
	items := set.Items(item, by, false)
	out := &Words{}
	place := make(map[string]int)
	for k, b := range classesOf(items) {
		out.Words = append(out.Words, strconv.Itoa(k+1))
		for _, i := range b.Items {
			place[items[i].Value] = k
		}
	}
	r := set.Runs[0]
	values, _ := set.Values(r, item)
	for i, code := range values {
		if code != schema.NoCode {
			out.Executions, out.Places = append(out.Executions, r.Execution[i]), append(out.Places, place[set.Value(code)])
		}
	}
	return out, nil
}

// Differing is how the order of a run differs from that of a reference, for the sentence beside a picture and for its shades.
type Differing struct {
	report.Distance        // without what differs
	By              string `json:"by"`     // in words
	Claims          int    `json:"differ"` // claims of the run that differ
	Most            int32  `json:"most"`   // how much the one adds that differs most; 0 where none does
	Words           *Words `json:"-"`      // of every execution how much it adds, a number
}

// DifferenceOf compares the order of a run with that of a reference, and says of every execution how many starts, ends and edges of it the reference lacks
// (Hendriks et al. 2024, section 6.4.2 and figure 16).
func DifferenceOf(ctx context.Context, g *console.Globals, l *lake.Lake, reference, run string, by []string) (*Differing, error) {
	f := &command{Globals: g, by: by}
	set, _, err := f.readOf(ctx, l, []string{reference, run})
	if err != nil {
		return nil, err
	}
	if len(set.Runs) < 2 {
		return nil, console.Usagef("a distance is that of two runs: name another run beside %s", run)
	}
	d, err := set.Distance(set.Runs[0], set.Runs[1], by, false)
	if err != nil {
		return nil, err
	}
	out := &Differing{Distance: distanceOf(set.Runs[1].Name, d), By: f.byWords(""), Words: &Words{}}
	out.Differences = nil
	place := make(map[int32]int)
	for i, s := range d.Claims[1] {
		n := s.Weight()
		if n > 0 {
			out.Claims++
		}
		out.Most = max(out.Most, n)
		at, known := place[n]
		if !known {
			at = len(out.Words.Words)
			place[n] = at
			out.Words.Words = append(out.Words.Words, strconv.Itoa(int(n)))
		}
		out.Words.Executions, out.Words.Places = append(out.Words.Executions, set.Runs[1].Execution[i]), append(out.Words.Places, at)
	}
	return out, nil
}

// distanceOf is a distance as it is reported, without what differs.
func distanceOf(run string, d *claimorder.Distance) report.Distance {
	return report.Distance{
		Run: run, D: d.D(), F: d.F(), Vertices: d.Vertices, Edges: d.Edges, ReferenceVertices: d.Size[0].Vertices, ReferenceEdges: d.Size[0].Edges,
		RunVertices: d.Size[1].Vertices, RunEdges: d.Size[1].Edges, Named: d.Claims[0] != nil, Differences: []report.Differs{},
	}
}

// Durations groups the claims of runs by attributes, and has a histogram of each group with the same bins for all runs (Hendriks et al. 2024, section
// 6.4.1 and figure 15): what analyze durations RUN... --by BY prints. Without attributes in by, claims of one name are a group.
func Durations(ctx context.Context, g *console.Globals, l *lake.Lake, runs, by []string) (*report.Histograms, error) {
	if len(by) == 0 {
		by = []string{"name"}
	}
	f := &command{Globals: g, by: by}
	set, _, err := f.readOf(ctx, l, runs)
	if err != nil {
		return nil, err
	}
	return durations(set, by).Histograms(mostGroups), nil
}

// mostGroups is how many groups of claims a page shows.
const mostGroups = 100
