package checks

import (
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/checks/stl"
)

// traced returns the pieces of the one signal of the trace that a filter selects, by its name or its other attributes. Times are those
// of the trace in ns, and so are the units of time of slopes.
func traced(things *schema.Things) func(f spec.Filter) ([]stl.Fragment, error) {
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
			return nil, fmt.Errorf("the filter selects %d of the %d signals of the trace, and must select one; the table signals has their names",
				len(selected), len(things.Signals))
		}
		return pieces(things.Fragments, &selected[0]), nil
	}
}

// own names the attributes that the trace has of claims and events, in the order of the alphabet.
func own(things *schema.Things) (names []string) {
	a := things.Attributes
	seen := make(map[schema.Code]bool)
	for i, about := range a.About {
		if (about == schema.OfClaim || about == schema.OfEvent) && !seen[a.Name[i]] {
			seen[a.Name[i]] = true
			names = append(names, a.Texts.Names.Name(a.Name[i]))
		}
	}
	slices.Sort(names)
	return names
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
