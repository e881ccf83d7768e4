package wellformed

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// remarks are the annotations of a trace. They cost nothing in a trace that has none.
type remarks struct {
	list []schema.Annotation
	gone []int64 // events that were discarded since the first annotation
}

// remark makes annotations of the notes of a block that is about to be woven: its first event gets the next
// sequence number, and every event after it one stride more.
func (w *Weaver) remark(b *schema.Block, s *Source) {
	for _, n := range b.Notes {
		a := schema.Annotation{About: n.About, Subject: n.Subject, Name: n.Name, Value: n.Value}
		if n.Row != schema.NoRow {
			seq := w.seq + int64(eventOf(b, s, n.Row))*w.stride
			a.Seq = &seq
		}
		if n.About == schema.AboutMessage {
			a.Series = s.marks[b.Mark[n.Row]].Series
			if id := b.MessageID[n.Row]; id != schema.NoValue {
				a.Number = &id
			}
		}
		w.remarks.list = append(w.remarks.list, a)
	}
}

// eventOf is the row of the event that a row is a further message of, or the row itself.
func eventOf(b *schema.Block, s *Source, row int32) int32 {
	for row > 0 && s.keys[b.Key[row]].Kind == schema.Message {
		row--
	}
	return row
}

// discard notes that an event does not stay in the trace.
func (r *remarks) discard(seq int64) {
	if len(r.list) > 0 {
		r.gone = append(r.gone, seq)
	}
}

// kept are the annotations whose events stay in the trace.
func (r *remarks) kept() []schema.Annotation {
	slices.Sort(r.gone)
	return slices.DeleteFunc(r.list, func(a schema.Annotation) bool {
		if a.Seq == nil {
			return false
		}
		_, gone := slices.BinarySearch(r.gone, *a.Seq)
		return gone
	})
}
