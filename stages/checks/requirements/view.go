package requirements

import (
	"slices"

	"github.com/tracelake/tracelake/stages/checks/spec"
)

// view is the states that a filter leaves.
type view struct {
	filters []spec.Filter
	known   []bool // by tuple: whether it is in the view
}

// View leaves only the states that one of some filters selects, so that checks and signals are those of the filtered view. It is called
// before Own and the first Add.
func (s *States) View(filters []spec.Filter) {
	if len(filters) == 0 {
		return
	}
	s.view = &view{filters: filters}
	for _, f := range filters {
		for _, p := range f.Pairs {
			if a := named(p.Name); a != nil {
				for _, column := range a.column {
					if !slices.Contains(s.columns, column) {
						s.columns = append(s.columns, column)
					}
				}
			}
		}
	}
}

// asks reports whether the view asks for an attribute.
func (v *view) asks(name string) bool {
	return v != nil && slices.ContainsFunc(v.filters, func(f spec.Filter) bool {
		return slices.ContainsFunc(f.Pairs, func(p spec.Pair) bool { return p.Name == name })
	})
}

// has reports whether states with a tuple are in the view. Tuples come in the order of their numbers.
func (v *view) has(s *States, tuple uint32) bool {
	for n := uint32(len(v.known)); n <= tuple; n++ {
		v.known = append(v.known, slices.ContainsFunc(v.filters, func(f spec.Filter) bool {
			return !slices.ContainsFunc(f.Pairs, func(p spec.Pair) bool {
				value := s.text(p.Name)
				return value == nil || value(&s.tuples[n]) != p.Value
			})
		}))
	}
	return v.known[tuple]
}

// UnknownInView lists the attributes of the view that no state of the run has.
func (s *States) UnknownInView() (names []string) {
	if s.view == nil {
		return nil
	}
	for _, f := range s.view.filters {
		for _, p := range f.Pairs {
			if s.text(p.Name) == nil && !slices.Contains(names, p.Name) {
				names = append(names, p.Name)
			}
		}
	}
	return names
}
