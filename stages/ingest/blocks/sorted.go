package blocks

import (
	"cmp"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// Due is an event and when its turn is: at its time, but not before events of its thread that stand before it. So the order of
// a thread stays even where its clock steps back.
type Due struct {
	TurnNs, TimeNs int64  // ns; TurnNs is never less than TimeNs
	Key            uint32 // of an enter or exit
}

// NewSorter returns a sorter of events by their turn.
func NewSorter(r *schema.Reading) *extsort.Sorter[Due] {
	return extsort.NewSorter(func(a, b *Due) int { return cmp.Compare(a.TurnNs, b.TurnNs) }, r.Memory, r.Scratch)
}

// WriteSorted passes all events of a sorter on, from the first block to the last.
func (c *Calls) WriteSorted(all *extsort.Sorter[Due], emit Emit) error {
	if err := c.Begin(emit); err != nil {
		return err
	}
	if err := all.Each(func(e *Due) error { return c.Put(e.TimeNs, e.Key) }); err != nil {
		return err
	}
	return c.End()
}
