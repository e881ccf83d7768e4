// Package reconcile makes one run of the lake out of several: the runs of units that have a clock each, in the order
// that a specification and the messages between them tell (package reconciliation).
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

// Job is a run to make.
type Job struct {
	Lake      *lake.Lake
	Run       string // name of the run that is made
	Units     []Unit
	Spec      *ccsl.Spec        // nil: none
	Bindings  map[string]string // of clocks of the specification to events of units: see binding.go
	Messages  bool              // messages between units order them
	Reference string            // the unit whose clock the run has; "" is the first
	Correct   bool              // times beyond offset and drift are corrected; otherwise effects may be timed before causes
	Labels    map[string]string
	Jobs      int
	Progress  *pipeline.Meter
}

// Outcome is what came of it.
type Outcome struct {
	Run         *schema.Run
	Losses      []schema.Loss
	Bounds      []schema.ClockBound
	Alone       []string                    // units that nothing connects with the reference: they keep the time of the first of them
	Constraints []reconciliation.Constraint // with numbers of relations
	Unresolved  []reconciliation.Unresolved
	Ambiguous   int64 // message identifiers that more than two units use, so that nobody knows which is which
}

// Run makes the run and commits it, with the tables occurrences and clock_bounds. The error is a
// *reconciliation.Contradiction where there is no order.
func Run(ctx context.Context, j Job) (*Outcome, error) {
	if err := j.check(); err != nil {
		return nil, err
	}
	target, err := j.target()
	if err != nil {
		return nil, err
	}
	units, err := j.gather(ctx)
	if err != nil {
		return nil, err
	}
	f, err := j.solve(units)
	if err != nil {
		return nil, err
	}
	target.Derived.Reader, target.Derived.Tables = f, f.tables
	f.outcome.Run, f.outcome.Losses, err = ingest.Run(ctx, target)
	return &f.outcome, err
}

// Fresh reports whether the run is in the lake already, made of these units in this way.
func Fresh(j Job) (bool, error) {
	if err := j.check(); err != nil {
		return false, err
	}
	target, err := j.target()
	if err != nil {
		return false, err
	}
	m, err := target.Fresh()
	return m != nil, err
}

// target is the ingest of the run that is made; its reader is not known yet.
func (j *Job) target() (ingest.Job, error) {
	inputs, err := j.inputs()
	return ingest.Job{
		Lake: j.Lake, Run: j.Run, Incomplete: "complete", Untraced: "ignore", Format: FormatName, Labels: j.Labels,
		Jobs: max(1, j.Jobs), Progress: j.Progress,
		Derived: &ingest.Derived{Format: FormatName, Source: j.source(), Options: j.options(), Inputs: inputs, Ledger: new(schema.Ledger)},
	}, err
}

func (j *Job) check() error {
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
		case u.Run == j.Run:
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

// position is that of a unit of a name; the first for no name.
func (j *Job) position(name string) int {
	for i, u := range j.Units {
		if u.Name == name {
			return i
		}
	}
	return 0
}

func (j *Job) source() string {
	names := make([]string, len(j.Units))
	for i, u := range j.Units {
		names[i] = u.Name + "=" + u.Run
	}
	return strings.Join(names, " ")
}

// options are what the run depends on beside the units' events.
func (j *Job) options() string {
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

func hashOf(spec *ccsl.Spec) string {
	if spec == nil {
		return ""
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%+v", *spec))
	return hex.EncodeToString(sum[:])
}

// inputs are the events of the units, which are read twice.
func (j *Job) inputs() (inputs []lake.Input, err error) {
	for _, u := range j.Units {
		m, err := j.Lake.Table("events", lake.Run(u.Run))
		if err != nil {
			return nil, err
		}
		j.Progress.Expect(2 * m.Rows())
		inputs = append(inputs, lake.Input{Name: "events of " + u.Run, Fingerprint: m.Fingerprint})
	}
	return inputs, nil
}
