package runs

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/plan"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/components"
)

// Models are the component models of a run, with the options by which they were learned.
type Models struct {
	Run         string // the name of the run
	plan.Models        // the options, with the operations that changed the models
	lake        *lake.Lake
}

// OpenModels finds the component models of a run, which only runs analyzed with --components have.
// The options stand in the manifest of the table models: they are needed to learn the same models again.
func OpenModels(l *lake.Lake, run string) (*Models, error) {
	if _, err := Named(l, run); err != nil {
		return nil, err
	}
	manifest, err := l.Manifest("models", lake.Run(run))
	if err != nil {
		return nil, err
	}
	if manifest == nil {
		return nil, nameErrorf("run %s has no component models: analyze run --components %s", run, run)
	}
	m := &Models{Run: run, lake: l}
	if err := json.Unmarshal([]byte(manifest.Options), &m.Models); err != nil {
		return nil, fmt.Errorf("options of the models of run %s: %w", run, err)
	}
	return m, nil
}

// Read reads the models as the tables have them, after all operations.
// The three tables are small: a row for every state and transition of a component, not for every event.
func (m *Models) Read() (set *components.Set, err error) {
	var rows components.Rows
	p := lake.Run(m.Run)
	if err := cmp.Or(
		lake.ReadInto(&rows.Models, m.lake, "models", p), lake.ReadInto(&rows.States, m.lake, "model_states", p),
		lake.ReadInto(&rows.Transitions, m.lake, "model_transitions", p),
	); err != nil {
		return nil, err
	}
	if set, err = rows.Set(); err != nil {
		return nil, fmt.Errorf("run %s: %w: analyze it again", m.Run, err)
	}
	return set, nil
}

// Replay lets the models run side by side with buffers between them, and takes the trace through them event by event. It
// returns the verdict and the number of models. The models are learned again, before any operation: the tables name
// events by text, and the system must know which send belongs to which receipt.
// It reads the run twice, once to learn and once to replay, in memory of one row group of every bucket.
func (m *Models) Replay(ctx context.Context, buffers components.Buffers, meter *pipeline.Meter) (v components.Verdict, models int, err error) {
	notes, err := lake.Read[schema.Annotation](m.lake, "annotations", lake.Run(m.Run))
	if err != nil {
		return v, 0, err
	}
	names := new(schema.Names)
	// Learning asks for tables by name, as it does as a stage; here it reads them from the lake, with progress.
	scan := func(table string, into schema.Columns, f func() error, columns ...string) error {
		of, err := m.lake.Table(table, lake.Run(m.Run))
		if err != nil {
			return err
		}
		meter.Expect(of.Rows())
		return m.lake.Scan(ctx, of.Files, into, lake.ScanOptions{Columns: columns, Meter: meter}, f)
	}
	ledger := new(schema.Ledger) // thrown away: the stage components has counted what is lost
	// (1) Learn the models, and compose the system with its buffers.
	b, err := plan.Learn(scan, names, notes, m.Options, ledger)
	if err != nil {
		return v, 0, err
	}
	set, err := b.Set(ledger)
	if err != nil {
		return v, 0, err
	}
	table, err := m.lake.Table("events", lake.Run(m.Run))
	if err != nil {
		return v, 0, err
	}
	// (2) Take every event of the run in the order of the trace. Names are shared with the models, so events are
	// compared by code.
	system, events := b.Compose(set, buffers), &schema.Events{Names: names}
	meter.Expect(table.Rows())
	err = m.lake.ScanEvents(ctx, m.Run, events, lake.ScanOptions{Columns: plan.StepColumns, Meter: meter}, func() error {
		system.Add(events)
		return nil
	})
	if err != nil {
		return v, 0, err
	}
	return system.Verdict(), len(set.Models), nil
}
