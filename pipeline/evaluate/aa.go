package evaluate

import (
	"context"
	"math"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/evaluation/results"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

// everyMargin is of how many splits one is looked at twice: with the sides as they are, and with the margin between
// them; everyAblation of how many one is given to the other methods.
const (
	everyMargin   = 3
	everyAblation = 4
)

// designs are the numbers of runs of a side that are tried: 3, and all that there are.
func designs(runs int) (out []int) {
	for _, k := range []int{verdicts.MinRuns, runs / 2} {
		if 2*k <= runs && k > 0 && !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

// repeat compares the runs of a cell with each other.
func (j *Job) repeat(ctx context.Context, o *observed, t *traces, r *results.Result) error {
	for _, k := range designs(len(o.Runs)) {
		splits := scores.Splits(len(o.Runs), k, j.Splits)
		parts, err := pipeline.Each(ctx, j.Jobs, len(splits), func(_ context.Context, i int) (results.AA, error) {
			defer j.Progress.Advance(1)
			return j.compareAlike(o, splits[i], i%everyMargin == 0), nil
		})
		if err != nil {
			return err
		}
		a := results.AA{Cell: o.Name, Runs: k}
		for _, p := range parts {
			a.Join(p)
		}
		r.AA = append(r.AA, a)
		rivals, err := j.ablate(ctx, t, k, splits)
		if err != nil {
			return err
		}
		r.Ablation = append(r.Ablation, rivals...)
	}
	return nil
}

// compareAlike counts the verdicts of one comparison.
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

// alarms says whether a verdict is of a release that takes longer, or less long.
func alarms(verdict string) bool { return verdict == schema.Regressed || verdict == schema.Improved }

func takesTime(o *verdicts.Observed, s scores.Split) bool {
	return slices.ContainsFunc(slices.Concat(s.Base, s.Cand), func(r int) bool { return o.Runs[r].TotalNs > 0 })
}

// covers says whether the interval of the cost holds no change.
func covers(v *verdicts.Judgement) bool { return v.LoNs <= 0 && v.HiNs >= 0 }

// atMargin puts the margin between the sides of every subject, and counts which of them are still called unchanged. Only
// costs differ then, so the equality of medians does not help.
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

// expect adds up the comparisons to come.
func (j *Job) expect() {
	for _, c := range j.Cells {
		for _, k := range designs(len(c.Runs)) {
			if n := int64(len(scores.Splits(len(c.Runs), k, j.Splits))); j.Parts.AA {
				j.Progress.Expect(n + int64(math.Ceil(float64(n)/everyAblation)))
			}
		}
		if j.Parts.Power {
			j.Progress.Expect(int64(len(sizes(len(c.Runs))) * (len(results.Effects) + len(mixtures)) * powerDraws))
		}
		if j.Parts.Faults && slices.Contains(c.Runs, j.Trace) {
			j.Progress.Expect(int64(len(settings(len(c.Runs))) * j.Seeds * len(results.Kinds())))
		}
	}
}
