package constraints_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/testdata/charttest"
	"github.com/tracelake/tracelake/stages/chart/wellformed"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/stages/timing/validate"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// trace is a trace made well-formed: one bucket of traced components, one of placeholders.
type trace struct {
	names    *schema.Names
	buckets  [2]*schema.Events
	messages *schema.Messages
}

// shelf is a sink that keeps what it is given.
type shelf struct {
	rows      [2][]*wellformed.Rows
	exchanges []*wellformed.Exchanges
}

func (s *shelf) Fresh() *wellformed.Rows               { return wellformed.NewRows(0) }
func (s *shelf) FreshExchanges() *wellformed.Exchanges { return wellformed.NewExchanges(0) }
func (s *shelf) Take(bucket int, rows *wellformed.Rows) {
	s.rows[bucket] = append(s.rows[bucket], rows)
}
func (s *shelf) TakeArrivals(int, *wellformed.Exchanges)  {}
func (s *shelf) TakeCouplings(int, *wellformed.Exchanges) {}

func (s *shelf) TakeExchanges(bucket int, exchange *wellformed.Exchanges) {
	s.exchanges = append(s.exchanges, exchange)
}

// ingest parses a trace of a format and makes it well-formed.
func ingest(t testing.TB, format, content string, opt wellformed.Options) *trace {
	t.Helper()
	f := charttest.FormatOf(t, format, content)
	var block schema.Block
	p := f.NewParser()
	p.Parse([]byte(content[f.Header:]), &block)
	if block.Bad.Count > 0 {
		t.Fatalf("not a trace: %+v", block.Bad.First)
	}
	s, led := new(shelf), new(schema.Ledger)
	w := wellformed.New(opt, 1, wellformed.Groups{Rows: 1 << 20, Messages: 1 << 20}, func(string, string) (int, bool) { return 0, true }, s, led)
	var source wellformed.Source
	source.Update(p.Keys(), p.Marks())
	w.Add(&block, &source, format, 1)
	done := w.Finish()
	out := &trace{messages: schema.NewMessages(nil)}
	for bucket := range out.buckets {
		out.buckets[bucket] = bucketOf(done, bucket, s.rows[bucket])
	}
	for _, x := range s.exchanges {
		done.CodeTables.Messages(x, out.messages)
	}
	out.names = out.buckets[0].Names
	out.messages.Names = out.names
	return out
}

// bucketOf is the events of a bucket: those invented before the start, then the others but for those discarded.
func bucketOf(done *wellformed.Outcome, bucket int, parts []*wellformed.Rows) *schema.Events {
	all, out := schema.NewEvents(), schema.NewEvents()
	for _, rows := range parts {
		done.CodeTables.Events(rows, all)
	}
	done.CodeTables.Events(done.Leading[bucket], out)
	for i := range all.Seq {
		if slices.Contains(done.Drops[bucket], all.Seq[i]) {
			continue
		}
		schema.Extend(out, 1)
		at := out.Columns()
		for c, from := range all.Columns() {
			copyRow(at[c], len(out.Seq)-1, from, i)
		}
	}
	return out
}

func copyRow(to schema.Column, at int, from schema.Column, i int) {
	switch {
	case from.Ints != nil:
		(*to.Ints)[at] = (*from.Ints)[i]
	case from.Codes != nil:
		(*to.Codes)[at] = (*from.Codes)[i]
	case from.Enum != nil:
		(*to.Enum)[at] = (*from.Enum)[i]
	default:
		(*to.Bools)[at] = (*from.Bools)[i]
	}
}

// part is the next events of a bucket, from row lo to row hi-1.
func part(ev *schema.Events, lo, hi int) *schema.Events {
	out := schema.NewEvents()
	out.Names = ev.Names
	schema.Extend(out, hi-lo)
	to := out.Columns()
	for c, from := range ev.Columns() {
		for i := lo; i < hi; i++ {
			copyRow(to[c], i-lo, from, i)
		}
	}
	return out
}

// derive derives the constraints of a trace, batch events at a time, and checks that both are a chart.
func (tr *trace) derive(t testing.TB, opt constraints.Options, batch int) []*schema.Constraints {
	t.Helper()
	var all []*schema.Constraints
	for _, ev := range tr.buckets {
		out, led := schema.NewConstraints(tr.names), new(schema.Ledger)
		b := constraints.NewBuilder(tr.names, opt, nil)
		b.AddComponents(ev.Component)
		b.AddMessages(tr.messages)
		b.Start()
		for at := 0; at < len(ev.Seq); at += batch {
			b.Add(part(ev, at, min(at+batch, len(ev.Seq))), out, led)
		}
		b.Finish(led)
		for _, l := range led.Losses("") {
			t.Errorf("%s %d, first at %s", l.Reason, l.Count, l.FirstPosition)
		}
		v := validate.NewBuilder(tr.names)
		v.AddEvents(ev, 0, len(ev.Seq))
		v.AddConstraints(out, 0, len(out.Target))
		for _, bad := range v.Violations() {
			t.Errorf("condition %d, %s: event %d", bad.Condition, bad.Name, bad.FirstSeq)
		}
		all = append(all, out)
	}
	return all
}

// event is where an event of a trace is: a row of a bucket.
type event struct {
	seq int64
	ev  *schema.Events
	row int
}

// events are those of all buckets that enter or exit, in order.
func (tr *trace) events() (all []event) {
	for _, ev := range tr.buckets {
		for i := range ev.Seq {
			if ev.Kind[i] != schema.Message {
				all = append(all, event{ev.Seq[i], ev, i})
			}
		}
	}
	slices.SortFunc(all, func(a, b event) int { return cmp.Compare(a.seq, b.seq) })
	return all
}

// expressions are the events as Definition 3 refers to them, such as C_1.f_1(2)↑, by sequence number.
func (tr *trace) expressions() map[int64]string {
	index, names := make(map[string]int), make(map[int64]string)
	for _, e := range tr.events() {
		name := fmt.Sprintf("%s.%s(%%d)%s", tr.names.Components.Name(e.ev.Component[e.row]),
			tr.names.Functions.Name(e.ev.Function[e.row]), strings.Split("↑ ↓", " ")[e.ev.Kind[e.row]])
		index[name]++
		names[e.seq] = fmt.Sprintf(name, index[name])
	}
	return names
}

// into is a constraint with its target.
type into struct {
	target int64
	edge   window.Edge
}

// edgeOf is row i of a table as an analysis sees it, but for its part.
func edgeOf(c *schema.Constraints, i int) into {
	e := window.Edge{Source: c.Source[i], TargetNs: c.TargetNs[i], DurationNs: c.DurationNs[i], BoundNs: schema.NoValue}
	if c.SlackNs[i] != schema.NoValue {
		e.BoundNs = e.DurationNs - c.SlackNs[i]
	}
	switch {
	case c.Kind[i] != schema.OnLifeline:
		e.Flags = window.Message
	case c.Function[i] == schema.NoCode:
		e.Flags = window.Idle
	}
	if c.Critical[i] {
		e.Flags |= window.Critical
	}
	return into{c.Target[i], e}
}

// wholeChart is the whole chart in one window, with its parts.
func wholeChart(tables []*schema.Constraints) (w *window.Window, parts []window.Part) {
	var all []into
	for _, c := range tables {
		for i := range c.Target {
			x := edgeOf(c, i)
			p := window.Part{Component: c.Component[i], Function: c.Function[i], Sender: c.Sender[i], Label: c.Label[i], Message: c.Kind[i] != schema.OnLifeline}
			at := slices.Index(parts, p)
			if at < 0 {
				at, parts = len(parts), append(parts, p)
			}
			x.edge.Part = uint32(at)
			all = append(all, x)
		}
	}
	slices.SortStableFunc(all, func(a, b into) int { return cmp.Compare(a.target, b.target) })
	w = &window.Window{First: []uint32{0}}
	if len(all) > 0 {
		w.Lo, w.Hi = all[0].target, all[len(all)-1].target+1
	}
	for _, x := range all {
		for w.Lo+int64(len(w.First)) <= x.target {
			w.First = append(w.First, uint32(len(w.Edges)))
		}
		w.Edges = append(w.Edges, x.edge)
	}
	if len(all) > 0 {
		w.First = append(w.First, uint32(len(w.Edges)))
	}
	return w, parts
}
