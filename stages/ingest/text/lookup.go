package text

import (
	"encoding/binary"
	"math/bits"
)

// lookup maps byte strings to numbers: an open-addressing hash table over one arena that holds every key
// once. Finding a key allocates nothing and touches one slot and the key itself.
type lookup struct {
	slots []slot // a power of two of them, at most half full
	used  int
	arena []byte
}

type slot struct {
	hash   uint64
	offset uint64 // of the key in the arena
	size   uint32 // of the key; 0 marks a free slot
	value  uint32
}

func newLookup() lookup { return lookup{slots: make([]slot, 256)} }

// find returns the value of a key and whether it has one. An empty key never has.
func (l *lookup) find(key []byte) (uint32, bool) {
	h := hash(key)
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
	l.place(slot{hash: hash(key), offset: uint64(len(l.arena)), size: uint32(len(key)), value: value})
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

// hash folds a key eight bytes at a time by the high and low halves of a product, as wyhash does.
func hash(key []byte) uint64 {
	const k0, k1 = 0xa0761d6478bd642f, 0xe7037ed1a0b428db
	h := uint64(len(key)) ^ k0
	rest := key
	for len(rest) >= 16 {
		h = fold(h^binary.LittleEndian.Uint64(rest), k1^binary.LittleEndian.Uint64(rest[8:]))
		rest = rest[16:]
	}
	if len(rest) >= 8 {
		h = fold(h^binary.LittleEndian.Uint64(rest), k1)
		rest = rest[8:]
	}
	return fold(h^tail(key, rest), k0)
}

// tail is the last eight bytes of a key of which all but rest is hashed: some of them twice, which is
// cheaper than taking them one by one.
func tail(key, rest []byte) uint64 {
	if len(key) >= 8 {
		return binary.LittleEndian.Uint64(key[len(key)-8:])
	}
	var w uint64
	for _, c := range rest {
		w = w<<8 | uint64(c)
	}
	return w
}

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
