// Package models reports the component models of a run (Constructive Model Inference; Hooimeijer et al. 2022): a list of them,
// their transitions, all their rows as JSON, and what a replay of the trace through them found (replay.go).
package models

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/components"
	"github.com/tracelake/tracelake/stages/report/jsonrows"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Listing is the models of a run with the options by which they were learned.
type Listing struct {
	Run        string             // name of the run
	Options    components.Options // how models were learnt
	Operations []string           // applied to the models, in order and as they were written
	Set        *components.Set    // the models after the operations
}

// WriteText writes a line for every model, in the order of the set. The operations stand above the table, because they decide
// what the numbers of states mean.
func (l *Listing) WriteText(out io.Writer) error {
	fmt.Fprintf(out, "run %s: %s\n", l.Run, texttab.Plural(len(l.Set.Models), "component model"))
	for _, op := range l.Operations {
		fmt.Fprintf(out, "after %s\n", op)
	}
	fmt.Fprintln(out)
	g := texttab.New("lrrr")
	g.Row("component", "states", "transitions", "events")
	for _, row := range l.Set.Rows(nil).Models {
		g.Row(row.Component, texttab.Count(row.States), texttab.Count(row.Transitions), texttab.Count(row.Events))
	}
	return g.Write(out)
}

// WriteTransitions writes the transitions of models, a table for each. Every model is numbered on its own, so each is turned
// into rows as a set of one. A star marks the states in which a model may end.
func WriteTransitions(out io.Writer, set *components.Set) error {
	for i, m := range set.Models {
		if i > 0 {
			fmt.Fprintln(out)
		}
		// The line above a table explains the star, which is the only mark in it.
		fmt.Fprintf(out, "%s: %s, %s; in * it may end\n", m.Component, texttab.Plural(m.States(), "state"), texttab.Plural(m.Transitions(), "transition"))
		state := func(n int64) string {
			if m.Accepting[n] {
				return fmt.Sprint(n, "*")
			}
			return fmt.Sprint(n)
		}
		g := texttab.New("rr")
		g.Row("from", "to", "event")
		one := components.Set{Alphabet: set.Alphabet, Models: []*components.Model{m}}
		for _, t := range one.Rows(nil).Transitions {
			g.Row(state(t.Source), state(t.Target), transitionText(t))
		}
		if err := g.Write(out); err != nil {
			return err
		}
	}
	return nil
}

// transitionText writes an event with its condition and updates, as CIF does. An event without a name is tau, the step that an
// observer cannot see.
func transitionText(t schema.ModelTransition) string {
	text := t.Event
	// tau is the name of the internal step in process algebra.
	text = cmp.Or(text, "tau")
	if t.Condition != "" {
		text += " when " + t.Condition
	}
	if t.Updates != "" {
		text += " do " + t.Updates
	}
	return text
}

// WriteJSON writes the models by the names of the columns of their tables, and the options under the names of the flags that set
// them, so that the same models can be made again.
func (l *Listing) WriteJSON(out io.Writer) error {
	per := "lifeline"
	if l.Options.ByComponent {
		per = "component"
	}
	rows := l.Set.Rows(l.Operations)
	return json.NewEncoder(out).Encode(struct {
		Run         string         `json:"run"`               // name of the run
		Per         string         `json:"model_per"`         // what one model is learnt of: a lifeline or a component
		Include     string         `json:"model_include"`     // pattern of the names of models that are kept; empty: all
		Exclude     string         `json:"model_exclude"`     // pattern of those that are left out; empty: none
		LocalNames  bool           `json:"model_local_names"` // the ends of a message have names of their own
		Operations  []string       `json:"model_operations"`  // in order, as they were written
		Models      []jsonrows.Row `json:"models"`            // rows of the table component_models
		States      []jsonrows.Row `json:"model_states"`      // rows of the table model_states
		Transitions []jsonrows.Row `json:"model_transitions"` // rows of the table model_transitions
	}{
		l.Run, per, l.Options.Include, l.Options.Exclude, l.Options.Local, append([]string{}, l.Operations...),
		jsonrows.ByColumn(rows.Models), jsonrows.ByColumn(rows.States), jsonrows.ByColumn(rows.Transitions),
	})
}
