package evaluate

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/evaluation/results"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

// judges returns the times that a method judges: the methods on pooled samples take the time since the start of the fragment, as
// the thesis does, those on runs the step's own time, and the release verdicts both.
func judges(method string) []int {
	switch {
	case method == results.Runs:
		return []int{sincePrevious, sinceStart}
	case slices.Index(results.Methods(), method) <= slices.Index(results.Methods(), results.PooledFDR):
		return []int{sinceStart}
	}
	return []int{sincePrevious}
}

// contest is one comparison of runs, of which some may be changed copies, that all methods judge.
type contest struct {
	job     *Job
	traces  *traces
	split   scores.Split
	judged  []bool              // by step: a comparison of these runs has it
	fired   []sampletests.Fired // by step: the tests of pooled samples that reject
	mwu     []float64           // by step: p of the Mann-Whitney U test of pooled samples; 1 of steps that are not judged
	subject []verdicts.Observed // the judged steps, with the baseline runs, then the candidate runs
	at      []int               // by subject: its step, ascending
	sides   verdicts.Sides
}

// contestOf compares runs as they are: all tests of pooled samples are made here, since a fault changes few steps, and only
// these are tested again.
func (j *Job) contestOf(t *traces, s scores.Split) *contest {
	c := &contest{job: j, traces: t, split: s, judged: t.compared(s)}
	c.fired, c.mwu = make([]sampletests.Fired, len(c.judged)), make([]float64, len(c.judged))
	runs := slices.Concat(s.Base, s.Cand)
	for i, r := range runs {
		if c.sides.Roots = append(c.sides.Roots, t.roots[r]); i < len(s.Base) {
			c.sides.Base = append(c.sides.Base, i)
		} else {
			c.sides.Cand = append(c.sides.Cand, i)
		}
	}
	for step, judged := range c.judged {
		c.mwu[step] = 1
		if !judged {
			continue
		}
		o := verdicts.Observed{Level: schema.LevelTransition, Component: t.component[step], Runs: make([]verdicts.Run, len(runs))}
		for i, r := range runs {
			o.Runs[i] = t.runs[r].summary[step]
		}
		c.subject, c.at = append(c.subject, o), append(c.at, step)
		c.test(uint32(step), nil)
	}
	return c
}

// copied returns the contest with copies of what a change replaces; the runs of a subject are cloned when they change.
func (c *contest) copied() *contest {
	d := *c
	d.fired, d.mwu, d.subject = slices.Clone(c.fired), slices.Clone(c.mwu), slices.Clone(c.subject)
	return &d
}

// test applies the tests on pooled samples to a step: the values of all runs of a side make one sample, as in the thesis, which
// takes them for independent. Changed are its samples in candidate runs that differ from the trace, by the position of the run.
func (c *contest) test(step uint32, changed map[int][]int64) {
	pool := func(runs []int, changed map[int][]int64) (all []int64) {
		for i, r := range runs {
			values, is := changed[i]
			if !is {
				values = c.traces.runs[r].since[sinceStart][step]
			}
			all = append(all, values...)
		}
		return all
	}
	left := sampletests.NewSample(pool(c.split.Base, nil)).PerRun(len(c.split.Base))
	right := sampletests.NewSample(pool(c.split.Cand, changed)).PerRun(len(c.split.Cand))
	found := sampletests.Compare(left, right, c.job.Thresholds)
	c.fired[step], c.mwu[step] = found.Fired, found.MWU.P
}

// detected returns by method which steps changed. A method that cannot judge so few runs has no entry.
func (c *contest) detected() map[string][]bool {
	out := make(map[string][]bool)
	for _, m := range sampletests.Methods() {
		all := make([]bool, len(c.judged))
		for step, f := range c.fired {
			all[step] = sampletests.Result{Fired: f}.Detected(m)
		}
		out[upper(m)] = all
	}
	p := make([]float64, len(c.at))
	for i, step := range c.at {
		p[i] = c.mwu[step]
	}
	out[results.PooledFDR] = c.spread(scores.Discoveries(p, c.job.Verdicts.FDR))
	ablation := scores.Ablation{Margin: c.job.Verdicts.Margin, FloorNs: c.job.Verdicts.FloorNs, Q: c.job.Verdicts.FDR}
	for test, all := range ablation.Detect(c.rows()) {
		out[string(test)] = c.spread(all)
	}
	own, all := make([]bool, len(c.at)), make([]bool, len(c.at))
	for i, v := range verdicts.Judge(c.subject, c.sides, c.job.Verdicts) {
		all[i] = detects(v.Verdict) || displaced(v.Verdict)
		own[i] = detects(v.Verdict) && v.Quantity != schema.QuantityArrival
	}
	out[results.OwnTime], out[results.Runs] = c.spread(own), c.spread(all)
	return out
}

// rows returns the costs of the subjects per root execution, on a logarithmic scale, for the simpler tests on runs.
func (c *contest) rows() []scores.Row {
	rows := make([]scores.Row, len(c.subject))
	for i := range c.subject {
		for _, r := range c.sides.Base {
			rows[i].Base = append(rows[i].Base, c.cost(i, r))
		}
		for _, r := range c.sides.Cand {
			rows[i].Cand = append(rows[i].Cand, c.cost(i, r))
		}
	}
	return rows
}

// cost returns the logarithm of a subject's cost per root execution in one run.
func (c *contest) cost(subject, run int) float64 {
	return scores.LogCost(c.subject[subject].Runs[run].TotalNs, root(c.sides.Roots, run))
}

// spread turns a list by subject into one by step; steps that are not judged have false.
func (c *contest) spread(of []bool) []bool {
	out := make([]bool, len(c.judged))
	for i, v := range of {
		out[c.at[i]] = v
	}
	return out
}

// upper returns the name that the results give to a test of pooled samples: both lists have the same order.
func upper(m sampletests.Method) string {
	return results.Methods()[slices.Index(sampletests.Methods(), m)]
}
