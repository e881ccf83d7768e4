package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/components"
	"github.com/tracelake/tracelake/stages/report/jsonrows"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// tellModels lists models.
func tellModels(out io.Writer, m *modelled, set *components.Set) error {
	fmt.Fprintf(out, "run %s: %s\n", m.run, texttab.Plural(len(set.Models), "component model"))
	for _, op := range m.Operations {
		fmt.Fprintf(out, "after %s\n", op)
	}
	fmt.Fprintln(out)
	g := texttab.New("lrrr")
	g.Row("component", "states", "transitions", "events")
	for _, row := range set.Rows(nil).Models {
		g.Row(row.Component, texttab.Count(row.States), texttab.Count(row.Transitions), texttab.Count(row.Events))
	}
	return g.Write(out)
}

// tellTransitions lists the transitions of models. A star marks states that accept.
func tellTransitions(out io.Writer, set *components.Set) error {
	for i, m := range set.Models {
		if i > 0 {
			fmt.Fprintln(out)
		}
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
			g.Row(state(t.Source), state(t.Target), written(t))
		}
		if err := g.Write(out); err != nil {
			return err
		}
	}
	return nil
}

// written is what a transition is taken with, as CIF writes it.
func written(t schema.ModelTransition) string {
	text := t.Event
	if text == "" {
		text = "tau"
	}
	if t.Condition != "" {
		text += " when " + t.Condition
	}
	if t.Updates != "" {
		text += " do " + t.Updates
	}
	return text
}

// writeModels writes models as cif or dot, to files NAME.cif or NAME.dot in a folder, or one after the other.
func (a *app) writeModels(set *components.Set, format, folder string) error {
	write := set.WriteCIF
	if format == "dot" {
		write = set.WriteDOT
	}
	return a.eachModel(set, format, folder, write)
}

// eachModel writes every model.
func (a *app) eachModel(set *components.Set, format, folder string, write func(io.Writer, *components.Model) error) error {
	if folder == "" {
		for _, m := range set.Models {
			if err := write(a.stdout, m); err != nil {
				return err
			}
		}
		return nil
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, m := range set.Models {
		err := a.writeOutput(filepath.Join(folder, m.Component+"."+format), func(out io.Writer) error { return write(out, m) })
		if err != nil {
			return err
		}
	}
	a.Logger(a.stderr).Info(fmt.Sprintf("%s: %s", folder, texttab.Plural(len(set.Models), strings.ToUpper(format)+" file")))
	return nil
}

// modelsForMachines are models by the names of the columns of their tables.
type modelsForMachines struct {
	Run         string           `json:"run"`
	Per         string           `json:"model_per"`
	Include     string           `json:"model_include"`
	Exclude     string           `json:"model_exclude"`
	LocalNames  bool             `json:"model_local_names"`
	Operations  []string         `json:"model_operations"`
	Models      []map[string]any `json:"models"`
	States      []map[string]any `json:"model_states"`
	Transitions []map[string]any `json:"model_transitions"`
}

// modelsJSON writes one object of all models, or one to a file for each.
func (a *app) modelsJSON(m *modelled, set *components.Set, folder string) error {
	write := func(out io.Writer, part *components.Set) error {
		rows := part.Rows(m.Operations)
		return json.NewEncoder(out).Encode(modelsForMachines{
			m.run, m.per(), m.Include, m.Exclude, m.Local, append([]string{}, m.Operations...), jsonrows.ByColumn(rows.Models), jsonrows.ByColumn(rows.States), jsonrows.ByColumn(rows.Transitions),
		})
	}
	if folder == "" {
		return write(a.stdout, set)
	}
	return a.eachModel(set, "json", folder, func(out io.Writer, one *components.Model) error {
		return write(out, &components.Set{Alphabet: set.Alphabet, Models: []*components.Model{one}})
	})
}
