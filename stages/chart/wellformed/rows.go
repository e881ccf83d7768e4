package wellformed

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Rows are well-formed events in the builder's codes. Events spreads them out into columns. They are kept
// row by row because they arrive bucket by bucket: one line of the cache an event, not six.
type Rows struct{ list []row }

// row is one event, 40 bytes.
type row struct {
	seq, timeNs, messageID int64
	key, mark, peer        uint32
}

// NewRows returns empty rows with room for some.
func NewRows(capacity int) *Rows { return &Rows{make([]row, 0, capacity)} }

// Len is the number of rows.
func (r *Rows) Len() int { return len(r.list) }

// Reset empties the rows and keeps their memory.
func (r *Rows) Reset() { r.list = r.list[:0] }

// add adds a row.
func (r *Rows) add(one row) { *r.next() = one }

// next adds a row to be filled.
func (r *Rows) next() *row { return grow(&r.list) }

// grow adds an element that is to be filled in place: copying a struct that was just built in parts stalls the
// processor. It still holds what was in its place before.
func grow[T any](list *[]T) *T {
	n := len(*list)
	if n < cap(*list) {
		*list = (*list)[:n+1]
	} else {
		var zero T
		*list = append(*list, zero)
	}
	return &(*list)[n]
}

// Sort brings rows of several segments into the order of the trace.
func (r *Rows) Sort() {
	slices.SortFunc(r.list, func(a, b row) int { return cmp.Compare(a.seq, b.seq) })
}

// Sort brings exchanges of several segments of one slice into the order in which they became complete.
func (x *Exchanges) Sort() {
	slices.SortFunc(x.list, func(a, b message) int { return cmp.Compare(a.number, b.number) })
}

// AppendSeqs appends the sequence numbers of the rows.
func (r *Rows) AppendSeqs(seqs []int64) []int64 {
	for i := range r.list {
		seqs = append(seqs, r.list[i].seq)
	}
	return seqs
}

// split moves all rows from position n on to the empty rest.
func (r *Rows) split(n int, rest *Rows) {
	rest.list, r.list = append(rest.list, r.list[n:]...), r.list[:n]
}

// CodeTables is a snapshot of the codes in which rows are written. It may be read while the builder that made
// it goes on.
type CodeTables struct {
	names schema.Names
	keys  []key
	marks []mark
}

// Events appends the rows to a table of events. The table's Names become those of the code tables.
func (l *CodeTables) Events(r *Rows, ev *schema.Events) {
	ev.Names = &l.names
	n := len(ev.Seq)
	schema.Extend(ev, len(r.list))
	for i := range r.list {
		row, at := &r.list[i], n+i
		ev.Seq[at], ev.TimeNs[at], ev.MessageID[at], ev.Peer[at] = row.seq, row.timeNs, row.messageID, row.peer
	}
	for i := range r.list {
		k, at := &l.keys[r.list[i].key], n+i
		ev.Component[at], ev.Lifeline[at], ev.Function[at] = k.component, k.lifeline, k.function
		ev.Kind[at], ev.ExecutionType[at], ev.Synthetic[at] = k.kind, k.executionType, k.synthetic
	}
	for i := range r.list {
		m, at := &l.marks[r.list[i].mark], n+i
		ev.Message[at], ev.Series[at], ev.Direction[at] = m.label, m.series, m.direction
	}
}

// Exchanges are complete message exchanges in the builder's codes. Messages spreads them out into columns.
type Exchanges struct {
	list     []message
	capacity int // that the first exchange takes memory for
}

// message is one exchange, 80 bytes. The keys are those of its rows, which say who sends and who receives.
type message struct {
	id, sendSeq, receiveSeq, sendNs, receiveNs, requestSeq, roundTripNs int64
	number                                                              int64 // counted as they become complete
	mark, sendKey, receiveKey                                           uint32
	pattern                                                             schema.Pattern
}

// NewExchanges returns empty exchanges. The first one takes memory for some: of most traces, no bucket has any.
func NewExchanges(capacity int) *Exchanges { return &Exchanges{capacity: capacity} }

// Reset empties the exchanges and keeps their memory.
func (x *Exchanges) Reset() { x.list = x.list[:0] }

// next adds an exchange to be filled.
func (x *Exchanges) next() *message {
	if x.list == nil {
		x.list = make([]message, 0, x.capacity)
	}
	return grow(&x.list)
}

// Messages appends the exchanges to a table of messages. The table's Names become those of the code tables.
func (l *CodeTables) Messages(x *Exchanges, out *schema.Messages) {
	out.Names = &l.names
	n := len(out.SendSeq)
	schema.Extend(out, len(x.list))
	for i := range x.list {
		m, at := &x.list[i], n+i
		mark, from, to := &l.marks[m.mark], &l.keys[m.sendKey], &l.keys[m.receiveKey]
		out.Series[at], out.MessageID[at], out.Label[at], out.Pattern[at] = mark.series, m.id, mark.label, m.pattern
		out.SendSeq[at], out.SendNs[at], out.Sender[at], out.SenderFunction[at] = m.sendSeq, m.sendNs, from.component, from.function
		out.ReceiveSeq[at], out.ReceiveNs[at], out.Receiver[at], out.ReceiverFunction[at] = m.receiveSeq, m.receiveNs, to.component, to.function
		out.SenderLifeline[at], out.ReceiverLifeline[at] = from.lifeline, to.lifeline
		out.LatencyNs[at], out.RequestSeq[at], out.RoundTripNs[at] = m.receiveNs-m.sendNs, m.requestSeq, m.roundTripNs
	}
}

// Arrivals appends the exchanges to a table of arrivals, as Messages does to one of messages.
func (l *CodeTables) Arrivals(x *Exchanges, out *schema.Arrivals) {
	out.Names = &l.names
	n := len(out.SendSeq)
	schema.Extend(out, len(x.list))
	for i := range x.list {
		m, at := &x.list[i], n+i
		mark, from, to := &l.marks[m.mark], &l.keys[m.sendKey], &l.keys[m.receiveKey]
		out.Series[at], out.MessageID[at], out.Label[at], out.Pattern[at] = mark.series, m.id, mark.label, m.pattern
		out.SendSeq[at], out.SendNs[at], out.Sender[at], out.SenderLifeline[at] = m.sendSeq, m.sendNs, from.component, from.lifeline
		out.ReceiveSeq[at], out.ReceiveNs[at], out.Receiver[at], out.ReceiverLifeline[at] = m.receiveSeq, m.receiveNs, to.component, to.lifeline
	}
}

// Component is the name behind a peer's code.
func (l *CodeTables) Component(code uint32) string { return l.names.Components.Name(code) }

// Components is the number of components, placeholders included.
func (l *CodeTables) Components() int { return l.names.Components.Len() }
