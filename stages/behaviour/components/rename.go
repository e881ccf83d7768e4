package components

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// RenameComponent gives a component another name, in its model and in all events. Every component that declares
// events must have a model, and the new name none.
func RenameComponent(s *Set, from, to string) (*Set, error) {
	if s.Model(from) == nil {
		return nil, fmt.Errorf("there is no component %q to rename; there are %v", from, s.componentNames())
	}
	if s.Model(to) != nil {
		return nil, fmt.Errorf("component %q cannot be called %q: there is one of that name", from, to)
	}
	// 1. The model itself; 2. all events that name the component, at either end.
	out := s.renameModels(func(component string) string {
		if component == from {
			return to
		}
		return component
	})
	return out.renameEvents(func(_ *Model, e Event) (Event, error) {
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

// FunctionRename gives a function of an interface another name, in both parts.
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
	return s.renameEvents(func(_ *Model, e Event) (Event, error) {
		i := slices.IndexFunc(renames, func(r FunctionRename) bool { return r.FromInterface == e.Interface && r.FromFunction == e.Function })
		if i >= 0 {
			e.Interface, e.Function = renames[i].ToInterface, renames[i].ToFunction
		}
		return e, nil
	})
}

// renameModels gives components other names, except in events.
func (s *Set) renameModels(name func(component string) string) *Set {
	var models []*Model
	for _, m := range s.Models {
		models = append(models, &Model{name(m.Component), m.Automaton, m.Data})
	}
	return s.withModels(models)
}

// renameEvents gives the events of models other names and minimises the models, without data. The
// alphabet of the result has the names that occur, ascending.
func (s *Set) renameEvents(rename func(m *Model, e Event) (Event, error)) (*Set, error) {
	// 1. Name every event of every model anew. The same event may get different names in different models, so that
	// codes are per model.
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
	// 2. Number the names in their order.
	out := &Set{Alphabet: new(schema.Dictionary)}
	final := sortedCodes(interim, out.Alphabet)
	for i, m := range s.Models {
		a := language.Relabel(m.withoutData(), func(l uint32) uint32 { return final[codes[i][l]] })
		out.Models = append(out.Models, &Model{Component: m.Component, Automaton: language.Minimise(a)})
	}
	return out, nil
}

// MergeComponents makes one component of those whose names, without variant and untraced, match a pattern with the same
// text for its group "name", which becomes their name. Untraced components do not merge with traced ones. The
// merged model executes the service fragments of all, and events everywhere have the new name. The results are
// minimal.
func MergeComponents(s *Set, chosen Choice, pattern string) (*Set, error) {
	re, group, err := compileNamePattern(pattern)
	if err != nil {
		return nil, err
	}
	// 1. Which component becomes which.
	into := make(map[string]string) // by component to be merged
	for _, m := range s.Models {
		id := identityOf(m.Component)
		if match := re.FindStringSubmatch(id.name); match != nil && chosen.includes(m.Component) {
			into[m.Component] = identity{name: match[group], untraced: id.untraced}.String()
		}
	}
	// 2. Join the models of those that become one.
	merged, err := s.mergeModels(into)
	if err != nil {
		return nil, err
	}
	// 3. Give events the new names, which also minimises.
	return merged.renameEvents(func(_ *Model, e Event) (Event, error) {
		if name, found := into[e.Component]; found {
			e.Component = name
		}
		if name, found := into[e.Other]; found {
			e.Other = name
		}
		return e, nil
	})
}

// compileNamePattern compiles a pattern and finds its group "name".
func compileNamePattern(pattern string) (re *regexp.Regexp, group int, err error) {
	if re, err = compileWhole(pattern); err != nil {
		return nil, 0, err
	}
	if group = re.SubexpIndex("name"); group < 0 {
		return nil, 0, fmt.Errorf(`pattern %q has no group (?<name>...) for the name of the merged component`, pattern)
	}
	return re, group, nil
}

// mergeModels makes one model of those that are mapped to the same name.
func (s *Set) mergeModels(into map[string]string) (*Set, error) {
	var models []*Model
	at := make(map[string]*Model) // by new name
	for _, m := range s.Models {
		name, found := into[m.Component]
		if !found {
			models = append(models, m)
			continue
		}
		if _, moves := into[name]; !moves && s.Model(name) != nil {
			return nil, fmt.Errorf("component %q cannot be merged into %q: there is one of that name", m.Component, name)
		}
		first, begun := at[name]
		if !begun {
			at[name] = &Model{Component: name, Automaton: m.withoutData()}
			models = append(models, at[name])
			continue
		}
		var err error
		if first.Automaton, err = joinAtInitial(first.Automaton, m.withoutData()); err != nil {
			return nil, fmt.Errorf("component %q cannot be merged into %q: %w", m.Component, name, err)
		}
	}
	return s.withModels(models), nil
}

// joinAtInitial joins two automata at their initial states, so that every run of the one may be followed
// by one of the other (a flower).
func joinAtInitial(left, right *language.Automaton) (*language.Automaton, error) {
	if left.States() == 0 || right.States() == 0 {
		return language.Union(left, right), nil
	}
	start, joined := left.Initial[0], right.Initial[0]
	if left.Accepting[start] != right.Accepting[joined] {
		return nil, fmt.Errorf("in one of them words may end before they begin, in another not")
	}
	// The states of the left one keep their numbers. Those of the right one follow, but for its initial state, which
	// becomes that of the left.
	var b language.Builder
	for _, accepting := range left.Accepting {
		b.State(accepting)
	}
	b.Initial(start)
	for t, s := range left.Source() {
		b.Transition(s, left.Label[t], left.Target[t])
	}
	state := make([]int32, right.States())
	for s, accepting := range right.Accepting {
		if state[s] = start; int32(s) != joined {
			state[s] = b.State(accepting)
		}
	}
	for t, s := range right.Source() {
		b.Transition(state[s], right.Label[t], state[right.Target[t]])
	}
	return b.Automaton(), nil
}
