package text

import (
	"encoding/binary"
	"hash/maphash"
)

// lookup maps byte strings to numbers: an open-addressing hash table over one arena that holds every key once, with its
// value. Finding a key allocates nothing and touches two places in memory, the slot and the key: a machine with tens of
// thousands of keys has more of both than the nearest cache of a core holds.
type lookup struct {
	slots []slot       // a power of two of them, at most two thirds full
	arena []byte       // all keys, one behind the other, each of them a record
	keys  int          // in the arena
	seed  maphash.Seed // a new one each time, so that no trace can be made of names that collide
}

// slot is a place of the hash table.
type slot struct {
	tag uint32 // the upper half of the key's hash
	at  uint32 // where the record of the key begins in the arena, in units of recordUnit, from 1; 0 marks a free slot
}

// A record of the arena is the value of a key and the length of its text, four bytes each, and then the text. Records begin
// at multiples of recordUnit, so that a slot can tell 32 GiB of them apart.
const (
	recordHead = 8
	recordUnit = 8
)

// newLookup returns a table without keys.
func newLookup() lookup { return lookup{slots: make([]slot, 256), seed: maphash.MakeSeed()} }

// find returns the value of a key and whether it has one.
func (l *lookup) find(key []byte) (uint32, bool) {
	// The lower half of the hash is the place, the upper half the tag, so that the two are independent.
	h := maphash.Bytes(l.seed, key)
	mask := uint64(len(l.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := l.slots[i]
		if s.at == 0 {
			return 0, false
		}
		// The tag saves most looks into the arena; the comparison allocates nothing.
		if s.tag != uint32(h>>32) {
			continue
		}
		if value, text := l.record(s.at); string(text) == string(key) {
			return value, true
		}
	}
}

// record is the key whose record begins at a place, with its value.
func (l *lookup) record(at uint32) (value uint32, text []byte) {
	r := l.arena[uint64(at-1)*recordUnit:]
	return binary.LittleEndian.Uint32(r), r[recordHead:][:binary.LittleEndian.Uint32(r[4:])]
}

// add gives a new key its value.
func (l *lookup) add(key []byte, value uint32) {
	at := uint32(len(l.arena)/recordUnit) + 1
	l.arena = binary.LittleEndian.AppendUint32(l.arena, value)
	l.arena = binary.LittleEndian.AppendUint32(l.arena, uint32(len(key)))
	l.arena = append(l.arena, key...)
	for len(l.arena)%recordUnit != 0 {
		l.arena = append(l.arena, 0)
	}
	l.keys++
	// Records keep their places, so a larger table is filled from the arena alone.
	if 3*l.keys > 2*len(l.slots) {
		l.slots = make([]slot, 2*len(l.slots))
		for next := uint32(1); next < at; {
			next = l.place(next)
		}
	}
	l.place(at)
}

// place puts the key whose record begins at a place into a free slot, and returns where the next record begins.
func (l *lookup) place(at uint32) (next uint32) {
	_, text := l.record(at)
	h := maphash.Bytes(l.seed, text)
	mask := uint64(len(l.slots) - 1)
	i := h & mask
	// The table is never full, so the search ends.
	for l.slots[i].at != 0 {
		i = (i + 1) & mask
	}
	l.slots[i] = slot{tag: uint32(h >> 32), at: at}
	return at + uint32((recordHead+len(text)+recordUnit-1)/recordUnit)
}
