package plan

import (
	"cmp"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/components"
)

// ComponentsStage is the name of the stage that is in the plan only where it is asked for, as it takes as long as all
// others together.
const ComponentsStage = "components"

var _ = declare(componentsStage)

// componentsStage is one task: components send messages from any bucket to any other.
func componentsStage(o Options) pipeline.Stage {
	if o.Models == nil {
		return pipeline.Stage{}
	}
	return pipeline.Stage{
		Name: ComponentsStage, Version: 1, Doc: "learns the model of every component from its service fragments (only with --components)",
		Options: *o.Models, Reads: []string{"events", "messages", "annotations"}, Writes: []string{"models", "model_states", "model_transitions"},
		Whole: true, BytesPerRow: 100, Run: runComponents,
	}
}

// runComponents learns the models of a run's components and applies the operations asked for, in their order. Messages go
// from any bucket to any other, so buckets cannot be learned from apart.
func runComponents(t *pipeline.Task) error {
	var o Models
	if err := t.Options(&o); err != nil {
		return err
	}
	notes, err := pipeline.ReadRows[schema.Annotation](t, "annotations")
	if err != nil {
		return err
	}
	b, err := Learn(t.Scan, new(schema.Names), notes, o.Options, &t.Ledger)
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
	return cmp.Or(
		pipeline.WriteRows(t, "models", rows.Models),
		pipeline.WriteRows(t, "model_states", rows.States),
		pipeline.WriteRows(t, "model_transitions", rows.Transitions),
	)
}

// Scan reads a table of a run row group by row group, as pipeline.Task does.
type Scan func(table string, into schema.Columns, f func() error, names ...string) error

// StepColumns are the columns of an event from which component models are learned: times do not matter to them.
var StepColumns = []string{"seq", "component", "lifeline", "function", "kind", "execution_type"}

// Learn learns component models: of a run for its tables, and again for a replay of its trace. It goes through the messages
// of the run, then twice through its events, bucket by bucket: all events of a lifeline lie in one.
func Learn(read Scan, names *schema.Names, notes []schema.Annotation, opt components.Options, led *schema.Ledger) (*components.Builder, error) {
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
	}, StepColumns...)
	if err != nil {
		return nil, err
	}
	return b, read("events", ev, func() error {
		b.Add(ev, led)
		return nil
	}, StepColumns...)
}
