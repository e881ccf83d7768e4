package components

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// RenameComponent gives a component another name, in its model and in all events. Every component that declares
// events must have a model, and the new name none.
func RenameComponent(s *Set, from, to string) (*Set, error) {
	if s.Model(from) == nil {
		return nil, fmt.Errorf("there is no component %q to rename; there are %v", from, s.components())
	}
	if s.Model(to) != nil {
		return nil, fmt.Errorf("component %q cannot be called %q: there is one of that name", from, to)
	}
	out := s.named(func(component string) string {
		if component == from {
			return to
		}
		return component
	})
	return out.renamed(func(_ *Model, e Event) (Event, error) {
		if s.Model(e.Component) == nil {
			return e, fmt.Errorf("there is no model of component %q, which declares %s: rename before models are left out", e.Component, e)
		}
		if e.Component == from {
			e.Component = to
		}
		if e.Other == from {
			e.Other = to
		}
		return e, nil
	})
}

// FunctionRename gives a function of an interface another name.
type FunctionRename struct{ FromInterface, FromFunction, ToInterface, ToFunction string }

// ParseFunctionRenames reads <interface>:<function>-><interface>:<function>, any number of them with commas or line ends
// between.
func ParseFunctionRenames(text string) (renames []FunctionRename, err error) {
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '\n' }) {
		from, to, arrow := strings.Cut(strings.TrimSpace(part), "->")
		var r FunctionRename
		var colon, colon2 bool
		r.FromInterface, r.FromFunction, colon = strings.Cut(from, ":")
		r.ToInterface, r.ToFunction, colon2 = strings.Cut(to, ":")
		if !arrow || !colon || !colon2 {
			return nil, fmt.Errorf("%q is not <interface>:<function>-><interface>:<function>", part)
		}
		renames = append(renames, r)
	}
	return renames, nil
}

// RenameFunctions gives functions other names in all events; of two renames of one function the first counts. The
// results are minimal.
func RenameFunctions(s *Set, renames []FunctionRename) (*Set, error) {
	return s.renamed(func(_ *Model, e Event) (Event, error) {
		i := slices.IndexFunc(renames, func(r FunctionRename) bool { return r.FromInterface == e.Interface && r.FromFunction == e.Function })
		if i >= 0 {
			e.Interface, e.Function = renames[i].ToInterface, renames[i].ToFunction
		}
		return e, nil
	})
}

// named gives components other names, but for those in events.
func (s *Set) named(name func(component string) string) *Set {
	var models []*Model
	for _, m := range s.Models {
		models = append(models, &Model{name(m.Component), m.Automaton, m.Data})
	}
	return s.with(models)
}

// renamed gives the events of models other names and minimises the models, without data. The alphabet of the result
// has the names that occur, ascending.
func (s *Set) renamed(rename func(m *Model, e Event) (Event, error)) (*Set, error) {
	interim, codes := new(schema.Dictionary), make([][]uint32, len(s.Models))
	for i, m := range s.Models {
		codes[i] = make([]uint32, s.Alphabet.Len())
		for _, l := range m.Alphabet() {
			e, err := ParseEvent(s.Alphabet.Name(l))
			if err == nil {
				e, err = rename(m, e)
			}
			if err != nil {
				return nil, err
			}
			codes[i][l] = interim.Code(e.String())
		}
	}
	out := &Set{Alphabet: new(schema.Dictionary)}
	final := sortedCodes(interim, out.Alphabet)
	for i, m := range s.Models {
		a := recode(m.visible(), func(l uint32) uint32 { return final[codes[i][l]] })
		out.Models = append(out.Models, &Model{Component: m.Component, Automaton: language.Minimise(a)})
	}
	return out, nil
}

// recode gives the transitions of an automaton without silent steps other labels.
func recode(a *language.Automaton, code func(label uint32) uint32) *language.Automaton {
	var b language.Builder
	for _, accepting := range a.Accepting {
		b.State(accepting)
	}
	for _, s := range a.Initial {
		b.Initial(s)
	}
	for t, s := range a.Source() {
		b.Transition(s, code(a.Label[t]), a.Target[t])
	}
	return b.Automaton()
}
