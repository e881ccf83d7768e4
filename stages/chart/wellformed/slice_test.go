package wellformed

import (
	"bytes"
	"encoding/gob"
	"math/rand"
	"reflect"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// slicer weaves a trace slice by slice and puts the slices together.
type slicer struct {
	t        *testing.T
	opt      Options
	buckets  int
	records  []record
	truth    *State // where the slices so far end; nil before the first
	events   [][]eventRow
	messages [][]messageRow
	late     [][]namedPatch
	again    int // slices that were woven again
}

type namedPatch struct {
	seq  int64
	peer string
}

// builder returns a Builder of a slice with its sink.
func (s *slicer) builder() (*Builder, *basket) {
	b := &basket{events: make([][]eventRow, s.buckets+1), messages: make([][]messageRow, s.buckets+1), arrivals: make([][]int64, s.buckets+1)}
	place := func(c string) int { return placeOf(c, s.buckets) }
	b.weaver = NewSlice(s.opt, s.buckets, Groups{Rows: 1 << 20, Messages: 1 << 20}, place, b, new(schema.Ledger))
	b.weaver.makeRoom(s.buckets)
	return b.weaver, b
}

// add weaves records from one to another.
func (s *slicer) add(w *Builder, from, to int) {
	if from == to {
		return
	}
	p := &parser{marks: make([]schema.MessageMark, 1)}
	w.Add(p.block(s.records[from:to]), &p.source, "trace", s.records[from].line)
}

// keep takes what came of a slice, whose sequence numbers lack a shift.
func (s *slicer) keep(w *Builder, b *basket, shift int64) {
	tables := w.CodeTables()
	for bucket, late := range w.Flush() {
		for _, p := range late {
			peer := ""
			if p.Peer != schema.NoCode {
				peer = tables.Component(p.Peer)
			}
			s.late[bucket] = append(s.late[bucket], namedPatch{p.Seq + shift, peer})
		}
	}
	for bucket := range b.events {
		for _, r := range b.events[bucket] {
			r.seq += shift
			s.events[bucket] = append(s.events[bucket], r)
		}
		for _, m := range b.messages[bucket] {
			m.sendSeq, m.receiveSeq, m.request = m.sendSeq+shift, m.receiveSeq+shift, moved(m.request, shift)
			s.messages[bucket] = append(s.messages[bucket], m)
		}
	}
}

// slice weaves the records from one to another, which it begins to watch some records before.
func (s *slicer) slice(warm, from, to int) {
	w, b := s.builder()
	if s.truth == nil {
		s.add(w, from, to)
		s.truth = w.State()
		s.keep(w, b, 0)
		return
	}
	w.Watch()
	s.add(w, warm, from)
	start := w.Cut()
	s.add(w, from, to)
	sliced := throughFile(s.t, w.EndSlice(start))
	shift := s.truth.Seq - start.Seq
	sends := func(ids map[MessageID]bool) (bool, error) {
		for _, r := range s.records[from:to] {
			if r.mark.Direction == schema.Send && ids[MessageID{r.mark.Series, r.id}] {
				return true, nil
			}
		}
		return false, nil
	}
	end, err := sliced.Join(s.truth, sends)
	if err != nil {
		s.t.Fatal(err)
	}
	if end == nil {
		s.again++
		w, b = s.builder()
		w.Restore(s.truth)
		s.add(w, from, to)
		end, shift = w.State(), 0
	}
	s.truth = throughFile(s.t, end)
	s.keep(w, b, shift)
}

// throughFile writes and reads a value as it goes from task to task.
func throughFile[T any](t *testing.T, x *T) *T {
	t.Helper()
	var text bytes.Buffer
	out := new(T)
	if err := gob.NewEncoder(&text).Encode(x); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&text).Decode(out); err != nil {
		t.Fatal(err)
	}
	return out
}

// finish completes the trace and returns it as one pass does.
func (s *slicer) finish() *woven {
	w, b := s.builder()
	led := new(schema.Ledger)
	w.ledger = led
	w.Restore(s.truth)
	tail := w.Finish()
	out := &woven{weaver: w, outcome: tail, losses: led.Losses("")}
	for bucket := range s.events {
		rows := append(s.events[bucket], b.events[bucket]...)
		for _, p := range s.late[bucket] {
			for i := range rows {
				if rows[i].seq == p.seq {
					rows[i].peer = p.peer
				}
			}
		}
		out.events = append(out.events, out.amend(s.t, bucket, rows))
		out.messages = append(out.messages, append(s.messages[bucket], b.messages[bucket]...))
	}
	return out
}

// sliced weaves records in so many slices, each of which watches some records before it.
func sliced(t *testing.T, records []record, opt Options, buckets int, cuts []int, watch int) (*woven, int) {
	t.Helper()
	s := &slicer{t: t, opt: opt, buckets: buckets, records: records}
	s.events, s.messages, s.late = make([][]eventRow, buckets+1), make([][]messageRow, buckets+1), make([][]namedPatch, buckets+1)
	from := 0
	for _, to := range append(cuts, len(records)) {
		s.slice(max(0, from-watch), from, to)
		from = to
	}
	return s.finish(), s.again
}

// TestSlices sees that slices put together are what one pass makes of the whole, wherever they are cut, however little they
// watch before, and whatever is wrong with the trace; and that most slices of a sound trace need not be woven again.
func TestSlices(t *testing.T) {
	rng := rand.New(rand.NewSource(11))
	kept := [2]int{}
	for i := range 2500 {
		records := broken(rng, rng.Intn(80))
		if i%3 == 0 {
			records = sound(rng, 60)
		}
		var cuts []int
		for at := rng.Intn(12); at < len(records); at += 1 + rng.Intn(30) {
			cuts = append(cuts, at)
		}
		opt, buckets := ways[i%4], 1+rng.Intn(3)
		want := weave(t, records, layout{opt: opt, buckets: buckets, group: 1 << 20, messages: 1 << 20, block: 1 << 20, parsers: 1})
		got, again := sliced(t, records, opt, buckets, cuts, rng.Intn(25))
		kept[min(1, i%3)] += len(cuts) - again
		for bucket := range want.events {
			differ(t, records, got.events[bucket], want.events[bucket])
			differ(t, records, got.messages[bucket], want.messages[bucket])
		}
		if !reflect.DeepEqual(got.losses, want.losses) {
			t.Fatalf("losses %v, want %v, in\n%s", got.losses, want.losses, sketch(records))
		}
		a, b := got.outcome, want.outcome
		if a.Events != b.Events || a.Exchanges != b.Exchanges || a.Calls != b.Calls || a.StartNs != b.StartNs || a.EndNs != b.EndNs {
			t.Fatalf("outcome %+v, want %+v", a, b)
		}
	}
	t.Logf("%d slices of sound and %d of broken traces were not woven again", kept[0], kept[1])
	if kept[0] < 500 || kept[1] < 500 {
		t.Error("too many slices are woven again")
	}
}
