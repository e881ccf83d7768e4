package evaluate

import (
	"context"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/evaluation/results"
)

// Cell is a set of runs that repeat the same program and load on the same machine.
type Cell struct {
	Name string
	Runs []string // names of runs of the lake
}

// Parts are the parts of an evaluation that are wanted. Power includes the false discovery rate.
type Parts struct{ AA, Faults, Power bool }

// Job is an evaluation. Its result depends on nothing but the lake and its own fields, and not on Jobs.
type Job struct {
	*pipeline.Engine // Memory holds the traces of a cell

	Cells      []Cell
	Trace      string // the run into which faults are injected for "same trace"; its cell has the independent runs
	Parts      Parts
	Seeds      int // faults of each kind and magnitude
	Splits     int // the maximum for each cell and number of runs per side
	Verdicts   verdicts.Options
	Thresholds sampletests.Options
}

// Run evaluates one cell after the other, so that memory holds the traces of one. Nothing is written to the lake: an evaluation
// is of the methods and not of the runs, and its result is a report.
func Run(ctx context.Context, j Job) (*results.Result, error) {
	r := new(results.Result)
	j.expect()
	for _, c := range j.Cells {
		if err := j.cell(ctx, c, r); err != nil {
			return nil, fmt.Errorf("cell %s: %w", c.Name, err)
		}
	}
	return r, nil
}

// cell evaluates one cell: what starts from summaries, and where traces are needed, with the traces.
func (j *Job) cell(ctx context.Context, c Cell, r *results.Result) error {
	o, err := j.observe(ctx, c)
	if err != nil {
		return err
	}
	// Faults go into the cell of the traced run only.
	here := j.Parts.Faults && slices.Contains(c.Runs, j.Trace)
	var traces *traces
	if j.Parts.AA || here {
		if traces, err = j.readTraces(ctx, o); err != nil {
			return err
		}
	}
	if j.Parts.AA {
		if err := j.repeat(ctx, o, traces, r); err != nil {
			return err
		}
	}
	if j.Parts.Power {
		if err := j.power(ctx, o, r); err != nil {
			return err
		}
		if err := j.fdr(ctx, o, r); err != nil {
			return err
		}
	}
	if here {
		r.Damage = traces.damage
		return j.faults(ctx, traces, r)
	}
	return nil
}
