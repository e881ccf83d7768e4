package chrome

import "math/bits"

// site is what most events have in common with others: where and what. A trace of millions of events has thousands of sites,
// so a record has the number of its site.
type site struct {
	track     uint32 // position in sites.tracks
	name, cat word
	shown     word   // the name, with the arguments that the user wants to see in it
	set       uint32 // its attributes: see schema.AttributeSets
}

// spot is a site as an event names it.
type spot struct {
	pid, tid, name, cat, shown word
	set                        uint32
}

// track is a thread: a pid and a tid.
type track struct {
	pid, tid  word
	isSampled bool  // its calls were made of samples
	lastBegin int64 // ns: the latest time at which a call begins, which says whether one is still to come
}

// sites are the distinct sites and tracks of a trace, by the order of their appearance.
// The table is half full at most, so a look-up takes one or two slots.
type sites struct {
	list   []site
	slots  []spotSlot // open addressing, a power of two
	tracks []track
	known  map[[2]word]uint32
}

// spotSlot is where a site is found by its spot.
type spotSlot struct {
	spot
	at uint32 // position in list and one; 0 is a free slot
}

func newSites() *sites {
	return &sites{slots: make([]spotSlot, 1<<8), known: make(map[[2]word]uint32)}
}

// track returns the position of a thread, which is added when it is new.
func (s *sites) track(pid, tid word) uint32 {
	if at, ok := s.known[[2]word{pid, tid}]; ok {
		return at
	}
	at := uint32(len(s.tracks))
	s.tracks = append(s.tracks, track{pid: pid, tid: tid, lastBegin: -1 << 63})
	s.known[[2]word{pid, tid}] = at
	return at
}

// of returns the position of a site, which is added when it is new.
// It is called once an event, hence a table of its own, without what a general map costs.
func (s *sites) of(want spot) uint32 {
	slot := s.slot(want)
	if slot.at == 0 {
		s.list = append(s.list, site{s.track(want.pid, want.tid), want.name, want.cat, want.shown, want.set})
		*slot = spotSlot{want, uint32(len(s.list))}
		if 2*len(s.list) > len(s.slots) {
			s.widen()
		}
		return uint32(len(s.list) - 1)
	}
	return slot.at - 1
}

// slot returns the slot of a spot, or the free one where it belongs.
// It ends because there is always a free slot.
func (s *sites) slot(want spot) *spotSlot {
	mask := uint64(len(s.slots) - 1)
	for at := want.hash() & mask; ; at = (at + 1) & mask {
		if slot := &s.slots[at]; slot.at == 0 || slot.spot == want {
			return slot
		}
	}
}

// golden mixes bits: the golden ratio (Knuth, The Art of Computer Programming 3, section 6.4).
const golden = 0x9e3779b97f4a7c15

// hash mixes all words into 64 bits.
func (s spot) hash() uint64 {
	high, low := bits.Mul64(uint64(s.name)<<32|uint64(s.tid), golden)
	high, low = bits.Mul64(high^low^(uint64(s.cat)<<32|uint64(s.pid))^uint64(s.shown^s.name)<<16, golden)
	return high ^ low ^ uint64(s.set)*golden
}

// widen doubles the slots.
// The list of sites stays as it is.
func (s *sites) widen() {
	old := s.slots
	s.slots = make([]spotSlot, 2*len(old))
	for _, filled := range old {
		if filled.at != 0 {
			*s.slot(filled.spot) = filled
		}
	}
}
