// Package checks holds runs of a lake against a specification of requirements. What it finds is kept in tables of the run, of several
// specifications side by side; only Results writes them.
package checks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/pipeline/workers"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/requirements"
	"github.com/tracelake/tracelake/stages/checks/spec"
)

// Job is a run to hold against a specification.
type Job struct {
	*pipeline.Engine
	Run       string
	Spec      *spec.Spec
	Semantics requirements.Semantics
	Keep      mtl.Keep      // for each check and value
	Untraced  bool          // events that the ingest invented are states, too
	Between   bool          // checks of signals and states look between events, too
	View      []spec.Filter // only states that one of these selects count; none: all
	Text      string        // of Results: that of the specification, whose hash says whether the lake has its results
	Intervals bool          // of Results: also store where definitions hold

	// Unknown are the attributes that no state of the run has, and Own those of the trace that states have. Both are known once the run
	// was read.
	Unknown []spec.Attribute
	Own     []string

	Stored bool // Results wrote the tables, which no other process had written so before

	intervals []schema.CheckInterval // of Intervals, without the name of the specification
}

// Check reads the states of the run once, as far as they are needed to know every verdict, and evaluates the checks side by side. Memory
// is 6 bytes for each state at which an atom may hold, or for every one where the checks ask about all of them, and a block of truths for
// every part of the formulas that are evaluated at a time. Signals take about 100 bytes for each item that they count.
func (j *Job) Check(ctx context.Context) ([]requirements.Outcome, error) {
	states, err := j.read(ctx, j.Intervals)
	if err != nil {
		return nil, err
	}
	all := make([][]requirements.Outcome, len(j.Spec.Checks))
	stretches := make([][]schema.CheckInterval, len(j.Spec.Checks))
	failed := make([]error, len(j.Spec.Checks))
	g, ctx := workers.WithContext(ctx)
	g.SetLimit(max(j.Jobs, 1))
	for i := range j.Spec.Checks {
		g.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			c := &j.Spec.Checks[i]
			found, err := states.Judge(j.Spec, c, j.Semantics, j.Keep)
			if all[i] = found; err == nil && j.Intervals {
				stretches[i], err = states.Intervals(j.Spec, c, stretchRows)
			}
			// An error of one check ends none of the others, so that all errors are told.
			failed[i] = err
			return nil
		})
	}
	if err := cmp.Or(g.Wait(), errors.Join(failed...)); err != nil {
		return nil, fmt.Errorf("run %s: %w", j.Run, err)
	}
	j.intervals = slices.Concat(stretches...)
	return slices.Concat(all...), nil
}

// Explain explains the number-th failing state of a check of the specification, counted from 1.
func (j *Job) Explain(ctx context.Context, c *spec.Check, number int64) (*requirements.Explained, error) {
	states, err := j.read(ctx, true)
	if err != nil {
		return nil, err
	}
	x, err := states.Explain(j.Spec, c, j.Semantics, number)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", j.Run, err)
	}
	return x, nil
}

// prepare prepares for the states of the run, whose events have these names, and reads what else the specification asks for.
func (j *Job) prepare(ctx context.Context, names *schema.Names) (*requirements.States, *schema.Things, error) {
	states := requirements.NewStates(j.Spec, names, j.Untraced)
	states.View(j.View)
	things, err := runs.Things(ctx, j.Lake, j.Run)
	if err != nil {
		return nil, nil, err
	}
	if things.Some() {
		states.Own(j.Spec, things)
	}
	j.Unknown, j.Own = states.Unknown(j.Spec), own(things)
	if unknown := states.UnknownInView(); len(unknown) > 0 {
		return nil, nil, fmt.Errorf("run %s: no state has the attribute %s, by which the view is filtered", j.Run, unknown[0])
	}
	return states, things, nil
}

// Stretches are where checks and definitions hold over time, after Check of a job with Intervals: for each check in the order of the
// file, what it asks at every state, then its definitions. They have no name of the specification.
func (j *Job) Stretches() []schema.CheckInterval { return j.intervals }
