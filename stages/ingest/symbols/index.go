package symbols

// Index maps addresses to what a reader made of them, such as the position of a key. It is for one question an
// event: open addressing with linear probing, at most half full (Knuth, The Art of Computer Programming 3, section
// 6.4). The zero value is empty.
type Index struct {
	slots []slot // a power of two
	used  int    // slots that are taken
}

// slot is a place of the hash table.
type slot struct {
	address uint64 // the key
	value   uint32 // of the user
	used    bool   // the slot is taken
}

const (
	leastSlots = 256
	spread     = 0x9e3779b97f4a7c15 // 2^64 over the golden ratio
)

// Find returns the value of an address.
func (x *Index) Find(address uint64) (value uint32, found bool) {
	if x.used == 0 {
		return 0, false
	}
	s := x.slot(address)
	return s.value, s.used
}

// slot returns the slot of an address, or the one that it may take.
func (x *Index) slot(address uint64) *slot {
	mask := uint64(len(x.slots) - 1)
	// The product's upper half depends on all bits of the address; functions mostly start at multiples of 16.
	for i := address * spread >> 32 & mask; ; i = (i + 1) & mask {
		if s := &x.slots[i]; s.address == address || !s.used {
			return s
		}
	}
}

// Set gives an address a value.
func (x *Index) Set(address uint64, value uint32) {
	// Half full at most: a search looks at 1.5 slots on average then, and at 2.5 if the address is not there.
	if 2*x.used >= len(x.slots) {
		old := x.slots
		x.slots = make([]slot, max(leastSlots, 2*len(old)))
		for i := range old {
			if old[i].used {
				*x.slot(old[i].address) = old[i]
			}
		}
	}
	s := x.slot(address)
	if !s.used {
		x.used++
	}
	*s = slot{address, value, true}
}

// Clear empties the index and keeps its memory.
func (x *Index) Clear() {
	clear(x.slots)
	x.used = 0
}
