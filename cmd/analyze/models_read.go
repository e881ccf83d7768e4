package main

import (
	"encoding/json"
	"fmt"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/plan"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/components"
)

// modelled is a run that has component models.
type modelled struct {
	lake *lake.Lake
	run  string
	plan.Models
}

func openModels(l *lake.Lake, run string) (*modelled, error) {
	if _, err := runs.Named(l, run); err != nil {
		return nil, err
	}
	m, err := l.Manifest("models", lake.Run(run))
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, console.Usagef("run %s has no component models: analyze run --components %s", run, run)
	}
	out := &modelled{lake: l, run: run}
	if err := json.Unmarshal([]byte(m.Options), &out.Models); err != nil {
		return nil, fmt.Errorf("options of the models of run %s: %w", run, err)
	}
	return out, nil
}

// per is what a model is of, as --model-per has it.
func (m *modelled) per() string {
	if m.ByComponent {
		return "component"
	}
	return "lifeline"
}

// set reads the models.
func (m *modelled) set() (*components.Set, error) {
	var rows components.Rows
	var err error
	if rows.Models, err = lake.Read[schema.Model](m.lake, "models", lake.Run(m.run)); err != nil {
		return nil, err
	}
	if rows.States, err = lake.Read[schema.ModelState](m.lake, "model_states", lake.Run(m.run)); err != nil {
		return nil, err
	}
	if rows.Transitions, err = lake.Read[schema.ModelTransition](m.lake, "model_transitions", lake.Run(m.run)); err != nil {
		return nil, err
	}
	set, err := rows.Set()
	if err != nil {
		return nil, fmt.Errorf("run %s: %w: analyze it again", m.run, err)
	}
	return set, nil
}
