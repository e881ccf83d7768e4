package summaries

// numbering gives keys the numbers 0, 1, 2 and so on, in the order in which they are first seen. It is a hash table with open
// addressing and linear probing, at most half full, because a key is looked up for every row: a map of Go takes four times as
// long.
type numbering struct {
	slots []numberedKey // their number is a power of two
	used  uint32        // keys so far
	shift uint          // of a hash, so that it is a slot
}

// numberedKey is a key with its number plus 1; 0 is a free slot.
type numberedKey struct {
	key    uint64
	number uint32
}

// of returns the number of a key. New reports whether it was given now.
func (t *numbering) of(key uint64) (number uint32, isNew bool) {
	if int(t.used)*2 >= len(t.slots) {
		t.widen()
	}
	s := t.slot(key)
	if s.number == 0 {
		t.used++
		*s, isNew = numberedKey{key, t.used}, true
	}
	return s.number - 1, isNew
}

// slot returns the slot of a key, or the free one where it belongs.
func (t *numbering) slot(key uint64) *numberedKey {
	mask := len(t.slots) - 1
	// The multiplier is 2 to the 64 divided by the golden ratio (Knuth, TAOCP 3, section 6.4). The upper bits of the product
	// depend on all bits of the key.
	for i := int(key * 0x9e3779b97f4a7c15 >> t.shift); ; i = (i + 1) & mask {
		if s := &t.slots[i&mask]; s.number == 0 || s.key == key {
			return s
		}
	}
}

// widen doubles the slots and places all keys again.
func (t *numbering) widen() {
	old := t.slots
	if len(old) == 0 {
		t.shift = 64 - 5 // of 64 slots after it is lowered
	}
	t.slots, t.shift = make([]numberedKey, max(64, len(old)*2)), t.shift-1
	for _, s := range old {
		if s.number != 0 {
			*t.slot(s.key) = s
		}
	}
}

// pack makes one key of two codes.
func pack(a, b uint32) uint64 { return uint64(a)<<32 | uint64(b) }
