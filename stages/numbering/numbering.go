package numbering

// Numbers gives keys the numbers 0, 1, 2 and so on, in the order in which they are first seen. It is a hash table with open
// addressing and linear probing (Knuth, The Art of Computer Programming 3, section 6.4), at most half full. The zero value is
// ready to use.
type Numbers struct {
	slots []slot // their number is a power of two
	used  uint32 // keys so far
	shift uint   // of a hash, so that it is the position of a slot
}

// slot is a key with its number plus 1; 0 is a free slot.
type slot struct {
	key    uint64
	number uint32
}

// smallest is the binary logarithm of the number of slots of a new table.
const smallest = 6

// Pack makes one key of two codes. Keys of more codes are made of the number of the first two and the next one.
func Pack(a, b uint32) uint64 { return uint64(a)<<32 | uint64(b) }

// Of returns the number of a key. New reports whether it was given now.
func (t *Numbers) Of(key uint64) (number uint32, isNew bool) {
	if int(t.used)*2 >= len(t.slots) {
		t.widen()
	}
	s := t.find(key)
	if s.number == 0 {
		t.used++
		*s, isNew = slot{key, t.used}, true
	}
	return s.number - 1, isNew
}

// Lookup returns the number of a key, if it has one.
func (t *Numbers) Lookup(key uint64) (number uint32, known bool) {
	if t.used == 0 {
		return 0, false
	}
	s := t.find(key)
	return s.number - 1, s.number != 0
}

// find returns the slot of a key, or the free one where it belongs.
func (t *Numbers) find(key uint64) *slot {
	mask := len(t.slots) - 1
	// The multiplier is 2 to the 64 divided by the golden ratio. The upper bits of the product depend on all bits of the key.
	for i := int(key * 0x9e3779b97f4a7c15 >> t.shift); ; i = (i + 1) & mask {
		if s := &t.slots[i&mask]; s.number == 0 || s.key == key {
			return s
		}
	}
}

// widen doubles the slots and places all keys again.
func (t *Numbers) widen() {
	old := t.slots
	if t.shift--; len(old) == 0 {
		t.shift = 64 - smallest
	}
	t.slots = make([]slot, max(1<<smallest, len(old)*2))
	for _, s := range old {
		if s.number != 0 {
			*t.find(s.key) = s
		}
	}
}
