package compare

import (
	"maps"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// The tables that the tasks of the buckets hand to the last one. They are staged and never committed. A subject takes two of
// them, because the fields of an embedded row lose their nulls in Parquet.
const (
	subjectsTable  = "bucket_subjects"
	changesTable   = "bucket_changes" // of the subjects
	matchesTable   = "bucket_matches"
	functionsTable = "bucket_functions"
)

// stagedSubject is a row of the table of subjects: reduced, or with what every run says, or both.
type stagedSubject struct {
	Awaited string             `parquet:"awaited,optional,dict"`
	Running string             `parquet:"running,optional,dict"`
	Initial bool               `parquet:"initial"`
	Within  bool               `parquet:"within"`
	Behind  bool               `parquet:"behind"`
	Reduced verdicts.Reduction `parquet:"reduced"` // without moments: not reduced
	Runs    []float64          `parquet:"runs"`    // runFields a run, or none
}

// stagedFunction is the summary of a function in one run.
type stagedFunction struct {
	Run       int64     `parquet:"run"` // position among the models
	Component string    `parquet:"component,dict"`
	Function  string    `parquet:"function,dict"`
	Summary   []float64 `parquet:"summary"` // runFields numbers
}

// runFields is how many numbers say what one run says of a subject: four sums and the quantiles.
const runFields = 4 + len(verdicts.Quantiles)

// appendRun appends the numbers of a run. The quantiles of a run without values are zero.
func appendRun(to []float64, r *verdicts.Run) []float64 {
	to = append(to, r.Count, r.N, r.TotalNs, r.ArrivalNs)
	if r.Quantiles == nil {
		return append(to, make([]float64, len(verdicts.Quantiles))...)
	}
	return append(to, r.Quantiles[:]...)
}

// runOf reads the numbers of a run.
func runOf(of []float64) verdicts.Run {
	r := verdicts.Run{Count: of[0], N: of[1], TotalNs: of[2], ArrivalNs: of[3]}
	if r.N > 0 {
		r.Quantiles = (*[len(verdicts.Quantiles)]float64)(of[4:])
	}
	return r
}

// stage writes what the judge of a group found.
func (j *judge) stage(t *pipeline.Task) error {
	changes, subjects := make([]schema.Change, len(j.subjects)), make([]stagedSubject, len(j.subjects))
	for i := range j.subjects {
		s := &j.subjects[i]
		changes[i] = s.Change
		row := stagedSubject{Awaited: s.Awaited, Running: s.Function, Initial: s.Initial, Within: s.within, Behind: s.behind}
		if s.reduced != nil {
			row.Reduced = *s.reduced
		}
		for r := range s.Observed.Runs {
			row.Runs = appendRun(row.Runs, &s.Observed.Runs[r])
		}
		subjects[i] = row
	}
	if err := pipeline.WriteRows(t, changesTable, changes); err != nil {
		return err
	}
	if err := pipeline.WriteRows(t, subjectsTable, subjects); err != nil {
		return err
	}
	if err := pipeline.WriteRows(t, functionsTable, j.stagedFunctions()); err != nil {
		return err
	}
	return pipeline.WriteRows(t, matchesTable, j.matches)
}

// stagedFunctions lists the functions of the group in all runs.
func (j *judge) stagedFunctions() (rows []stagedFunction) {
	for run, functions := range j.functions {
		for _, k := range slices.SortedFunc(maps.Keys(functions), functionKey.compare) {
			r := functions[k]
			rows = append(rows, stagedFunction{int64(run), k.component, k.function, appendRun(nil, &r)})
		}
	}
	return rows
}

// gathered are the subjects of all buckets, then those that belong to none.
func (j *comparison) gathered(t *pipeline.Task) (*Observations, error) {
	o := &Observations{Sides: j.sides(j.models), of: j}
	rows, err := pipeline.StagedRows[stagedSubject](t, subjectsTable)
	if err != nil {
		return nil, err
	}
	changes, err := pipeline.StagedRows[schema.Change](t, changesTable)
	if err != nil {
		return nil, err
	}
	o.Subjects = make([]Subject, len(rows))
	for i := range rows {
		o.Subjects[i] = rows[i].subject(changes[i])
	}
	functions, err := pipeline.StagedRows[stagedFunction](t, functionsTable)
	if err != nil {
		return nil, err
	}
	for _, f := range functions {
		j.models[f.Run].summaries.functions[functionKey{f.Component, f.Function}] = runOf(f.Summary)
	}
	if o.matches, err = pipeline.StagedRows[schema.Match](t, matchesTable); err != nil {
		return nil, err
	}
	j.complete(o)
	return o, nil
}

// subject is the subject of a row.
func (row *stagedSubject) subject(c schema.Change) Subject {
	s := Subject{Change: c, Awaited: row.Awaited, Function: row.Running, Initial: row.Initial, within: row.Within, behind: row.Behind}
	if row.Reduced.Moments != nil {
		s.reduced = &row.Reduced
	}
	s.Observed.Level, s.Observed.Component = s.level(), c.Component
	if n := len(row.Runs) / runFields; n > 0 {
		s.Observed.Runs = make([]verdicts.Run, 0, n)
	}
	for at := 0; at < len(row.Runs); at += runFields {
		s.Observed.Runs = append(s.Observed.Runs, runOf(row.Runs[at:at+runFields]))
	}
	return s
}
