package components

import (
	"fmt"
	"regexp"

	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// MergeComponents makes one component of those whose names, without variant and untraced, match a pattern with the same
// text for its group "name", which becomes their name. Untraced components do not merge with traced ones. The
// merged model executes the service fragments of all, and events everywhere have the new name. The results are
// minimal.
func MergeComponents(s *Set, chosen Choice, pattern string) (*Set, error) {
	re, group, err := namePattern(pattern)
	if err != nil {
		return nil, err
	}
	into := make(map[string]string) // by component to be merged
	for _, m := range s.Models {
		id := identityOf(m.Component)
		if match := re.FindStringSubmatch(id.name); match != nil && chosen.takes(m.Component) {
			into[m.Component] = identity{name: match[group], untraced: id.untraced}.String()
		}
	}
	merged, err := s.merged(into)
	if err != nil {
		return nil, err
	}
	return merged.renamed(func(_ *Model, e Event) (Event, error) {
		if name, found := into[e.Component]; found {
			e.Component = name
		}
		if name, found := into[e.Other]; found {
			e.Other = name
		}
		return e, nil
	})
}

// namePattern compiles a pattern, and finds its group "name".
func namePattern(pattern string) (re *regexp.Regexp, group int, err error) {
	if re, err = whole(pattern); err != nil {
		return nil, 0, err
	}
	if group = re.SubexpIndex("name"); group < 0 {
		return nil, 0, fmt.Errorf(`pattern %q has no group (?<name>...) for the name of the merged component`, pattern)
	}
	return re, group, nil
}

// merged makes one model of those that go into the same name.
func (s *Set) merged(into map[string]string) (*Set, error) {
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
			at[name] = &Model{Component: name, Automaton: m.visible()}
			models = append(models, at[name])
			continue
		}
		var err error
		if first.Automaton, err = flower(first.Automaton, m.visible()); err != nil {
			return nil, fmt.Errorf("component %q cannot be merged into %q: %w", m.Component, name, err)
		}
	}
	return s.with(models), nil
}

// flower joins two automata at their initial states.
func flower(left, right *language.Automaton) (*language.Automaton, error) {
	if left.States() == 0 || right.States() == 0 {
		return language.Union(left, right), nil
	}
	start, joined := left.Initial[0], right.Initial[0]
	if left.Accepting[start] != right.Accepting[joined] {
		return nil, fmt.Errorf("in one of them words may end before they begin, in another not")
	}
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
