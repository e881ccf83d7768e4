package wellformed

import "github.com/tracelake/tracelake/schema"

// Rows are well-formed events in the weaver's codes, 36 bytes an event. Events spreads them out.
type Rows struct {
	Seq, TimeNs, MessageID []int64
	Key, Mark, Peer        []uint32
}

// NewRows returns empty rows with room for some.
func NewRows(capacity int) *Rows {
	return &Rows{
		Seq: make([]int64, 0, capacity), TimeNs: make([]int64, 0, capacity), MessageID: make([]int64, 0, capacity),
		Key: make([]uint32, 0, capacity), Mark: make([]uint32, 0, capacity), Peer: make([]uint32, 0, capacity),
	}
}

// Len is the number of rows.
func (r *Rows) Len() int { return len(r.Seq) }

func (r *Rows) add(seq, timeNs int64, key, mark uint32, id int64, peer uint32) {
	r.Seq = append(r.Seq, seq)
	r.TimeNs = append(r.TimeNs, timeNs)
	r.MessageID = append(r.MessageID, id)
	r.Key = append(r.Key, key)
	r.Mark = append(r.Mark, mark)
	r.Peer = append(r.Peer, peer)
}

// split moves all rows from position n on to the empty rest.
func (r *Rows) split(n int, rest *Rows) {
	rest.Seq, r.Seq = append(rest.Seq, r.Seq[n:]...), r.Seq[:n]
	rest.TimeNs, r.TimeNs = append(rest.TimeNs, r.TimeNs[n:]...), r.TimeNs[:n]
	rest.MessageID, r.MessageID = append(rest.MessageID, r.MessageID[n:]...), r.MessageID[:n]
	rest.Key, r.Key = append(rest.Key, r.Key[n:]...), r.Key[:n]
	rest.Mark, r.Mark = append(rest.Mark, r.Mark[n:]...), r.Mark[:n]
	rest.Peer, r.Peer = append(rest.Peer, r.Peer[n:]...), r.Peer[:n]
}

// Reset empties the rows and keeps their memory.
func (r *Rows) Reset() {
	r.Seq, r.TimeNs, r.MessageID = r.Seq[:0], r.TimeNs[:0], r.MessageID[:0]
	r.Key, r.Mark, r.Peer = r.Key[:0], r.Mark[:0], r.Peer[:0]
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
	ev.Seq = append(ev.Seq, r.Seq...)
	ev.TimeNs = append(ev.TimeNs, r.TimeNs...)
	ev.MessageID = append(ev.MessageID, r.MessageID...)
	ev.Peer = append(ev.Peer, r.Peer...)
	for _, code := range r.Key {
		k := &l.keys[code]
		ev.Component = append(ev.Component, k.component)
		ev.Lifeline = append(ev.Lifeline, k.lifeline)
		ev.Function = append(ev.Function, k.function)
		ev.Kind = append(ev.Kind, k.kind)
		ev.ExecutionType = append(ev.ExecutionType, k.executionType)
		ev.Synthetic = append(ev.Synthetic, k.synthetic)
	}
	for _, code := range r.Mark {
		m := &l.marks[code]
		ev.Message = append(ev.Message, m.label)
		ev.Series = append(ev.Series, m.series)
		ev.Direction = append(ev.Direction, m.direction)
	}
}

// Component is the name behind a peer's code.
func (l *Legend) Component(code uint32) string { return l.names.Components.Name(code) }

// Components is the number of components, placeholders included.
func (l *Legend) Components() int { return l.names.Components.Len() }
