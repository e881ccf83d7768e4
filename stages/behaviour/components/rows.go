package components

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// Rows are models as rows of the tables models, model_states and model_transitions.
type Rows struct {
	Models      []schema.Model           // one a component
	States      []schema.ModelState      // by model, then by number
	Transitions []schema.ModelTransition // by model
}

// Rows returns the rows of the models. The operations that made them are stored with every model.
func (s *Set) Rows(operations []string) *Rows {
	out := new(Rows)
	// Rows of a model stand together, in the order of its states and transitions.
	for _, m := range s.Models {
		words := m.Data.textOf()
		out.Models = append(out.Models, schema.Model{
			Component: m.Component, States: int64(m.States()), Transitions: int64(m.Transitions()), Events: int64(len(m.Automaton.Alphabet())),
			Variables: words.declareVariables(), Operations: strings.Join(operations, "\n"),
		})
		for state, accepting := range m.Accepting {
			out.States = append(out.States, schema.ModelState{
				Component: m.Component, State: int64(state), Initial: slices.Contains(m.Initial, int32(state)), Accepting: accepting,
			})
		}
		for t, source := range m.Source() {
			row := schema.ModelTransition{Component: m.Component, Transition: int64(t), Source: int64(source), Target: int64(m.Target[t])}
			if l := m.Label[t]; l != language.Tau {
				row.Event = s.Alphabet.Name(l)
			}
			row.Condition, row.Updates = words.conditionAndUpdates(t)
			out.Transitions = append(out.Transitions, row)
		}
	}
	return out
}

// declareVariables writes the variables as text: bool NAME or int[0..MAX] NAME, separated by commas.
func (w dataText) declareVariables() string {
	var all []string
	for i, v := range w.Data.allVariables() {
		typ := fmt.Sprintf("int[0..%d] ", v.Max)
		if w.boolean[i] {
			typ = "bool "
		}
		all = append(all, typ+v.Name)
	}
	return strings.Join(all, ", ")
}

// Set returns the set of models from which the rows were made.
func (r *Rows) Set() (*Set, error) {
	s := &Set{Alphabet: new(schema.Dictionary)}
	var names []string
	for _, t := range r.Transitions {
		if t.Event != "" {
			names = append(names, t.Event)
		}
	}
	// The alphabet of a set ascends, whatever the order of the rows.
	slices.Sort(names)
	for _, name := range names { // codes ascend with the names
		s.Alphabet.Code(name)
	}
	states := groupByComponent(r.States, func(x *schema.ModelState) string { return x.Component })
	transitions := groupByComponent(r.Transitions, func(x *schema.ModelTransition) string { return x.Component })
	var models []*Model
	for _, row := range r.Models {
		m, err := s.modelFromRows(row, states[row.Component], transitions[row.Component])
		if err != nil {
			return nil, fmt.Errorf("model of component %s: %w", row.Component, err)
		}
		models = append(models, m)
	}
	return s.withModels(models), nil
}

// groupByComponent divides rows by component and keeps their order.
func groupByComponent[T any](rows []T, component func(*T) string) map[string][]T {
	out := make(map[string][]T)
	for i := range rows {
		name := component(&rows[i])
		out[name] = append(out[name], rows[i])
	}
	return out
}

// modelFromRows makes a model of its rows. States must be numbered from 0 in their order.
func (s *Set) modelFromRows(row schema.Model, states []schema.ModelState, transitions []schema.ModelTransition) (*Model, error) {
	var b language.Builder
	for i, state := range states {
		if state.State != int64(i) {
			return nil, fmt.Errorf("state %d is missing", i)
		}
		if n := b.State(state.Accepting); state.Initial {
			b.Initial(n)
		}
	}
	data, err := parseVariables(row.Variables)
	if err != nil {
		return nil, err
	}
	steps := make(map[transitionKey]Step)
	for _, t := range transitions {
		if min(t.Source, t.Target) < 0 || max(t.Source, t.Target) >= int64(len(states)) {
			return nil, fmt.Errorf("transition %d has no source or no target", t.Transition)
		}
		w := transitionKey{int32(t.Source), int32(t.Target), language.Tau}
		if t.Event != "" {
			w.label = s.Alphabet.Code(t.Event)
		}
		b.Transition(w.source, w.label, w.target)
		if steps[w], err = data.parseStep(t.Condition, t.Updates); err != nil {
			return nil, err
		}
	}
	return withData(row.Component, b.Automaton(), data.Variables, steps), nil
}

var declaration = regexp.MustCompile(`^(?:bool|int\[0\.\.(\d+)\]) (\w+)$`)

// parseVariables reads what declareVariables writes.
func parseVariables(text string) (*Data, error) {
	d := new(Data)
	for _, part := range splitList(text) {
		m := declaration.FindStringSubmatch(part)
		if m == nil {
			return nil, fmt.Errorf("%q is no variable", part)
		}
		v, err := parseVariable(m[1], m[2])
		if err != nil {
			return nil, err
		}
		d.Variables = append(d.Variables, v)
	}
	return d, nil
}
