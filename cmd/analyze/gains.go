package main

import (
	"context"

	"github.com/tracelake/tracelake/cmd/internal/named"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/pipeline/plan"
	criticalpathreport "github.com/tracelake/tracelake/stages/report/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/findings"
)

// gains says what would be gained from each function, by occurrences of an execution or by all root executions.
func (a *app) gains(ctx context.Context, run string, f whatIfFlags) error {
	find := a.gainsOf // of --to
	if f.To == "" {   // of all root executions
		find = a.gainsOfAll
	}
	x, err := find(ctx, run, f)
	if err != nil {
		return err
	}
	l, err := a.open()
	if err != nil {
		return err
	}
	loose, err := (&criticalpaths.Job{Engine: a.engine(l), Run: run}).LooseCallbacks()
	if err != nil {
		return err
	}
	q := &criticalpathreport.Gains{Run: run, To: f.To, Top: f.top, Loose: loose}
	return inFormat(f.format, q.WriteText, q.WriteJSON)(a.stdout, x)
}

// gainsOf follows the paths of the occurrences that are asked for.
func (a *app) gainsOf(ctx context.Context, run string, f whatIfFlags) (*findings.Gains, error) {
	events, done, err := named.Open(&a.Globals, a.stderr, run, "gains")
	if err != nil {
		return nil, err
	}
	defer done()
	to, _, err := events.Rules(ctx, f.Changes)
	if err != nil {
		return nil, err
	}
	return events.Job.Gains(ctx, to, f.deadline.Nanoseconds()) // 0: late are the slowest 5 %
}

// gainsOfAll sums up the table gains, which is made if the run has none that is up to date.
func (a *app) gainsOfAll(ctx context.Context, run string, _ whatIfFlags) (*findings.Gains, error) {
	l, err := a.openToWrite()
	if err != nil {
		return nil, err
	}
	stages := keepStoredOptions()
	stages.stages = []string{plan.GainsStage} // only this stage and what it needs
	return runJob(ctx, a, l, []string{run}, stages, "gains", func(*pipeline.Meter) (*findings.Gains, bool, error) {
		x, err := (&criticalpaths.Job{Engine: a.engine(l), Run: run}).AllGains(ctx)
		return x, true, err // the table was made by the stage
	})
}
