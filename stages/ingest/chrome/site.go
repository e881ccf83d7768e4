package chrome

// site is what most events have in common with others: where and what.
type site struct {
	track     uint32 // position in sites.tracks
	name, cat word
}

// track is a thread: a pid and a tid.
type track struct {
	pid, tid  word
	lastBegin int64 // the latest time at which a call begins
}

// sites are the distinct sites and tracks of a trace, by the order of their appearance.
type sites struct {
	list   []site
	slots  []uint32 // open addressing, a power of two; 0 is free, otherwise a position in list and one
	tracks []track
	known  map[[2]word]uint32
	last   uint32 // track that was asked for last
}

func newSites() *sites {
	return &sites{slots: make([]uint32, 1<<8), known: make(map[[2]word]uint32)}
}

// track is the position of a thread.
func (s *sites) track(pid, tid word) uint32 {
	if int(s.last) < len(s.tracks) && s.tracks[s.last].pid == pid && s.tracks[s.last].tid == tid {
		return s.last
	}
	if at, ok := s.known[[2]word{pid, tid}]; ok {
		s.last = at
		return at
	}
	at := uint32(len(s.tracks))
	s.tracks = append(s.tracks, track{pid: pid, tid: tid, lastBegin: -1 << 63})
	s.known[[2]word{pid, tid}] = at
	return at
}

// of is the position of a site.
func (s *sites) of(want site) uint32 {
	mask := uint64(len(s.slots) - 1)
	for at := want.hash() & mask; ; at = (at + 1) & mask {
		known := s.slots[at]
		if known == 0 {
			s.list = append(s.list, want)
			s.slots[at] = uint32(len(s.list))
			if 2*len(s.list) > len(s.slots) {
				s.widen()
			}
			return uint32(len(s.list) - 1)
		}
		if s.list[known-1] == want {
			return known - 1
		}
	}
}

// hash mixes with the golden ratio (Knuth, The Art of Computer Programming 3, section 6.4).
func (s site) hash() uint64 {
	const golden = 0x9e3779b97f4a7c15
	h := (uint64(s.track)<<32 | uint64(s.name)) * golden
	h = (h ^ h>>32 ^ uint64(s.cat)) * golden
	return h >> 32
}

func (s *sites) widen() {
	s.slots = make([]uint32, 2*len(s.slots))
	mask := uint64(len(s.slots) - 1)
	for i, known := range s.list {
		at := known.hash() & mask
		for s.slots[at] != 0 {
			at = (at + 1) & mask
		}
		s.slots[at] = uint32(i + 1)
	}
}
