package ltsdiff

import (
	"cmp"

	"github.com/tracelake/tracelake/stages/heap"
)

// crowd is how many pairs of transitions with equal labels one pair of states may have for its neighbours
// to be looked at through them.
const crowd = 1024

// spread is a matching that grows: the neighbours of pairs by equal labels become pairs, those with the
// most unchanged transitions to pairs first.
type spread struct {
	*matching
	l, r   *numbering
	gains  map[Pair]int32 // of pairs that could be made: the transitions that would be unchanged
	queue  heap.Heap[hopeful]
	lonely []coloured // for anchors
}

func newSpread(l, r *numbering) *spread {
	return &spread{matching: newMatching(l.Automaton, r.Automaton), l: l, r: r, gains: make(map[Pair]int32), queue: heap.New(hopeful.before)}
}

// pair makes a pair and tells its neighbours.
func (s *spread) pair(x, y int32) {
	s.join(x, y)
	s.tell(&s.left.In, &s.right.In, x, y)
	s.tell(&s.left.Out, &s.right.Out, x, y)
}

// tell counts an unchanged transition for the free neighbours of a new pair in one direction.
func (s *spread) tell(l, r *Arcs, x, y int32) {
	l.common(x, r, y, func(i, iTo, j, jTo int32) {
		if int64(iTo-i)*int64(jTo-j) > crowd {
			return
		}
		for ; i < iTo; i++ {
			for k := j; k < jTo; k++ {
				if p := (Pair{l.End[i], r.End[k]}); s.free(p.Left, p.Right) && s.combinable(p.Left, p.Right) {
					s.gains[p]++
					s.queue.Push(hopeful{s.gains[p], s.likeness(p), p})
				}
			}
		}
	})
}

// run makes pairs until no neighbours are left.
func (s *spread) run() {
	for s.queue.Len() > 0 {
		h := s.queue.Pop()
		if s.free(h.Left, h.Right) {
			s.pair(h.Left, h.Right)
		}
		delete(s.gains, h.Pair)
	}
	clear(s.gains)
}

// likeness is how many transitions of two states have partners by label, over how many there are: the
// local score of LTSdiff after one refinement, both directions together.
func (s *spread) likeness(p Pair) float32 {
	both, all := int32(0), int32(0)
	for _, arcs := range [2][2]*Arcs{{&s.left.Out, &s.right.Out}, {&s.left.In, &s.right.In}} {
		l, r := arcs[0], arcs[1]
		all += l.Start[p.Left+1] - l.Start[p.Left] + r.Start[p.Right+1] - r.Start[p.Right]
		l.common(p.Left, r, p.Right, func(i, iTo, j, jTo int32) { both += 2 * min(iTo-i, jTo-j) })
	}
	if all == 0 {
		return 0
	}
	return float32(both) / float32(all)
}

// hopeful is a pair that could be made.
type hopeful struct {
	gain     int32
	likeness float32
	Pair
}

// before is the order in which pairs are made.
func (h hopeful) before(o hopeful) bool {
	return cmp.Or(cmp.Compare(o.gain, h.gain), cmp.Compare(o.likeness, h.likeness),
		cmp.Compare(h.Left, o.Left), cmp.Compare(h.Right, o.Right)) < 0
}
