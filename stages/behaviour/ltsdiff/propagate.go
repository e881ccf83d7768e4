package ltsdiff

import (
	"cmp"

	"github.com/tracelake/tracelake/stages/heap"
)

// maxNeighbourPairs is the greatest number of pairs of transitions with one label at one pair of states through
// which neighbours are considered. Above it a label says too little to be worth a quadratic number of candidates.
const maxNeighbourPairs = 1024

// propagation is a matching that grows outwards: the neighbours of a new pair by equal labels become candidates,
// and the candidate with the most unchanged transitions becomes the next pair.
type propagation struct {
	*matching
	l, r           *numbering           // both sides in canonical order
	gains          map[Pair]int32       // by candidate: the transitions that would become unchanged
	candidateQueue heap.Heap[candidate] // the next pair to make first
	singletons     []singleton          // scratch of pairAnchors
}

// newPropagation returns a matching without pairs over two canonical numberings.
func newPropagation(l, r *numbering) *propagation {
	return &propagation{
		matching: newMatching(l.Automaton, r.Automaton), l: l, r: r,
		gains: make(map[Pair]int32), candidateQueue: heap.New(candidate.before),
	}
}

// makePair pairs two free states and counts the pair for their neighbours in both directions.
func (s *propagation) makePair(x, y int32) {
	s.addPair(x, y)
	s.countGains(&s.left.In, &s.right.In, x, y)
	s.countGains(&s.left.Out, &s.right.Out, x, y)
}

// countGains adds one unchanged transition to every pair of free neighbours of x and y in one direction. A
// candidate is queued again with each new gain; stale entries are dropped when they surface, because their states
// are taken by then.
func (s *propagation) countGains(l, r *Arcs, x, y int32) {
	l.eachCommonRun(x, r, y, func(i, iTo, j, jTo int32) {
		// A hub: every neighbour of one would be a candidate for every one of the other.
		if int64(iTo-i)*int64(jTo-j) > maxNeighbourPairs {
			return
		}
		for ; i < iTo; i++ {
			for k := j; k < jTo; k++ {
				if p := (Pair{l.End[i], r.End[k]}); s.areFree(p.Left, p.Right) && s.areCombinable(p.Left, p.Right) {
					s.gains[p]++
					s.candidateQueue.Push(candidate{s.gains[p], s.labelSimilarity(p), p})
				}
			}
		}
	})
}

// propagate makes pairs until no candidate is left. O(c log c) for c candidates queued.
func (s *propagation) propagate() {
	for s.candidateQueue.Len() > 0 {
		h := s.candidateQueue.Pop()
		if s.areFree(h.Left, h.Right) {
			s.makePair(h.Left, h.Right)
		}
		delete(s.gains, h.Pair)
	}
	clear(s.gains)
}

// labelSimilarity returns the share, 0 to 1, of the transitions at two states that have partners with equal labels,
// both directions together: LTSdiff's local score after one refinement. It breaks ties between candidates of equal
// gain.
func (s *propagation) labelSimilarity(p Pair) float32 {
	// Twice the transitions that can be paired, over all transitions.
	both, all := int32(0), int32(0)
	for _, arcs := range [2][2]*Arcs{{&s.left.Out, &s.right.Out}, {&s.left.In, &s.right.In}} {
		l, r := arcs[0], arcs[1]
		all += l.Start[p.Left+1] - l.Start[p.Left] + r.Start[p.Right+1] - r.Start[p.Right]
		l.eachCommonRun(p.Left, r, p.Right, func(i, iTo, j, jTo int32) { both += 2 * min(iTo-i, jTo-j) })
	}
	if all == 0 {
		return 0
	}
	return float32(both) / float32(all)
}

// candidate is a pair of free states that share a neighbouring pair.
type candidate struct {
	gain       int32   // transitions that would become unchanged
	similarity float32 // see labelSimilarity
	Pair
}

// before reports whether h is made into a pair earlier than o: the greater gain first, then the greater similarity,
// then the lower numbers.
func (h candidate) before(o candidate) bool {
	return cmp.Or(cmp.Compare(o.gain, h.gain), cmp.Compare(o.similarity, h.similarity),
		cmp.Compare(h.Left, o.Left), cmp.Compare(h.Right, o.Right)) < 0
}
