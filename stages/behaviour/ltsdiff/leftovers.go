package ltsdiff

import (
	"cmp"
	"slices"
)

// stray is a transition between two states without partners.
type stray struct {
	Transition
	ends uint64 // fingerprints of both
}

// strays are sorted by label and fingerprints.
func strays(n *numbering, partner []int32) (list []stray) {
	for x := range n.States() {
		if partner[x] != None {
			continue
		}
		for i := n.Out.Start[x]; i < n.Out.Start[x+1]; i++ {
			if y := n.Out.End[i]; partner[y] == None {
				ends := scramble(n.colours[0][x]) + n.colours[0][y]
				list = append(list, stray{Transition{x, n.Out.Label[i], y}, ends})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b stray) int { return cmp.Or(cmp.Compare(a.Label, b.Label), cmp.Compare(a.ends, b.ends)) })
	return list
}

// ends pairs the ends of two transitions if all are free.
func (s *spread) ends(a, b Transition) bool {
	if !s.free(a.Source, b.Source) || !s.free(a.Target, b.Target) || (a.Source == a.Target) != (b.Source == b.Target) ||
		!s.combinable(a.Source, b.Source) || !s.combinable(a.Target, b.Target) {
		return false
	}
	s.pair(a.Source, b.Source)
	if a.Source != a.Target {
		s.pair(a.Target, b.Target)
	}
	return true
}

// About how many pairs of stray transitions are looked at for one label, and for all.
const (
	strayPairs    = 1 << 14
	allStrayPairs = 1 << 20
)

// likely is a pair of stray transitions.
type likely struct {
	left, right Transition
	likeness    float32 // of both ends
}

// leftovers pairs the ends of transitions with equal labels that have no partners, the most alike first. It
// returns false if there is nothing to pair.
func (s *spread) leftovers() bool {
	l, r := strays(s.l, s.partner[0]), strays(s.r, s.partner[1])
	var list []likely
	for len(l) > 0 && len(r) > 0 {
		if l[0].Label < r[0].Label {
			l = l[1:]
			continue
		}
		if l[0].Label > r[0].Label {
			r = r[1:]
			continue
		}
		i, j := sameLabel(l), sameLabel(r)
		if len(list) < allStrayPairs {
			list = s.likely(list, l[:i], r[:j])
		}
		l, r = l[i:], r[j:]
	}
	slices.SortStableFunc(list, func(a, b likely) int {
		return cmp.Or(cmp.Compare(b.likeness, a.likeness), a.left.compare(b.left), a.right.compare(b.right))
	})
	found := false
	for _, p := range list {
		if s.ends(p.left, p.right) {
			found = true
			s.run()
		}
	}
	return found
}

// sameLabel is how many transitions have the label of the first.
func sameLabel(list []stray) int {
	n := 1
	for n < len(list) && list[n].Label == list[0].Label {
		n++
	}
	return n
}

// likely lists the pairs of transitions with one label. If they are too many, each left one is paired with those
// at about its place on the right.
func (s *spread) likely(list []likely, l, r []stray) []likely {
	width := min(len(r), max(1, strayPairs/len(l)))
	for i, a := range l {
		first := i * (len(r) - width) / max(1, len(l)-1)
		for _, b := range r[first : first+width] {
			ends := s.likeness(Pair{a.Source, b.Source}) + s.likeness(Pair{a.Target, b.Target})
			list = append(list, likely{a.Transition, b.Transition, ends})
		}
	}
	return list
}
