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

var (
	cost     = &quantity{name: schema.QuantityCost, offset: ResolutionNs}
	location = &quantity{name: schema.QuantityLocation, quantile: median, offset: ResolutionNs}
	count    = &quantity{name: schema.QuantityCount}
	arrival  = &quantity{name: schema.QuantityArrival, offset: ResolutionNs}
	shapes   = shapeQuantities()
)

// shapeQuantities returns one quantity for each quantile but the median, which is the location.
func shapeQuantities() (all []*quantity) {
	for i := range Quantiles {
		if i != median {
			all = append(all, &quantity{name: schema.QuantityShape, quantile: i, offset: ResolutionNs})
		}
	}
	return all
}

// rowsOf returns the quantities of a subject that its runs allow to compare.
func (e *engine) rowsOf(subject int, o *Observed) []*row {
	runs := e.runs
	rows := []*row{e.row(subject, o, cost, e.options.FloorNs, func(r *Run) float64 { return r.TotalNs })}
	if o.CostOnly {
		return rows
	}
	least := o.least(runs)
	if e.varies(o) {
		rows = append(rows, e.counts(subject, o))
	}
	if e.arrives(o) {
		rows = append(rows, e.arrivals(subject, o))
	}
	if least < minValues || !known(o, runs, median) {
		return rows
	}
	floor := e.options.FloorNs / e.perRoot(o)
	rows = append(rows, e.quantileRow(subject, o, location, floor))
	for _, q := range shapes {
		p := Quantiles[q.quantile]
		if least*min(p, 1-p) >= minBeyond && known(o, runs, q.quantile) {
			rows = append(rows, e.quantileRow(subject, o, q, floor))
		}
	}
	return rows
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

// row is a quantity that is divided by root executions.
func (e *engine) row(subject int, o *Observed, q *quantity, floor float64, of func(*Run) float64) *row {
	r := &row{subject: subject, quantity: q, level: o.Level, component: o.Component, floor: floor, y: make([]float64, len(e.runs))}
	for i, run := range e.runs {
		r.y[i] = q.value(&o.Runs[run], e.sides.roots(run), of)
	}
	return r
}

// quantileRow is a quantity that is a quantile of the values. The floor is what the value of one call may change by, so
// that the whole cost changes by no more than its floor.
func (e *engine) quantileRow(subject int, o *Observed, q *quantity, floor float64) *row {
	r := &row{subject: subject, quantity: q, level: o.Level, component: o.Component, floor: floor, y: make([]float64, len(e.runs))}
	for i, run := range e.runs {
		r.y[i] = q.value(&o.Runs[run], 1, func(r *Run) float64 { return r.Quantiles[q.quantile] })
	}
	return r
}

// counts is the quantity count; the offset belongs to the number itself, whatever it is divided by.
func (e *engine) counts(subject int, o *Observed) *row {
	return e.row(subject, o, count, 0, func(r *Run) float64 { return r.Count + countOffset })
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

// arrivals is the quantity arrival, with the floor of a single value as for quantiles.
func (e *engine) arrivals(subject int, o *Observed) *row {
	r := &row{subject: subject, quantity: arrival, level: o.Level, component: o.Component, floor: e.options.FloorNs / e.perRoot(o), y: make([]float64, len(e.runs))}
	for i, run := range e.runs {
		r.y[i] = arrival.value(&o.Runs[run], 1, func(r *Run) float64 { return math.Max(r.ArrivalNs/r.Count, 0) })
	}
	return r
}

// perRoot is how many values a root execution has, in the run that has most.
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
