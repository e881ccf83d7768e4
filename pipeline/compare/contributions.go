package compare

import (
	"math"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/functionchanges"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// unasked returns a subject for every function that is no question of its own: those that only one side has, and those that cost too
// little or that only some runs of a side have. With them, the functions of a comparison are all there.
func (f *functions) unasked(j *comparison, sides *verdicts.Sides) (out []Subject) {
	if f.result.Asked == 0 {
		return nil
	}
	for i := range f.pairs {
		found := &f.result.Changes[i]
		if found.State == functionchanges.Asked {
			continue
		}
		s := f.subject(j, sides, i)
		c := &s.Change
		base, cand := f.callsOf(i)
		c.CountBase, c.CountCand = &base, &cand
		c.CostBaseNs, c.CostCandNs = stats.OptionalNs(found.BaseNs), stats.OptionalNs(found.CandNs)
		switch c.Verdict = schema.NotAsked; found.State {
		case functionchanges.Appeared:
			c.Verdict = schema.Appeared
		case functionchanges.Vanished:
			c.Verdict = schema.Vanished
		}
		if c.Verdict != schema.NotAsked {
			f.describeOneSided(c, i, j.Verdicts.Level)
			c.MovedFrom = j.lainBeside(f.pairs, f.pairs[i].name(), c.Verdict == schema.Appeared)
		}
		c.Detected = samplechanges.Notable(c.Verdict)
		out = append(out, s)
	}
	return out
}

// describeOneSided fills in the effect of a function that only one side has: the mean of its own time over the runs of that side, with
// the interval of Student's t.
func (f *functions) describeOneSided(c *schema.Change, i int, level float64) {
	costs, sign := f.costs[i][:f.design.Base], -1.
	if c.Verdict == schema.Appeared {
		costs, sign = f.costs[i][f.design.Base:], 1
	}
	n, sum, squares := float64(len(costs)), 0.0, 0.0
	for _, cost := range costs {
		sum += cost.TotalNs
	}
	for _, cost := range costs {
		squares += (cost.TotalNs - sum/n) * (cost.TotalNs - sum/n)
	}
	t := stats.Moderated{Estimate: sign * sum / n, SE: math.Sqrt(squares / (n - 1) / n), DF: n - 1}
	lo, hi := t.Interval(level)
	c.EffectNs, c.EffectLoNs, c.EffectHiNs = stats.OptionalNs(t.Estimate), stats.OptionalNs(lo), stats.OptionalNs(hi)
}

// callsOf returns how often a function is called per root execution, as the mean of the runs of each side.
func (f *functions) callsOf(i int) (base, cand float64) {
	for at := range f.costs[i] {
		if calls := f.costs[i][at].Calls; at < f.design.Base {
			base += calls
		} else {
			cand += calls
		}
	}
	// The sums are divided and not their terms: ten times 2/10 is less than 2.
	return base / float64(f.design.Base), cand / float64(len(f.runs)-f.design.Base)
}

// longestOf returns what the longest call of each run takes of the cost of a function, as the mean of the runs of each side.
func (f *functions) longestOf(i int) (base, cand int64) {
	var ns [2]float64
	for at := range f.costs[i] {
		if at < f.design.Base {
			ns[0] += f.costs[i][at].LongestNs
		} else {
			ns[1] += f.costs[i][at].LongestNs
		}
	}
	return stats.RoundNs(ns[0] / float64(f.design.Base)), stats.RoundNs(ns[1] / float64(len(f.runs)-f.design.Base))
}

// contributions returns what every function contributes to the difference of the own times of all functions, without findings.
func (f *functions) contributions(subjects []Subject) (rows []schema.Contribution) {
	of := changesOf(subjects)
	for i := range f.pairs {
		name := f.pairs[i].name()
		if of[name] == nil {
			continue // nothing was compared
		}
		row := schema.Contribution{Component: name.component, Function: name.function, MovedFrom: f.pairs[i].movedFrom()}
		base, cand, common := f.meanCosts(i)
		row.BaseNs, row.CandNs, row.CommonNs = stats.RoundNs(base), stats.RoundNs(cand), stats.RoundNs(common)
		row.DifferenceNs = row.CandNs - row.BaseNs - row.CommonNs
		row.CallsBase, row.CallsCand = f.callsOf(i)
		row.LongestBaseNs, row.LongestCandNs = f.longestOf(i)
		rows = append(rows, row)
	}
	return rows
}

// settle gives contributions the verdicts and findings of their functions, when findings were put on these.
func settle(rows []schema.Contribution, functions []Subject) {
	of := changesOf(functions)
	for i := range rows {
		row := &rows[i]
		c := of[functionKey{row.Component, row.Function}]
		row.Verdict, row.Finding = c.Verdict, c.Finding
	}
}

// changesOf returns the changes of functions by name.
func changesOf(functions []Subject) map[functionKey]*schema.Change {
	of := make(map[functionKey]*schema.Change, len(functions))
	for i := range functions {
		c := &functions[i].Change
		of[functionKey{c.Component, c.Function}] = c
	}
	return of
}

// meanCosts returns the mean own times of a function on both sides in ns, and what of their difference all functions of a run have
// in common: by how much a run's cost exceeds its cost divided by the run's factor. Functions that wait have no part in that.
func (f *functions) meanCosts(i int) (base, cand, common float64) {
	found := &f.result.Changes[i]
	follows := found.State != functionchanges.Asked || found.Follows
	for at := range f.costs[i] {
		ns, factor := f.costs[i][at].TotalNs, 1.
		if follows {
			factor = math.Exp(f.result.Factors.Log[at])
		}
		if at < f.design.Base {
			base += ns / float64(f.design.Base)
			common -= (ns - ns/factor) / float64(f.design.Base)
		} else {
			n := float64(len(f.runs) - f.design.Base)
			cand += ns / n
			common += (ns - ns/factor) / n
		}
	}
	return base, cand, common
}
