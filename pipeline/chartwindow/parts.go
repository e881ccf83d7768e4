package chartwindow

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// partTable finds the numbers of parts. It is a hash table with open addressing and linear probing, at most half full, since
// the part of every constraint is looked up. Each core has a table of its own, so that only new parts need the lock of the
// chart.
type partTable struct {
	slots []uint32   // position in parts plus 1; 0: free
	parts []numbered // in the order in which they were first seen
}

// numbered is a part in the codes of a file's names, with the number that the chart gave it.
type numbered struct {
	window.Part
	number uint32
}

// number returns the number of a part, which the chart gives when the part is new.
// The expected cost is less than two probes, as at least half of the slots are free.
func (t *partTable) number(c *Chart, names *schema.Names, p window.Part) uint32 {
	if len(t.parts)*2 >= len(t.slots) {
		t.widen()
	}
	mask := uint32(len(t.slots) - 1) // the remainder of a division by the number of slots
	for i := hash(&p) & mask; ; i = (i + 1) & mask {
		at := t.slots[i]
		// A free slot ends the search: the part is new in this file and on this core.
		if at == 0 {
			t.parts = append(t.parts, numbered{p, c.part(names, p)})
			t.slots[i] = uint32(len(t.parts))
			return t.parts[len(t.parts)-1].number
		}
		if t.parts[at-1].Part == p {
			return t.parts[at-1].number
		}
	}
}

// widen doubles the slots and places all parts again.
// It costs O(parts) and happens O(log parts) times.
func (t *partTable) widen() {
	t.slots = make([]uint32, max(64, len(t.slots)*2))
	mask := uint32(len(t.slots) - 1)
	for n := range t.parts {
		i := hash(&t.parts[n].Part) & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = uint32(n + 1)
	}
}

// hash mixes the codes of a part (the finalizer of MurmurHash3).
// Whether a message or a function is meant follows from the codes nearly always, so Message does not take part.
func hash(p *window.Part) uint32 {
	h := p.Component*0x9e3779b1 ^ p.Function*0x85ebca77 ^ p.Sender*0xc2b2ae3d ^ p.Label*0x27d4eb2f
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	return h
}
