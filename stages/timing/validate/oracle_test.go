package validate_test

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// oracle checks Definition 3 of Jonk et al. 2019 by its words, condition by condition, over all pairs of events. It
// knows charts whose rows stand in the order of their sequence numbers, equal ones only in rows that repeat an event.
type oracle struct {
	chart
	set    []event // the events, each once
	finish []int   // by position of a start in set: the position of its finish, or -1
	start  []int   // the other way round
	found  map[schema.Violation]int64
}

func (c *chart) literal() []schema.Violation {
	o := oracle{chart: *c, found: map[schema.Violation]int64{}}
	o.unique()
	o.pair()
	o.ordered()
	o.nested()
	o.met()
	var rows []schema.Violation
	for v, count := range o.found {
		same := func(x schema.Violation) bool {
			return x.Name == v.Name && x.Component == v.Component && x.Lifeline == v.Lifeline && x.Function == v.Function
		}
		if i := slices.IndexFunc(rows, same); i >= 0 {
			rows[i].Count += count
			rows[i].FirstSeq = min(rows[i].FirstSeq, v.FirstSeq)
			continue
		}
		v.Count = count
		rows = append(rows, v)
	}
	slices.SortFunc(rows, func(x, y schema.Violation) int {
		return cmp.Or(cmp.Compare(x.Condition, y.Condition), cmp.Compare(x.Name, y.Name), cmp.Compare(x.Lifeline, y.Lifeline), cmp.Compare(x.Function, y.Function))
	})
	return rows
}

func (o *oracle) breach(b schema.Breach, e event) {
	o.found[schema.Violation{Condition: b.Condition, Name: b.Name, Meaning: b.Meaning, Component: e.component(),
		Lifeline: e.lifeline, Function: e.function, FirstSeq: e.seq}]++
}

// unique is condition 2.
func (o *oracle) unique() {
	for _, e := range o.events {
		i := slices.IndexFunc(o.set, func(x event) bool { return x.seq == e.seq })
		switch {
		case e.kind == schema.Message:
		case i < 0:
			o.set = append(o.set, e)
		case o.set[i].timeNs != e.timeNs:
			o.breach(schema.TwoTimes, e)
		default:
			o.breach(schema.RepeatedEvent, e)
		}
	}
}

// pair is condition 4; a finish belongs to the last start of its function before it that has none yet.
func (o *oracle) pair() {
	o.finish, o.start = slices.Repeat([]int{-1}, len(o.set)), slices.Repeat([]int{-1}, len(o.set))
	for i, e := range o.set {
		for j := i - 1; e.kind == schema.Exit && j >= 0 && o.start[i] < 0; j-- {
			s := o.set[j]
			if s.kind == schema.Enter && s.lifeline == e.lifeline && s.function == e.function && o.finish[j] < 0 {
				o.finish[j], o.start[i] = i, j
			}
		}
		if e.kind == schema.Exit && o.start[i] < 0 {
			o.breach(schema.MissingStart, e)
		}
	}
	for i, e := range o.set {
		if e.kind == schema.Enter && o.finish[i] < 0 {
			o.breach(schema.MissingFinish, e)
		}
	}
}

// ordered is condition 1: between two events of a lifeline there is a path that keeps to it, and none is a cycle.
func (o *oracle) ordered() {
	n := len(o.set)
	paths := make([][]bool, n) // along the constraints that go forward, on one lifeline
	for i := range paths {
		paths[i] = make([]bool, n)
	}
	for _, x := range o.constraints {
		from := slices.IndexFunc(o.set, func(e event) bool { return e.seq == x.source })
		to := slices.IndexFunc(o.set, func(e event) bool { return e.seq == x.target })
		if from >= to {
			o.breach(schema.BackwardConstraint, o.set[to])
		} else if o.set[from].lifeline == o.set[to].lifeline {
			paths[from][to] = true
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				paths[i][j] = paths[i][j] || paths[i][k] && paths[k][j]
			}
		}
	}
	for j, e := range o.set {
		if i := o.before(j); i >= 0 && !paths[i][j] {
			o.breach(schema.GapInOrder, e)
		}
	}
}

// nested is condition 5.
func (o *oracle) nested() {
	for g := range o.set {
		for f := range g {
			if o.set[f].lifeline == o.set[g].lifeline && o.finish[f] > g && o.finish[g] > o.finish[f] {
				o.breach(schema.CallsInterleave, o.set[o.finish[g]])
				break
			}
		}
	}
}

// before is the position of the event before the j-th on its lifeline, or -1.
func (o *oracle) before(j int) int {
	for i := j - 1; i >= 0; i-- {
		if o.set[i].lifeline == o.set[j].lifeline {
			return i
		}
	}
	return -1
}

// met is condition 6.
func (o *oracle) met() {
	for _, x := range o.constraints {
		from, to := o.at(x.source), o.at(x.target)
		boundNs := x.durationNs - x.slackNs
		p := o.before(slices.Index(o.set, to))
		switch {
		case to.timeNs < from.timeNs && p >= 0 && o.set[p] == from: // time runs back
		case to.timeNs < from.timeNs:
			o.breach(schema.TargetBeforeSource, to)
		case from.timeNs+boundNs > to.timeNs:
			o.breach(schema.BoundNotMet, to)
		case boundNs < 0:
			o.breach(schema.NegativeBound, to)
		}
	}
	for j, e := range o.set {
		if i := o.before(j); i >= 0 && e.timeNs < o.set[i].timeNs {
			o.breach(schema.TimeRunsBack, e)
		}
	}
}
