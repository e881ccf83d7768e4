package ctf

import (
	"fmt"
	"io/fs"
	"os"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// row is an event that the reader gave out.
type row struct {
	ns  int64
	key schema.EventKey
}

func (r row) String() string {
	return fmt.Sprintf("%d %s %s %s %s", r.ns, r.key.Lifeline, r.key.Component, [...]string{">", "<"}[r.key.Kind], r.key.Function)
}

// result is all that comes of a reading.
type result struct {
	rows   []row
	events map[string]int64 // of each name, also those that have no place among the rows
	ledger schema.Ledger
	losses map[string]int64
	err    error
}

// readAll reads traces of a folder as one run.
func readAll(t testing.TB, root string, dirs ...string) *result {
	return readFS(t, os.DirFS(root), schema.ReadingOptions{}, dirs...)
}

func readFS(t testing.TB, fsys fs.FS, options schema.ReadingOptions, dirs ...string) *result {
	t.Helper()
	return readHow(t, fsys, options, false, dirs...)
}

// readHow reads with flat events or without, in which case all events take the general way.
func readHow(t testing.TB, fsys fs.FS, options schema.ReadingOptions, general bool, dirs ...string) *result {
	t.Helper()
	out := &result{events: make(map[string]int64), losses: make(map[string]int64)}
	reading := &schema.Reading{Options: options, Ledger: &out.ledger, Memory: 64 << 20}
	for _, dir := range dirs {
		reading.Traces = append(reading.Traces, schema.Trace{FS: fsys, Path: dir})
	}
	r := newReader(reading)
	emit := func(full *schema.Block) (*schema.Block, error) {
		if full == nil {
			return new(schema.Block), nil
		}
		out.check(t, r, full)
		for i, ns := range full.TimeNs {
			out.rows = append(out.rows, row{ns, r.Keys()[full.Key[i]]})
		}
		full.Reset()
		return full, nil
	}
	if !general {
		out.err = r.Read(emit)
	} else if out.err = r.describe(); out.err == nil {
		for _, s := range r.sources {
			for _, p := range s.plan.streams {
				p.id = nil
			}
		}
		out.err = r.events(emit)
	}
	for _, s := range r.sources {
		if s.plan != nil {
			for _, p := range s.plan.plans() {
				if p.count > 0 {
					out.events[p.event.name] += p.count
				}
			}
		}
	}
	for _, l := range out.ledger.Losses("") {
		out.losses[l.Reason] = l.Count
	}
	return out
}

// check finds rows that no reader may give out.
func (r *result) check(t testing.TB, reader *reader, b *schema.Block) {
	t.Helper()
	n := len(b.TimeNs)
	if len(b.Key) != n || len(b.Mark) != n || len(b.MessageID) != n || n > schema.BlockEvents {
		t.Fatalf("%d times, %d keys, %d marks, %d ids", n, len(b.Key), len(b.Mark), len(b.MessageID))
	}
	keys := reader.Keys()
	for i := range n {
		if k := keys[b.Key[i]]; k.Component == "" || k.Lifeline == "" || k.Function == "" {
			t.Fatalf("empty names: %+v", k)
		}
		if b.Mark[i] != schema.NoMark || b.MessageID[i] != schema.NoValue {
			t.Fatalf("row %d has a message", i)
		}
	}
}
