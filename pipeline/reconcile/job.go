// Package reconcile makes one run of the lake out of several: the runs of units that have a clock each, in the order
// that a specification and the messages between them define (package reconciliation).
//
// The events of the units are read twice: first, in a task for each unit, for those that matter, which it hands on (staged.go);
// then all of them in the last task, merged by their corrected times.
// Memory is that of the events at which a clock ticks, of all ends of messages (48 bytes each, and 24 while
// those between units are found), and of the relations.
//
// In the run that is made components, lifelines and message series keep their names, but for those that several units
// have: these are preceded by the name of the unit, as in "robot.main". Messages whose identifier each of several units
// uses for messages of its own are kept apart likewise. Events that the ingest of a unit had invented are left out, and
// the ingest of the whole invents what is still lacking. What the specification orders are couplings of the run
// (schema.Couplings), so that its critical paths lead from unit to unit.
package reconcile

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/ccsl"
	"github.com/tracelake/tracelake/stages/clocks/reconciliation"
)

// FormatName stands in the table runs for a run that was made from several.
const FormatName = "reconciled"

// Unit is a run, and what it is called in specifications and bindings.
type Unit struct{ Name, Run string }

// Options are what a run that is made out of others depends on beside their events. They are plain values, and stand in the plan.
type Options struct {
	Name      string            // of the resulting run
	Units     []Unit            // in the order in which they were named
	Spec      *ccsl.Spec        // nil: none
	Bindings  map[string]string // of clocks of the specification to events of units: see binding.go
	Messages  bool              // messages between units order them
	Reference string            // the unit whose clock the run has; "" is the first
	Correct   bool              // times beyond offset and drift are corrected; otherwise effects may be timed before causes
	Labels    map[string]string // labels of the resulting run
	Asserted  []string          // names of relations of Spec that order nothing, and are judged; patterns as in bindings
	Silent    bool              // clocks may be bound to what never happens; otherwise that is an error
}

// Job is a run to make out of several, and the engine that makes it.
type Job struct {
	*pipeline.Engine
	Options
}

// Outcome is the result of a reconciliation.
type Outcome struct {
	Run         *schema.Run                 `json:"-"` // its row in the table runs
	Bounds      []schema.ClockBound         `json:"-"` // offset and drift of the clocks: the table clock_bounds
	Losses      []schema.Loss               `json:"-"` // of the ingest
	Alone       []string                    // units that nothing connects with the reference: they keep the time of the first of them
	Constraints []reconciliation.Constraint // with numbers of relations
	Unresolved  []reconciliation.Unresolved // constraints that the traces alone do not decide
	Judgements  []reconciliation.Judgement  // of the asserted relations
	// message identifiers that more than two units use, so that it is unknown which ends belong together
	Ambiguous int64
}

// version changes with what a reconciliation makes of its units, or with the tables of an ingest.
const version = 10*ingest.StageVersion + 1

// unitBytes is the memory of a task for an event of its unit: as most events are no ends of messages, half of what an end takes.
const unitBytes = 48

// Stage declares a reconciliation: an ingest whose trace are other runs. A task reads one unit for the events that matter; the last
// one orders them, and reads all units again to merge them. It replaces the run, as an ingest does.
func Stage(o Options) pipeline.Stage {
	var runs []string
	for _, u := range o.Units {
		runs = append(runs, u.Run)
	}
	return pipeline.Stage{
		Name: ingest.StageName, Version: version, Doc: "makes one run of the runs of units without a common clock",
		Options: o, Runs: runs, Reads: []string{"events"}, Uses: []string{"couplings"}, Writes: append(ingest.RunTables(), "couplings", "occurrences", "clock_bounds"),
		Parts: len(o.Units), BytesPerRow: unitBytes, Replaces: true, Run: collectUnit, Finish: fuse,
	}
}

// Run makes the run and commits it, with the tables occurrences and clock_bounds, unless the lake has it, made from these units in
// this way; then the outcome is nil. The error is a *reconciliation.Contradiction if there is no order.
func Run(ctx context.Context, j Job) (*Outcome, error) {
	// Refuse what cannot work before anything is read.
	if err := j.validate(); err != nil {
		return nil, err
	}
	for _, u := range j.Units {
		if _, err := j.Lake.Table("events", lake.Run(u.Run)); err != nil {
			return nil, err
		}
	}
	if _, err := j.allBindings(); err != nil {
		return nil, err
	}
	done, err := j.RunStage(ctx, lake.Run(j.Name), Stage(j.Options))
	if err != nil || done.Fresh {
		return nil, err
	}
	out := new(Outcome)
	if err := json.Unmarshal(done.Answer, out); err != nil {
		return nil, err
	}
	described, err := lake.Read[schema.Run](j.Lake, "runs", lake.Run(j.Name))
	if err != nil {
		return nil, err
	}
	out.Run = &described[0]
	m, err := j.Lake.Table("runs", lake.Run(j.Name))
	if err != nil {
		return nil, err
	}
	out.Losses = m.Losses
	out.Bounds, err = lake.Read[schema.ClockBound](j.Lake, "clock_bounds", lake.Run(j.Name))
	return out, err
}

// fuse orders the events that matter, and merges the units into the resulting run.
func fuse(t *pipeline.Task) error {
	var o Options
	if err := t.Options(&o); err != nil {
		return err
	}
	// 1. What the tasks of the units found.
	units, err := o.stagedUnits(t)
	if err != nil {
		return err
	}
	// 2. Order, clocks and corrected times.
	f, err := o.orderUnits(t, units)
	if err != nil {
		return err
	}
	// 3. Second reading: an ordinary ingest reads the merged units, and completes messages whose other end is missing as in any trace.
	of := ingest.Derived{Format: FormatName, Source: o.sourceText(), Reader: f, Ledger: new(schema.Ledger)}
	var inputs []lake.Input
	for _, u := range o.Units {
		m := t.Input(u.Run, "events")
		inputs = append(inputs, lake.Input{Name: "events of " + u.Run, Fingerprint: m.Fingerprint})
		of.Events += m.Rows()
		if c := t.Input(u.Run, "couplings"); c != nil && c.Rows() > 0 {
			t.Ledger.AddMany(schema.DroppedCoupling, c.Rows(), func() string { return "run " + u.Run })
		}
	}
	t.Progress().Expect(of.Events)
	of.Hash = lake.Fingerprint(FormatName, version, o.text(), inputs)
	err = t.WriteBy(func(staging *lake.Staging) (map[string][]lake.File, error) {
		files, losses, err := ingest.Derive(t.Context(), ingest.Job{
			Lake: t.Lake(), Run: o.Name, Incomplete: "complete", Untraced: "ignore", Labels: o.Labels, Jobs: t.Jobs(), Progress: t.Progress(),
		}, of, staging)
		t.Ledger.MergeLosses(losses)
		return files, err
	})
	if err != nil {
		return err
	}
	// 4. The relations, once all events have their sequence numbers, and what the report says beside the tables.
	if err := f.writeTables(t); err != nil {
		return err
	}
	answer, err := json.Marshal(f.outcome)
	t.Answer(answer)
	return err
}

// validate returns an error for a job that cannot be carried out, before anything is read.
func (o *Options) validate() error {
	if len(o.Units) < 2 {
		return fmt.Errorf("a reconciliation needs at least two units, each a run of the lake")
	}
	names := make(map[string]bool)
	for _, u := range o.Units {
		switch {
		case u.Name == "" || strings.ContainsAny(u.Name, ":="):
			return fmt.Errorf("%q cannot name a unit: use a name without ':' and '='", u.Name)
		case names[u.Name]:
			return fmt.Errorf("two units have the name %s", u.Name)
		case u.Run == o.Name: // the run is replaced while it is read
			return fmt.Errorf("the run %s would replace the unit %s: choose another name", o.Name, u.Name)
		}
		names[u.Name] = true
	}
	if o.Reference != "" && !names[o.Reference] {
		return fmt.Errorf("the reference %s is no unit", o.Reference)
	}
	if o.Spec == nil && !o.Messages {
		return fmt.Errorf("nothing orders the units: give a specification, or let messages order them")
	}
	if o.Spec == nil && len(o.Bindings) > 0 {
		return fmt.Errorf("bindings are of clocks of a specification, and there is none")
	}
	for _, name := range o.Asserted {
		if o.Spec == nil || !slices.ContainsFunc(o.Spec.Constraints, func(c ccsl.Constraint) bool { return c.IsRelation() && isNamed(name, c.Name) }) {
			return fmt.Errorf("the specification has no relation %s to assert", name)
		}
	}
	return lake.CheckName(o.Name)
}

// isAsserted reports whether a relation is to be judged, and orders nothing.
func (o *Options) isAsserted(relation string) bool {
	return slices.ContainsFunc(o.Asserted, func(name string) bool { return isNamed(name, relation) })
}

// isNamed reports whether a pattern is that of a path, or of its last part.
func isNamed(pattern, path string) bool {
	return matches(pattern, path) || matches(pattern, lastPart(path))
}

// unitIndex returns the position of a unit; the first for no name.
func (o *Options) unitIndex(name string) int {
	return max(0, slices.IndexFunc(o.Units, func(u Unit) bool { return u.Name == name }))
}

// sourceText names the units for the table runs.
func (o *Options) sourceText() string {
	names := make([]string, len(o.Units))
	for i, u := range o.Units {
		names[i] = u.Name + "=" + u.Run
	}
	return strings.Join(names, " ")
}

// text is what the run depends on beside the units' events and its labels, for the hash in the table runs.
func (o *Options) text() string {
	// Maps are written with sorted keys, so that equal options have equal texts. Marshalling these types cannot fail.
	text, _ := json.Marshal(struct {
		Units     []Unit
		Spec      string
		Bindings  map[string]string
		Messages  bool
		Reference string
		Correct   bool
		Asserted  []string `json:",omitempty"`
	}{o.Units, hashOf(o.Spec), o.Bindings, o.Messages, cmp.Or(o.Reference, o.Units[0].Name), o.Correct, o.Asserted})
	return string(text)
}

// hashOf fingerprints a specification.
// %+v names every field, so that a new field of Spec changes the fingerprint.
func hashOf(spec *ccsl.Spec) string {
	if spec == nil {
		return ""
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%+v", *spec))
	return hex.EncodeToString(sum[:])
}
