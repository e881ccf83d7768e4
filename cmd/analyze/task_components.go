package main

import (
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/components"
)

// runComponents learns the models of a run's components, which send messages from any bucket to any other.
func runComponents(o *modelOptions) func(t *pipeline.Task) error {
	return func(t *pipeline.Task) error {
		notes, err := pipeline.ReadRows[schema.Annotation](t, "annotations")
		if err != nil {
			return err
		}
		b, err := learn(t.Scan, new(schema.Names), notes, o.Options, &t.Ledger)
		if err != nil {
			return err
		}
		set, err := b.Set(&t.Ledger)
		if err != nil {
			return err
		}
		if set, err = o.apply(set); err != nil {
			return err
		}
		rows := set.Rows(o.Operations)
		if err := pipeline.WriteRows(t, "models", rows.Models); err != nil {
			return err
		}
		if err := pipeline.WriteRows(t, "model_states", rows.States); err != nil {
			return err
		}
		return pipeline.WriteRows(t, "model_transitions", rows.Transitions)
	}
}

// scan reads a table row group by row group, as pipeline.Task does.
type scan func(table string, into schema.Columns, f func() error, names ...string) error

// stepColumns are what component models see of an event.
var stepColumns = []string{"seq", "component", "lifeline", "function", "kind", "execution_type"}

// learn goes through the messages of a run, then twice through its events, bucket by bucket: a lifeline lies in one.
func learn(read scan, names *schema.Names, notes []schema.Annotation, opt components.Options, led *schema.Ledger) (*components.Builder, error) {
	b, err := components.NewBuilder(names, opt, notes)
	if err != nil {
		return nil, err
	}
	messages, ev := schema.NewMessages(names), &schema.Events{Names: names}
	err = read("messages", messages, func() error {
		b.AddMessages(messages)
		return nil
	}, "id_series", "message_id", "pattern", "send_seq", "receive_seq")
	if err != nil {
		return nil, err
	}
	err = read("events", ev, func() error {
		b.Survey(ev)
		return nil
	}, stepColumns...)
	if err != nil {
		return nil, err
	}
	return b, read("events", ev, func() error {
		b.Add(ev, led)
		return nil
	}, stepColumns...)
}
