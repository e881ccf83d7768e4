package wellformed

import (
	"fmt"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// note is a note on a record of a block, or on none of them.
type note struct {
	row   int32
	about string
	name  string
}

// annotate weaves a trace block by block, with notes on each, and describes the annotations that stay.
func annotate(t *testing.T, opt Options, blocks [][]record, notes [][]note) (got []string, seqs [][]int64) {
	t.Helper()
	led := new(schema.Ledger)
	s := &basket{events: make([][]eventRow, 2), messages: make([][]messageRow, 2), arrivals: make([][]int64, 2)}
	w := New(opt, 1, Groups{Rows: 100, Messages: 100}, func(string, string) (int, bool) { return 0, true }, s, led)
	s.weaver = w
	p := parser{marks: make([]schema.MessageMark, 1)}
	for i, records := range blocks {
		b := p.block(records)
		for _, n := range notes[i] {
			b.Notes = append(b.Notes, schema.Note{Row: n.row, About: n.about, Name: n.name})
		}
		w.Add(b, &p.source, "trace", records[0].line)
		seqs = append(seqs, append([]int64(nil), w.Seqs()...))
	}
	for _, a := range w.Finish().Annotations {
		text := a.Name + " of " + a.About
		if a.Seq != nil {
			text += fmt.Sprint(" ", *a.Seq)
		}
		if a.Number != nil {
			text += fmt.Sprint(", message ", a.Series, *a.Number)
		}
		got = append(got, text)
	}
	return got, seqs
}

// TestAnnotations has notes on events, on messages behind them and on the trace, in blocks among others that have none. Those on events that do not
// stay in the trace go with them.
func TestAnnotations(t *testing.T) {
	all := script("A > f !1", "A - !2", "B < x", "B > g ?1", "B > h", "A < f", "B < g", "C > open", "A > k", "A < k")
	blocks := [][]record{all[:2], all[2:6], all[6:8], all[8:]}
	notes := [][]note{
		nil,
		{{0, "event", "unmatched"}, {1, "event", "receive"}, {1, schema.AboutMessage, "message"}, {3, "event", "finish"}, {schema.NoRow, "trace", "all"}},
		{{1, "event", "never closed"}},
		nil,
	}
	got, seqs := annotate(t, Options{Discard: true}, blocks, notes)
	expect.Slice(t, got, []string{"receive of event 3", "message of message 3, message m1", "finish of event 5", "all of trace"}, "annotations")
	expect.Deep(t, seqs, [][]int64{nil, {2, 3, 4, 5}, {6, 7}, nil}, "events of rows")
	got, _ = annotate(t, Options{}, blocks, notes)
	expect.Slice(t, got, []string{
		"unmatched of event 2", "receive of event 3", "message of message 3, message m1", "finish of event 5", "all of trace", "never closed of event 7",
	}, "annotations where nothing is left out")
}
