package verdicts

import (
	"math"

	"github.com/tracelake/tracelake/schema"
)

// minValues is the number of values that every run needs for their median to be compared, and minBeyond the number that
// must lie beyond a quantile: a quantile of fewer is the extreme value, which one odd occurrence sets.
const (
	minValues = 5
	minBeyond = 10
)

// The positions of quantities in the list; those of shapes follow.
const (
	cost = iota
	location
	count
	arrival
	firstShape
)

// quantities are all that may be compared of a subject.
var quantities = listQuantities()

// listQuantities returns the quantities at their positions: behind the first ones one for each quantile but the median, which is
// the location.
func listQuantities() []*quantity {
	all := []*quantity{
		cost:     {name: schema.QuantityCost, offset: ResolutionNs},
		location: {name: schema.QuantityLocation, quantile: median, offset: ResolutionNs},
		count:    {name: schema.QuantityCount},
		arrival:  {name: schema.QuantityArrival, offset: ResolutionNs},
	}
	for i := range Quantiles {
		if i != median {
			all = append(all, &quantity{name: schema.QuantityShape, quantile: i, offset: ResolutionNs})
		}
	}
	return all
}

// momentsOf reduces the quantities of a subject that its runs allow to compare: always its cost, the others only where every
// run has values enough. Costs and counts are per root execution, so that a longer recording costs no more.
func (e *engine) momentsOf(o *Observed) []Moments {
	all, blocks := make([]Moments, 0, firstShape), e.blocksWith(o)
	add := func(quantity int, floor float64, of func(r *Run, roots float64) float64) {
		for i, run := range e.runs {
			e.values[i] = math.Log(of(&o.Runs[run], e.sides.roots(run)) + quantities[quantity].offset)
		}
		all = append(all, e.moments(quantity, floor, e.values, len(e.sides.Base), len(e.sides.Cand), blocks))
	}
	if m, sporadic := e.costOfCalls(o); sporadic {
		all = append(all, m)
	} else {
		add(cost, e.limits.FloorNs, func(r *Run, roots float64) float64 { return r.TotalNs / roots })
	}
	if o.CostOnly {
		return all
	}
	if e.varies(o) {
		// The offset belongs to the number of calls itself, whatever it is divided by.
		add(count, 0, func(r *Run, roots float64) float64 { return (r.Count + countOffset) / roots })
	}
	// The floor of a single value is what each call may change by so that the whole cost changes by no more than its floor.
	floor := e.limits.FloorNs / e.perRoot(o)
	if e.arrives(o) {
		add(arrival, floor, func(r *Run, _ float64) float64 { return max(r.ArrivalNs/r.Count, 0) })
	}
	least := o.minValues(e.runs)
	if least < minValues || !known(o, e.runs, median) {
		return all
	}
	addQuantile := func(quantity int) {
		add(quantity, floor, func(r *Run, _ float64) float64 { return r.Quantiles[quantities[quantity].quantile] })
	}
	addQuantile(location)
	for i := firstShape; i < len(quantities); i++ {
		quantile := quantities[i].quantile
		if p := Quantiles[quantile]; least*min(p, 1-p) >= minBeyond && known(o, e.runs, quantile) {
			addQuantile(i)
		}
	}
	return all
}

// known reports whether all runs have a quantile.
func known(o *Observed, runs []int, quantile int) bool {
	for _, r := range runs {
		if q := o.Runs[r].Quantiles; q == nil || !(q[quantile] >= 0) {
			return false
		}
	}
	return true
}

// arrives reports whether all runs know when the subject is reached, and some of them later than at once.
func (e *engine) arrives(o *Observed) bool {
	late := 0.0
	for _, run := range e.runs {
		if o.Runs[run].Count == 0 {
			return false
		}
		late += o.Runs[run].ArrivalNs
	}
	return late > 0
}

// perRoot returns the maximum over the runs of the number of values per root execution, at least one.
func (e *engine) perRoot(o *Observed) float64 {
	most := 1.0
	for _, run := range e.runs {
		most = max(most, o.Runs[run].N/e.sides.roots(run))
	}
	return most
}

// varies reports whether counts differ between any two runs, so that there is something to test.
func (e *engine) varies(o *Observed) bool {
	for _, run := range e.runs {
		if o.Runs[run].Count*e.sides.roots(e.runs[0]) != o.Runs[e.runs[0]].Count*e.sides.roots(run) {
			return true
		}
	}
	return false
}
