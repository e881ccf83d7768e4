package wellformed

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"
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
	place := func(c, lifeline string) (int, bool) { return placeOf(c, lifeline, s.buckets) }
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
	// What the slices so far leave open is what one pass leaves open there.
	w, _ = s.builder()
	s.add(w, 0, to)
	if got, want := outline(s.truth), outline(w.State()); got != want {
		s.t.Fatalf("after %d records the slices end with\n%s\none pass with\n%s\nin\n%s", to, got, want, sketch(s.records))
	}
}

// outline is a state as text, without the order of its keys and exchanges, which has no meaning.
func outline(s *State) string {
	key := func(k int32) schema.EventKey { return s.Keys[k] }
	moment := func(m Moment) string { return fmt.Sprint(m.Seq, m.TimeNs, key(m.Key)) }
	end := func(e End) string { return fmt.Sprint(e.Seq, e.TimeNs, e.Event, key(e.Key)) }
	exchange := func(i int32) string {
		if i == none {
			return "none"
		}
		return fmt.Sprint("sent at ", s.Exchanges[i].Send.Seq)
	}
	var lines []string
	note := func(what string, parts ...any) { lines = append(lines, what+" "+fmt.Sprintln(parts...)) }
	note("counts", s.Begun, s.Seq, s.LastNs, s.FirstNs, s.EndNs, s.Events, s.Executions, s.Exchanged, s.Losses)
	if s.FollowsOn {
		note("before", s.Lifeline, s.AtNs, s.Owner)
	}
	for _, stack := range s.Stacks {
		for i, c := range stack.Calls {
			note("call", stack.Lifeline, i, c.Skipped, c.Seq, key(c.Key), exchange(c.Exchange), c.Sent)
			for _, one := range c.Callbacks {
				note("callback", stack.Lifeline, i, moment(one.Start), moment(one.Origin))
			}
		}
	}
	for _, e := range s.Exchanges {
		note("exchange", s.Marks[e.Mark], e.ID, end(e.Send), exchange(e.Request), exchange(e.Reply), e.Returns, e.Replaced, e.CallerOpen, e.CalleeOpen)
		if e.Received {
			note("exchange", end(e.Send), "received", end(e.Receive))
		}
	}
	for _, m := range s.Last {
		note("last", moment(m))
	}
	slices.Sort(lines)
	for _, i := range s.Under {
		note("under way", exchange(i))
	}
	for _, k := range s.Leading {
		note("leading", key(k))
	}
	for _, u := range s.Untraced {
		note("untraced", end(u.End), s.Marks[u.Mark], u.ID, u.Sent, u.Peer)
	}
	return strings.Join(lines, "")
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
		out.events = append(out.events, out.amend(s.t, bucket, rows, new(schema.Events)))
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

// likeOnePass sees that slices of a trace put together are what one pass makes of it, and returns how many are woven again.
func likeOnePass(t *testing.T, records []record, opt Options, buckets int, cuts []int, watch int) int {
	t.Helper()
	want := weave(t, records, layout{opt: opt, buckets: buckets, group: 1 << 20, messages: 1 << 20, block: 1 << 20, parsers: 1})
	got, again := sliced(t, records, opt, buckets, cuts, watch)
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
	return again
}

// nested is a trace of n random records on few lifelines, whose calls nest deeply and wait for each other: most messages are
// received once, most exits have an enter, and lifelines begin other executions while they wait.
func nested(rng *rand.Rand, n int) []record {
	type open struct{ lifeline, function string }
	var calls []open
	var under []int64
	now, id := int64(rng.Intn(100)), int64(0)
	records := make([]record, n)
	for i := range records {
		lifeline := string(rune('A' + rng.Intn(3)))
		r := record{id: schema.NoValue, line: int64(i) + 1, key: schema.EventKey{Kind: schema.Enter, Function: string(rune('f' + rng.Intn(4)))}}
		receives := len(under) > 0 && rng.Intn(2) == 0
		switch kind := rng.Intn(12); {
		case kind == 0 && i > 0:
			lifeline, r.key.Kind, r.key.Function = records[i-1].key.Lifeline, schema.Message, ""
			now = records[i-1].timeNs
		case kind == 1:
			r.key.Kind = schema.Exit
		case kind < 7 && len(calls) > 0:
			at := max(0, len(calls)-1-rng.Intn(4)*rng.Intn(2))
			lifeline, r.key.Function, r.key.Kind = calls[at].lifeline, calls[at].function, schema.Exit
			calls = slices.Delete(calls, at, at+1)
		default:
			calls = append(calls, open{lifeline, r.key.Function})
		}
		if r.key.Kind != schema.Message {
			now += int64(rng.Intn(3))
		}
		r.timeNs, r.key.Component, r.key.Lifeline = now, lifeline, lifeline
		switch {
		case r.key.Kind != schema.Message && rng.Intn(3) == 0:
		case receives:
			at := rng.Intn(len(under))
			r.mark, r.id = schema.MessageMark{Direction: schema.Receive, Series: "m", Label: "m"}, under[at]
			under = slices.Delete(under, at, at+1)
		default:
			if id++; rng.Intn(30) == 0 {
				id -= min(id, 5) // it was sent before
			}
			r.mark, r.id = schema.MessageMark{Direction: schema.Send, Series: "m", Label: "m"}, id
			under = append(under, id)
		}
		records[i] = r
	}
	return records
}

// TestSlices sees that slices put together are what one pass makes of the whole, wherever they are cut, however little they
// watch before, and whatever is wrong with the trace; and that most slices of a sound trace need not be woven again.
func TestSlices(t *testing.T) {
	rng := rand.New(rand.NewSource(11))
	traces := []func(*rand.Rand, int) []record{sound, broken, nested}
	cut, again := [3]int{}, [3]int{}
	trials := 2400
	if testing.Short() {
		trials = 600
	}
	for i := range trials {
		records := traces[i%3](rng, rng.Intn(80))
		if rng.Intn(8) == 0 { // losses are named by their events where a trace has no lines
			for k := range records {
				records[k].line = 0
			}
		}
		var cuts []int
		for at := rng.Intn(12); at < len(records); at += 1 + rng.Intn(30) {
			cuts = append(cuts, at)
		}
		cut[i%3] += len(cuts)
		again[i%3] += likeOnePass(t, records, ways[rng.Intn(4)], 1+rng.Intn(3), cuts, rng.Intn(25))
	}
	t.Logf("of %v slices of sound, broken and nested traces %v were woven again", cut, again)
	for i, n := range cut {
		if n-again[i] < trials/6 {
			t.Error("too many slices are woven again")
		}
	}
}
