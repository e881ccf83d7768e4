package main

import (
	"time"

	"github.com/tracelake/tracelake/benchmarks/program"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/wellformed"
	"github.com/tracelake/tracelake/stages/ingest/text"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/slack"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// walk is a trace on its way through the steps. Memory is used again where a step is done with it, as ingest and
// analyze do.
type walk struct {
	text    []byte                   // the whole trace
	options constraints.Options      // how time bounds are set
	took    map[string]time.Duration // CPU time by step

	// What a step leaves for the next ones.
	kept                kept
	codes               *wellformed.CodeTables // names of the rows
	window              window.Window          // all constraints, by target
	events, lastNs      int64                  // events; time of the last one
	exchanged, critical int                    // messages; constraints on critical paths
}

// step is one part of the work.
type step struct {
	name string       // as in took and in the table
	do   func() error // does the work and leaves its result in the walk
}

// steps are the parts of the work, in order. Reading is parsing and pairing by turns, block by block.
func (w *walk) steps() []step {
	return []step{{"read", w.read}, {"constraints", w.constrain}, {"slack", w.slack}, {"critical path", w.path}}
}

// spend does something and adds its CPU time to a name.
func (w *walk) spend(name string, do func()) {
	before := program.CPU()
	do()
	w.took[name] += program.CPU() - before
}

// blockBytes is about the text that is parsed at a time, the size that ingest uses.
const blockBytes = 1 << 20

// read parses the text a block at a time and pairs calls and messages.
func (w *walk) read() error {
	var led schema.Ledger
	var s wellformed.Source
	// One group has all components: nothing is divided.
	one := func(string, string) (int, bool) { return 0, true }
	builder := wellformed.New(wellformed.Options{}, 1, wellformed.Groups{Rows: groupRows, Messages: groupRows}, one, &w.kept, &led)
	parser, b, line := text.Thesis().NewParser(), new(schema.Block), int64(1)
	for at := 0; at < len(w.text); {
		// A block ends with a whole line.
		end := min(at+blockBytes, len(w.text))
		for end < len(w.text) && w.text[end-1] != '\n' {
			end++
		}
		b.Reset()
		w.spend("parse", func() { parser.Parse(w.text[at:end], b) })
		w.spend("pair calls and messages", func() {
			s.Update(parser.Keys(), parser.Marks())
			builder.Add(b, &s, "trace", line)
		})
		line += b.Lines
		at = end
	}
	// Calls and messages that are open at the end are completed or counted as lost.
	w.spend("pair calls and messages", func() { builder.Finish() })
	w.events = builder.Events()
	w.codes = builder.CodeTables()
	return nil
}

// kept takes what the builder hands on.
type kept struct {
	rows      []*wellformed.Rows      // in the order of the trace
	exchanges []*wellformed.Exchanges // pairs of a sending and a receiving event
}

// groupRows is the size of a row group of the lake: the memory that the builder fills at a time.
const groupRows = 1 << 16

// These four methods implement wellformed.Sink. Nothing is written, so nothing is given back.
func (k *kept) Take(_ int, r *wellformed.Rows)               { k.rows = append(k.rows, r) }
func (k *kept) Fresh() *wellformed.Rows                      { return wellformed.NewRows(groupRows + groupRows/4) }
func (k *kept) TakeArrivals(int, *wellformed.Exchanges)      {}
func (k *kept) TakeCouplings(int, *wellformed.Exchanges)     {}
func (k *kept) TakeExchanges(_ int, x *wellformed.Exchanges) { k.exchanges = append(k.exchanges, x) }
func (k *kept) FreshExchanges() *wellformed.Exchanges        { return wellformed.NewExchanges(groupRows) }

// constrain derives the constraints and puts them where a walk finds them.
func (w *walk) constrain() error {
	// Losses are counted and dropped: the trace is one that was generated.
	var led schema.Ledger
	ev, messages := schema.NewEvents(), schema.NewMessages(new(schema.Names))
	names := w.namesOf(ev)
	b := constraints.NewBuilder(names, w.options, nil)
	// (1) Declare all components: one bucket has them all.
	all := make([]schema.Code, names.Components.Len())
	for i := range all {
		all[i] = schema.Code(i)
	}
	b.AddComponents(all)
	// (2) Add the messages, which constraints between components come from.
	b.Reserve(len(w.kept.exchanges) * groupRows)
	for _, x := range w.kept.exchanges {
		// Codes of names are resolved once a group of rows.
		schema.Reset(messages)
		w.codes.Messages(x, messages)
		w.exchanged += len(messages.SendSeq)
		b.AddMessages(messages)
	}
	// (3) Go over the events in order. Each row group yields the constraints into its events.
	b.Start()
	w.window.Lo, w.window.Hi = 0, w.events
	w.window.First = make([]uint32, 1, w.events+1)
	w.window.Edges = make([]window.Edge, 0, w.events+int64(w.exchanged))
	table := schema.NewConstraints(names)
	for _, r := range w.kept.rows {
		schema.Reset(ev)
		w.codes.Events(r, ev)
		b.Add(ev, table, &led)
		w.fill(table, ev.Seq[len(ev.Seq)-1]+1)
		w.lastNs = ev.TimeNs[len(ev.TimeNs)-1]
		schema.Reset(table)
	}
	b.Finish(&led)
	return nil
}

// namesOf are the names of the events.
func (w *walk) namesOf(ev *schema.Events) *schema.Names {
	w.codes.Events(wellformed.NewRows(0), ev)
	return ev.Names
}

// fill adds the constraints into the events before next to the window.
// First[i] is where the constraints into event i begin, so events without constraints repeat it.
func (w *walk) fill(t *schema.Constraints, next int64) {
	win := &w.window
	from := len(win.Edges)
	win.Edges = win.Edges[:from+len(t.Target)]
	edges := win.Edges[from:]
	for i, target := range t.Target {
		for int64(len(win.First)) <= target {
			win.First = append(win.First, uint32(from+i))
		}
		// The bound of a constraint is its duration without its slack. Kinds are 0 and 1, so that flags need no branch.
		e := &edges[i]
		e.Source, e.TargetNs, e.DurationNs, e.BoundNs = t.Source[i], t.TargetNs[i], t.DurationNs[i], schema.NoValue
		if t.SlackNs[i] != schema.NoValue {
			e.BoundNs = e.DurationNs - t.SlackNs[i]
		}
		var critical window.Flags
		if t.Critical[i] {
			critical = window.Critical
		}
		e.Flags = window.Flags(min(t.Kind[i], schema.ByMessage))*window.Message | critical
	}
	for int64(len(win.First)) <= next {
		win.First = append(win.First, uint32(len(win.Edges)))
	}
}

// slack finds the slack of every event in one walk backwards. The result is thrown away.
func (w *walk) slack() error {
	var back slack.Backward
	back.Add(&w.window, make([]int64, w.window.Hi-w.window.Lo))
	return nil
}

// path finds all critical constraints on paths towards the last event, as far back as they lead.
// It goes back over all constraints once.
func (w *walk) path() error {
	// From as far back as constraints lead, to the last event of the trace.
	c := criticalpath.NewClosure(criticalpath.Target{
		From: criticalpath.Start, To: w.window.Hi - 1, FromNs: schema.NoValue, ToNs: w.lastNs,
	}, w.window.Lo)
	c.Take = func(_ int64, _ *window.Edge, on bool) {
		if on {
			w.critical++
		}
	}
	c.Down(&w.window)
	return nil
}
