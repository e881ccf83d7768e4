package evaluate

import (
	"context"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/evaluation/results"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

// Of every everyMargin splits one is compared twice: with the sides as they are, and with the margin between them. Of every
// everyAblation splits one is given to the other methods, whose tests of pooled samples take far longer.
const (
	everyMargin   = 3
	everyAblation = 4
)

// designs returns the numbers of runs per side that are tried: the fewest that allow a verdict, and half of all.
func designs(runs int) []int { return sideSizes(runs, verdicts.MinRuns, runs/2) }

// sideSizes returns the numbers of runs per side, of those tried, for which there are runs enough; each once.
func sideSizes(runs int, tried ...int) []int {
	return slices.Compact(slices.DeleteFunc(tried, func(k int) bool { return k < 1 || 2*k > runs }))
}

// repeat compares runs of a cell with each other, by splits of which the first one has a number that both everyMargin and
// everyAblation divide. They are repetitions, so every change that is found is a false alarm.
func (j *Job) repeat(ctx context.Context, c *prepared, runs int, splits []scores.Split) (a results.AA, rivals []results.Rival, err error) {
	a = results.AA{Cell: c.observed.Name, Runs: runs}
	for i, s := range splits {
		if err := ctx.Err(); err != nil {
			return a, nil, err
		}
		a.Join(j.compareAlike(c.observed, s, i%everyMargin == 0))
	}
	rivals, err = j.ablate(ctx, c.traces, runs, splits)
	return a, rivals, err
}

// compareAlike counts the verdicts of one comparison: by subject, and whether it has any alarm. With margin it is judged a
// second time with a true difference, see atMargin. Shares of unchanged subjects and of intervals are those of subjects that
// take any time, since of the others no interval can miss.
func (j *Job) compareAlike(o *observed, s scores.Split, margin bool) results.AA {
	subjects, _ := o.compared(s)
	a := results.AA{Splits: 1}
	alarmed, alarmedSteps := false, false
	all := verdicts.Judge(subjects, o.sides(s), j.Verdicts)
	for i, v := range all {
		alarm := alarms(v.Verdict)
		alarmed, alarmedSteps = alarmed || alarm, alarmedSteps || alarm && subjects[i].Level == schema.LevelTransition
		a.Alarms.Add(alarm)
		a.Shape.Add(v.Verdict == schema.ShapeChanged)
		a.Count.Add(v.Verdict == schema.CountChanged)
		if subjects[i].Level == schema.LevelTransition {
			a.Displaced.Add(displaced(v.Verdict))
		}
		if takesTime(&subjects[i], s) {
			a.Unchanged.Add(v.Verdict == schema.Unchanged)
			a.Undetermined.Add(v.Verdict == schema.Undetermined)
			a.Covered.Add(covers(&v))
		}
	}
	a.Alarmed.Add(alarmed)
	a.AlarmedSteps.Add(alarmedSteps)
	if margin {
		a.Wrong = j.atMargin(o, s, subjects)
	}
	return a
}

// alarms reports whether a verdict would stop a release or praise it: the subject takes longer, or less long.
func alarms(verdict string) bool { return verdict == schema.Regressed || verdict == schema.Improved }

// takesTime reports whether a subject takes any time in the runs of a split.
func takesTime(o *verdicts.Observed, s scores.Split) bool {
	return slices.ContainsFunc(slices.Concat(s.Base, s.Cand), func(r int) bool { return o.Runs[r].TotalNs > 0 })
}

// covers reports whether the confidence interval of the cost holds no change, which is the truth of an A/A comparison.
func covers(v *verdicts.Judgement) bool { return v.LoNs <= 0 && v.HiNs >= 0 }

// atMargin puts the margin between the sides of every subject, and counts which of them are still called unchanged. The test of
// equivalence may do so with a probability of alpha at most. Only costs differ then, so the equality of medians does not help.
func (j *Job) atMargin(o *observed, s scores.Split, subjects []verdicts.Observed) (wrong scores.Share) {
	raised := make([]verdicts.Observed, len(subjects))
	for i, of := range subjects {
		sum := 0.0
		for _, r := range slices.Concat(s.Base, s.Cand) {
			sum += scores.LogCost(of.Runs[r].TotalNs, root(o.roots, r))
		}
		d := scores.AtMargin(j.Verdicts.Margin, j.Verdicts.FloorNs, sum/float64(len(s.Base)+len(s.Cand)))
		of.Runs = slices.Clone(of.Runs)
		for _, r := range s.Cand {
			of.Runs[r].TotalNs = scores.Raised(of.Runs[r].TotalNs, root(o.roots, r), d)
		}
		raised[i] = of
	}
	for i, v := range verdicts.Judge(raised, o.sides(s), j.Verdicts) {
		if takesTime(&subjects[i], s) {
			wrong.Add(v.Verdict == schema.Unchanged)
		}
	}
	return wrong
}

// ablate has all methods judge some of the splits. It returns a row for each method: in how many comparisons it alarms at all,
// and for how many steps. The share of comparisons with an alarm is the error rate of the family, which a user sees.
func (j *Job) ablate(ctx context.Context, t *traces, runs int, splits []scores.Split) ([]results.Rival, error) {
	var found []map[string][]bool
	for i := 0; i < len(splits); i += everyAblation {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := j.contestOf(t, splits[i])
		all := c.detected()
		for method, by := range all {
			var judged []bool
			for step, is := range by {
				if c.judged[step] {
					judged = append(judged, is)
				}
			}
			all[method] = judged
		}
		found = append(found, all)
	}
	var out []results.Rival
	for _, m := range results.Methods() {
		r := results.Rival{Cell: t.Name, Runs: runs, Method: m}
		for _, by := range found {
			r.Alarmed.Add(slices.Contains(by[m], true))
			for _, is := range by[m] {
				r.Alarms.Add(is)
			}
		}
		out = append(out, r)
	}
	return out, nil
}
