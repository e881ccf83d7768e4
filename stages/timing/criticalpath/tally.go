package criticalpath

import "github.com/tracelake/tracelake/schema"

// tally adds up the shares of one path at a time. Those without contention, which are nearly all, are found by their part.
type tally struct {
	place  []uint32 // by part: position in shares plus 1; 0: none
	shares []Share
	rest   map[Key]uint32 // likewise, of contention
}

// grow makes room for so many parts.
func (t *tally) grow(parts int) {
	if len(t.place) < parts {
		t.place = append(t.place, make([]uint32, parts-len(t.place))...)
	}
	if t.rest == nil {
		t.rest = make(map[Key]uint32)
	}
}

// load begins with shares that were saved.
func (t *tally) load(shares []Share) {
	for _, s := range shares {
		*t.find(s.Key) = s
	}
}

// save appends the shares to a list and empties the tally.
func (t *tally) save(to []Share) []Share {
	to = append(to, t.shares...)
	for i := range t.shares {
		if k := &t.shares[i].Key; k.Busy == schema.NoCode {
			t.place[k.Part] = 0
		}
	}
	if len(t.rest) > 0 {
		clear(t.rest)
	}
	t.shares = t.shares[:0]
	return to
}

func (t *tally) add(k Key, ns int64) {
	s := t.find(k)
	s.Ns += ns
	s.Steps++
}

// find is the share of a key. The category follows from the part, but for contention.
func (t *tally) find(k Key) *Share {
	if k.Busy == schema.NoCode {
		if t.place[k.Part] == 0 {
			t.shares = append(t.shares, Share{Key: k})
			t.place[k.Part] = uint32(len(t.shares))
		}
		return &t.shares[t.place[k.Part]-1]
	}
	at, known := t.rest[k]
	if !known {
		t.shares = append(t.shares, Share{Key: k})
		at = uint32(len(t.shares))
		t.rest[k] = at
	}
	return &t.shares[at-1]
}
