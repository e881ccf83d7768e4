package criticalpath

import "github.com/tracelake/tracelake/schema"

// shareTally adds up the shares of one path at a time. Those without contention, nearly all, are found by
// their part without hashing.
type shareTally struct {
	position   []uint32 // by part: position in shares plus 1; 0: none
	shares     []Share
	contention map[Key]uint32 // the same for shares with contention
}

// growTo makes room for a number of parts.
func (t *shareTally) growTo(parts int) {
	t.position = schema.GrowTo(t.position, parts)
	if t.contention == nil {
		t.contention = make(map[Key]uint32)
	}
}

// loadShares begins with shares that were saved.
func (t *shareTally) loadShares(shares []Share) {
	for _, s := range shares {
		*t.shareOf(s.Key) = s
	}
}

// reset empties the tally for the next path. Whoever keeps shares copies them before.
func (t *shareTally) reset() {
	for i := range t.shares {
		if k := &t.shares[i].Key; k.Busy == schema.NoCode {
			t.position[k.Part] = 0
		}
	}
	if len(t.contention) > 0 {
		clear(t.contention)
	}
	t.shares = t.shares[:0]
}

// addTime adds the time of one step.
func (t *shareTally) addTime(k Key, ns int64) {
	s := t.shareOf(k)
	s.Ns += ns
	s.Steps++
}

// shareOf returns the share of a key. The category follows from the part, except for contention.
func (t *shareTally) shareOf(k Key) *Share {
	if k.Busy == schema.NoCode {
		at := t.position[k.Part]
		if at == 0 {
			t.shares = append(t.shares, Share{Key: k})
			at = uint32(len(t.shares))
			t.position[k.Part] = at
		}
		return &t.shares[at-1]
	}
	at, known := t.contention[k]
	if !known {
		t.shares = append(t.shares, Share{Key: k})
		at = uint32(len(t.shares))
		t.contention[k] = at
	}
	return &t.shares[at-1]
}
