// Package reconcile makes one run of the lake out of several: the runs of units that have a clock each, in the order
// that a specification and the messages between them define (package reconciliation).
//
// The events of the units are read twice: first for those that matter, then all of them, merged by their corrected times.
// Memory is that of the events at which a clock ticks, of all ends of messages (48 bytes each, and 24 while
// those between units are found), and of the relations.
//
// In the run that is made components, lifelines and message series keep their names, but for those that several units
// have: these are preceded by the name of the unit, as in "robot.main". Messages whose identifier each of several units
// uses for messages of its own are kept apart likewise. Events that the ingest of a unit had invented are left out, and
// the ingest of the whole invents what is still lacking.
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

// Job is a run to make out of several.
type Job struct {
	Lake      *lake.Lake
	Run       string // name of the resulting run
	Units     []Unit
	Spec      *ccsl.Spec        // nil: none
	Bindings  map[string]string // of clocks of the specification to events of units: see binding.go
	Messages  bool              // messages between units order them
	Reference string            // the unit whose clock the run has; "" is the first
	Correct   bool              // times beyond offset and drift are corrected; otherwise effects may be timed before causes
	Labels    map[string]string // labels of the resulting run
	Jobs      int               // units that are read at the same time
	Progress  *pipeline.Meter
}

// Outcome is the result of a reconciliation.
type Outcome struct {
	Run         *schema.Run                 // its row in the table runs
	Losses      []schema.Loss               // of the ingest
	Bounds      []schema.ClockBound         // offset and drift of every pair of clocks
	Alone       []string                    // units that nothing connects with the reference: they keep the time of the first of them
	Constraints []reconciliation.Constraint // with numbers of relations
	Unresolved  []reconciliation.Unresolved // constraints that the traces alone do not decide
	// message identifiers that more than two units use, so that it is unknown which ends belong together
	Ambiguous int64
}

// Run makes the run and commits it, with the tables occurrences and clock_bounds. The error is a
// *reconciliation.Contradiction if there is no order.
func Run(ctx context.Context, j Job) (*Outcome, error) {
	// 1. Refuse what cannot work before anything is read.
	if err := j.validate(); err != nil {
		return nil, err
	}
	// 2. The fingerprints of the units make that of the result.
	target, err := j.ingestJob()
	if err != nil {
		return nil, err
	}
	// 3. First reading: what matters for the order.
	units, err := j.readUnits(ctx)
	if err != nil {
		return nil, err
	}
	// 4. Order, clocks and corrected times.
	f, err := j.orderUnits(units)
	if err != nil {
		return nil, err
	}
	// 5. Second reading: an ordinary ingest reads the merged units.
	target.Derived.Reader, target.Derived.Tables = f, f.writeTables
	f.outcome.Run, f.outcome.Losses, err = ingest.Run(ctx, target)
	return &f.outcome, err
}

// Fresh reports whether the run is in the lake already, made from these units in this way.
// It reads no events: fingerprints of the units' tables and of the options decide.
func Fresh(j Job) (bool, error) {
	if err := j.validate(); err != nil {
		return false, err
	}
	target, err := j.ingestJob()
	if err != nil {
		return false, err
	}
	m, err := target.Fresh()
	return m != nil, err
}

// ingestJob returns the ingest of the resulting run; its reader is not known yet.
func (j *Job) ingestJob() (ingest.Job, error) {
	inputs, events, err := j.readInputs()
	return ingest.Job{
		Lake: j.Lake, Run: j.Run, Incomplete: "complete", Untraced: "ignore", Format: FormatName, Labels: j.Labels,
		Jobs: max(1, j.Jobs), Progress: j.Progress,
		// Messages whose other end is missing are completed as those of any trace.
		Derived: &ingest.Derived{Format: FormatName, Source: j.sourceText(), Options: j.optionsText(), Inputs: inputs, Events: events, Ledger: new(schema.Ledger)},
	}, err
}

// validate returns an error for a job that cannot be carried out, before anything is read.
func (j *Job) validate() error {
	if len(j.Units) < 2 {
		return fmt.Errorf("a reconciliation needs at least two units, each a run of the lake")
	}
	names := make(map[string]bool)
	for _, u := range j.Units {
		switch {
		case u.Name == "" || strings.ContainsAny(u.Name, ":="):
			return fmt.Errorf("%q cannot name a unit: use a name without ':' and '='", u.Name)
		case names[u.Name]:
			return fmt.Errorf("two units have the name %s", u.Name)
		case u.Run == j.Run: // the run is replaced while it is read
			return fmt.Errorf("the run %s would replace the unit %s: choose another name", j.Run, u.Name)
		}
		names[u.Name] = true
	}
	if j.Reference != "" && !names[j.Reference] {
		return fmt.Errorf("the reference %s is no unit", j.Reference)
	}
	if j.Spec == nil && !j.Messages {
		return fmt.Errorf("nothing orders the units: give a specification, or let messages order them")
	}
	if j.Spec == nil && len(j.Bindings) > 0 {
		return fmt.Errorf("bindings are of clocks of a specification, and there is none")
	}
	return lake.CheckName(j.Run)
}

// unitIndex returns the position of a unit; the first for no name.
func (j *Job) unitIndex(name string) int {
	return max(0, slices.IndexFunc(j.Units, func(u Unit) bool { return u.Name == name }))
}

// sourceText names the units for the table runs.
func (j *Job) sourceText() string {
	names := make([]string, len(j.Units))
	for i, u := range j.Units {
		names[i] = u.Name + "=" + u.Run
	}
	return strings.Join(names, " ")
}

// optionsText returns what the run depends on besides the units' events, for the fingerprint.
func (j *Job) optionsText() string {
	// Maps are written with sorted keys, so that equal jobs have equal texts. Marshalling these types cannot fail.
	text, _ := json.Marshal(struct {
		Units     []Unit
		Spec      string
		Bindings  map[string]string
		Messages  bool
		Reference string
		Correct   bool
	}{j.Units, hashOf(j.Spec), j.Bindings, j.Messages, cmp.Or(j.Reference, j.Units[0].Name), j.Correct})
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

// readInputs returns the events of the units, which are read twice.
func (j *Job) readInputs() (inputs []lake.Input, events int64, err error) {
	for _, u := range j.Units {
		m, err := j.Lake.Table("events", lake.Run(u.Run))
		if err != nil {
			return nil, 0, err
		}
		events += m.Rows()
		// Both readings report progress.
		j.Progress.Expect(2 * m.Rows())
		inputs = append(inputs, lake.Input{Name: "events of " + u.Run, Fingerprint: m.Fingerprint})
	}
	return inputs, events, nil
}
