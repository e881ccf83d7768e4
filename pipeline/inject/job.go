// Package inject makes one run of the lake out of another one by injecting a timing fault into it (Hilbig 2023, section 4.2): the
// same events, of which some happen earlier or later. A comparison of both runs shows what a detector makes of a change
// that is known.
//
//	trace.go   the events of the run in memory, and the order that they keep
//	reader.go  the run with the changed times, which an ordinary ingest reads
//
// The whole trace is in memory, as any event may push any other one. Events that the ingest of the run had invented are left out,
// and the ingest of the changed one invents what is still lacking. Annotations are not carried over.
package inject

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/stages/evaluation/results"
)

// stageName and version stand in the manifests. What an ingest writes belongs to the version: it makes the tables.
const (
	stageName = "inject"
	version   = 10*ingest.StageVersion + 1
)

// FormatName stands in the table runs for a run with an injected fault.
const FormatName = "injected"

// Options are what a run with a fault depends on beside the tables of the other run. They are plain values, and stand in the plan.
type Options struct {
	Name   string            // of the resulting run
	Run    string            // into whose events the fault is injected
	Fault  faults.Fault      // its kind and magnitude
	Of     string            // a pattern of components, or of COMPONENT.FUNCTION, whose events may get it; "" is all
	Seed   uint64            // of what is chosen at random: events, functions, and how far each event of noise moves
	Slack  float64           // of the time between two events of a lifeline: the share that a delay may use up, 0 to 1
	Labels map[string]string // of the resulting run
}

// Job is a run to make, and the engine that makes it.
type Job struct {
	*pipeline.Engine
	Options
}

// rowBytes is the memory of an event: its columns, its edges in both directions, its time before and after, and its place.
const rowBytes = 250

// Stage declares an injection: an ingest whose trace is another run. It replaces the run, as an ingest does.
func Stage(o Options) pipeline.Stage {
	return pipeline.Stage{
		Name: stageName, Version: version, Doc: "makes a run of another one by injecting a timing fault",
		Options: o, Runs: []string{o.Run}, Reads: []string{"events", "messages"}, Uses: []string{"couplings"}, Writes: append(ingest.RunTables(), "couplings"),
		Parts: 1, BytesPerRow: rowBytes, Replaces: true, Run: makeRun,
	}
}

// Run makes the run, unless the lake has it, made in this way from these tables; then the outcome is nil.
func Run(ctx context.Context, j Job) (*results.Injection, error) {
	if err := cmp.Or(j.Validate(), j.mayReplace()); err != nil {
		return nil, err
	}
	m, err := j.Lake.Table("events", lake.Run(j.Options.Run))
	if err != nil {
		return nil, err
	}
	if need := m.Rows() * rowBytes; j.Memory > 0 && need > j.Memory {
		return nil, fmt.Errorf("run %s has %d events, which take about %d MB in memory while they move: give it more with --memory",
			j.Options.Run, m.Rows(), need>>20)
	}
	done, err := j.RunStage(ctx, lake.Run(j.Name), Stage(j.Options))
	if err != nil || done.Fresh {
		return nil, err
	}
	out := new(results.Injection)
	return out, json.Unmarshal(done.Answer, out)
}

// Validate returns an error for options that can make no run of any lake.
func (o *Options) Validate() error {
	switch {
	case o.Name == o.Run:
		return fmt.Errorf("the run %s would replace itself: name another one", o.Name)
	case !(o.Slack >= 0 && o.Slack <= 1):
		return fmt.Errorf("a slack of %v: it is a share of the time between events, from 0 to 1", o.Slack)
	}
	if err := o.Fault.Check(); err != nil {
		return err
	}
	return lake.CheckName(o.Name)
}

// mayReplace returns an error if the lake has a run of the name that no injection made: it may be the only copy of a recording.
func (j *Job) mayReplace() error {
	have, err := j.Lake.Inventory(lake.Run(j.Name))
	if err != nil || have.Table("runs") == nil {
		return err
	}
	rows, err := lake.Read[schema.Run](j.Lake, "runs", lake.Run(j.Name))
	if err == nil && rows[0].Format != FormatName {
		err = fmt.Errorf("the lake has a run %s that no injection made: name another one, or drop it first", j.Name)
	}
	return err
}

// makeRun injects the fault and has the changed events ingested.
func makeRun(t *pipeline.Task) error {
	var o Options
	if err := t.Options(&o); err != nil {
		return err
	}
	tr, err := readTrace(t, o.Run)
	if err != nil {
		return err
	}
	out, err := tr.inject(&o)
	if err != nil {
		return err
	}
	if c := t.Input(o.Run, "couplings"); c != nil && c.Rows() > 0 {
		t.Ledger.AddMany(schema.DroppedCoupling, c.Rows(), func() string { return "run " + o.Run })
	}
	m := t.Input(o.Run, "events")
	inputs := []lake.Input{{Name: "events of " + o.Run, Fingerprint: m.Fingerprint}}
	of := ingest.Derived{
		Format: FormatName, Source: o.String(), Hash: lake.Fingerprint(stageName, version, o, inputs),
		Events: m.Rows(), Reader: tr, Ledger: new(schema.Ledger),
	}
	err = t.WriteBy(func(staging *lake.Staging) (map[string][]lake.File, error) {
		// The calls between components of a run are messages already, as far as its ingest made them.
		files, losses, err := ingest.Derive(t.Context(), ingest.Job{
			Lake: t.Lake(), Run: o.Name, Calls: "nested", Incomplete: "complete", Untraced: "ignore", Labels: o.Labels, Jobs: t.Jobs(), Progress: t.Progress(),
		}, of, staging)
		t.Ledger.MergeLosses(losses)
		return files, err
	})
	if err != nil {
		return err
	}
	answer, err := json.Marshal(out)
	t.Answer(answer)
	return err
}

// String says in one line what is injected into what, for the table runs.
func (o *Options) String() string {
	f := o.Fault
	text := string(f.Kind)
	switch f.Kind {
	case faults.Noise:
		text += fmt.Sprintf(" of %d ns", f.DeltaNs)
	case faults.Spikes, faults.Chain:
		text += fmt.Sprintf(" of %d ns at %d events", f.DeltaNs, f.Events)
	default:
		text += fmt.Sprintf(" by %g", f.Factor)
	}
	if o.Of != "" {
		text += " of " + o.Of
	}
	return fmt.Sprintf("%s, seed %d, in %s", text, o.Seed, o.Run)
}
