package wellformed

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Rows are well-formed events in the weaver's codes. Events spreads them out into columns. They are kept
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

func (r *Rows) add(one row) { *r.next() = one }

// next adds a row to be filled in place; copying one that was just built stalls on its parts.
func (r *Rows) next() *row {
	n := len(r.list)
	if n < cap(r.list) {
		r.list = r.list[:n+1]
	} else {
		r.list = append(r.list, row{})
	}
	return &r.list[n]
}

// split moves all rows from position n on to the empty rest.
func (r *Rows) split(n int, rest *Rows) {
	rest.list, r.list = append(rest.list, r.list[n:]...), r.list[:n]
}

// Legend is a snapshot of the codes in which rows are written. It may be read while the weaver that made
// it goes on.
type Legend struct {
	names schema.Names
	keys  []key
	marks []mark
}

// Events appends the rows to a table of events. The table's Names become the legend's.
func (l *Legend) Events(r *Rows, ev *schema.Events) {
	ev.Names = &l.names
	n := len(ev.Seq)
	l.extend(ev, len(r.list))
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

// extend makes a table of events longer by n rows.
func (l *Legend) extend(ev *schema.Events, n int) {
	for _, column := range ev.Columns() {
		switch {
		case column.Ints != nil:
			*column.Ints = slices.Grow(*column.Ints, n)[:len(*column.Ints)+n]
		case column.Codes != nil:
			*column.Codes = slices.Grow(*column.Codes, n)[:len(*column.Codes)+n]
		case column.Enum != nil:
			*column.Enum = slices.Grow(*column.Enum, n)[:len(*column.Enum)+n]
		default:
			*column.Bools = slices.Grow(*column.Bools, n)[:len(*column.Bools)+n]
		}
	}
}

// Exchanges are complete message exchanges in the weaver's codes. Messages spreads them out into columns.
type Exchanges struct{ list []message }

// message is one exchange, 88 bytes.
type message struct {
	id, sendSeq, receiveSeq, sendNs, receiveNs, requestSeq, roundTripNs int64
	mark, sender, receiver, senderFunction, receiverFunction            uint32
	pattern                                                             schema.Pattern
}

// NewExchanges returns empty exchanges with room for some.
func NewExchanges(capacity int) *Exchanges { return &Exchanges{make([]message, 0, capacity)} }

// Reset empties the exchanges and keeps their memory.
func (x *Exchanges) Reset() { x.list = x.list[:0] }

func (x *Exchanges) next() *message {
	n := len(x.list)
	if n < cap(x.list) {
		x.list = x.list[:n+1]
	} else {
		x.list = append(x.list, message{})
	}
	return &x.list[n]
}

// Messages appends the exchanges to a table of messages. The table's Names become the legend's.
func (l *Legend) Messages(x *Exchanges, out *schema.Messages) {
	out.Names = &l.names
	for i := range x.list {
		m := &x.list[i]
		mark := &l.marks[m.mark]
		out.Series = append(out.Series, mark.series)
		out.MessageID = append(out.MessageID, m.id)
		out.Label = append(out.Label, mark.label)
		out.Pattern = append(out.Pattern, m.pattern)
		out.SendSeq = append(out.SendSeq, m.sendSeq)
		out.ReceiveSeq = append(out.ReceiveSeq, m.receiveSeq)
		out.Sender = append(out.Sender, m.sender)
		out.Receiver = append(out.Receiver, m.receiver)
		out.SenderFunction = append(out.SenderFunction, m.senderFunction)
		out.ReceiverFunction = append(out.ReceiverFunction, m.receiverFunction)
		out.SendNs = append(out.SendNs, m.sendNs)
		out.ReceiveNs = append(out.ReceiveNs, m.receiveNs)
		out.LatencyNs = append(out.LatencyNs, m.receiveNs-m.sendNs)
		out.RequestSeq = append(out.RequestSeq, m.requestSeq)
		out.RoundTripNs = append(out.RoundTripNs, m.roundTripNs)
	}
}

// Component is the name behind a peer's code.
func (l *Legend) Component(code uint32) string { return l.names.Components.Name(code) }

// Components is the number of components, placeholders included.
func (l *Legend) Components() int { return l.names.Components.Len() }
