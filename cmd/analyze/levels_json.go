package main

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/tracelake/tracelake/pipeline/modelsets"
)

// levelsForMachines is a comparison of model sets: its tables with all their rows, by the names of their columns.
type levelsForMachines struct {
	Comparison  string           `json:"comparison"`
	ModelSets   []modelSetRuns   `json:"model_sets"`
	Of          modelsets.Of     `json:"of"`
	Variants    []map[string]any `json:"variants"`
	Lattice     []map[string]any `json:"lattice"`
	Differences []map[string]any `json:"differences"`
	Changes     []map[string]any `json:"entity_changes"`
}

type modelSetRuns struct {
	Name string   `json:"name"`
	Runs []string `json:"runs"`
}

func (a *app) levelsJSON(j modelsets.Job, t *modelsets.Tables) error {
	var sets []modelSetRuns
	for _, s := range j.Sets {
		sets = append(sets, modelSetRuns{s.Name, s.Runs})
	}
	return json.NewEncoder(a.stdout).Encode(levelsForMachines{
		j.ID, sets, j.Of, rowsByColumn(t.Variants), rowsByColumn(t.Lattice), rowsByColumn(t.Differences), rowsByColumn(t.Changes),
	})
}

// rowsByColumn are rows of a table by the names of its columns. What may be missing is null there; no rows are [], not null.
func rowsByColumn[T any](rows []T) []map[string]any {
	out := []map[string]any{}
	for _, row := range rows {
		columns := make(map[string]any)
		for field, value := range reflect.ValueOf(row).Fields() {
			name, options, _ := strings.Cut(field.Tag.Get("parquet"), ",")
			columns[name] = value.Interface()
			if strings.Contains(options, "optional") && value.IsZero() {
				columns[name] = nil
			}
		}
		out = append(out, columns)
	}
	return out
}
