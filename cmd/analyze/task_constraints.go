package main

import (
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/constraints"
)

// runConstraints derives the constraints into a bucket's events. The messages that these receive lie in the buckets
// of their senders, so those of the whole run are gone through.
func runConstraints(opt constraints.Options) func(t *pipeline.Task) error {
	return func(t *pipeline.Task) error {
		ev := schema.NewEvents()
		b, err := arrivals(t, ev, opt)
		if err != nil {
			return err
		}
		rows := schema.NewConstraints(ev.Names)
		out, err := t.Create("constraints", rows)
		if err != nil {
			return err
		}
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
}

// arrivals gives a builder the messages that a bucket's components receive.
func arrivals(t *pipeline.Task, ev *schema.Events, opt constraints.Options) (*constraints.Builder, error) {
	annotations, err := pipeline.ReadRows[schema.Annotation](t, "annotations")
	if err != nil {
		return nil, err
	}
	b := constraints.NewBuilder(ev.Names, opt, annotations)
	err = t.Scan("events", ev, func() error {
		b.AddComponents(ev.Component)
		return nil
	}, "component")
	if err != nil {
		return nil, err
	}
	messages := schema.NewMessages(ev.Names)
	names := []string{"label", "send_seq", "receive_seq", "send_ns", "sender", "receiver"}
	names = append(names, b.MessageColumns()...)
	err = t.ScanAll("messages", messages, func() error {
		b.AddMessages(messages)
		return nil
	}, names...)
	b.Start()
	return b, err
}
