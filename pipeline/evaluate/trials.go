package evaluate

import (
	"context"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/evaluation/results"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

// Cell is a set of runs that repeat the same program and load on the same machine.
type Cell struct {
	Name string
	Runs []string // names of runs of the lake
}

// Parts are the parts of an evaluation that are wanted. Power includes the false discovery rate.
type Parts struct{ AA, Faults, Power bool }

// Spec is what the result of an evaluation depends on beside the runs' tables.
type Spec struct {
	Cells      []Cell
	Trace      string // the run into which faults are injected for "same trace"; its cell has the independent runs
	Parts      Parts
	Seeds      int // faults of each kind and magnitude
	Splits     int // the maximum for each cell and number of runs per side
	Verdicts   verdicts.Options
	Thresholds sampletests.Options
}

// Job is an evaluation and the engine that runs it. Its result does not depend on the engine.
type Job struct {
	*pipeline.Engine // Memory holds the traces of a cell
	Spec
}

// Stage declares an evaluation. Its tasks are trials of one cell and one kind (trialsOf). It writes no table: an evaluation is of the
// methods and not of the runs, and its result is the answer of the last task. What tasks found is recorded all the same, so that an
// evaluation that was stopped goes on behind them.
func Stage(s Spec) pipeline.Stage {
	var runs []string
	for _, c := range s.Cells {
		runs = append(runs, c.Runs...)
	}
	return pipeline.Stage{
		Name: "evaluate", Version: 1, Doc: "measures how far verdicts can be trusted, on repeated runs", Options: s, Runs: runs,
		Reads: []string{"fragments", "transitions", "summaries", "events", "messages"}, Uses: []string{"compositions"},
		Parts: len(s.trials()), Run: runTrials, Finish: finish,
	}
}

// Run evaluates the cells.
func Run(ctx context.Context, j Job) (*results.Result, error) {
	out, err := j.RunStage(ctx, Partition(j.Spec), Stage(j.Spec))
	if err != nil {
		return nil, err
	}
	return Answered(out.Answer)
}

// Answered reads the answer of the stage.
func Answered(text []byte) (*results.Result, error) {
	r := new(results.Result)
	return r, decode(text, r)
}

// Partition is where an evaluation keeps its records while it runs: one for every choice of cells and options.
func Partition(s Spec) lake.Partition {
	return lake.Partition{Key: "evaluation", Name: lake.Fingerprint("evaluate", 1, s, nil)[:16]}
}

// trials are what one task does: of one cell, so that its runs are paired once, and of one kind.
type trials struct {
	Cell   int
	Kind   kind
	Runs   int     // of each side
	From   int     // alike: the first split
	Effect float64 // power
	Change int     // false discoveries: position in mixtures
	Setting
	Seed int
}

// kind is a kind of trial.
type kind uint8

// The kinds, in the order of their results.
const (
	alike kind = iota
	power
	discoveries
	injected
)

// splitsATask is how many splits of one number of runs a task compares: some of these are compared twice, or by all methods.
const splitsATask = everyMargin * everyAblation

// trials divides an evaluation into tasks. It follows from the cells and options alone. A task without traces costs seconds.
func (s *Spec) trials() (all []trials) {
	for i, c := range s.Cells {
		n := len(c.Runs)
		if s.Parts.AA {
			for _, k := range designs(n) {
				for from := 0; from < len(scores.Splits(n, k, s.Splits)); from += splitsATask {
					all = append(all, trials{Cell: i, Kind: alike, Runs: k, From: from})
				}
			}
		}
		if s.Parts.Power {
			for _, k := range powerSizes(n) {
				for _, e := range results.Effects {
					all = append(all, trials{Cell: i, Kind: power, Runs: k, Effect: e})
				}
			}
			for _, k := range powerSizes(n) {
				for m := range mixtures {
					all = append(all, trials{Cell: i, Kind: discoveries, Runs: k, Change: m})
				}
			}
		}
		if s.Parts.Faults && slices.Contains(c.Runs, s.Trace) {
			for _, setting := range settings(n) {
				for seed := range s.Seeds {
					all = append(all, trials{Cell: i, Kind: injected, Setting: setting, Seed: seed})
				}
			}
		}
	}
	return all
}
