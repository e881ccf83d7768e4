package text

import "hash/maphash"

// lookup maps byte strings to numbers: an open-addressing hash table over one arena that holds every key
// once. Finding a key allocates nothing and touches one slot and the key itself.
type lookup struct {
	slots []slot // a power of two of them, at most half full
	used  int
	arena []byte
	seed  maphash.Seed // a new one each time, so that no trace can be made of names that collide
}

type slot struct {
	hash   uint64
	offset uint64 // of the key in the arena
	size   uint32 // of the key; 0 marks a free slot
	value  uint32
}

func newLookup() lookup { return lookup{slots: make([]slot, 256), seed: maphash.MakeSeed()} }

// find returns the value of a key and whether it has one. An empty key never has.
func (l *lookup) find(key []byte) (uint32, bool) {
	h := maphash.Bytes(l.seed, key)
	mask := uint64(len(l.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := &l.slots[i]
		if s.size == 0 {
			return 0, false
		}
		if s.hash == h && string(l.arena[s.offset:s.offset+uint64(s.size)]) == string(key) {
			return s.value, true
		}
	}
}

// add gives a new key its value.
func (l *lookup) add(key []byte, value uint32) {
	if 2*(l.used+1) > len(l.slots) {
		l.double()
	}
	l.place(slot{hash: maphash.Bytes(l.seed, key), offset: uint64(len(l.arena)), size: uint32(len(key)), value: value})
	l.arena = append(l.arena, key...)
	l.used++
}

func (l *lookup) double() {
	old := l.slots
	l.slots = make([]slot, 2*len(old))
	for _, s := range old {
		if s.size != 0 {
			l.place(s)
		}
	}
}

func (l *lookup) place(s slot) {
	mask := uint64(len(l.slots) - 1)
	i := s.hash & mask
	for l.slots[i].size != 0 {
		i = (i + 1) & mask
	}
	l.slots[i] = s
}
