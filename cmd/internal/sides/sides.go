// Package sides asks for the critical paths of all runs of a comparison: as a flame graph, or how often functions are critical.
package sides

import (
	"context"
	"io"
	"slices"

	"github.com/tracelake/tracelake/cmd/internal/named"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/change/criticality"
	criticalpathreport "github.com/tracelake/tracelake/stages/report/criticalpath"
	flamereport "github.com/tracelake/tracelake/stages/report/flame"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/timing/findings"
)

// Question is about the executions that a text names, in all runs of a comparison.
type Question struct {
	*pipeline.Engine
	Comparison, To string

	File    string  // of a flame graph; empty: how often functions are critical is asked
	Slowest float64 // of a flame graph: the share of a run's occurrences, those that took longest
	LateNs  int64   // occurrences that took longer are late; 0: than all but the slowest 5 % of the baseline
	Top     int     // functions that text has; 0 for all
	JSON    bool    // instead of text
}

// Ask finds the answer, and returns what writes it.
func (q *Question) Ask(ctx context.Context) (write func(io.Writer) error, err error) {
	if q.File != "" {
		p, err := q.flame(ctx)
		return func(out io.Writer) error { return p.Write(out, q.File) }, err
	}
	report, functions, err := q.criticality(ctx)
	if q.JSON {
		return func(out io.Writer) error { return report.WriteJSON(out, functions) }, err
	}
	return func(out io.Writer) error { return report.WriteText(out, functions) }, err
}

// flame sums up the paths of the candidate runs by call path, beside those of the baseline runs, with what the comparison found of each
// function.
func (q *Question) flame(ctx context.Context) (*flamereport.Picture, error) {
	c, err := runs.Functions(q.Lake, q.Comparison)
	if err != nil {
		return nil, err
	}
	p := &flamereport.Picture{Title: "critical paths towards " + q.To + " in comparison " + q.Comparison, Changes: c.Changes}
	if p.Graph, err = named.Flame(ctx, q.Engine, texttab.Plural(len(c.Cand), "candidate run"), q.To, q.Slowest, c.Cand...); err != nil {
		return nil, err
	}
	p.Base, err = named.Flame(ctx, q.Engine, texttab.Plural(len(c.Base), "baseline run"), q.To, q.Slowest, c.Base...)
	return p, err
}

// criticality counts in how many occurrences functions are critical, and compares the sides.
func (q *Question) criticality(ctx context.Context) (*criticalpathreport.Criticality, []criticality.Function, error) {
	c, err := runs.Functions(q.Lake, q.Comparison)
	if err != nil {
		return nil, nil, err
	}
	all := slices.Concat(c.Base, c.Cand)
	occurrences := make([][]findings.Occurrence, len(all))
	for i, run := range all {
		if occurrences[i], err = q.job(run).Executions(ctx, "--to", q.To); err != nil {
			return nil, nil, err
		}
	}
	lateNs := q.LateNs
	if lateNs == 0 {
		lateNs = criticalpaths.Slowest(slices.Concat(occurrences[:len(c.Base)]...))
	}
	out := &criticalpathreport.Criticality{Comparison: q.Comparison, To: q.To, LateNs: lateNs, NearShare: criticalpaths.NearShare, Top: q.Top}
	for i, run := range all {
		g, err := q.job(run).Job.Gains(ctx, occurrences[i], lateNs)
		if err != nil {
			return nil, nil, err
		}
		if i < len(c.Base) {
			out.Base = append(out.Base, countsOf(g))
		} else {
			out.Cand = append(out.Cand, countsOf(g))
		}
	}
	return out, criticality.Compare(out.Base, out.Cand), nil
}

// job asks questions about a run.
func (q *Question) job(run string) *named.Events {
	return &named.Events{Job: &criticalpaths.Job{Engine: q.Engine, Run: run}}
}

// countsOf takes over the counts of a run.
func countsOf(g *findings.Gains) criticality.Run {
	r := criticality.Run{Occurrences: g.Occurrences, Late: g.Late, Functions: make(map[string]criticality.Count)}
	for _, f := range g.Functions {
		r.Functions[f.Name] = criticality.Count{Critical: f.Critical, Late: f.Late, Near: f.Near}
	}
	return r
}
