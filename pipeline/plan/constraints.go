package plan

import (
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/constraints"
)

var _ = declare(constraintsStage)

// constraintsStage puts four buckets into a task, because each task goes through the messages of the whole run.
func constraintsStage(o Options) pipeline.Stage {
	return pipeline.Stage{
		Name: "constraints", Version: 1, Doc: "derives the timing constraints of the TMSC and which of them are critical",
		Options: o.Constraints, Reads: []string{"events", "messages", "annotations"}, Writes: []string{"constraints"},
		BytesPerRow: 24, Group: 4, Run: runConstraints,
	}
}

// runConstraints derives the constraints into the events of some buckets. The messages that these receive lie in the
// buckets of their senders, so those of the whole run are gone through: once for all buckets of the task.
func runConstraints(t *pipeline.Task) error {
	var opt constraints.Options
	if err := t.Options(&opt); err != nil {
		return err
	}
	names := new(schema.Names)
	builders, err := arrivals(t, names, opt)
	if err != nil {
		return err
	}
	return t.EachBucket(func() error {
		b := builders[0]
		builders[0], builders = nil, builders[1:] // what it holds is not needed once its bucket is done
		return constrain(t, names, b)
	})
}

// constrain writes the constraints of a bucket, event by event in the order of the trace.
func constrain(t *pipeline.Task, names *schema.Names, b *constraints.Builder) error {
	ev, rows := &schema.Events{Names: names}, schema.NewConstraints(names)
	out, err := t.Create("constraints", rows)
	if err != nil {
		return err
	}
	b.Start()
	err = t.Scan("events", ev, func() error {
		b.Add(ev, rows, &t.Ledger)
		return out.WriteFull(rows)
	}, "seq", "time_ns", "component", "lifeline", "function", "kind", "synthetic")
	if err != nil {
		return err
	}
	b.Finish(&t.Ledger)
	return out.Close(rows)
}

// arrivals makes a builder for every bucket of the task and gives it the messages that the bucket's components receive.
func arrivals(t *pipeline.Task, names *schema.Names, opt constraints.Options) ([]*constraints.Builder, error) {
	annotations, err := pipeline.ReadRows[schema.Annotation](t, "annotations")
	if err != nil {
		return nil, err
	}
	var builders []*constraints.Builder
	ev := &schema.Events{Names: names}
	err = t.EachBucket(func() error {
		b := constraints.NewBuilder(names, opt, annotations)
		builders = append(builders, b)
		return pipeline.Feed(t, "events", ev, func(ev *schema.Events) { b.AddComponents(ev.Component) }, "component")
	})
	if err != nil {
		return nil, err
	}
	messages := schema.NewMessages(names)
	columns := append([]string{"label", "send_seq", "receive_seq", "send_ns", "sender", "receiver"}, builders[0].MessageColumns()...)
	err = t.ScanAll("messages", messages, func() error {
		for _, b := range builders {
			b.AddMessages(messages)
		}
		return nil
	}, columns...)
	return builders, err
}
