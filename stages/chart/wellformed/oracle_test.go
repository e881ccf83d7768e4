package wellformed

import (
	"cmp"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// oracle weaves a whole trace in memory, without placeholders: the same rules, with none of the machinery
// that finds out early what is final.
type oracle struct {
	discard  bool
	events   []*eventRow
	all      []*letter
	way      map[string]*letter // under way
	calls    map[string][]*open // by lifeline
	leading  int64
	losses   map[string]int64
	before   *eventRow // the row before, if it stays
	last     int64     // the event that it belongs to
	min, max int64
	extra    int64 // events beyond the records so far
}

type letter struct {
	message       string
	send, receive *eventRow
	from, to      int64 // the enters or exits that they belong to
	request       *letter
	reply         *letter
	returnsTo     *open // the call whose exit received it
	by            *open // the call whose enter sent it
	ignored       bool
}

type open struct {
	enter   *eventRow
	letter  *letter // the message at its enter
	sent    bool
	skipped bool
}

func consult(records []record, discard bool) *oracle {
	o := &oracle{discard: discard, way: map[string]*letter{}, calls: map[string][]*open{}, losses: map[string]int64{}}
	for i, r := range records {
		if i == 0 {
			o.min, o.max = r.timeNs, r.timeNs
		} else if r.timeNs < records[i-1].timeNs {
			o.losses["time_backwards"]++
		}
		o.min, o.max = min(o.min, r.timeNs), max(o.max, r.timeNs)
		o.take(int64(i), r)
	}
	o.finish(int64(len(records)) + o.extra)
	return o
}

// take takes a record. A message in the middle of a call is a call.
func (o *oracle) take(seq int64, r record) {
	seq += o.extra
	apart := o.before == nil || o.before.lifeline != r.key.Lifeline || o.before.timeNs != r.timeNs
	if r.key.Kind != schema.Message || r.mark.Direction == schema.NoMessage || !apart {
		o.put(seq, r)
		return
	}
	r.key.Kind, r.key.Function = schema.Enter, []string{"", "send", "receive"}[r.mark.Direction]
	o.put(seq, r)
	r.key.Kind, r.mark, r.id = schema.Exit, schema.MessageMark{}, schema.NoValue
	o.put(seq+1, r)
	o.extra++
}

func (o *oracle) put(seq int64, r record) {
	e := &eventRow{
		seq: seq, timeNs: r.timeNs, component: r.key.Component, lifeline: r.key.Lifeline, function: r.key.Function,
		kind: schema.KindWords[r.key.Kind], of: r.key.ExecutionType,
		message: messageText(r.mark.Direction, r.mark.Series, r.mark.Label, r.id),
	}
	var closed *open
	if r.key.Kind == schema.Exit {
		if closed = o.close(e); closed == nil {
			o.losses["unmatched_exit"]++
			if o.discard {
				o.before = nil
				return
			}
			o.leading--
			first := *e
			first.seq, first.kind, first.message, first.synthetic = o.leading, "enter", "", true
			o.events = append(o.events, &first)
			closed = &open{enter: &first}
		}
	}
	o.events = append(o.events, e)
	switch {
	case r.key.Kind != schema.Message:
		o.last, o.before = seq, e
	case o.before == nil || o.before.lifeline != e.lifeline || o.before.timeNs != e.timeNs:
		o.before = nil
	}
	l := o.exchange(e, r.mark.Direction)
	sent := r.mark.Direction == schema.Send
	switch r.key.Kind {
	case schema.Enter:
		c := &open{enter: e, letter: l, sent: sent}
		if l != nil && sent {
			l.by = c
		}
		o.calls[e.lifeline] = append(o.calls[e.lifeline], c)
	case schema.Exit:
		o.tie(closed, l, sent)
	}
}

// close closes the innermost open call of a function.
func (o *oracle) close(e *eventRow) *open {
	calls := o.calls[e.lifeline]
	for i := len(calls) - 1; i >= 0; i-- {
		if calls[i].enter.function != e.function {
			continue
		}
		news := false
		for _, above := range calls[i+1:] {
			news = news || !above.skipped
			above.skipped = true
		}
		if news {
			o.losses["interleaved_call"]++
		}
		c := calls[i]
		o.calls[e.lifeline] = slices.Delete(slices.Clone(calls), i, i+1)
		return c
	}
	return nil
}

// exchange sends or receives.
func (o *oracle) exchange(e *eventRow, d schema.Direction) *letter {
	if d == schema.NoMessage {
		return nil
	}
	id := e.message[1:]
	l := o.way[id]
	if d == schema.Send {
		if l != nil {
			o.losses["duplicate_send"]++
			o.ignore(l)
		}
		l = &letter{message: id, send: e, from: o.last}
		o.all = append(o.all, l)
		o.way[id] = l
		return l
	}
	if l == nil {
		o.losses["unmatched_receive"]++
		return nil
	}
	delete(o.way, id)
	l.receive, l.to, l.send.peer, e.peer = e, o.last, e.component, l.send.component
	if e.timeNs < l.send.timeNs {
		o.losses["negative_latency"]++
	}
	return l
}

func (o *oracle) ignore(l *letter) {
	l.ignored = true
	if l.request != nil {
		l.request.reply, l.request = nil, nil
	}
	if l.reply != nil {
		l.reply.request, l.reply = nil, nil
	}
}

// tie makes a request and a reply of the messages at the two ends of an execution.
func (o *oracle) tie(c *open, l *letter, sent bool) {
	if l == nil {
		return
	}
	if !sent {
		l.returnsTo = c
	}
	q := c.letter
	if q == nil || q == l || c.sent == sent || q.ignored || q.request != nil || q.reply != nil || l.request != nil || l.reply != nil {
		return
	}
	q.reply, l.request = l, q
}

func (o *oracle) finish(seq int64) {
	var left []*open
	for _, calls := range o.calls {
		left = append(left, calls...)
	}
	slices.SortFunc(left, func(a, b *open) int { return cmp.Compare(b.enter.seq, a.enter.seq) })
	for _, c := range left {
		o.losses["open_at_end"]++
		if o.discard {
			o.remove(c)
			continue
		}
		e := *c.enter
		e.seq, e.timeNs, e.kind, e.message, e.peer, e.synthetic = seq, o.max, "exit", "", "", true
		o.events = append(o.events, &e)
		seq++
	}
	o.losses["unmatched_send"] += int64(len(o.way))
	for _, e := range o.events {
		if e.seq < 0 {
			e.timeNs = o.min
		}
	}
	slices.SortFunc(o.events, func(a, b *eventRow) int { return cmp.Compare(a.seq, b.seq) })
}

// remove discards a call and the message at its enter.
func (o *oracle) remove(c *open) {
	o.events = slices.DeleteFunc(o.events, func(e *eventRow) bool { return e == c.enter })
	l := c.letter
	if l == nil || l.ignored {
		return
	}
	o.ignore(l)
	if o.way[l.message] == l {
		delete(o.way, l.message)
	}
	l.send.peer = ""
	if l.receive != nil {
		l.receive.peer = ""
	}
}

// messages are the exchanges that were received.
func (o *oracle) messages() []messageRow {
	var rows []messageRow
	for _, l := range o.all {
		if l.receive == nil || l.ignored {
			continue
		}
		m := messageRow{
			message: l.message, sendSeq: l.from, receiveSeq: l.to, sendNs: l.send.timeNs, receiveNs: l.receive.timeNs,
			sender: l.send.component + "." + l.send.function, receiver: l.receive.component + "." + l.receive.function,
			request: schema.NoValue, trip: schema.NoValue,
		}
		q, r := l, l.reply
		if l.request != nil {
			q, r, m.request = l.request, l, l.request.from
		}
		if q.receive == nil {
			q, r, m.request = l, nil, schema.NoValue
		}
		m.pattern = pattern(q, r)
		if r != nil && r.receive != nil {
			m.trip = r.receive.timeNs - q.send.timeNs
		}
		if m.request != schema.NoValue {
			m.pattern += "_reply"
		}
		rows = append(rows, m)
	}
	return rows
}

func pattern(q, r *letter) string {
	switch {
	case r == nil:
		return "trigger"
	case r.receive == nil:
		return "nonblocking"
	case r.receive.kind == "enter":
		return "callback"
	case r.receive.kind == "exit" && q.by != nil && r.returnsTo == q.by:
		return "blocking"
	}
	return "nonblocking"
}

// compareWithOracle fails unless what a weaver made of records agrees with the oracle. It describes the trace then.
func compareWithOracle(t *testing.T, records []record, got *woven, discard bool) {
	t.Helper()
	want := consult(records, discard)
	var events []eventRow
	for _, e := range want.events {
		events = append(events, *e)
	}
	exits := int64(0)
	for _, e := range events {
		if e.kind == "exit" {
			exits++
		}
	}
	differ(t, records, got.all(), events)
	differ(t, records, got.exchanges(), inOrder(want.messages()))
	counts := map[string]int64{}
	for _, x := range got.losses {
		counts[x.Reason] = x.Count
	}
	for reason, n := range want.losses {
		if counts[reason] != n {
			t.Fatalf("%s: %d, want %d, of\n%s", reason, counts[reason], n, sketch(records))
		}
	}
	if o := got.outcome; o.Events != int64(len(events)) || o.Exchanges-int64(len(got.inferred())) != int64(len(want.messages())) || o.Calls != exits {
		t.Fatalf("counts %d events, %d exchanges, %d calls; there are %d, %d, %d", o.Events, o.Exchanges, o.Calls, len(events), len(want.messages()), exits)
	}
}

func differ[T interface {
	comparable
	String() string
}](t *testing.T, records []record, got, want []T) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if i < len(got) && i < len(want) && got[i] == want[i] {
			continue
		}
		var g, w string
		if i < len(got) {
			g = got[i].String()
		}
		if i < len(want) {
			w = want[i].String()
		}
		t.Fatalf("row %d: got %q, want %q, of\n%s", i, g, w, sketch(records))
	}
}

func sketch(records []record) (text string) {
	for i, r := range records {
		text += fmt.Sprintf("%d: %d %s %s %s %s\n", i, r.timeNs, r.key.Lifeline, schema.KindWords[r.key.Kind], r.key.Function,
			messageText(r.mark.Direction, r.mark.Series, r.mark.Label, r.id))
	}
	return text
}

// broken is a trace of n random records of few names, so that everything that can go wrong does.
func broken(rng *rand.Rand, n int) []record {
	records := make([]record, n)
	now := int64(rng.Intn(100))
	for i := range records {
		now += int64(rng.Intn(12) - 1)
		component := fmt.Sprint("C", rng.Intn(3))
		r := record{timeNs: now, id: schema.NoValue, line: int64(i) + 1, key: schema.EventKey{
			Component: component, Lifeline: component, Function: string(rune('f' + rng.Intn(2))), Kind: schema.Kind(rng.Intn(21) / 10),
		}}
		if rng.Intn(6) == 0 {
			r.key.Lifeline += "/2"
		}
		if d := schema.Direction(rng.Intn(3)); d != schema.NoMessage {
			r.mark = schema.MessageMark{Direction: d, Series: "m", Label: "m"}
			r.id = int64(rng.Intn(3))
		}
		records[i] = r
	}
	return records
}

func TestOracleOnBrokenTraces(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 4000 {
		records := broken(rng, rng.Intn(40))
		l := layout{
			opt: Options{Discard: rng.Intn(2) == 0}, buckets: 1 + rng.Intn(3), group: 1 + rng.Intn(8), messages: 1 + rng.Intn(3),
			block: 1 + rng.Intn(10), parsers: 1 + rng.Intn(3),
		}
		compareWithOracle(t, records, weave(t, records, l), l.opt.Discard)
	}
}

func TestOracleOnSoundTraces(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for range 300 {
		records := sound(rng, 200)
		compareWithOracle(t, records, weave(t, records, plain(Options{})), false)
		if w := weave(t, records, plain(Options{})); len(w.losses) > 0 {
			t.Fatalf("losses of a sound trace: %v of\n%s", w.losses, sketch(records))
		}
	}
}
