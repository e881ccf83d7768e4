package plan

import (
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/constraints"
)

var _ = declare(constraintsStage)

// constraintsStage holds the messages that a bucket receives, which may be as many as its events.
func constraintsStage(o Options) pipeline.Stage {
	return pipeline.Stage{
		Name: "constraints", Version: 4, Doc: "derives the timing constraints of the TMSC and which of them are critical",
		Options: o.Constraints, Reads: []string{"events", "arrivals", "annotations"}, Uses: []string{"couplings"}, Writes: []string{"constraints"},
		ByLifeline: true, BytesPerRow: 24, Run: runConstraints,
	}
}

// runConstraints derives the constraints into the events of a bucket: first come the messages that these receive.
func runConstraints(t *pipeline.Task) error {
	var opt constraints.Options
	if err := t.Options(&opt); err != nil {
		return err
	}
	annotations, err := pipeline.ReadRows[schema.Annotation](t, "annotations")
	if err != nil {
		return err
	}
	names := new(schema.Names)
	b := constraints.NewBuilder(names, opt, annotations)
	if err := addArrivals(t, names, b); err != nil {
		return err
	}
	return constrain(t, names, b)
}

// addArrivals gives a builder the messages that the bucket receives, and its couplings. The columns of arrivals are columns of messages.
func addArrivals(t *pipeline.Task, names *schema.Names, b *constraints.Builder) error {
	messages := schema.NewMessages(names)
	b.Reserve(int(t.Rows("arrivals") + t.Rows("couplings")))
	add := func(m *schema.Messages) {
		b.AddComponents(m.Receiver)
		b.AddMessages(m)
	}
	columns := append([]string{"label", "send_seq", "receive_seq", "send_ns", "sender", "receiver"}, b.MessageColumns()...)
	if err := pipeline.Feed(t, "arrivals", messages, add, columns...); err != nil {
		return err
	}
	// What else lets an event wait comes after the messages, whose sort brings both into one order.
	return pipeline.Feed(t, "couplings", schema.NewCouplings(names), b.AddCouplings)
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
