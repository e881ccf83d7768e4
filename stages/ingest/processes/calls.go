package processes

// Call is what an event enters or exits.
type Call struct {
	Address uint64 // of the function, or the number of a named execution
	Thread  int32  // by number
	Named   bool   // Address is a number that AddNamed gave
}

// namedCalls are the first few named executions of a thread, as most threads have no more, with the keys of their enters. They lie beside what else an
// event looks at of its thread, so that a trace of thousands of threads does not search a table larger than the caches of a core.
type namedCalls []struct{ number, key uint32 }

// mostNamedCalls is how many are kept: as many as a look at each costs less than a miss of the cache.
const mostNamedCalls = 16

// find returns the key of an execution.
func (n namedCalls) find(number uint64) (key uint32, known bool) {
	for i := range n {
		if uint64(n[i].number) == number {
			return n[i].key, true
		}
	}
	return 0, false
}

// add keeps the key of an execution, if there is room.
func (n *namedCalls) add(number uint64, key uint32) bool {
	if len(*n) >= mostNamedCalls {
		return false
	}
	*n = append(*n, struct{ number, key uint32 }{uint32(number), key})
	return true
}

// callCache finds the key of an enter by its call. It is asked once an event, so it is a hash table with open
// addressing, linear probing and multiplicative hashing, at most half full (Knuth, The Art of Computer Programming 3,
// section 6.4), and not a map. The zero value is empty.
type callCache struct {
	slots []callSlot // a power of two
	used  int
}

type callSlot struct {
	Call
	full bool
	key  uint32
}

// minSlots is the size of the first table: a trace has hundreds of functions on a few threads.
const minSlots = 1 << 10

// clear forgets all calls. A cache that is empty already costs nothing: state dumps tell of many modules in a row.
func (t *callCache) clear() {
	if t.used > 0 {
		*t = callCache{}
	}
}

// slot returns where the search for a call begins. 0x9E3779B97F4A7C15 is 2^64 over the golden ratio. The thread is multiplied by another number, so that
// all bits of the result depend on it: a trace may have thousands of threads that make the same few calls.
func (t *callCache) slot(c *Call) int {
	h := (c.Address + uint64(uint32(c.Thread))*0xD6E8FEB86659FD93) * 0x9E3779B97F4A7C15
	if c.Named {
		h = ^h
	}
	return int(h >> 32 & uint64(len(t.slots)-1))
}

// find returns the key of a call.
func (t *callCache) find(c Call) (key uint32, known bool) {
	if t.used == 0 {
		return 0, false
	}
	for i := t.slot(&c); ; i = (i + 1) & (len(t.slots) - 1) {
		s := &t.slots[i]
		if !s.full {
			return 0, false
		}
		if s.Address == c.Address && s.Thread == c.Thread && s.Named == c.Named {
			return s.key, true
		}
	}
}

// add keeps the key of a call that is not there yet.
func (t *callCache) add(c Call, key uint32) {
	if 2*t.used >= len(t.slots) {
		old := t.slots
		t.slots = make([]callSlot, max(minSlots, 2*len(old)))
		for _, s := range old {
			if s.full {
				t.put(s)
			}
		}
	}
	t.put(callSlot{c, true, key})
	t.used++
}

// put stores a call in the first empty slot from its own on.
func (t *callCache) put(s callSlot) {
	i := t.slot(&s.Call)
	for t.slots[i].full {
		i = (i + 1) & (len(t.slots) - 1)
	}
	t.slots[i] = s
}
