package ltsdiff

import (
	"cmp"
	"slices"
)

// coloured is a state without a partner and its fingerprint.
type coloured struct {
	colour uint64
	side   int8
	state  int32
}

// anchors pairs the states whose fingerprint at a depth no other state without a partner has on either side.
func (s *spread) anchors(depth int) {
	free := s.lonely[:0]
	for side, n := range []*numbering{s.l, s.r} {
		for x, partner := range s.partner[side] {
			if partner == None {
				free = append(free, coloured{n.colours[depth][x], int8(side), int32(x)})
			}
		}
	}
	s.lonely = free
	slices.SortFunc(free, func(a, b coloured) int {
		return cmp.Or(cmp.Compare(a.colour, b.colour), cmp.Compare(a.side, b.side), cmp.Compare(a.state, b.state))
	})
	for from := 0; from < len(free); {
		to := from + 1
		for to < len(free) && free[to].colour == free[from].colour {
			to++
		}
		if to-from == 2 && free[from].side != free[to-1].side {
			s.pair(free[from].state, free[to-1].state)
		}
		from = to
	}
}

// start pairs the initial states if there is one on each side.
func (s *spread) start() {
	x, one := only(s.left.Initial)
	y, other := only(s.right.Initial)
	if one && other && s.combinable(x, y) {
		s.pair(x, y)
	}
}

// only is the position of the one flag that is set.
func only(flags []bool) (at int32, ok bool) {
	at = int32(slices.Index(flags, true))
	return at, at >= 0 && !slices.Contains(flags[at+1:], true)
}
