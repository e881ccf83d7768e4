// Package criticalpaths finds the critical paths towards events of a run, and explains missed deadlines: the driver of
// stages/timing/criticalpath and stages/timing/deadlines over the tables executions and constraints.
package criticalpaths

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/chartwindow"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/findings"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Job is a run whose paths are asked for.
// Its methods may be called one after the other; each opens the chart anew and closes it.
type Job struct {
	*pipeline.Engine // Memory holds the constraints of a window and those on paths

	Run   string // name of the run in the lake
	Edges int64  // constraints that a window holds; 0: chartwindow.Edges
}

// targetOf returns an occurrence as the target of a path.
// Start has no time of its own: the path goes as far as constraints lead.
func targetOf(o *findings.Occurrence, group uint32) criticalpath.Target {
	t := criticalpath.Target{From: o.From, To: o.To, FromNs: o.FromNs, ToNs: o.ToNs, Group: group}
	if o.From == criticalpath.Start {
		t.FromNs = schema.NoValue
	}
	return t
}

// edgesPerWindow returns how many constraints a window of the chart holds.
func (j *Job) edgesPerWindow() int64 { return cmp.Or(j.Edges, chartwindow.Edges) }

// Compose follows the representative critical path of every occurrence.
func (j *Job) Compose(ctx context.Context, occurrences []findings.Occurrence) (*findings.Composed, error) {
	// Bounds are not needed: whether a constraint is critical is a flag of its own.
	c, err := chartwindow.Of(j.Lake, j.Run, chartwindow.Want{Parts: true}, j.Jobs)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	out := &findings.Composed{Names: c.Names, Starts: make([]int64, len(occurrences))}
	// All paths are followed in one sweep, so that the chart is read once however many occurrences there are.
	tracer := new(criticalpath.Tracer)
	ranges := make([]chartwindow.Range, len(occurrences))
	for i := range occurrences {
		tracer.Add(targetOf(&occurrences[i], uint32(i)))
		ranges[i] = chartwindow.Range{Lo: lowestEvent(c, &occurrences[i]), Hi: occurrences[i].To + 1}
	}
	tracer.Done = func(t *criticalpath.Target, shares []criticalpath.Share, fromNs int64) {
		out.Sums.Add(0, shares)
		out.Starts[t.Group] = fromNs
	}
	// Windows that no path can touch are not read.
	windows := c.Cover(ranges, j.edgesPerWindow())
	j.Progress.Expect(int64(len(windows)))
	err = c.Down(ctx, windows, func(w *window.Window) error {
		tracer.Down(w, c.Parts())
		j.Progress.Advance(1)
		return nil
	})
	// Paths that end below the last window, or at the start of the chart, are complete now.
	tracer.Finish()
	out.Parts = c.Parts()
	return out, err
}

// lowestEvent returns the lowest event that paths towards an occurrence may lead over.
// A path that need not reach From may lead down to the first event of the chart.
func lowestEvent(c *chartwindow.Chart, o *findings.Occurrence) int64 {
	if o.From == criticalpath.Start {
		return c.Span().Lo
	}
	return o.From
}

// Ask says what is wanted of a path beyond the representative one.
// The zero value asks for the representative path alone, in constant memory for each step.
type Ask struct {
	Through     bool // the representative path leads over the first event if any path does
	Constraints bool // all critical constraints on any path
}

// Trace finds the critical constraints on paths towards an occurrence's last event, and the representative path.
// It fails if the constraints on paths do not fit into Memory; the message says what helps.
func (j *Job) Trace(ctx context.Context, o findings.Occurrence, ask Ask) (*findings.Path, error) {
	c, err := chartwindow.Of(j.Lake, j.Run, chartwindow.Want{Parts: true}, j.Jobs)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	// 1. One sweep down for all constraints on paths.
	p := &findings.Path{Composed: findings.Composed{Names: c.Names}}
	tracer := newTracer(p, o)
	known, err := j.sweepDown(ctx, c, o, p, ask, tracer)
	if err != nil {
		return nil, err
	}
	// Parts are numbered while windows are read, so that the list is complete only after the sweep.
	p.Parts = c.Parts()
	// 2. A path that must lead over the first event is followed in memory, among the constraints that the sweep kept.
	if ask.Through {
		if p.ThroughFrom {
			known = criticalpath.Through(known, o.From)
		}
		tracer.Down(known.Window(), p.Parts)
	}
	tracer.Finish()
	// 3. A path is found from its end; reports show it in time order.
	slices.Reverse(p.Steps)
	return p, nil
}

// newTracer returns a tracer that follows the representative path towards the last event of an occurrence into p.
func newTracer(p *findings.Path, o findings.Occurrence) *criticalpath.Tracer {
	t := &criticalpath.Tracer{
		Step: func(_ *criticalpath.Target, s criticalpath.Step) { p.Steps = append(p.Steps, s) },
		Done: func(_ *criticalpath.Target, shares []criticalpath.Share, fromNs int64) {
			p.Sums.Add(0, shares)
			p.FromNs = fromNs
		},
	}
	t.Add(targetOf(&o, 0))
	return t
}

// sweepDown goes down the chart for the constraints into all events on paths. The representative path is
// followed in the same pass, unless it must lead over the first event: whether that is possible is known
// only when all constraints are.
func (j *Job) sweepDown(ctx context.Context, c *chartwindow.Chart, o findings.Occurrence, p *findings.Path, ask Ask, tracer *criticalpath.Tracer) (*criticalpath.Known, error) {
	low := lowestEvent(c, &o)
	closure := criticalpath.NewClosure(targetOf(&o, 0), low)
	known := new(criticalpath.Known)
	closure.Take = func(target int64, e *window.Edge, on bool) {
		if ask.Through {
			known.Add(target, e)
		}
		// Constraints beside the paths are only kept for the search for contention.
		if !on {
			return
		}
		p.Count++
		if ask.Constraints {
			p.Constraints = append(p.Constraints, findings.Constraint{Target: target, Edge: *e})
		}
	}
	windows := c.Cover([]chartwindow.Range{{Lo: low, Hi: o.To + 1}}, j.edgesPerWindow())
	j.Progress.Expect(int64(len(windows)))
	err := c.Down(ctx, windows, func(w *window.Window) error {
		closure.Down(w)
		if !ask.Through {
			tracer.Down(w, c.Parts())
		}
		j.Progress.Advance(1)
		// Checked after each window, so that the excess is bounded by what one window adds.
		if most := j.Memory / knownBytes; int64(known.Len()+len(p.Constraints)+len(p.Steps)) > most {
			return fmt.Errorf("the paths have more than %d constraints: raise --memory, or name a later --from", most)
		}
		return nil
	})
	p.ThroughFrom = closure.Reached()
	return known, err
}

// knownBytes is the memory for a constraint on a path while it is collected and printed.
// 48 bytes in memory, and the rows of the report that is made of it.
const knownBytes = 256

// ErrNothing reports that there is no such execution.
// Callers test for it with errors.Is, to suggest names that resemble the wrong one.
var ErrNothing = errors.New("no such execution")
