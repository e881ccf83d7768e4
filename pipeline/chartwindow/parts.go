package chartwindow

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// partTable finds the numbers of parts. It is a hash table with open addressing and linear probing, at most half full, since
// the part of every constraint is looked up. Each core has a table of its own, so that only new parts need the lock of the
// chart.
type partTable struct {
	slots []partSlot
	used  int // slots that are taken
}

// partKey is a part in the codes of a file's names, in few words to compare. Whether it is a message follows from its kind.
type partKey struct {
	place    uint64 // component and function
	exchange uint64 // sender and label
	kind     schema.ConstraintKind
}

// partSlot is a part with the number that the chart gave it plus 1; 0 is a free slot.
type partSlot struct {
	partKey
	number uint32
}

// number returns the number of a part, which the chart gives when the part is new.
// The expected cost is less than two probes, as at least half of the slots are free.
func (t *partTable) number(c *Chart, names *schema.Names, k partKey) uint32 {
	if t.used*2 >= len(t.slots) {
		t.widen()
	}
	s := t.find(k)
	// A free slot ends the search: the part is new in this file and on this core.
	if s.number == 0 {
		t.used++
		*s = partSlot{k, c.part(names, k.part()) + 1}
	}
	return s.number - 1
}

// find returns the slot of a part, or the free one where it belongs.
func (t *partTable) find(k partKey) *partSlot {
	mask := uint64(len(t.slots) - 1) // the remainder of a division by the number of slots
	for i := k.hash(); ; i++ {
		if s := &t.slots[i&mask]; s.number == 0 || s.partKey == k {
			return s
		}
	}
}

// widen doubles the slots and places all parts again.
// It costs O(parts) and happens O(log parts) times.
func (t *partTable) widen() {
	old := t.slots
	t.slots = make([]partSlot, max(64, len(old)*2))
	for _, s := range old {
		if s.number != 0 {
			*t.find(s.partKey) = s
		}
	}
}

// part is the part of a key.
func (k partKey) part() window.Part {
	return window.Part{
		Component: schema.Code(k.place >> 32), Function: schema.Code(k.place), Sender: schema.Code(k.exchange >> 32), Label: schema.Code(k.exchange),
		Message: flagsOf(k.kind, false)&window.Message != 0, Kind: k.kind,
	}
}

// pair makes one word of two codes.
func pair(a, b schema.Code) uint64 { return uint64(a)<<32 | uint64(b) }

// hash mixes the codes of a part. Its kind follows from them nearly always, so it does not take part.
func (k partKey) hash() uint64 {
	h := k.place*0x9e3779b97f4a7c15 ^ k.exchange*0xc2b2ae3d27d4eb4f
	return h ^ h>>32
}
