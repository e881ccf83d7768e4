package wellformed

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// annotations gathers the annotations of a trace, which refer to events by sequence number. They cost nothing in a trace
// that has none.
type annotations struct {
	list   []schema.Annotation
	gone   []int64 // events that were discarded since the first annotation
	seqs   []int64 // of the rows of such a block: the event that a row is, or that it is a further message of
	coming bool    // the block in hand has notes, or claims and ends of dependencies
}

// expect says that a block is about to be added.
func (r *annotations) expect(b *schema.Block) {
	r.coming, r.seqs = len(b.Notes)+len(b.Claims)+len(b.Ends) > 0, r.seqs[:0]
}

// Seqs are the events that the rows of the block that was added last are, or are further messages of, by their sequence
// numbers. It is empty for a block without notes, claims and ends of dependencies, and holds until the next Add.
func (w *Builder) Seqs() []int64 { return w.annotations.seqs }

// place notes what event the row that was added is of.
func (r *annotations) place(seq int64) {
	if r.coming {
		r.seqs = append(r.seqs, seq)
	}
}

// take makes annotations of the notes of a block that was added.
func (r *annotations) take(b *schema.Block, s *Source) {
	for _, n := range b.Notes {
		a := schema.Annotation{About: n.About, Subject: n.Subject, Name: n.Name, Value: n.Value}
		if n.Row != schema.NoRow {
			seq := r.seqs[n.Row]
			a.Seq = &seq
		}
		if n.About == schema.AboutMessage {
			a.Series = s.marks[b.Mark[n.Row]].Series
			if id := b.MessageID[n.Row]; id != schema.NoValue {
				a.Number = &id
			}
		}
		r.list = append(r.list, a)
	}
}

// discard notes that an event does not stay in the trace.
func (r *annotations) discard(seq int64) {
	if r.coming || len(r.list) > 0 {
		r.gone = append(r.gone, seq)
	}
}

// kept are the annotations whose events stay in the trace.
func (r *annotations) kept() []schema.Annotation {
	// Events are discarded in any order, since open calls are only known at the end.
	slices.Sort(r.gone)
	return slices.DeleteFunc(r.list, func(a schema.Annotation) bool {
		if a.Seq == nil {
			return false
		}
		_, gone := slices.BinarySearch(r.gone, *a.Seq)
		return gone
	})
}
