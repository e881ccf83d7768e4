package verdicts

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// decide finds the verdict, and the hypothesis it rests on: nil if it rests on none.
//
// A subject of all runs of one side and of none of the other appeared or vanished, unless chance does that here. What happens in some runs
// only is judged by its cost, which is 0 in the others.
func (e *engine) decide(j *Judgement, of *Reduction, all []*hypothesis) *hypothesis {
	switch {
	case e.decideOneSided(j, of):
		return nil
	case !e.hasVerdicts():
		return e.decideCandidate(j, all)
	}
	// The first rule that applies decides: what a subject costs matters more than how its time is distributed, and a
	// subject is unchanged only if nothing else is shown.
	for _, rule := range []func(*Judgement, *Reduction, []*hypothesis) *hypothesis{
		e.decideTime, e.decideShape, e.decideCount, e.decideArrival, e.decideEqual,
	} {
		if h := rule(j, of, all); h != nil {
			j.Quantity = h.rows[0].quantity().name
			return h
		}
	}
	return nil
}

// named returns the hypothesis of a quantity, or nil.
func named(all []*hypothesis, quantity string) *hypothesis {
	i := slices.IndexFunc(all, func(h *hypothesis) bool { return h.rows[0].quantity().name == quantity })
	if i < 0 {
		return nil
	}
	return all[i]
}

// decideTime finds what takes longer, or less long: by its cost, or by its median where the cost shows no change. Where the effect that
// stands beside the word, that of the cost, goes the opposite way or has an interval that holds 0, the word would contradict it: a
// typical call that is slower while all calls together take less, or as long, is a time that is distributed differently.
func (e *engine) decideTime(j *Judgement, _ *Reduction, all []*hypothesis) *hypothesis {
	for _, name := range []string{schema.QuantityCost, schema.QuantityLocation} {
		h := named(all, name)
		if h == nil || !(h.rows[0].q <= e.rate()) {
			continue
		}
		switch estimate := h.rows[0].test.Estimate; {
		case estimate*j.EffectNs < 0, name == schema.QuantityLocation && j.LoNs*j.HiNs < 0:
			j.Verdict = schema.ShapeChanged
		case estimate < 0:
			j.Verdict = schema.Improved
		default:
			j.Verdict = schema.Regressed
		}
		return h
	}
	return nil
}

// decideShape finds a subject that has some quantile changed, though neither its cost nor its median did.
func (e *engine) decideShape(j *Judgement, _ *Reduction, all []*hypothesis) *hypothesis {
	h := named(all, schema.QuantityShape)
	if h == nil || !(h.rows[0].q <= e.rate()) {
		return nil
	}
	j.Verdict = schema.ShapeChanged
	return h
}

// decideCount finds what happens more or less often. Numbers that do not vary within a side need no test.
func (e *engine) decideCount(j *Judgement, of *Reduction, all []*hypothesis) *hypothesis {
	h := named(all, schema.QuantityCount)
	if h == nil || !(h.rows[0].q <= e.rate() || of.Certain) {
		return nil
	}
	j.Verdict = schema.CountChanged
	return h
}

// decideArrival finds what is reached later or sooner without having changed by itself.
func (e *engine) decideArrival(j *Judgement, _ *Reduction, all []*hypothesis) *hypothesis {
	h := named(all, schema.QuantityArrival)
	if h == nil || !(h.rows[0].q <= e.rate()) {
		return nil
	}
	if j.Verdict = schema.Later; h.rows[0].test.Estimate < 0 {
		j.Verdict = schema.Sooner
	}
	return h
}

// certain reports whether all runs of a side have the same count per root execution, and the sides differ in it.
func (e *engine) certain(o *Observed) bool {
	base, same := e.constant(o, e.sides.Base)
	cand, alike := e.constant(o, e.sides.Cand)
	return same && alike && base != cand
}

// constant returns the count per root execution of the runs, and whether it is the same in all of them.
func (e *engine) constant(o *Observed, runs []int) (value float64, same bool) {
	value = o.Runs[runs[0]].Count / e.sides.roots(runs[0])
	for _, r := range runs[1:] {
		if o.Runs[r].Count/e.sides.roots(r) != value {
			return 0, false
		}
	}
	return value, true
}

// decideEqual finds what is shown to be unchanged: in its cost, and in its median where that is compared. The mean counts as it is, too,
// with the runs that stand apart from all others: what takes seconds longer in one run of six is not known to be unchanged, however
// alike the other runs are. Nor is what most runs of a side do not have.
func (e *engine) decideEqual(j *Judgement, of *Reduction, all []*hypothesis) *hypothesis {
	h := named(all, schema.QuantityCost)
	r := h.rows[0]
	rare := 2*of.TakenBase <= len(e.sides.Base) || 2*of.TakenCand <= len(e.sides.Cand)
	if !(r.equal < e.options.Alpha) || rare || math.Abs(r.Plain) > r.Margin && r.Blocks == 0 {
		return nil
	}
	if l := named(all, schema.QuantityLocation); l != nil && !(l.rows[0].equal < e.options.Alpha) {
		return nil
	}
	j.Verdict = schema.Unchanged
	return h
}
