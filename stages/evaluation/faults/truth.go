package faults

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Truth is what a detection can find (section 4.2.2): precision is |T ∩ P| / |P \ C| and recall |T ∩ P| / |T|,
// where P are the subjects that were detected. Both lists are ascending.
type Truth struct {
	Injected      []uint32 // T: subjects of which an event was given a fault
	Consequential []uint32 // C: other subjects of which an event was shifted as a consequence
}

// Truth is that of a run into which these injections were made; shifted are the events that moved as a consequence,
// see Injector.Shifted. A subject that has both is in T alone: in C as well it would count for T ∩ P and not for
// P \ C, and precision could exceed 1.
func (r *Run) Truth(injections []Injection, shifted []int32) Truth {
	var t Truth
	for _, in := range injections {
		t.Injected = append(t.Injected, r.columns.Subject[in.Event])
	}
	for _, e := range shifted {
		if s := r.columns.Subject[e]; s != schema.NoCode {
			t.Consequential = append(t.Consequential, s)
		}
	}
	return t.tidy()
}

// Join is the truth of several runs together.
func Join(runs ...Truth) Truth {
	var t Truth
	for _, r := range runs {
		t.Injected = append(t.Injected, r.Injected...)
		t.Consequential = append(t.Consequential, r.Consequential...)
	}
	return t.tidy()
}

// tidy sorts both lists, takes out repetitions, and takes T out of C.
func (t Truth) tidy() Truth {
	slices.Sort(t.Injected)
	slices.Sort(t.Consequential)
	t.Injected, t.Consequential = slices.Compact(t.Injected), slices.Compact(t.Consequential)
	t.Consequential = slices.DeleteFunc(t.Consequential, func(s uint32) bool {
		_, both := slices.BinarySearch(t.Injected, s)
		return both
	})
	return t
}
