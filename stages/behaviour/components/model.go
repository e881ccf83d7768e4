package components

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// Model is the behaviour of one component. Its labels are codes of the alphabet of its set.
type Model struct {
	Component string
	*language.Automaton
	Data *Data // nil: transitions have no conditions
}

// Set are models of the components of a system. Events with one name happen together.
type Set struct {
	Alphabet *schema.Dictionary // names of events
	Models   []*Model           // by component, ascending
}

// Data are variables that count, and what transitions ask and make of them. All start at 0; a boolean is 0 or 1.
type Data struct {
	Variables []Variable
	Steps     []Step // by transition
}

// Variable has a value from 0 to Max.
type Variable struct {
	Name string
	Max  int32
}

// Step is what a transition asks of the variables and makes of them.
type Step struct {
	When []Guard // all must hold
	Do   []Update
}

// Guard holds where a variable equals a value or, if Less, is below it.
type Guard struct {
	Variable int
	Less     bool
	Value    int32
}

// Update sets a variable to a value or, if Add, adds the value to it.
type Update struct {
	Variable int
	Add      bool
	Value    int32
}

// Model returns the model of a component, or nil.
func (s *Set) Model(component string) *Model {
	i, found := slices.BinarySearchFunc(s.Models, component, func(m *Model, name string) int { return cmp.Compare(m.Component, name) })
	if !found {
		return nil
	}
	return s.Models[i]
}

// with is a set of other models with the same alphabet, which it sorts.
func (s *Set) with(models []*Model) *Set {
	slices.SortFunc(models, func(a, b *Model) int { return cmp.Compare(a.Component, b.Component) })
	return &Set{s.Alphabet, models}
}

// Choice takes some components of a set. The zero value takes all.
type Choice struct{ include, exclude *regexp.Regexp }

// Choose takes the components whose whole name matches the pattern included, if there is one, and not the
// pattern excluded.
func Choose(included, excluded string) (c Choice, err error) {
	if included != "" {
		if c.include, err = whole(included); err != nil {
			return c, err
		}
	}
	if excluded != "" {
		c.exclude, err = whole(excluded)
	}
	return c, err
}

func (c Choice) takes(component string) bool {
	return (c.include == nil || c.include.MatchString(component)) && (c.exclude == nil || !c.exclude.MatchString(component))
}

// whole compiles a pattern that must match all of a text.
func whole(pattern string) (*regexp.Regexp, error) {
	re, err := regexp.Compile("^(?:" + pattern + ")$")
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", pattern, err)
	}
	return re, nil
}
