package text

import "hash/maphash"

// lookup maps byte strings to numbers: an open-addressing hash table over one arena that holds every key
// once. Finding a key allocates nothing. A slot is eight bytes, so that the table of a machine with
// tens of thousands of keys stays in the cache beside the keys.
type lookup struct {
	slots  []slot       // a power of two of them, at most two thirds full
	ends   []uint64     // of the keys in the arena, in the order in which they came; ends[0] is 0
	values []uint32     // by number of the key, from 1
	arena  []byte       // all keys, one behind the other
	seed   maphash.Seed // a new one each time, so that no trace can be made of names that collide
}

// slot is a place of the hash table.
type slot struct {
	tag uint32 // the upper half of the key's hash
	key uint32 // the number of the key, from 1; 0 marks a free slot
}

// newLookup returns a table without keys.
func newLookup() lookup {
	return lookup{slots: make([]slot, 256), ends: []uint64{0}, seed: maphash.MakeSeed()}
}

// find returns the value of a key and whether it has one.
func (l *lookup) find(key []byte) (uint32, bool) {
	// The lower half of the hash is the place, the upper half the tag, so that the two are independent.
	h := maphash.Bytes(l.seed, key)
	mask := uint64(len(l.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := l.slots[i]
		if s.key == 0 {
			return 0, false
		}
		// The tag saves most looks into the arena; the comparison allocates nothing.
		if s.tag == uint32(h>>32) && string(l.arena[l.ends[s.key-1]:l.ends[s.key]]) == string(key) {
			return l.values[s.key-1], true
		}
	}
}

// add gives a new key its value.
func (l *lookup) add(key []byte, value uint32) {
	l.arena = append(l.arena, key...)
	l.ends = append(l.ends, uint64(len(l.arena)))
	l.values = append(l.values, value)
	// Keys keep their numbers, so a larger table is filled from the arena alone.
	if 3*len(l.values) > 2*len(l.slots) {
		l.slots = make([]slot, 2*len(l.slots))
		for n := 1; n < len(l.values); n++ {
			l.place(uint32(n))
		}
	}
	l.place(uint32(len(l.values)))
}

// place puts the key with a number into a free slot.
func (l *lookup) place(number uint32) {
	h := maphash.Bytes(l.seed, l.arena[l.ends[number-1]:l.ends[number]])
	mask := uint64(len(l.slots) - 1)
	i := h & mask
	// The table is never full, so the search ends.
	for l.slots[i].key != 0 {
		i = (i + 1) & mask
	}
	l.slots[i] = slot{tag: uint32(h >> 32), key: number}
}
