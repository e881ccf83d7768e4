package summaries

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/stats"
)

// Transitions summarises the time samples of a partition, which are sorted by fragment and transition.
type Transitions struct {
	names      *schema.Names
	components map[string]string // by fragment
	rows       []schema.Summary
	estimate   *stats.Estimator

	at     step            // the transition under way
	count  int64           // its samples so far
	values []int64         // those of them that have a time since the event before
	since  sampletests.Sum // of the fragment's start
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
	}
	return t
}

// Add takes the next samples: fragment, transition, since_previous_ns and since_start_ns are read.
func (t *Transitions) Add(s *schema.Samples) {
	for from := 0; from < len(s.Fragment); {
		at, to := step{s.Fragment[from], s.Transition[from]}, from+1
		for to < len(s.Fragment) && s.Fragment[to] == at.fragment && s.Transition[to] == at.transition {
			to++
		}
		if at != t.at {
			t.end()
			t.at = at
		}
		t.count += int64(to - from)
		t.values = schema.AppendKnown(t.values, s.SincePreviousNs[from:to])
		for _, ns := range s.SinceStartNs[from:to] {
			t.since.Add(ns)
		}
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
	t.count, t.values, t.since = 0, t.values[:0], sampletests.Sum{}
}

// Rows ends the samples and returns a row for every transition, in their order.
func (t *Transitions) Rows() []schema.Summary {
	t.end()
	return t.rows
}
