package plan

import (
	"errors"
	"iter"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/validate"
)

var _ = declare(validateStage)

// validateStage goes through two tables at the same pace, a row group of each in memory.
func validateStage(Options) pipeline.Stage {
	return pipeline.Stage{
		Name: "validate", Version: 1, Doc: "checks the six conditions of a TMSC",
		Reads: []string{"events", "constraints"}, Writes: []string{"violations"},
		ByLifeline: true, BytesPerRow: 200, Streamed: true, Run: runValidate,
	}
}

// validateStep is how many rows of a table go through the builder at a time.
const validateStep = 1 << 13

// runValidate goes through the events and the constraints of a bucket side by side, both by ascending sequence number: events
// are read ahead as far as the constraints at hand reach.
func runValidate(t *pipeline.Task) error {
	ev := schema.NewEvents()
	rows := schema.NewConstraints(ev.Names)
	b := validate.NewBuilder(ev.Names)
	next, stop := iter.Pull(rowGroups(t, "events", ev, "seq", "time_ns", "component", "lifeline", "function", "kind"))
	defer stop()
	feed := eventFeed{builder: b, events: ev, next: next}
	err := t.Scan("constraints", rows, func() error {
		for from := 0; from < len(rows.Target) && feed.err == nil; from += validateStep {
			to := min(from+validateStep, len(rows.Target))
			for !b.Reaches(rows.Target[to-1]) && feed.more() {
			}
			b.AddConstraints(rows, from, to)
		}
		return feed.err
	}, "target_seq", "source_seq", "kind", "component", "duration_ns", "slack_ns")
	if err != nil {
		return err
	}
	for feed.more() {
	}
	if feed.err != nil {
		return feed.err
	}
	return pipeline.WriteRows(t, "violations", b.Violations())
}

// eventFeed gives a builder the events of a bucket, some at a time.
type eventFeed struct {
	builder *validate.Builder
	events  *schema.Events       // a row group
	next    func() (error, bool) // reads the next; false at the end
	added   int                  // rows of the group that the builder has
	err     error
}

// more adds the next events. It returns false at their end, and when they cannot be read.
func (f *eventFeed) more() bool {
	for f.added == len(f.events.Seq) {
		f.added = 0
		err, is := f.next()
		if f.err = err; err != nil || !is {
			return false
		}
	}
	from := f.added
	f.added = min(from+validateStep, len(f.events.Seq))
	f.builder.AddEvents(f.events, from, f.added)
	return true
}

// errEnough ends a scan whose reader has seen enough. It leaves rowGroups never.
var errEnough = errors.New("enough was read")

// rowGroups reads a table into a struct, and yields when a row group is there or an error ends the reading.
func rowGroups(t *pipeline.Task, table string, into schema.Columns, columns ...string) iter.Seq[error] {
	return func(yield func(error) bool) {
		err := t.Scan(table, into, func() error {
			if !yield(nil) {
				return errEnough
			}
			return nil
		}, columns...)
		if err != nil && err != errEnough {
			yield(err)
		}
	}
}
