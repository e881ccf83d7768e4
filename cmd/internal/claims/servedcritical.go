package claims

import (
	"context"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	report "github.com/tracelake/tracelake/stages/report/claims"
)

// Criticality is what is critical in a run, for the sentence beside a picture, its colours and its edges (Hendriks et al. 2024, figure 14).
type Criticality struct {
	report.Critical                // claims: the first of those that waited
	Number          int            `json:"critical"` // claims
	Waited          int            `json:"waited"`   // of them
	Shares          []report.Share `json:"shares"`
	Edges           Following      `json:"edges"` // the first of them
	Words           *Words         `json:"-"`     // of every critical execution Waited or OnPath
}

// What a picture says of critical executions.
const OnPath, Waited = "critical", "waited"

// Following are critical edges between claims, as columns.
type Following struct {
	From    []int64 `json:"from"`    // executions
	To      []int64 `json:"to"`      // executions
	Applied []bool  `json:"applied"` // a dependency of the trace asks for it
}

// How many claims that waited, and how many edges, a page is sent.
const mostWaited, mostEdges = 200, 20_000

// CriticalOf finds what is critical in a run: which is claims:EPSILON or dependencies:WEIGHT, as analyze critical-path --graph has them. Nothing is kept in the
// lake.
func CriticalOf(ctx context.Context, g *console.Globals, l *lake.Lake, run, which string) (*Criticality, error) {
	graph, of, _ := strings.Cut(which, ":")
	f := &criticalCommand{command: command{Globals: g, format: "json"}, graph: graph, epsilon: "0", weight: "0"}
	switch {
	case graph == "claims" && of != "":
		f.epsilon = of
	case graph == "dependencies" && of != "":
		f.weight = of
	case graph != "claims" && graph != "dependencies":
		return nil, console.Usagef("critical paths are those of claims:EPSILON or of dependencies:WEIGHT")
	}
	a, err := f.ask()
	if err != nil {
		return nil, err
	}
	c, err := f.inRun(ctx, l, run, &a)
	if err != nil {
		return nil, err
	}
	r := c.run
	all := criticalReport(c.set, r, c.found, true)
	all.Graph, all.DurationNs, all.ByEnds = a.words, c.described.DurationNs, graph == "claims"
	start := c.described.StartNs // times of a page count from it
	out := &Criticality{Critical: *all, Number: len(all.Claims), Shares: all.Shares(), Words: &Words{Words: []string{OnPath, Waited}}}
	out.Critical.Claims, out.Critical.Edges = []report.Claim{}, nil
	for i := range all.Claims {
		one := &all.Claims[i]
		one.StartNs, one.EndNs = one.StartNs-start, one.EndNs-start
		place := 0
		if one.Wait {
			place = 1
			if out.Waited++; out.Waited <= mostWaited {
				out.Critical.Claims = append(out.Critical.Claims, *one)
			}
		}
		out.Words.Executions, out.Words.Places = append(out.Words.Executions, one.Execution), append(out.Words.Places, place)
	}
	applied := r.Applied()
	out.Edges = Following{[]int64{}, []int64{}, []bool{}}
	for _, e := range c.found.Edges[:min(len(c.found.Edges), mostEdges)] {
		if !r.IsClaim(e.From) || !r.IsClaim(e.To) {
			continue
		}
		out.Edges.From, out.Edges.To = append(out.Edges.From, r.Seq(e.From)), append(out.Edges.To, r.Seq(e.To))
		out.Edges.Applied = append(out.Edges.Applied, applied[[2]int32{e.From, e.To}])
	}
	return out, nil
}
