package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/plan"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/components"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// replay learns the models again, as the system knows the ends of messages by their codes, and takes the trace through them.
func (a *app) replay(ctx context.Context, m *modelled, f modelsFlags) error {
	meter, done := a.Progress(a.stderr, "replay", false)
	r := &replayer{modelled: m, ctx: ctx, meter: meter, names: new(schema.Names)}
	v, models, err := r.run(components.Buffers{BySender: f.buffers == "pair", Bound: f.bound})
	done()
	if err != nil {
		return fmt.Errorf("replay of run %s: %w", m.run, err)
	}
	if f.format == "json" {
		err = json.NewEncoder(a.stdout).Encode(verdictForMachines(m.run, models, v))
	} else {
		err = tellReplay(a.stdout, m, models, v)
	}
	if err == nil && !v.Accepted {
		return console.Exit(console.Changed)
	}
	return err
}

// replayer reads the tables of a run.
type replayer struct {
	*modelled
	ctx   context.Context
	meter *pipeline.Meter
	names *schema.Names
}

// run returns what became of the trace, and how many models the system has.
func (r *replayer) run(buffers components.Buffers) (v components.Verdict, models int, err error) {
	notes, err := lake.Read[schema.Annotation](r.lake, "annotations", lake.Run(r.modelled.run))
	if err != nil {
		return v, 0, err
	}
	led := new(schema.Ledger) // the stage components has counted what is lost
	b, err := plan.Learn(r.scan, r.names, notes, r.Options, led)
	if err != nil {
		return v, 0, err
	}
	set, err := b.Set(led)
	if err != nil {
		return v, 0, err
	}
	m, err := r.lake.Table("events", lake.Run(r.modelled.run))
	if err != nil {
		return v, 0, err
	}
	system, events := b.Compose(set, buffers), &schema.Events{Names: r.names}
	r.meter.Expect(m.Rows())
	o := lake.ScanOptions{Columns: plan.StepColumns, Meter: r.meter}
	err = r.lake.ScanEvents(r.ctx, r.modelled.run, events, o, func() error {
		system.Add(events)
		return nil
	})
	if err != nil {
		return v, 0, err
	}
	return system.Verdict(), len(set.Models), nil
}

// scan reads a table of the run row group by row group.
func (r *replayer) scan(table string, into schema.Columns, f func() error, names ...string) error {
	m, err := r.lake.Table(table, lake.Run(r.modelled.run))
	if err != nil {
		return err
	}
	r.meter.Expect(m.Rows())
	return r.lake.Scan(r.ctx, m.Files, into, lake.ScanOptions{Columns: names, Meter: r.meter}, f)
}

// tellReplay prints what became of the trace.
func tellReplay(out io.Writer, m *modelled, models int, v components.Verdict) error {
	system := texttab.Plural(models, "model")
	if len(m.Operations) > 0 {
		system += " (as learned, before operations)"
	}
	if v.Accepted {
		fmt.Fprintf(out, "run %s: the system of %s accepts the trace, %s\n", m.run, system, texttab.Plural(v.Events, "event"))
	} else {
		fmt.Fprintf(out, "run %s: the system of %s does not accept the trace\n", m.run, system)
		at := "end of the trace"
		if v.Seq != schema.NoValue {
			at = fmt.Sprint("event ", v.Seq)
		}
		fmt.Fprintf(out, "%s, component %s: %s; %s were accepted before\n", at, v.Component, v.Refusal, texttab.Plural(v.Events, "event"))
		if v.Refusal == components.Overtaken && len(v.Buffers) > 0 && v.Buffers[0].Sender == "" {
			fmt.Fprintln(out, "with --buffers pair, the messages of other senders would not stand before it")
		}
	}
	return tellBuffers(out, v.Buffers)
}

// tellBuffers prints how much room the buffers need, those that need most first, and sums up those that need least.
func tellBuffers(out io.Writer, buffers []components.Buffer) error {
	if len(buffers) == 0 {
		return nil
	}
	buffers = slices.Clone(buffers)
	slices.SortStableFunc(buffers, func(a, b components.Buffer) int { return cmp.Compare(b.Size, a.Size) })
	least := buffers[len(buffers)-1].Size
	alike := slices.IndexFunc(buffers, func(b components.Buffer) bool { return b.Size == least })
	if len(buffers)-alike == 1 {
		alike++
	}
	if alike > 0 {
		fmt.Fprintln(out)
		g := texttab.New("r")
		g.Row("room", "buffer of", "messages from")
		for _, b := range buffers[:alike] {
			g.Row(texttab.Count(b.Size), b.Receiver, cmp.Or(b.Sender, "all"))
		}
		if err := g.Write(out); err != nil {
			return err
		}
	}
	room := texttab.Plural(least, "message")
	switch rest := len(buffers) - alike; {
	case alike == 0:
		fmt.Fprintf(out, "each of the %d buffers needs room for %s\n", rest, room)
	case rest > 0:
		fmt.Fprintf(out, "\nthe other %d buffers need room for %s each\n", rest, room)
	}
	return nil
}

// replayed is the verdict of a replay. Optional parts are null where the trace is accepted.
type replayed struct {
	Run       string          `json:"run"`
	Models    int             `json:"models"`
	Accepted  bool            `json:"accepted"`
	Events    int64           `json:"events"`
	Refusal   *string         `json:"refusal"`
	Seq       *int64          `json:"seq"` // also null at the end of the trace
	Component *string         `json:"component"`
	Buffers   []replayedQueue `json:"buffers"`
}

type replayedQueue struct {
	Receiver string  `json:"receiver"`
	Sender   *string `json:"sender"` // null: all
	Room     int     `json:"room"`
}

func verdictForMachines(run string, models int, v components.Verdict) replayed {
	out := replayed{Run: run, Models: models, Accepted: v.Accepted, Events: v.Events, Buffers: []replayedQueue{}}
	if !v.Accepted {
		why := string(v.Refusal)
		out.Refusal, out.Component = &why, &v.Component
		if v.Seq != schema.NoValue {
			out.Seq = &v.Seq
		}
	}
	for _, b := range v.Buffers {
		q := replayedQueue{Receiver: b.Receiver, Room: b.Size}
		if b.Sender != "" {
			q.Sender = &b.Sender
		}
		out.Buffers = append(out.Buffers, q)
	}
	return out
}
