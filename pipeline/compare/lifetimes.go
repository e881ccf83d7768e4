package compare

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/lifetimes"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// lifetimesOf makes a subject of the lifetimes of every name that some runs have, by component and name. They are no time of functions and no part of
// anything: a family of hypotheses of their own. What is compared is how long one takes, so that more of them are not longer ones.
func (j *comparison) lifetimesOf(sides *verdicts.Sides) (all []Subject) {
	if !j.ByRuns {
		return nil
	}
	keys := make(map[functionKey]bool)
	for _, m := range j.models {
		for k := range m.summaries.lifetimes {
			keys[k] = true
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(keys), functionKey.compare) {
		s := Subject{Change: schema.Change{
			Level: schema.LevelLifetime, Component: k.component, Subject: k.function, Function: k.function,
			RunsBase: int64(len(sides.Base)), RunsCand: int64(len(sides.Cand)), Method: byRuns, Verdict: schema.Undetermined,
		}}
		runs := make([]verdicts.Run, len(j.models))
		for i, m := range j.models {
			runs[i] = m.summaries.lifetimes[k]
		}
		c := &s.Change
		c.NBase, c.TotalBaseNs = totalsOf(runs, sides.Base)
		c.NCand, c.TotalCandNs = totalsOf(runs, sides.Cand)
		c.MeanBaseNs, c.MeanCandNs = meanOf(c.TotalBaseNs, c.NBase), meanOf(c.TotalCandNs, c.NCand)
		c.AbsNs = c.TotalCandNs - c.TotalBaseNs
		s.Observed = j.observed(&s, func(run int) verdicts.Run { return ofOne(runs[run], sides.Roots[run]) })
		all = append(all, s)
	}
	return all
}

// ofOne is what a run says, where costs are those of one lifetime and not of a root execution, by which they are divided.
func ofOne(r verdicts.Run, roots float64) verdicts.Run {
	if r.Count > 0 {
		r.TotalNs *= max(roots, 1) / r.Count
	}
	return r
}

// meanOf is the mean of a number of times, nil of none.
func meanOf(totalNs, n int64) *int64 {
	if n == 0 {
		return nil
	}
	mean := totalNs / n
	return &mean
}

// explainLifetimes says of the lifetimes that take another time what is behind that, as their root cause: the function that works longer inside them, the one
// for which messages wait longer, or nothing that the trace shows. Executions are read only where lifetimes changed.
func (j *comparison) explainLifetimes(ctx context.Context, o *Observations) error {
	var changed []*schema.Change
	for i := range o.Subjects {
		if c := &o.Subjects[i].Change; c.Level == schema.LevelLifetime && (c.Verdict == schema.Longer || c.Verdict == schema.Shorter) {
			changed = append(changed, c)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	base, err := j.insideOf(ctx, o.Sides.Base, changed)
	if err != nil {
		return err
	}
	cand, err := j.insideOf(ctx, o.Sides.Cand, changed)
	if err != nil {
		return err
	}
	for i, c := range changed {
		c.RootCause = "waiting"
		switch part, _, found := lifetimes.Behind(base[i], cand[i], float64(*c.EffectNs)); {
		case found && part.IsQueue:
			c.RootCause = fmt.Sprintf("queueing for %s.%s", part.Component, part.Function)
		case found:
			c.RootCause = fmt.Sprintf("in %s.%s", part.Component, part.Function)
		}
	}
	return nil
}

// insideOf returns what happens inside a lifetime of each of some names, mean of the runs of a side that have such.
func (j *comparison) insideOf(ctx context.Context, runs []int, of []*schema.Change) ([]map[lifetimes.Part]float64, error) {
	means, parts := make([]lifetimes.Mean, len(of)), make([]map[lifetimes.Part]float64, len(of))
	for _, run := range runs {
		all, err := j.insideRun(ctx, j.models[run].run, of)
		if err != nil {
			return nil, err
		}
		for i, in := range all {
			means[i].Add(in)
		}
	}
	for i := range means {
		parts[i] = means[i].Parts()
	}
	return parts, nil
}

// insideColumns are those of executions that say what happens inside lifetimes.
var insideColumns = []string{"execution", "component", "function", "start_ns", "finish_ns", "parent", "role", "execution_type"}

// insideRun goes through the executions of a run twice: for the lifetimes of some names, and for what happens inside them.
func (j *comparison) insideRun(ctx context.Context, run string, of []*schema.Change) ([]*lifetimes.Inside, error) {
	all := make([]*lifetimes.Inside, len(of))
	for i, c := range of {
		all[i] = lifetimes.NewInside(c.Component)
	}
	rows := schema.NewExecutions(new(schema.Names))
	err := j.Lake.ScanTable(ctx, "executions", run, rows, lake.ScanOptions{Columns: insideColumns}, func() error {
		isLifetime := rows.Names.LifetimesIn(rows.Type)
		for row := range rows.Execution {
			if !isLifetime.Has(row) {
				continue
			}
			for i, c := range of {
				if rows.Names.Functions.Name(rows.Function[row]) == c.Function && rows.Names.Components.Name(rows.Component[row]) == c.Component {
					all[i].Add(rows.StartNs[row], rows.FinishNs[row])
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, in := range all {
		in.Close()
	}
	err = j.Lake.ScanTable(ctx, "executions", run, rows, lake.ScanOptions{Columns: insideColumns}, func() error {
		for _, in := range all {
			in.AddExecutions(rows)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	sent := schema.NewMessages(new(schema.Names))
	columns := []string{"receiver", "receiver_function", "send_ns", "receive_ns"}
	return all, j.Lake.ScanTable(ctx, "messages", run, sent, lake.ScanOptions{Columns: columns}, func() error {
		for _, in := range all {
			in.AddMessages(sent)
		}
		return nil
	})
}
