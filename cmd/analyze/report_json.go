package main

import (
	"encoding/json"
	"io"
	"reflect"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// runsReport is the outcome for machines. Its keys stay; more may come. Rows have the names of the columns of their
// tables, which analyze describe explains; times are in ns per root execution.
type runsReport struct {
	Comparison string                    `json:"comparison"`
	Base       []string                  `json:"base"`
	Cand       []string                  `json:"cand"`
	Noise      []string                  `json:"noise"`
	Method     string                    `json:"method"` // "runs"
	Rules      rules                     `json:"rules"`
	Verdict    string                    `json:"verdict"` // regressed, improved, mixed, changed, unchanged, undetermined, no_verdict
	Summary    string                    `json:"summary"` // the verdict in a sentence
	Exit       exit                      `json:"exit"`
	Findings   []map[string]any          `json:"findings"`        // rows of the table findings
	Roots      []map[string]any          `json:"root_executions"` // rows of the table changes: run times of initial fragments
	Counts     map[string]map[string]int `json:"verdicts"`        // by level and verdict
	Needed     needed                    `json:"runs_needed"`
	Changes    []map[string]any          `json:"changes"` // what changed, by rank, at most as many as --top
	Next       []string                  `json:"next"`    // what to do next
}

// rules are those of a comparison.
type rules struct {
	Margin       float64 `json:"margin"`
	FloorNs      float64 `json:"floor_ns"`
	FDR          float64 `json:"fdr"`
	CandidateFDR float64 `json:"candidate_fdr"`
	Interval     float64 `json:"interval"` // level of the intervals
	MinRuns      int     `json:"min_runs"` // a side, for verdicts
	Paired       bool    `json:"paired"`   // runs of one block are compared with each other
}

// exit is the exit code with its reasons.
type exit struct {
	Code    int       `json:"code"`
	FailOn  []string  `json:"fail_on"`
	Because []tripped `json:"because"`
}

// writeJSON writes the outcome for machines, in a line.
func (o *outcome) writeJSON(out io.Writer, top int) error {
	j, v := o.job, o.job.Verdicts
	r := runsReport{
		Comparison: j.ID, Base: j.Base, Cand: j.Cand, Noise: listed(j.Noise), Method: methodRuns,
		Rules:   rules{v.Margin, v.FloorNs, v.FDR, v.CandidateFDR, v.Level, verdicts.MinRuns, j.Blocks != nil},
		Verdict: strings.ReplaceAll(strings.ToLower(o.word), " ", "_"), Summary: o.sentence,
		Exit:     exit{FailOn: listed(o.failOn), Because: listed(o.tripped)},
		Findings: rowsOf(o.findings), Roots: rowsOf(o.roots), Counts: o.counts, Needed: o.needed, Next: listed(o.next()),
	}
	if len(o.tripped) > 0 {
		r.Exit.Code = console.Changed
	}
	var notable []schema.Change
	for _, c := range o.changes {
		if samplechanges.Notable(c.Verdict) && len(notable) < top {
			notable = append(notable, c)
		}
	}
	r.Changes = rowsOf(notable)
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// listed is a list that is [] in JSON where it is empty, and not null.
func listed[T any](list []T) []T { return append([]T{}, list...) }

func rowsOf[T any](list []T) []map[string]any {
	rows := make([]map[string]any, len(list))
	for i := range list {
		rows[i] = columnsOf(list[i])
	}
	return rows
}

// columnsOf is a row of a table, a struct of package schema, by the names of its columns.
func columnsOf(row any) map[string]any {
	columns := make(map[string]any)
	for field, value := range reflect.ValueOf(row).Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("parquet"), ",")
		columns[name] = value.Interface()
		if strings.Contains(options, "optional") && value.IsZero() {
			columns[name] = nil
		}
	}
	return columns
}
