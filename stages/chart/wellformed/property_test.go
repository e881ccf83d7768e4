package wellformed

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// server plays components that call each other in all patterns.
type server struct {
	rng     *rand.Rand
	records []record
	now, id int64
}

func (s *server) event(component, function string, kind schema.Kind, d schema.Direction, id int64) {
	s.now += int64(s.rng.Intn(5))
	r := record{timeNs: s.now, id: schema.NoValue, line: int64(len(s.records)) + 1}
	r.key = schema.EventKey{Component: component, Lifeline: component, Function: function, Kind: kind}
	if d != schema.NoMessage {
		r.mark, r.id = schema.MessageMark{Direction: d, Series: "m", Label: "m"}, id
	}
	s.records = append(s.records, r)
}

// serve has component n do some work at the given depth.
func (s *server) serve(n, depth int) {
	me, other := fmt.Sprint("C", n), fmt.Sprint("C", n+1)
	for range 1 + s.rng.Intn(3) {
		request, reply := s.id, s.id+1
		s.id += 2
		pattern := s.rng.Intn(5)
		if depth == 0 {
			pattern = 4
		}
		switch pattern {
		case 0: // trigger
			s.event(me, "t", schema.Enter, schema.Send, request)
			s.event(me, "t", schema.Exit, schema.NoMessage, 0)
			s.event(other, "t", schema.Enter, schema.Receive, request)
			s.serve(n+1, depth-1)
			s.event(other, "t", schema.Exit, schema.NoMessage, 0)
		case 1: // blocking
			s.event(me, "b", schema.Enter, schema.Send, request)
			s.handle(n, depth, request, reply)
			s.event(me, "b", schema.Exit, schema.Receive, reply)
		case 2: // not blocking
			s.event(me, "n", schema.Enter, schema.Send, request)
			s.event(me, "n", schema.Exit, schema.NoMessage, 0)
			s.handle(n, depth, request, reply)
			s.event(me, "w", schema.Enter, schema.NoMessage, 0)
			s.event(me, "w", schema.Exit, schema.Receive, reply)
		case 3: // called back
			s.event(me, "c", schema.Enter, schema.Send, request)
			s.event(me, "c", schema.Exit, schema.NoMessage, 0)
			s.handle(n, depth, request, reply)
			s.event(me, "d", schema.Enter, schema.Receive, reply)
			s.event(me, "d", schema.Exit, schema.NoMessage, 0)
		default:
			s.event(me, "l", schema.Enter, schema.NoMessage, 0)
			s.event(me, "l", schema.Exit, schema.NoMessage, 0)
		}
	}
}

func (s *server) handle(n, depth int, request, reply int64) {
	other := fmt.Sprint("C", n+1)
	s.event(other, "h", schema.Enter, schema.Receive, request)
	s.serve(n+1, depth-1)
	s.event(other, "h", schema.Exit, schema.Send, reply)
}

// sound is a trace of at least n records that lacks nothing.
func sound(rng *rand.Rand, n int) []record {
	s := &server{rng: rng}
	for len(s.records) < n {
		s.serve(0, 3)
	}
	return s.records
}

var ways = []Options{{}, {Discard: true}, {Insert: true}, {Discard: true, Insert: true}}

// Whatever the blocks, parsers, buckets and groups are, the same comes out, in the buckets of its components.
func TestLayoutChangesNothing(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	late := 0
	for i := range 1500 {
		records := broken(rng, rng.Intn(60))
		if i%3 == 0 {
			records = sound(rng, 30)
		}
		opt := ways[i%4]
		want := weave(t, records, plain(opt))
		l := layout{opt: opt, buckets: 1 + rng.Intn(4), group: 1 + rng.Intn(6), messages: 1 + rng.Intn(4), block: 1 + rng.Intn(9), parsers: 1 + rng.Intn(3)}
		got := weave(t, records, l)
		late += got.late
		differ(t, records, got.all(), want.all())
		differ(t, records, got.exchanges(), want.exchanges())
		expect.Deep(expect.Must(t), got.losses, want.losses, "losses")
		for bucket, rows := range got.events {
			if !slices.IsSortedFunc(rows, func(a, b eventRow) int { return int(a.seq - b.seq) }) {
				t.Fatalf("bucket %d is out of order", bucket)
			}
			for _, e := range rows {
				if home, _ := placeOf(e.component, e.lifeline, l.buckets); home != bucket && (bucket != l.buckets || !e.synthetic) {
					t.Fatalf("%v is in bucket %d, not %d", e, bucket, home)
				}
			}
		}
	}
	if late == 0 {
		t.Error("no peer came late")
	}
}

func TestShiftChangesTimesOnly(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	const shift = 1_000_000_007
	for i := range 400 {
		records := broken(rng, rng.Intn(60))
		want := weave(t, records, plain(ways[i%4]))
		for j := range records {
			records[j].timeNs += shift
		}
		got := weave(t, records, plain(ways[i%4]))
		events, messages := want.all(), want.exchanges()
		for j := range events {
			events[j].timeNs += shift
		}
		for j := range messages {
			messages[j].sendNs, messages[j].receiveNs = messages[j].sendNs+shift, messages[j].receiveNs+shift
		}
		differ(t, records, got.all(), events)
		differ(t, records, got.exchanges(), messages)
	}
}

// Placeholders add to what there is without them: the traced events are the same but for the peers that they
// lacked and for the distance of their seqs, and every message that was not ignored has two ends.
func TestInsertOnlyAdds(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	for i := range 600 {
		records := broken(rng, rng.Intn(60))
		opt := ways[i%2]
		want := weave(t, records, plain(opt))
		opt.Insert = true
		got := weave(t, records, plain(opt))
		events := want.all()
		var traced []eventRow
		for _, e := range got.events[0] {
			e.seq /= insertStride
			if len(traced) < len(events) && events[len(traced)].peer == "" {
				e.peer = ""
			}
			traced = append(traced, e)
		}
		differ(t, records, traced, events)
		checkSound(t, records, got)
	}
}

// checkSound fails unless the result is a chart: every call has two ends, every message refers to the two events that
// have it, no event is twice.
func checkSound(t *testing.T, records []record, o *woven) {
	t.Helper()
	bySeq := map[int64]eventRow{}
	depth := map[string]int{}
	for _, e := range o.all() {
		if _, twice := bySeq[e.seq]; twice {
			t.Fatalf("seq %d is twice in\n%s", e.seq, sketch(records))
		}
		bySeq[e.seq] = e
		call := e.lifeline + " " + e.function
		switch e.kind {
		case "enter":
			depth[call]++
		case "exit":
			depth[call]--
		}
		if depth[call] < 0 {
			t.Fatalf("%v has no enter in\n%s", e, sketch(records))
		}
	}
	for call, n := range depth {
		if n != 0 {
			t.Fatalf("%s is open %d times in\n%s", call, n, sketch(records))
		}
	}
	checkEnds(t, records, o)
}

// side is one end of a message: the enter or exit that it belongs to, its text, and the component at the other end.
type side struct {
	event         int64
	message, peer string
}

// checkEnds fails unless the events that know a peer are those between which messages were exchanged. A further
// message of a call that was discarded later belongs to no event and is left out.
func checkEnds(t *testing.T, records []record, o *woven) {
	t.Helper()
	events := map[int64]bool{}
	ends := map[side]int{}
	var before eventRow
	owner := int64(0)
	for _, e := range o.all() {
		of := e.seq
		if e.kind == "message" && e.lifeline == before.lifeline {
			of = owner
		}
		if !strings.HasPrefix(e.component, "untraced(") { // a placeholder stands between an event and its further messages
			before, owner = e, of
		}
		events[of] = true
		if e.peer != "" {
			ends[side{of, e.message, e.peer}]++
		}
	}
	known := true
	for _, m := range o.exchanges() {
		known = known && events[m.sendSeq] && events[m.receiveSeq]
		sender, _, _ := strings.Cut(m.sender, ".")
		receiver, _, _ := strings.Cut(m.receiver, ".")
		ends[side{m.sendSeq, "!" + m.message, receiver}]--
		ends[side{m.receiveSeq, "?" + m.message, sender}]--
		// Placeholders stand before further messages.
		if m.sendSeq > m.receiveSeq && !strings.HasPrefix(sender, "untraced(") && o.weaver.expected == nil {
			t.Fatalf("%v goes backwards in\n%s", m, sketch(records))
		}
	}
	for s, n := range ends {
		if n != 0 && known {
			t.Fatalf("%v has %d exchanges too few in\n%s", s, n, sketch(records))
		}
	}
}

// Places of exchanges are used again: a long sound trace needs as many as are open at a time.
func TestPlacesAreUsedAgain(t *testing.T) {
	records := sound(rand.New(rand.NewSource(6)), 20_000)
	w := weave(t, records, plain(Options{})).weaver
	if n := len(w.open.all); n > 32 || len(w.open.free) != n {
		t.Errorf("%d places for exchanges, %d of them free, after %d messages", n, len(w.open.free), w.exchanged)
	}
	if w.under.used != 0 || len(w.under.slots) != fewSlots {
		t.Errorf("%d messages under way in %d slots", w.under.used, len(w.under.slots))
	}
}

// The places of exchanges that never complete as they should are used again too.
func TestPlacesOfLostExchangesAreUsedAgain(t *testing.T) {
	story := []struct {
		component string
		kind      schema.Kind
		d         schema.Direction
		id        int64
	}{
		{"C0", schema.Enter, schema.Send, 1}, {"C1", schema.Enter, schema.Send, 1}, // replaces the first
		{"C2", schema.Enter, schema.Receive, 1}, {"C2", schema.Exit, schema.Send, 2}, {"C1", schema.Exit, schema.Receive, 2},
		{"C2", schema.Enter, schema.NoMessage, 0}, {"C2", schema.Exit, schema.Send, 3}, {"C0", schema.Exit, schema.Receive, 3},
		{"C0", schema.Enter, schema.Send, 4}, {"C0", schema.Exit, schema.Receive, 4}, // to itself
		{"C0", schema.Message, schema.Send, 5}, // to nobody; the next round replaces it
	}
	s := &server{rng: rand.New(rand.NewSource(7))}
	for range 1000 {
		for _, e := range story {
			s.event(e.component, "f", e.kind, e.d, e.id)
		}
	}
	w := weave(t, s.records, plain(Options{}))
	if n := len(w.weaver.open.all); n > 8 {
		t.Errorf("%d places", n)
	}
	expect.Equal(t, w.outcome.Exchanges, 4000, "exchanges")
}

// TestInferred sees that a message is inferred for each execution that starts without a message while the innermost
// call of its lifeline waits for a reply that comes, and for no other, from the last event of a lifeline that waits for
// nothing.
func TestInferred(t *testing.T) {
	rng, found := rand.New(rand.NewSource(8)), 0
	for range 1500 {
		records := broken(rng, 20+rng.Intn(60))
		o := weave(t, records, plain(Options{}))
		wanted := map[int64]bool{}
		for seq := range calledBack(o) {
			wanted[seq] = true
		}
		for _, m := range o.inferred() {
			found++
			if !wanted[m.receiveSeq] || m.sendSeq >= m.receiveSeq || m.message != "" {
				t.Fatalf("%v in\n%s", m, sketch(records))
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d inferred messages: the traces show nothing", found)
	}
}

// calledBack are the enters without a received message behind a call of the same lifeline that is open and sent one.
func calledBack(o *woven) map[int64]bool {
	open, back := map[string][]eventRow{}, map[int64]bool{}
	for _, e := range o.all() {
		calls := open[e.lifeline]
		switch e.kind {
		case "enter":
			if n := len(calls); n > 0 && strings.HasPrefix(calls[n-1].message, "!") && calls[n-1].peer != "" && !strings.HasPrefix(e.message, "?") {
				back[e.seq] = true
			}
			open[e.lifeline] = append(calls, e)
		case "exit":
			if i := slices.IndexFunc(calls, func(c eventRow) bool { return c.function == e.function }); i >= 0 {
				for j := len(calls) - 1; j >= 0; j-- {
					if calls[j].function == e.function {
						open[e.lifeline] = slices.Delete(slices.Clone(calls), j, j+1)
						break
					}
				}
			}
		}
	}
	return back
}
