package ltsdiff

import (
	"math"

	"github.com/tracelake/tracelake/stages/heap"
)

// minAssignedScore is the score of the weakest pair kept: an assigned pair below this score is dropped, as in gLTSdiff.
const minAssignedScore = 0.1

// tieWeight is the weight of a pair's second score in Assign. It is so small that it decides only between sums that are
// otherwise equal.
const tieWeight = 1e-9

// Assign matches so that the sum of the scores of all pairs is the greatest possible, and then drops pairs
// below 0.1: what Kuhn and Munkres find. Of several such matchings it finds one with the greatest sum of the
// scores ties, unless that is nil. Pairs are in the order of the left states.
//
// It finds shortest augmenting paths one left state after the other, with prices: Jonker and Volgenant,
// Computing 38, 1987, over the pairs that score above 0 only.
func Assign(s, ties *Scores) []Pair {
	a := newAssignment(s, ties)
	a.assignAll()
	var found []Pair
	for x, y := range a.taken {
		if y >= 0 && s.At(int32(x), y) >= minAssignedScore {
			found = append(found, Pair{int32(x), y})
		}
	}
	return found
}

// unmatched stands in taken for a left state instead of a right state once it is settled that staying single is cheaper.
const unmatched int32 = -2

// assignment is a matching of minimum cost while it is being built; the cost of a pair is minus its score. Invariant
// (complementary slackness): the prices of the two ends of a pair never exceed its cost together, and equal it if
// the pair is taken.
type assignment struct {
	start       []int64   // by left state: where its pairs begin in partner and cost
	partner     []int32   // right states, ascending for each left state
	cost        []float64 // of the pair at the same position of partner
	taken       []int32   // by left state: its right state, None before its turn, or unmatched
	owner       []int32   // by right state: its left state, or None
	left, right []float64
	search
}

// search is one search for a shortest augmenting path. Its slices live as long as the assignment and are reset after each
// search only where they were touched, so that a search costs no more than the states it met.
type search struct {
	distance []float64          // by right state: cost of the cheapest path found so far, +Inf if none
	before   []int32            // by right state: the left state before it on that path
	settled  []bool             // by right state: whether its distance is final
	touched  []int32            // right states with a distance below +Inf
	queue    heap.Heap[pathEnd] // paths to extend, the shortest first
	order    []int32            // settled right states, nearest first
}

// newAssignment lists the pairs that score above 0, O(pairs) in memory. Pairs of score 0 need no entry: they never beat staying
// single.
func newAssignment(s, ties *Scores) *assignment {
	n, m := s.left.States(), s.right.States()
	a := &assignment{taken: make([]int32, n), owner: make([]int32, m), left: make([]float64, n), right: make([]float64, m)}
	a.distance, a.before, a.settled = make([]float64, m), make([]int32, m), make([]bool, m)
	for y := range m {
		a.owner[y], a.distance[y] = None, math.Inf(1)
	}
	a.queue = heap.New(pathEnd.before)
	var r row
	// Rows are computed one at a time, so that only pairs above 0 are ever stored.
	for x := range n {
		a.taken[x] = None
		a.start = append(a.start, int64(len(a.partner)))
		s.fillRow(&r, x)
		for _, y := range r.sortedStates() {
			cost := -r.score[y]
			if ties != nil {
				cost -= tieWeight * ties.At(x, y)
			}
			a.partner, a.cost = append(a.partner, y), append(a.cost, cost)
		}
	}
	a.start = append(a.start, int64(len(a.partner)))
	return a
}

// assignAll starts with the free cheapest partners, which settles most states of similar automata, and searches for the rest.
func (a *assignment) assignAll() {
	for x := range a.taken {
		a.takeCheapest(int32(x))
	}
	for x := range a.taken {
		if a.taken[x] == None {
			a.augmentPath(int32(x))
		}
	}
}

// takeCheapest gives a left state the price of its cheapest partner, and this partner if nobody has it.
func (a *assignment) takeCheapest(x int32) {
	best := None
	for e := a.start[x]; e < a.start[x+1]; e++ {
		if a.cost[e] < a.left[x] {
			a.left[x], best = a.cost[e], a.partner[e]
		}
	}
	if best != None && a.owner[best] == None {
		a.taken[x], a.owner[best] = best, x
	}
}

// augmentPath finds the cheapest way to give a left state a partner, or to leave it or another one without.
func (a *assignment) augmentPath(x int32) {
	a.relaxPartners(x, 0)
	total, loner, end := -a.left[x], x, None
	// Dijkstra's search over right states; invariant: settled ones have their final distance.
	for a.queue.Len() > 0 {
		r := a.queue.Pop()
		if a.settled[r.state] {
			continue
		}
		// Leaving a state single is cheaper than every path that is left.
		if r.distance >= total {
			break
		}
		// A free right state ends the path.
		if a.owner[r.state] == None {
			total, end = r.distance, r.state
			break
		}
		a.settled[r.state] = true
		a.order = append(a.order, r.state)
		owner := a.owner[r.state]
		if alone := r.distance - a.left[owner]; alone < total {
			total, loner = alone, owner
		}
		a.relaxPartners(owner, r.distance)
	}
	a.updatePrices(x, total)
	// The cheapest way is that some left state gives up its partner.
	if end == None {
		end, a.taken[loner] = a.taken[loner], unmatched
	}
	a.flipPath(x, end)
	a.resetSearch()
}

// relaxPartners extends the path to a left state by its partners.
func (a *assignment) relaxPartners(x int32, distance float64) {
	for e := a.start[x]; e < a.start[x+1]; e++ {
		y := a.partner[e]
		if d := distance + a.cost[e] - a.left[x] - a.right[y]; d < a.distance[y] && !a.settled[y] {
			if math.IsInf(a.distance[y], 1) {
				a.touched = append(a.touched, y)
			}
			a.distance[y], a.before[y] = d, x
			a.queue.Push(pathEnd{d, y})
		}
	}
}

// updatePrices moves the prices of all settled states by their distance to the end of the path. This restores the invariant for
// the edges that the path will flip.
func (a *assignment) updatePrices(x int32, total float64) {
	a.left[x] += total
	for _, y := range a.order {
		if d := total - a.distance[y]; d > 0 {
			a.left[a.owner[y]] += d
			a.right[y] -= d
		}
	}
}

// flipPath takes the pairs along the path that ends at a right state, and frees those that were taken there, back to the
// left state x where the search began.
func (a *assignment) flipPath(x, end int32) {
	for end >= 0 {
		y, owner := end, a.before[end]
		end = a.taken[owner]
		a.taken[owner], a.owner[y] = y, owner
		if owner == x {
			return
		}
	}
}

// resetSearch clears what the last search touched.
func (a *assignment) resetSearch() {
	for _, y := range a.touched {
		a.distance[y], a.settled[y] = math.Inf(1), false
	}
	a.touched, a.order = a.touched[:0], a.order[:0]
	a.queue.Clear()
}

// pathEnd is a right state reached by a path from the left state of the search.
type pathEnd struct {
	distance float64 // cost of the path
	state    int32
}

// before orders paths by cost; on ties the lower state comes first, so that the result is deterministic.
func (r pathEnd) before(o pathEnd) bool {
	return r.distance < o.distance || r.distance == o.distance && r.state < o.state
}
