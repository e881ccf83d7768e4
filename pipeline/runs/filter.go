package runs

import (
	"fmt"
	"slices"
	"strings"
)

// Filter selects claims, executions, events or states by their attributes (Hendriks et al. 2024, Definition 9): those that have all values
// of one of its alternatives. Without alternatives it selects all.
type Filter [][]Condition

// Condition is a value that an attribute must have.
type Condition struct{ Name, Value string }

// ParseFilter reads alternatives as flags have them: name=A,type=x.
func ParseFilter(texts []string) (f Filter, err error) {
	for _, text := range texts {
		var all []Condition
		for _, part := range strings.Split(text, ",") {
			name, value, is := strings.Cut(part, "=")
			if name, value = strings.TrimSpace(name), strings.TrimSpace(value); !is || name == "" || value == "" {
				return nil, fmt.Errorf("%q: give ATTRIBUTE=VALUE, with commas between what must hold together", text)
			}
			all = append(all, Condition{name, value})
		}
		f = append(f, all)
	}
	return f, nil
}

// Names are the attributes that the filter asks for, each once.
func (f Filter) Names() (names []string) {
	for _, all := range f {
		for _, c := range all {
			if !slices.Contains(names, c.Name) {
				names = append(names, c.Name)
			}
		}
	}
	return names
}

// Selects reports whether something is selected, whose attributes value gives: "" for those that it lacks.
func (f Filter) Selects(value func(name string) string) bool {
	return len(f) == 0 || slices.ContainsFunc(f, func(all []Condition) bool {
		return !slices.ContainsFunc(all, func(c Condition) bool { return value(c.Name) != c.Value })
	})
}
