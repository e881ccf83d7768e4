package summaries

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/stats"
)

// Transitions summarises the time samples of a partition, which are sorted by fragment and transition.
type Transitions struct {
	names      *schema.Names
	components map[string]string // by fragment
	steps      int               // transitions of all fragments
	rows       []schema.Summary
	estimate   *stats.Estimator

	at     step // the transition under way
	taken       // its samples so far
	spread map[step]*taken
}

// taken are samples of a transition.
type taken struct {
	count  int64
	values []int64         // of those that have a time since the event before
	since  sampletests.Sum // of the fragment's start
}

// add adds samples by their times since the event before and since the start of the fragment.
func (t *taken) add(previous, start []int64) {
	t.count += int64(len(start))
	t.values = schema.AppendKnown(t.values, previous)
	for _, ns := range start {
		t.since.Add(ns)
	}
}

// step is a transition of a fragment.
type step struct {
	fragment   schema.Code
	transition int64
}

// NewTransitions returns a builder for samples with these names. The fragments are those of the partition.
func NewTransitions(names *schema.Names, fragments []schema.Fragment, estimate *stats.Estimator) *Transitions {
	t := &Transitions{names: names, estimate: estimate, components: make(map[string]string, len(fragments))}
	for _, f := range fragments {
		t.components[f.Fragment] = f.Component
		t.steps += int(f.Transitions)
	}
	return t
}

// Reserve makes room for the rows of all transitions, and for others that whoever takes the rows appends to them.
func (t *Transitions) Reserve(others int) { t.rows = make([]schema.Summary, 0, t.steps+others) }

// Add takes the next samples: fragment, transition, since_previous_ns and since_start_ns are read.
func (t *Transitions) Add(s *schema.Samples) {
	each(s, func(at step, from, to int) {
		if at != t.at {
			t.end()
			t.at = at
		}
		t.taken.add(s.SincePreviousNs[from:to], s.SinceStartNs[from:to])
	})
}

// AddSpread takes the next samples of a partition of several parts, each of which is sorted. The values of all transitions are in
// memory then, 8 bytes a sample.
func (t *Transitions) AddSpread(s *schema.Samples) {
	if t.spread == nil {
		t.spread = make(map[step]*taken)
	}
	each(s, func(at step, from, to int) {
		if t.spread[at] == nil {
			t.spread[at] = new(taken)
		}
		t.spread[at].add(s.SincePreviousNs[from:to], s.SinceStartNs[from:to])
	})
}

// each hands out the samples transition by transition, from one row to another.
func each(s *schema.Samples, add func(at step, from, to int)) {
	for from := 0; from < len(s.Fragment); {
		at, to := step{s.Fragment[from], s.Transition[from]}, from+1
		for to < len(s.Fragment) && s.Fragment[to] == at.fragment && s.Transition[to] == at.transition {
			to++
		}
		add(at, from, to)
		from = to
	}
}

// end writes the row of the transition under way.
func (t *Transitions) end() {
	if t.count == 0 {
		return
	}
	fragment, transition := t.names.Fragments.Name(t.at.fragment), t.at.transition
	of := subject{Level: schema.LevelTransition, Component: t.components[fragment], Fragment: fragment, Transition: &transition}
	of.ArrivalNs = t.since.Int64()
	t.rows = append(t.rows, summarise(of, t.count, t.values, t.estimate))
	t.taken = taken{values: t.values[:0]}
}

// Rows ends the samples and returns a row for every transition, in their order.
func (t *Transitions) Rows() []schema.Summary {
	t.end()
	byName := func(a, b step) int {
		names := &t.names.Fragments
		return cmp.Or(cmp.Compare(names.Name(a.fragment), names.Name(b.fragment)), cmp.Compare(a.transition, b.transition))
	}
	for _, at := range slices.SortedFunc(maps.Keys(t.spread), byName) {
		t.at, t.taken = at, *t.spread[at]
		delete(t.spread, at)
		t.end()
	}
	return t.rows
}
