// Package sides asks for the critical paths of all runs of a comparison: as a flame graph, or how often functions are critical.
package sides

import (
	"context"
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
}

// Flame sums up the paths of the candidate runs by call path, beside those of the baseline runs, with what the comparison found of each
// function: those of the share of a run's occurrences that took longest.
func (q *Question) Flame(ctx context.Context, slowest float64) (*flamereport.Picture, error) {
	c, err := runs.Functions(q.Lake, q.Comparison)
	if err != nil {
		return nil, err
	}
	p := &flamereport.Picture{Title: "critical paths towards " + q.To + " in comparison " + q.Comparison, Changes: c.Changes}
	if p.Graph, err = named.Flame(ctx, q.Engine, texttab.Plural(len(c.Cand), "candidate run"), q.To, slowest, c.Cand...); err != nil {
		return nil, err
	}
	p.Base, err = named.Flame(ctx, q.Engine, texttab.Plural(len(c.Base), "baseline run"), q.To, slowest, c.Base...)
	return p, err
}

// Criticality counts in how many occurrences functions are critical, and compares the sides. Occurrences are late that took longer than
// lateNs; if that is 0, than all but the slowest 5 % of the baseline.
func (q *Question) Criticality(ctx context.Context, lateNs int64) (*criticalpathreport.Criticality, []criticality.Function, error) {
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
	if lateNs == 0 {
		lateNs = criticalpaths.Slowest(slices.Concat(occurrences[:len(c.Base)]...))
	}
	out := &criticalpathreport.Criticality{Comparison: q.Comparison, To: q.To, LateNs: lateNs, NearShare: criticalpaths.NearShare}
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
