package wellformed

// inflight finds the exchange of a message that was sent and not yet received, by its identifier.
// It is an open-addressing table with linear probing and deletion by shifting back, so that its size
// follows the number of messages under way and not the length of the trace.
type inflight struct {
	series []uint32 // of the slot's message
	ids    []int64  // number of the slot's message
	slots  []int32  // exchange + 1; 0 is free
	used   int
}

// fewSlots is the number of slots of a new table.
const fewSlots = 1 << 6

// newInflight returns a table with room for a few messages.
func newInflight() *inflight {
	t := &inflight{}
	t.grow(fewSlots)
	return t
}

// grow gives the table a number of slots, a power of two.
func (t *inflight) grow(size int) {
	old := *t
	t.series, t.ids, t.slots, t.used = make([]uint32, size), make([]int64, size), make([]int32, size), 0
	for i, slot := range old.slots {
		if slot != 0 {
			t.put(old.series[i], old.ids[i], slot-1)
		}
	}
}

// hash returns the slot where the search for an identifier begins (multiplicative hashing by 2^64 over the golden ratio).
func (t *inflight) hash(series uint32, id int64) int {
	h := (uint64(id) ^ uint64(series)<<40) * 0x9E3779B97F4A7C15
	return int(h>>20) & (len(t.slots) - 1)
}

// find returns the slot of an identifier, or the free one where it would be put.
func (t *inflight) find(series uint32, id int64) (slot int, found bool) {
	i := t.hash(series, id)
	for t.slots[i] != 0 {
		if t.ids[i] == id && t.series[i] == series {
			return i, true
		}
		i = (i + 1) & (len(t.slots) - 1)
	}
	return i, false
}

// put stores an exchange and returns the one that it replaces, or -1.
func (t *inflight) put(series uint32, id int64, exchange int32) (replaced int32) {
	i, found := t.find(series, id)
	if found {
		replaced, t.slots[i] = t.slots[i]-1, exchange+1
		return replaced
	}
	t.series[i], t.ids[i], t.slots[i] = series, id, exchange+1
	// Half full at most, so that searches stay short.
	if t.used++; t.used*2 > len(t.slots) {
		t.grow(2 * len(t.slots))
	}
	return -1
}

// take removes and returns the exchange of an identifier, or -1.
func (t *inflight) take(series uint32, id int64) int32 {
	hole, found := t.find(series, id)
	if !found {
		return -1
	}
	exchange := t.slots[hole] - 1
	t.used--
	// Entries behind the hole that may stand in it move up, so no search ends early and no mark of a deletion is
	// needed.
	wrap := len(t.slots) - 1
	for i := (hole + 1) & wrap; t.slots[i] != 0; i = (i + 1) & wrap {
		home := t.hash(t.series[i], t.ids[i])
		// The slot may move into the hole if the hole is not before its home; see Knuth, TAOCP 3, section 6.4, algorithm R.
		if (i-home)&wrap >= (i-hole)&wrap {
			t.series[hole], t.ids[hole], t.slots[hole] = t.series[i], t.ids[i], t.slots[i]
			hole = i
		}
	}
	t.slots[hole] = 0
	return exchange
}

// each calls f for every exchange under way, in no particular order.
func (t *inflight) each(f func(exchange int32)) {
	for _, slot := range t.slots {
		if slot != 0 {
			f(slot - 1)
		}
	}
}
