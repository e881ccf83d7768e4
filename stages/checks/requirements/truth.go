package requirements

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/checks/stl"
)

// Truth lists the states at which a formula holds, by their number on the tape. The run is taken as it is. A formula with signals holds at
// no state outside of their domain; parts of signals that globally or finally heads are dense time, as in checks.
func (s *States) Truth(f *spec.Formula) (states []int64) {
	tape, truth, first, _ := s.truth(f)
	if tape == nil {
		return nil
	}
	for i := range tape.States() {
		if truth[i/64]>>(i%64)&1 != 0 {
			states = append(states, first+i)
		}
	}
	return states
}

// Fragments are the pieces of a signal of the specification, with times by the clock of the run; nil where it has no domain.
func (s *States) Fragments(signal int) []stl.Fragment {
	of := s.Signals.Of(signal)
	if of == nil {
		return nil
	}
	all := of.Fragments()
	for i := range all {
		all[i].From, all[i].To = all[i].From+float64(s.Signals.OriginNs), all[i].To+float64(s.Signals.OriginNs)
	}
	return all
}

// Traced returns the pieces of the one signal of the trace that a filter selects, by its name or its other attributes. Times are those
// of the trace in ns, and so are the units of time of slopes.
func Traced(things *schema.Things) func(f spec.Filter) ([]stl.Fragment, error) {
	a := things.Attributes
	of := make(map[int64]map[string]string) // attributes by signal
	for _, s := range things.Signals {
		of[s.Signal] = map[string]string{"name": s.Name}
	}
	for i, about := range a.About {
		if about == schema.OfSignal && of[a.Ref[i]] != nil {
			of[a.Ref[i]][a.Texts.Names.Name(a.Name[i])] = a.Texts.Values.Name(a.Value[i])
		}
	}
	return func(f spec.Filter) ([]stl.Fragment, error) {
		var selected []schema.Signal
		for _, s := range things.Signals {
			if matches(f, of[s.Signal]) {
				selected = append(selected, s)
			}
		}
		if len(selected) != 1 {
			return nil, selectsOne(selected, things.Signals, of)
		}
		return pieces(things.Fragments, &selected[0]), nil
	}
}

// listedSignals is how many signals a message lists.
const listedSignals = 8

// selectsOne is the error of a filter that selects another number of signals than one. It lists those that were selected, or else the
// signals of the trace, with the attributes of each, given by its number.
func selectsOne(selected, all []schema.Signal, of map[int64]map[string]string) error {
	if len(all) == 0 {
		return fmt.Errorf("the filter selects signals that the trace itself has, and this one has none; derive one, as in signal load : wip of root")
	}
	what, listed := "the filter selects no signal of the trace; take the attributes of one of these", all
	if len(selected) > 0 {
		what, listed = fmt.Sprintf("the filter selects %d signals of the trace, and must select one; add an attribute that only one of these has", len(selected)), selected
	}
	var names []string
	for _, s := range listed[:min(len(listed), listedSignals)] {
		var attributes []string
		for _, name := range slices.Sorted(maps.Keys(of[s.Signal])) {
			if value := of[s.Signal][name]; value != "" {
				attributes = append(attributes, name+"="+value)
			}
		}
		names = append(names, cmp.Or(strings.Join(attributes, ","), fmt.Sprintf("signal %d without attributes", s.Signal)))
	}
	list := strings.Join(names, "; ")
	if len(listed) > listedSignals {
		list += "; ... (the table signals has all names)"
	}
	return fmt.Errorf("%s: %s", what, list)
}

// matches reports whether attributes have all values of a filter.
func matches(f spec.Filter, attributes map[string]string) bool {
	for _, p := range f.Pairs {
		if value, has := attributes[p.Name]; !has || value != p.Value {
			return false
		}
	}
	return true
}

// pieces are those of a signal.
func pieces(all *schema.SignalFragments, s *schema.Signal) (of []stl.Fragment) {
	step := float64(s.StepNs)
	for i, signal := range all.Signal {
		if signal == s.Signal {
			of = append(of, stl.Fragment{
				From: float64(all.FromNs[i]), To: float64(all.ToNs[i]), C: all.C[i], B: all.B[i] / step, A: all.A[i] / step / step,
			})
		}
	}
	return of
}
