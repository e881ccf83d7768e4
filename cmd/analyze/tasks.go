package main

import (
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/automata"
	"github.com/tracelake/tracelake/stages/behaviour/metrics"
	"github.com/tracelake/tracelake/stages/behaviour/samples"
	"github.com/tracelake/tracelake/stages/chart/executions"
)

// runExecutions streams the events of a bucket through the call stacks.
func runExecutions(t *pipeline.Task) error {
	ev := schema.NewEvents()
	rows := schema.NewExecutions(ev.Names)
	out, err := t.Create("executions", rows)
	if err != nil {
		return err
	}
	b := executions.NewBuilder(ev.Names)
	err = t.Scan("events", ev, func() error {
		b.Add(ev, rows, &t.Ledger)
		return out.WriteFull(rows)
	}, "seq", "time_ns", "component", "lifeline", "function", "kind", "direction", "peer", "execution_type", "synthetic")
	if err != nil {
		return err
	}
	return out.Close(rows)
}

// symbolColumns are what the automata see of an event.
var symbolColumns = []string{"seq", "component", "lifeline", "function", "kind", "direction", "peer"}

// runAutomata infers the automata of a bucket's components.
func runAutomata(t *pipeline.Task) error {
	ev := schema.NewEvents()
	b := automata.NewBuilder(ev.Names)
	err := t.Scan("events", ev, func() error {
		b.Add(ev, &t.Ledger)
		return nil
	}, symbolColumns...)
	if err != nil {
		return err
	}
	m := b.Model(&t.Ledger)
	if err := pipeline.WriteRows(t, "fragments", m.Fragments); err != nil {
		return err
	}
	if err := pipeline.WriteRows(t, "states", m.States); err != nil {
		return err
	}
	return pipeline.WriteRows(t, "transitions", m.Transitions)
}

// sampleBytes is what a sample takes: 40 bytes while it is placed, 52 in its columns.
const sampleBytes = 92

// runSamples replays the events of a bucket through its automata, in as many passes as memory asks for.
func runSamples(t *pipeline.Task) error {
	transitions, err := pipeline.ReadRows[schema.Transition](t, "transitions")
	if err != nil {
		return err
	}
	ev := schema.NewEvents()
	r, err := samples.NewReplayer(ev.Names, transitions)
	if err != nil {
		return err
	}
	rest := schema.NewSamples(ev.Names)
	out, err := t.Create("samples", rest)
	if err != nil {
		return err
	}
	for _, rg := range r.Ranges(max(t.Memory/sampleBytes, 1<<16)) {
		r.Start(rg)
		err := t.Scan("events", ev, func() error { return r.Add(ev) }, append(symbolColumns, "time_ns")...)
		if err != nil {
			return err
		}
		rows, err := r.Finish()
		if err != nil {
			return err
		}
		if err := writeAfter(out, rest, rows); err != nil {
			return err
		}
	}
	return out.Close(rest)
}

// writeAfter writes rows after those left over before, and leaves over what fills no row group.
func writeAfter(out *pipeline.Output, rest, rows *schema.Samples) error {
	if len(rest.TimeNs) == 0 {
		*rest = *rows
	} else {
		schema.AppendRows(rest, rows, 0, len(rows.TimeNs))
	}
	return out.WriteFull(rest)
}

// runMetrics derives the metrics of a bucket's components.
func runMetrics(t *pipeline.Task) error {
	names := new(schema.Names)
	ex, messages := schema.NewExecutions(names), schema.NewMessages(names)
	b := metrics.NewBuilder(names)
	err := t.Scan("executions", ex, func() error {
		b.AddExecutions(ex)
		return nil
	}, "component", "function", "start_ns", "finish_ns", "duration_ns", "depth", "fragment", "role", "execution_type")
	if err != nil {
		return err
	}
	err = t.Scan("messages", messages, func() error {
		b.AddMessages(messages)
		return nil
	}, "pattern", "sender", "sender_function", "send_ns", "round_trip_ns")
	if err != nil {
		return err
	}
	rows := b.Metrics()
	out, err := t.Create("metrics", rows)
	if err != nil {
		return err
	}
	return out.Close(rows)
}
