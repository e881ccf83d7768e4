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
	Component string // name of the component, or of the lifeline
	*language.Automaton
	Data *Data // nil: transitions have no conditions
}

// Set are models of the components of a system. Events with one name happen together.
type Set struct {
	Alphabet *schema.Dictionary // names of events, by label
	Models   []*Model           // by component, ascending
}

// Data are counting variables, and the conditions and updates of transitions. All start at 0; a boolean
// is 0 or 1.
type Data struct {
	Variables []Variable // Guard and Update name them by position
	Steps     []Step     // by transition
}

// Variable has a value from 0 to Max.
type Variable struct {
	Name string // unique in the model
	Max  int32  // greatest value
}

// Step is the condition of a transition and its updates.
type Step struct {
	When []Guard  // all must hold
	Do   []Update // carried out together after the step
}

// Guard holds where a variable equals a value or, if Less, is below it.
type Guard struct {
	Variable int   // position in Data.Variables
	Less     bool  // below Value, and not equal to it
	Value    int32 // what the variable is compared with
}

// Update sets a variable to a value or, if Add, adds the value to it.
type Update struct {
	Variable int   // position in Data.Variables
	Add      bool  // add, and not set
	Value    int32 // what is set or added; it may be negative
}

// Model returns the model of a component, or nil.
// Models are sorted, so that a search takes O(log models).
func (s *Set) Model(component string) *Model {
	i, found := slices.BinarySearchFunc(s.Models, component, func(m *Model, name string) int { return cmp.Compare(m.Component, name) })
	if !found {
		return nil
	}
	return s.Models[i]
}

// withModels returns a set of other models with the same alphabet; it sorts the models.
func (s *Set) withModels(models []*Model) *Set {
	slices.SortFunc(models, func(a, b *Model) int { return cmp.Compare(a.Component, b.Component) })
	return &Set{s.Alphabet, models}
}

// changeChosen returns the set with other automata, without data, in the place of the chosen models; the other models
// stay as they are.
func (s *Set) changeChosen(chosen Choice, change func(m *Model) *language.Automaton) *Set {
	models := slices.Clone(s.Models)
	for i, m := range models {
		if chosen.includes(m.Component) {
			models[i] = &Model{Component: m.Component, Automaton: change(m)}
		}
	}
	return s.withModels(models)
}

// Choice selects some components of a set. The zero value selects all.
type Choice struct{ include, exclude *regexp.Regexp }

// Choose selects the components whose whole name matches the pattern included, if there is one, and not
// the pattern excluded.
func Choose(included, excluded string) (c Choice, err error) {
	if included != "" {
		if c.include, err = compileWhole(included); err != nil {
			return c, err
		}
	}
	if excluded != "" {
		c.exclude, err = compileWhole(excluded)
	}
	return c, err
}

// includes reports whether a component is selected.
func (c Choice) includes(component string) bool {
	return (c.include == nil || c.include.MatchString(component)) && (c.exclude == nil || !c.exclude.MatchString(component))
}

// compileWhole compiles a pattern that must match the whole text.
func compileWhole(pattern string) (*regexp.Regexp, error) {
	re, err := regexp.Compile("^(?:" + pattern + ")$")
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", pattern, err)
	}
	return re, nil
}
