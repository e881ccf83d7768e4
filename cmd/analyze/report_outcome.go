package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// outcome is what the reports of runs compared with runs say, whatever their format.
type outcome struct {
	job      compare.Job
	runs     map[string]schema.Run
	lake     string           // the folder, as a command names it
	changes  []schema.Change  // by rank
	findings []schema.Finding // by number
	told     []schema.Finding // the same as a person reads them: what is slower or stands out, what is faster, all else
	roots    []schema.Change  // run times of initial fragments, those that regressed or improved first, then by effect
	counts   map[string]map[string]int
	needed   needed
	enough   bool // whether there are runs enough for verdicts
	failOn   []string
	carried  map[carried]bool
	tripped  []tripped // the words of failOn that something meets
	word     string    // the verdict on the whole
	sentence string    // what it says, without the word
}

// newOutcome looks at a result. Runs are those of the lake, failOn are the words of --fail-on.
func newOutcome(j compare.Job, runs map[string]schema.Run, lake string, failOn []string, r *compare.Result) *outcome {
	o := &outcome{
		job: j, runs: runs, lake: lake, changes: r.Changes, findings: r.Findings, failOn: failOn,
		counts: make(map[string]map[string]int), carried: make(map[carried]bool), enough: enough(j),
	}
	for _, c := range r.Changes {
		if o.counts[c.Level] == nil {
			o.counts[c.Level] = make(map[string]int)
		}
		o.counts[c.Level][c.Verdict]++
		if c.Finding != nil && judged(c.Level) {
			o.carried[carried{*c.Finding, c.Verdict}] = true
		}
		if initial(&c) {
			o.roots = append(o.roots, c)
		}
	}
	slices.SortStableFunc(o.roots, func(a, b schema.Change) int {
		return cmp.Or(cmp.Compare(timed(&b), timed(&a)), cmp.Compare(size(value(b.EffectNs)), size(value(a.EffectNs))))
	})
	o.needed = neededBy(o.changes, least(j))
	o.told = o.inOrder()
	o.tripped = o.gate()
	o.word, o.sentence = o.verdict()
	return o
}

// inOrder puts the findings in the order in which they are told.
func (o *outcome) inOrder() []schema.Finding {
	class := func(f *schema.Finding) int {
		switch {
		case f.Minor:
			return 3
		case o.slower(f) || f.Verdict == schema.Candidate:
			return 0
		case o.faster(f):
			return 1
		}
		return 2
	}
	told := slices.Clone(o.findings)
	slices.SortStableFunc(told, func(a, b schema.Finding) int { return cmp.Compare(class(&a), class(&b)) })
	return told
}

// initial says whether a change is the run time of a fragment that no message starts; a message's sender is part of
// the name of the others.
func initial(c *schema.Change) bool {
	return c.Level == schema.LevelFragment && c.Fragment != c.Component+"."+c.Function+" from "+c.Peer
}

// timed is 1 for what regressed or improved, else 0.
func timed(c *schema.Change) int {
	if c.Verdict == schema.Regressed || c.Verdict == schema.Improved {
		return 1
	}
	return 0
}

// enough says whether runs are enough for verdicts: three a side, or with blocks, three that have runs of both sides.
func enough(j compare.Job) bool { return least(j) >= verdicts.MinRuns }

// least is how many runs the smaller side has, or how many blocks have runs of both sides.
func least(j compare.Job) int {
	if j.Blocks == nil {
		return min(len(j.Base), len(j.Cand))
	}
	base, both := make(map[int]bool), make(map[int]bool)
	for i, block := range j.Blocks[:len(j.Base)+len(j.Cand)] {
		if i < len(j.Base) {
			base[block] = true
		} else if base[block] {
			both[block] = true
		}
	}
	return len(both)
}

// tally is how many changes of some levels have a verdict.
func (o *outcome) tally(verdict string, levels ...string) (n int) {
	for _, level := range levels {
		n += o.counts[level][verdict]
	}
	return n
}

// with are the findings that a rule holds for.
func (o *outcome) with(holds func(*schema.Finding) bool) (list []schema.Finding) {
	for i := range o.findings {
		if holds(&o.findings[i]) {
			list = append(list, o.findings[i])
		}
	}
	return list
}

// major are the findings that are not small beside the greatest one.
func major(list []schema.Finding) (out []schema.Finding) {
	for _, f := range list {
		if !f.Minor {
			out = append(out, f)
		}
	}
	return out
}

// slower says whether a finding makes root executions slower: by its verdict, or because something appeared or vanished
// that costs more than the floor and what contains it regressed.
func (o *outcome) slower(f *schema.Finding) bool {
	return f.Verdict == schema.Regressed ||
		functional(f) && float64(f.EffectNs) >= o.job.Verdicts.FloorNs && o.carried[carried{f.Finding, schema.Regressed}]
}

// faster is the opposite of slower.
func (o *outcome) faster(f *schema.Finding) bool {
	return f.Verdict == schema.Improved ||
		functional(f) && float64(-f.EffectNs) >= o.job.Verdicts.FloorNs && o.carried[carried{f.Finding, schema.Improved}]
}

func functional(f *schema.Finding) bool {
	return f.Verdict == schema.Appeared || f.Verdict == schema.Vanished
}

// carried is a finding, and a verdict on a step, a fragment or a part of critical paths that follows from it.
type carried struct {
	finding int64
	verdict string
}

// judged says whether the verdict on a level counts for the whole: metrics and messages follow from steps.
func judged(level string) bool {
	return level == schema.LevelTransition || level == schema.LevelFragment || level == schema.LevelCriticalPath
}

// loose says whether a step, a fragment or a part of critical paths has a verdict that no finding explains. A step that
// waits does not count: if the one it waits for is not slower, others wait for that less.
func (o *outcome) loose(c *schema.Change, verdict string) bool {
	if !judged(c.Level) || c.Verdict != verdict || c.Level == schema.LevelTransition && !own(c) {
		return false
	}
	return c.Finding == nil || functional(&o.findings[*c.Finding-1])
}

// own says whether a step differs by its own doing, as far as is known.
func own(c *schema.Change) bool { return !waits(c) && c.RootCause != samplechanges.OtherSteps }

// waits says whether a step differs because of another one.
func waits(c *schema.Change) bool {
	return strings.HasPrefix(c.RootCause, samplechanges.WaitsFor) || c.RootCause == samplechanges.EarlierStep
}

// suspect names the function to look at.
func suspect(f *schema.Finding) string {
	switch {
	case f.Function != "":
		return f.Component + "." + f.Function
	case f.Fragment != "":
		return f.Fragment
	}
	return f.Component
}

// needed says how many runs a side would decide about what is undetermined.
type needed struct {
	Undetermined int       `json:"undetermined"` // steps and fragments
	MedianRuns   int64     `json:"median_runs"`  // of those that a verdict takes; 0: nothing is undetermined
	Decided      []decided `json:"decided"`
}

// decided is how many of the undetermined so many runs a side would decide.
type decided struct {
	Runs  int64 `json:"runs"`
	Count int   `json:"count"`
}

// plans are numbers of runs a side that people make.
var plans = []int64{3, 5, 10, 20, 50, 100}

// neededBy counts what more runs than so many would decide.
func neededBy(all []schema.Change, have int) needed {
	n := needed{Decided: []decided{}}
	var runs []int64
	for _, c := range all {
		if c.Verdict == schema.Undetermined && (c.Level == schema.LevelTransition || c.Level == schema.LevelFragment) {
			n.Undetermined++
			if c.RunsNeeded != nil {
				runs = append(runs, *c.RunsNeeded)
			}
		}
	}
	if len(runs) == 0 {
		return n
	}
	slices.Sort(runs)
	n.MedianRuns = runs[(len(runs)-1)/2]
	for _, p := range plans {
		within, _ := slices.BinarySearch(runs, p+1)
		if last := len(n.Decided) - 1; p > int64(have) && within > 0 && last < 1 && (last < 0 || n.Decided[last].Count < within) {
			n.Decided = append(n.Decided, decided{p, within})
		}
	}
	return n
}

// changed says whether a change of a step or a fragment tells of something, and not of time.
func changed(c *schema.Change) bool {
	return (c.Level == schema.LevelTransition || c.Level == schema.LevelFragment) && samplechanges.Notable(c.Verdict) &&
		slices.Contains(functionalVerdicts, c.Verdict)
}

// functionalVerdicts are those on what is done, and not on how long it takes.
var functionalVerdicts = []string{schema.Appeared, schema.Vanished, schema.Moved, schema.CountChanged}
