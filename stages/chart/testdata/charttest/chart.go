// Package charttest makes charts of small traces for the tests of analyses, as an ingest makes them of large ones: one
// parser, one bucket, everything in memory. Only tests import it.
package charttest

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/wellformed"
	"github.com/tracelake/tracelake/stages/ingest/table"
	"github.com/tracelake/tracelake/stages/ingest/text"
)

// Chart is a trace made well-formed. Both tables share their Names.
type Chart struct {
	Events      *schema.Events // in trace order, invented enters first
	Messages    *schema.Messages
	Annotations []schema.Annotation
	Ledger      *schema.Ledger // what was repaired
}

// sink keeps all rows that it is given.
type sink struct {
	rows      []*wellformed.Rows      // in the order in which they were handed on
	exchanges []*wellformed.Exchanges // likewise
}

func (s *sink) Fresh() *wellformed.Rows                      { return wellformed.NewRows(0) }
func (s *sink) FreshExchanges() *wellformed.Exchanges        { return wellformed.NewExchanges(0) }
func (s *sink) Take(_ int, r *wellformed.Rows)               { s.rows = append(s.rows, r) }
func (s *sink) TakeArrivals(int, *wellformed.Exchanges)      {}
func (s *sink) TakeCouplings(int, *wellformed.Exchanges)     {}
func (s *sink) TakeExchanges(_ int, x *wellformed.Exchanges) { s.exchanges = append(s.exchanges, x) }

// Read makes the chart of a trace of a format, which must have no bad lines. Unmatched events are completed.
func Read(t testing.TB, format schema.Format, trace string) *Chart {
	t.Helper()
	var block schema.Block
	p := format.NewParser()
	// One parser reads the whole trace as one block.
	p.Parse([]byte(trace[format.Header:]), &block)
	if block.Bad.Count+block.Overflow.Count > 0 || block.Broken != nil {
		t.Fatalf("not a trace: %+v, %+v, %v", block.Bad.First, block.Overflow.First, block.Broken)
	}
	// The groups are handed on at the end only, so the rows are complete and need no patches.
	s, out := new(sink), &Chart{Events: schema.NewEvents(), Ledger: new(schema.Ledger)}
	const all = 1 << 20 // no group is handed on before the end, so no row waits for its peer
	groups := wellformed.Groups{Rows: all, Messages: all}
	b := wellformed.New(wellformed.Options{}, 1, groups, func(string, string) (int, bool) { return 0, true }, s, out.Ledger)
	var source wellformed.Source
	source.Update(p.Keys(), p.Marks())
	b.Add(&block, &source, "trace", 1)
	done := b.Finish()
	// Invented enters belong to the start of the trace, so they come before what was handed on.
	for _, r := range append(done.Leading, s.rows...) {
		done.CodeTables.Events(r, out.Events)
	}
	out.Messages = schema.NewMessages(out.Events.Names)
	for _, x := range s.exchanges {
		done.CodeTables.Messages(x, out.Messages)
	}
	out.Messages.Names = out.Events.Names
	out.Annotations = done.Annotations
	return out
}

// FormatOf returns the format of a trace by the name of its file in a story: trace (the dialect of the thesis), tmsctrace,
// or table.
func FormatOf(t testing.TB, name, trace string) schema.Format {
	t.Helper()
	switch name {
	case "trace":
		return text.Thesis()
	case "tmsctrace":
		return text.Tmsctrace()
	case "table":
		f, ok, err := table.Detect([]byte(trace), table.Options{})
		if !ok || err != nil {
			t.Fatalf("not a table: %v", err)
		}
		return f
	}
	t.Fatalf("a story begins with %q", name)
	return schema.Format{}
}
