package ltsdiff

import (
	"cmp"
	"slices"
)

// unmatchedTransition is a transition between two states without partners.
type unmatchedTransition struct {
	Transition
	endsFingerprint uint64 // fingerprint of both ends at depth 1
}

// unmatchedTransitions lists those of one side by label and fingerprint, so that similar ones stand at similar
// positions on both sides.
func unmatchedTransitions(n *numbering, partner []int32) (list []unmatchedTransition) {
	for x := range n.States() {
		if partner[x] != None {
			continue
		}
		for i := n.Out.Start[x]; i < n.Out.Start[x+1]; i++ {
			if y := n.Out.End[i]; partner[y] == None {
				ends := mixBits(n.fingerprints[0][x]) + n.fingerprints[0][y]
				list = append(list, unmatchedTransition{Transition{x, n.Out.Label[i], y}, ends})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b unmatchedTransition) int {
		return cmp.Or(cmp.Compare(a.Label, b.Label), cmp.Compare(a.endsFingerprint, b.endsFingerprint))
	})
	return list
}

// pairEnds pairs the ends of two transitions, and reports whether all four states were free and could be paired.
func (s *propagation) pairEnds(a, b Transition) bool {
	if !s.areFree(a.Source, b.Source) || !s.areFree(a.Target, b.Target) || (a.Source == a.Target) != (b.Source == b.Target) ||
		!s.areCombinable(a.Source, b.Source) || !s.areCombinable(a.Target, b.Target) {
		return false
	}
	s.makePair(a.Source, b.Source)
	if a.Source != a.Target {
		s.makePair(a.Target, b.Target)
	}
	return true
}

// maxCandidatesPerLabel and maxCandidates bound approximately how many pairs of unmatched transitions are considered,
// for one label and in all.
const (
	maxCandidatesPerLabel = 1 << 14
	maxCandidates         = 1 << 20
)

// candidateTransitions is a pair of unmatched transitions with equal labels.
type candidateTransitions struct {
	left, right Transition
	similarity  float32 // of both ends added up, 0 to 2
}

// pairUnmatchedTransitions pairs the ends of unmatched transitions with equal labels, the most similar first, and
// lets each pair grow. It reports whether anything was paired, so that the caller can repeat it.
func (s *propagation) pairUnmatchedTransitions() bool {
	l, r := unmatchedTransitions(s.l, s.partner[0]), unmatchedTransitions(s.r, s.partner[1])
	var list []candidateTransitions
	// A merge of two lists sorted by label, run by run.
	for len(l) > 0 && len(r) > 0 {
		if l[0].Label < r[0].Label {
			l = l[1:]
			continue
		}
		if l[0].Label > r[0].Label {
			r = r[1:]
			continue
		}
		i, j := labelRun(l), labelRun(r)
		if len(list) < maxCandidates {
			list = s.appendCandidates(list, l[:i], r[:j])
		}
		l, r = l[i:], r[j:]
	}
	slices.SortStableFunc(list, func(a, b candidateTransitions) int {
		return cmp.Or(cmp.Compare(b.similarity, a.similarity), a.left.compare(b.left), a.right.compare(b.right))
	})
	found := false
	// Growing after each pair lets certain pairs go before the next guess.
	for _, p := range list {
		if s.pairEnds(p.left, p.right) {
			found = true
			s.propagate()
		}
	}
	return found
}

// labelRun returns the number of transitions at the head of the list that share its first label.
func labelRun(list []unmatchedTransition) int {
	n := 1
	for n < len(list) && list[n].Label == list[0].Label {
		n++
	}
	return n
}

// appendCandidates lists the pairs of transitions with one label. If there are too many, each left one is paired
// only with those at about its relative position on the right: both lists are sorted by fingerprint.
func (s *propagation) appendCandidates(list []candidateTransitions, l, r []unmatchedTransition) []candidateTransitions {
	// All of them if they are few, otherwise as many as make about maxCandidatesPerLabel pairs in all.
	width := min(len(r), max(1, maxCandidatesPerLabel/len(l)))
	for i, a := range l {
		first := i * (len(r) - width) / max(1, len(l)-1)
		for _, b := range r[first : first+width] {
			ends := s.labelSimilarity(Pair{a.Source, b.Source}) + s.labelSimilarity(Pair{a.Target, b.Target})
			list = append(list, candidateTransitions{a.Transition, b.Transition, ends})
		}
	}
	return list
}
