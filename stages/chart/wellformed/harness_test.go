package wellformed

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// record is one record of a trace before it is in the codes of any parser.
type record struct {
	timeNs int64
	key    schema.EventKey
	mark   schema.MessageMark
	id     int64
	line   int64 // of the trace, from 1
}

// parse reads a trace with a parser of a format.
func parse(t testing.TB, f schema.Format, trace string) []record {
	t.Helper()
	var b schema.Block
	p := f.NewParser()
	p.Parse([]byte(trace[f.Header:]), &b)
	if b.Bad.Count+b.Overflow.Count > 0 {
		t.Fatalf("not a trace: %+v", b.Bad.First)
	}
	records := make([]record, len(b.Key))
	for i := range records {
		records[i] = record{b.TimeNs[i], p.Keys().At(b.Key[i]), p.Marks()[b.Mark[i]], b.MessageID[i], int64(b.Line[i]) + 1}
	}
	return records
}

// layout is everything that must not change what comes out: all but the options.
type layout struct {
	opt             Options
	buckets         int
	group, messages int // rows and exchanges a hand-over
	block           int // records a block
	parsers         int // that take turns, each with codes of its own
	early           Early
}

func plain(opt Options) layout {
	return layout{opt: opt, buckets: 1, group: 1 << 20, messages: 1 << 20, block: 1 << 20, parsers: 1}
}

// placeOf puts the lifelines of a component into one of some buckets, or each into one of its own.
func placeOf(component, lifeline string, buckets int) (bucket int, whole bool) {
	if whole = sumOf(component)%3 > 0; whole {
		lifeline = component
	}
	return sumOf(lifeline) % buckets, whole
}

func sumOf(name string) (sum int) {
	for _, r := range name {
		sum += int(r)
	}
	return sum
}

// parser numbers keys and marks in the order in which it meets them.
type parser struct {
	keys   []schema.EventKey
	marks  []schema.MessageMark
	source Source
}

// block puts records into the codes of the parser.
func (p *parser) block(records []record) *schema.Block {
	b := new(schema.Block)
	for _, r := range records {
		b.TimeNs = append(b.TimeNs, r.timeNs)
		b.MessageID = append(b.MessageID, r.id)
		b.Key = append(b.Key, codeIn(&p.keys, r.key))
		b.Mark = append(b.Mark, codeIn(&p.marks, r.mark))
		b.Line = append(b.Line, uint32(r.line-records[0].line))
	}
	p.source.Update(schema.EventKeys(p.keys), p.marks)
	return b
}

func codeIn[T comparable](list *[]T, x T) uint32 {
	i := slices.Index(*list, x)
	if i < 0 {
		i = len(*list)
		*list = append(*list, x)
	}
	return uint32(i)
}

// basket is a sink that keeps all it is given, in names, and gives the same memory out again.
type basket struct {
	weaver    *Builder
	tables    *tables // between codes and names
	rows      []*Rows
	exchanges []*Exchanges
	events    [][]eventRow // by bucket
	messages  [][]messageRow
	arrivals  [][]int64 // by bucket: the events that receive
	couplings []couplingRow
}

// tables are what stands between codes and names, which many baskets use one after the other: making them takes longer than weaving ten events.
type tables struct {
	events    schema.Events
	arrivals  *schema.Arrivals
	couplings *schema.Couplings
	messages  *schema.Messages
}

var pooledTables = sync.Pool{New: func() any {
	names := new(schema.Names)
	return &tables{arrivals: schema.NewArrivals(names), couplings: schema.NewCouplings(names), messages: schema.NewMessages(names)}
}}

// manyRows is how many rows of events stay in a table that is used again.
const manyRows = 1 << 12

// use returns the tables, with the rows of before.
func (s *basket) use() *tables {
	if s.tables == nil {
		s.tables = pooledTables.Get().(*tables)
		if n := len(s.tables.events.Seq); n > manyRows { // whoever names them takes those that are added
			schema.Truncate(&s.tables.events, 0)
		}
	}
	return s.tables
}

// emptied drops the rows of a table.
func emptied[T schema.Columns](t T, rows int) T {
	if rows > 0 {
		schema.Truncate(t, 0)
	}
	return t
}

// couplingRow is a row of schema.Couplings.
type couplingRow struct {
	kind           schema.ConstraintKind
	label          string
	source, target int64
}

func (s *basket) Fresh() *Rows {
	if n := len(s.rows); n > 0 {
		r := s.rows[n-1]
		s.rows = s.rows[:n-1]
		return r
	}
	return NewRows(0)
}

func (s *basket) FreshExchanges() *Exchanges {
	if n := len(s.exchanges); n > 0 {
		x := s.exchanges[n-1]
		s.exchanges = s.exchanges[:n-1]
		return x
	}
	return NewExchanges(0)
}

func (s *basket) Take(bucket int, rows *Rows) {
	s.events[bucket] = append(s.events[bucket], eventRows(s.weaver.CodeTables(), rows, &s.use().events)...)
	rows.Reset()
	s.rows = append(s.rows, rows)
}

func (s *basket) TakeArrivals(bucket int, x *Exchanges) {
	a := emptied(s.use().arrivals, len(s.use().arrivals.SendSeq))
	s.weaver.CodeTables().Arrivals(x, a)
	s.arrivals[bucket] = append(s.arrivals[bucket], a.ReceiveSeq...)
	x.Reset()
	s.exchanges = append(s.exchanges, x)
}

func (s *basket) TakeCouplings(_ int, x *Exchanges) {
	c := emptied(s.use().couplings, len(s.use().couplings.SourceSeq))
	s.weaver.CodeTables().Couplings(x, c)
	for i := range c.Kind {
		s.couplings = append(s.couplings, couplingRow{c.Kind[i], c.Names.Messages.Name(c.Label[i]), c.SourceSeq[i], c.TargetSeq[i]})
	}
	x.Reset()
	s.exchanges = append(s.exchanges, x)
}

func (s *basket) TakeExchanges(bucket int, x *Exchanges) {
	m := emptied(s.use().messages, len(s.use().messages.SendSeq))
	s.weaver.CodeTables().Messages(x, m)
	s.messages[bucket] = append(s.messages[bucket], messageRows(m)...)
	x.Reset()
	s.exchanges = append(s.exchanges, x)
}

// eventRow is a row of schema.Events in names.
type eventRow struct {
	seq, timeNs                                            int64
	component, lifeline, function, kind, message, peer, of string
	synthetic                                              bool
}

// eventRows names what is in codes. The table between them is the caller's, for one call after the other, and grows.
func eventRows(l *CodeTables, r *Rows, ev *schema.Events) []eventRow {
	from := len(ev.Seq)
	l.Events(r, ev)
	rows := make([]eventRow, len(ev.Seq)-from)
	for at := range rows {
		i := from + at
		rows[at] = eventRow{
			seq: ev.Seq[i], timeNs: ev.TimeNs[i], component: ev.Names.Components.Name(ev.Component[i]),
			lifeline: ev.Names.Lifelines.Name(ev.Lifeline[i]), function: ev.Names.Functions.Name(ev.Function[i]),
			kind: schema.KindWords[ev.Kind[i]], peer: ev.Names.Components.Name(ev.Peer[i]),
			of: ev.Names.Types.Name(ev.ExecutionType[i]), synthetic: ev.Synthetic[i],
			message: messageText(ev.Direction[i], ev.Names.Series.Name(ev.Series[i]), ev.Names.Messages.Name(ev.Message[i]), ev.MessageID[i]),
		}
	}
	return rows
}

// messageText is the message of an event: its mark, identifier and, where it has one of its own, label.
func messageText(d schema.Direction, series, label string, id int64) string {
	if d == schema.NoMessage {
		return ""
	}
	text := []string{"", "!", "?"}[d] + series
	if id != schema.NoValue {
		text += fmt.Sprint(id)
	}
	if label != series {
		text += "=" + label
	}
	return text
}

// messageRow is a row of schema.Messages in names.
type messageRow struct {
	message, pattern, sender, receiver                    string
	sendSeq, receiveSeq, sendNs, receiveNs, request, trip int64
}

func messageRows(m *schema.Messages) []messageRow {
	rows := make([]messageRow, len(m.SendSeq))
	for i := range rows {
		rows[i] = messageRow{
			message: messageText(schema.Send, m.Names.Series.Name(m.Series[i]), m.Names.Messages.Name(m.Label[i]), m.MessageID[i])[1:],
			pattern: schema.PatternWords[m.Pattern[i]], sendSeq: m.SendSeq[i], receiveSeq: m.ReceiveSeq[i],
			sender:   m.Names.Components.Name(m.Sender[i]) + "." + m.Names.Functions.Name(m.SenderFunction[i]),
			receiver: m.Names.Components.Name(m.Receiver[i]) + "." + m.Names.Functions.Name(m.ReceiverFunction[i]),
			sendNs:   m.SendNs[i], receiveNs: m.ReceiveNs[i], request: m.RequestSeq[i], trip: m.RoundTripNs[i],
		}
		if m.LatencyNs[i] != m.ReceiveNs[i]-m.SendNs[i] {
			rows[i].pattern += fmt.Sprintf(" of latency %d", m.LatencyNs[i])
		}
	}
	return rows
}

// woven is what became of a trace, as a reader of the lake sees it.
type woven struct {
	events   [][]eventRow // by bucket, in order
	messages [][]messageRow
	losses   []schema.Loss
	outcome  *Outcome
	weaver   *Builder
	late     int

	couplings []couplingRow // in the order of the events that wait
}

// weave weaves records in a layout.
func weave(t testing.TB, records []record, l layout) *woven {
	t.Helper()
	led := new(schema.Ledger)
	s := &basket{events: make([][]eventRow, l.buckets+1), messages: make([][]messageRow, l.buckets+1), arrivals: make([][]int64, l.buckets+1)}
	w := New(l.opt, l.buckets, Groups{Rows: l.group, Messages: l.messages}, func(c, lifeline string) (int, bool) { return placeOf(c, lifeline, l.buckets) }, s, led)
	w.Expect(l.early)
	s.weaver = w
	parsers := make([]parser, l.parsers)
	for i := range parsers {
		parsers[i].marks = make([]schema.MessageMark, 1)
	}
	for n, at := 0, 0; at < len(records); n++ {
		end := min(at+l.block, len(records))
		p := &parsers[n%l.parsers]
		w.Add(p.block(records[at:end]), &p.source, "trace", records[at].line)
		at = end
	}
	out := &woven{messages: s.messages, weaver: w, outcome: w.Finish()}
	s.checkArrivals(t, l)
	out.losses = led.Losses("")
	out.couplings = s.couplings
	for bucket, rows := range s.events {
		out.events = append(out.events, out.amend(t, bucket, rows, &s.use().events))
	}
	pooledTables.Put(s.tables)
	return out
}

// amend sets the peers that came late, leaves out what was discarded, and puts the invented enters first.
func (o *woven) amend(t testing.TB, bucket int, rows []eventRow, table *schema.Events) []eventRow {
	t.Helper()
	o.late += len(o.outcome.Late[bucket])
	for _, p := range o.outcome.Late[bucket] {
		at, found := slices.BinarySearchFunc(rows, p.Seq, bySeq)
		if !found {
			t.Fatalf("bucket %d of %d rows has a patch for row %d", bucket, len(rows), p.Seq)
		}
		rows[at].peer = o.outcome.CodeTables.Component(p.Peer)
		if p.Peer == schema.NoCode {
			rows[at].peer = ""
		}
	}
	kept := eventRows(o.outcome.CodeTables, o.outcome.Leading[bucket], table)
	drops := o.outcome.Drops[bucket]
	for i := range rows {
		if len(drops) > 0 && drops[0] == rows[i].seq {
			drops = drops[1:]
			continue
		}
		kept = append(kept, rows[i])
	}
	if len(drops) > 0 {
		t.Fatalf("bucket %d of %d rows drops rows %v", bucket, len(rows), drops)
	}
	return kept
}

func bySeq(r eventRow, seq int64) int { return cmp.Compare(r.seq, seq) }

// all are the events of all buckets by seq.
func (o *woven) all() []eventRow {
	rows := slices.Concat(o.events...)
	slices.SortStableFunc(rows, func(a, b eventRow) int { return cmp.Compare(a.seq, b.seq) })
	return rows
}

// exchanges are the messages of all buckets by the seq of their sends, without those that were inferred.
func (o *woven) exchanges() []messageRow {
	inferred := func(m messageRow) bool { return m.pattern == schema.PatternWords[schema.Inferred] }
	return inOrder(slices.DeleteFunc(slices.Concat(o.messages...), inferred))
}

// inferred are the messages that are not in the trace.
func (o *woven) inferred() []messageRow {
	inferred := func(m messageRow) bool { return m.pattern != schema.PatternWords[schema.Inferred] }
	return inOrder(slices.DeleteFunc(slices.Concat(o.messages...), inferred))
}

func inOrder(rows []messageRow) []messageRow {
	slices.SortStableFunc(rows, func(a, b messageRow) int {
		return cmp.Or(cmp.Compare(a.sendSeq, b.sendSeq), cmp.Compare(a.receiveSeq, b.receiveSeq), cmp.Compare(a.message, b.message))
	})
	return rows
}

func (e eventRow) String() string {
	lifeline := e.lifeline
	if lifeline != e.component {
		lifeline = e.component + "(" + e.lifeline + ")"
	}
	text := fmt.Sprintf("%d %d %s %s %s", e.seq, e.timeNs, lifeline, map[string]string{"enter": ">", "exit": "<", "message": "-"}[e.kind], e.function)
	for _, more := range []string{e.message, e.of} {
		if more != "" {
			text += " " + more
		}
	}
	if e.peer != "" {
		text += " with " + e.peer
	}
	if e.synthetic {
		text += ", invented"
	}
	return text
}

func (m messageRow) String() string {
	text := fmt.Sprintf("%s %s: %d %s at %d to %d %s at %d", m.message, m.pattern, m.sendSeq, m.sender, m.sendNs, m.receiveSeq, m.receiver, m.receiveNs)
	if m.request != schema.NoValue {
		text += fmt.Sprintf(", replies to %d", m.request)
	}
	if m.trip != schema.NoValue {
		text += fmt.Sprintf(", round trip %d", m.trip)
	}
	return text
}

// describe is all of it as text, bucket by bucket where there are several.
func (o *woven) describe() string {
	var out strings.Builder
	for bucket := range o.events {
		if len(o.events[bucket])+len(o.messages[bucket]) == 0 {
			continue
		}
		if bucket > 0 {
			fmt.Fprintf(&out, "bucket %d\n", bucket)
		}
		list(&out, o.events[bucket])
		list(&out, o.messages[bucket])
	}
	for _, l := range o.losses {
		fmt.Fprintf(&out, "%s %d, first at %s\n", l.Reason, l.Count, l.FirstPosition)
	}
	return out.String()
}

func list[T fmt.Stringer](out *strings.Builder, rows []T) {
	for _, r := range rows {
		fmt.Fprintln(out, r)
	}
}

// checkArrivals checks that every message arrives once, in the bucket of its receiver.
func (s *basket) checkArrivals(t testing.TB, l layout) {
	t.Helper()
	want, of := make([][]int64, l.buckets+1), make(map[int64]int) // buckets by event
	for bucket, rows := range s.events {
		for i := range rows {
			of[rows[i].seq] = bucket
		}
	}
	for _, rows := range s.messages {
		for _, m := range rows {
			bucket := of[m.receiveSeq]
			want[bucket] = append(want[bucket], m.receiveSeq)
		}
	}
	for bucket := range want {
		slices.Sort(want[bucket])
		slices.Sort(s.arrivals[bucket])
		if !slices.Equal(s.arrivals[bucket], want[bucket]) {
			t.Fatalf("events %v of bucket %d receive messages, want %v", s.arrivals[bucket], bucket, want[bucket])
		}
	}
}
