package ctf

// callTable finds the key of an enter by what is called and by which thread. It is a hash table with open
// addresses, since it is asked once an event.
type callTable struct {
	slots []call
	used  int
}

type call struct {
	address uint64 // or the number of a named execution
	thread  int32
	static  bool
	full    bool
	key     uint32
}

const fewCalls = 1 << 10

// clear forgets all.
func (t *callTable) clear() {
	if t.used > 0 {
		*t = callTable{}
	}
}

func (t *callTable) slot(c *call) int {
	h := (c.address ^ uint64(c.thread)<<40) * 0x9E3779B97F4A7C15
	if c.static {
		h = ^h
	}
	return int(h >> 32 & uint64(len(t.slots)-1))
}

// find returns the key of a call.
func (t *callTable) find(c call) (uint32, bool) {
	if t.used == 0 {
		return 0, false
	}
	for i := t.slot(&c); ; i = (i + 1) & (len(t.slots) - 1) {
		s := &t.slots[i]
		if !s.full {
			return 0, false
		}
		if s.address == c.address && s.thread == c.thread && s.static == c.static {
			return s.key, true
		}
	}
}

// add keeps the key of a call that is not there yet.
func (t *callTable) add(c call) {
	if 2*t.used >= len(t.slots) {
		old := t.slots
		t.slots = make([]call, max(fewCalls, 2*len(old)))
		for _, s := range old {
			if s.full {
				t.put(s)
			}
		}
	}
	c.full = true
	t.put(c)
	t.used++
}

func (t *callTable) put(c call) {
	i := t.slot(&c)
	for t.slots[i].full {
		i = (i + 1) & (len(t.slots) - 1)
	}
	t.slots[i] = c
}
