package checks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/requirements"
	"github.com/tracelake/tracelake/stages/checks/spec"
)

// Held says which specification a run was held against, and how. The options of the stage are those of all specifications that the
// tables have, by name.
type Held struct {
	Spec      string // its name
	Sha256    string // of its text
	Semantics requirements.Semantics
	Untraced  bool   // events that the ingest invented are states, too
	View      string `json:",omitempty"` // the filters by which the view was filtered
	Between   bool   `json:",omitempty"` // checks of signals look between events, too
	Intervals bool   `json:",omitempty"` // also where definitions hold
}

// SpecName is the name of a specification in the tables: that of its file, without .etl.
func SpecName(file string) string { return strings.TrimSuffix(filepath.Base(file), ".etl") }

// version changes when what checks say of the same run and specification does.
const version = 1

// failingRows is how many failing states of a check the lake keeps, and stretchRows how many stretches of its definitions.
const failingRows, stretchRows = 10_000, 10_000

// The tables of the stage, of which checks is committed last.
const checksTable, failuresTable, intervalsTable = "checks", "check_failures", "check_intervals"

// stage declares what runs say of specifications. The rows are there before its task runs.
func stage(held []Held, rows *rows) pipeline.Stage {
	return pipeline.Stage{
		Name: "checks", Version: version, Doc: "holds the run against specifications", Options: held,
		Reads: []string{"events"}, Uses: []string{"attributes", "resources", "claims", "signals", "fragments_of_signals"},
		Writes: []string{intervalsTable, failuresTable, checksTable}, Whole: true,
		Run: func(t *pipeline.Task) error {
			err := pipeline.WriteRows(t, intervalsTable, rows.intervals)
			if err == nil {
				err = pipeline.WriteRows(t, failuresTable, rows.failures)
			}
			if err == nil {
				err = pipeline.WriteRows(t, checksTable, rows.checks)
			}
			return err
		},
	}
}

// rows are those of the tables.
type rows struct {
	checks    []schema.CheckResult
	failures  []schema.CheckFailure
	intervals []schema.CheckInterval
}

// held is the specification of the job.
func (j *Job) held() Held {
	sum := sha256.Sum256([]byte(j.Text))
	view := ""
	for _, f := range j.View {
		for i, p := range f.Pairs {
			view += fmt.Sprintf("%s%q=%q", [...]string{" or ", ","}[min(i, 1)], p.Name, p.Value)
		}
	}
	return Held{SpecName(j.Spec.File), hex.EncodeToString(sum[:]), j.Semantics, j.Untraced, view, j.Between, j.Intervals}
}

// Results are the outcomes of Check, as the lake has them where the run was held against the specification before and neither has
// changed. Else they are evaluated, and stored in the tables checks, check_failures and check_intervals, where specifications of other
// names stay. stored is why they could not be stored, as where the lake cannot be written; outcomes are there all the same.
func (j *Job) Results(ctx context.Context) (outcomes []requirements.Outcome, stored, err error) {
	if outcomes, err := j.Known(ctx); outcomes != nil || err != nil {
		return outcomes, nil, err
	}
	j.Keep.Among = failingRows
	top := j.Keep.Failing
	if outcomes, err = j.Check(ctx); err != nil {
		return nil, nil, err
	}
	stored = j.store(ctx, outcomes)
	for i := range outcomes {
		if o := &outcomes[i]; len(o.Failing) > top {
			o.Failing = o.Failing[:top]
		}
	}
	return outcomes, stored, nil
}

// Known are the outcomes that the lake has of the run and this specification, and nil where it has none of today. The lake has no delays,
// so that a job that keeps them has none.
func (j *Job) Known(ctx context.Context) ([]requirements.Outcome, error) {
	if j.Keep.Delays || j.Lake.Recover(lake.Run(j.Run)) != nil {
		return nil, nil
	}
	return j.fromLake(ctx)
}

// fromLake reads the outcomes, or none where the lake does not have those of today.
func (j *Job) fromLake(ctx context.Context) ([]requirements.Outcome, error) {
	v, err := j.Lake.Inventory(lake.Run(j.Run))
	if err != nil || !slices.Contains(heldIn(v), j.held()) {
		return nil, err
	}
	if _, _, err = j.prepare(ctx, schema.NewEvents().Names); err != nil { // says which attributes are unknown
		return nil, err
	}
	have, err := j.readRows()
	if err != nil {
		return nil, err
	}
	name := SpecName(j.Spec.File)
	checks := make(map[string]*spec.Check)
	for i := range j.Spec.Checks {
		checks[j.Spec.Checks[i].Name] = &j.Spec.Checks[i]
	}
	at := make(map[[2]string]int)
	var all []requirements.Outcome
	for i := range have.checks {
		row := &have.checks[i]
		if row.Spec != name {
			continue
		}
		f := j.Spec.Instance(checks[row.Check], row.Value)
		if f == nil {
			return nil, nil // a value with a comma: they are evaluated again
		}
		at[[2]string{row.Check, row.Value}] = len(all)
		all = append(all, requirements.OfRow(row, f))
	}
	for i := range have.failures {
		row := &have.failures[i]
		if row.Spec == name {
			if o := &all[at[[2]string{row.Check, row.Value}]]; len(o.Failing) < j.Keep.Failing {
				o.Failing = append(o.Failing, requirements.FailingOfRow(row))
			}
		}
	}
	return all, nil
}

// heldIn lists the specifications whose results a run has, as they are up to date: none where its events are others since.
func heldIn(v *lake.Inventory) (held []Held) {
	m := v.Table(checksTable)
	if m == nil || m.Version != version || v.Table(failuresTable) == nil || v.Table(intervalsTable) == nil {
		return nil
	}
	s := stage(nil, nil)
	var inputs []lake.Input
	for _, table := range slices.Concat(s.Reads, s.Uses) {
		if of := v.Table(table); of != nil {
			inputs = append(inputs, lake.Input{Name: table, Fingerprint: of.Fingerprint})
		}
	}
	if !slices.Equal(m.Inputs, inputs) || json.Unmarshal([]byte(m.Options), &held) != nil {
		return nil
	}
	return held
}

// readRows reads what the run has of specifications.
func (j *Job) readRows() (have rows, err error) {
	p := lake.Run(j.Run)
	if err = lake.ReadInto(&have.checks, j.Lake, checksTable, p); err == nil {
		err = lake.ReadInto(&have.failures, j.Lake, failuresTable, p)
	}
	if err == nil {
		err = lake.ReadInto(&have.intervals, j.Lake, intervalsTable, p)
	}
	return have, err
}

// store stores what was evaluated, beside what the run has of specifications of other names. The lease keeps other processes from
// storing theirs in between.
func (j *Job) store(ctx context.Context, outcomes []requirements.Outcome) error {
	p := lake.Run(j.Run)
	release, err := j.Lake.Lease(ctx, p)
	if err != nil {
		return err
	}
	defer release()
	v, err := j.Lake.Inventory(p)
	if err != nil {
		return err
	}
	this := j.held()
	var all rows
	held := slices.DeleteFunc(heldIn(v), func(h Held) bool { return h.Spec == this.Spec })
	if len(held) > 0 {
		if all, err = j.readRows(); err != nil {
			return err
		}
		all.checks = slices.DeleteFunc(all.checks, func(r schema.CheckResult) bool { return r.Spec == this.Spec })
		all.failures = slices.DeleteFunc(all.failures, func(r schema.CheckFailure) bool { return r.Spec == this.Spec })
		all.intervals = slices.DeleteFunc(all.intervals, func(r schema.CheckInterval) bool { return r.Spec == this.Spec })
	}
	for i := range outcomes {
		all.checks = append(all.checks, outcomes[i].Row(j.Spec, this.Spec, j.Semantics))
		all.failures = append(all.failures, outcomes[i].FailureRows(this.Spec)...)
	}
	for _, row := range j.intervals {
		row.Spec = this.Spec
		all.intervals = append(all.intervals, row)
	}
	// In the order of the names of specifications, so that the same specifications leave the same bytes in whatever order they came.
	held = append(held, this)
	slices.SortFunc(held, func(a, b Held) int { return strings.Compare(a.Spec, b.Spec) })
	slices.SortStableFunc(all.checks, func(a, b schema.CheckResult) int { return strings.Compare(a.Spec, b.Spec) })
	slices.SortStableFunc(all.failures, func(a, b schema.CheckFailure) int { return strings.Compare(a.Spec, b.Spec) })
	slices.SortStableFunc(all.intervals, func(a, b schema.CheckInterval) int { return strings.Compare(a.Spec, b.Spec) })
	out, err := j.RunStage(ctx, p, stage(held, &all))
	j.Stored = err == nil && !out.Fresh
	return err
}
