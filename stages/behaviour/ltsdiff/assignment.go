package ltsdiff

import (
	"math"

	"github.com/tracelake/tracelake/stages/heap"
)

// assignmentLeast is the score below which an assigned pair is dropped.
const assignmentLeast = 0.1

// tieWeight is what the scores of the second kind count in Assign beside those of the first.
const tieWeight = 1e-9

// Assign matches so that the sum of the scores of all pairs is the greatest possible, and then drops pairs
// below 0.1: what Kuhn and Munkres find. Of several such matchings it finds one with the greatest sum of the
// scores ties, unless that is nil. Pairs are in the order of the left states.
//
// It finds shortest augmenting paths one left state after the other, with prices: Jonker and Volgenant,
// Computing 38, 1987, over the pairs that score above 0 only.
func Assign(s, ties *Scores) []Pair {
	a := newAssignment(s, ties)
	a.solve()
	var found []Pair
	for x, y := range a.taken {
		if y >= 0 && s.At(int32(x), y) >= assignmentLeast {
			found = append(found, Pair{int32(x), y})
		}
	}
	return found
}

// nobody is what a left state has that stays without a partner at no cost.
const nobody int32 = -2

// assignment is a matching of least cost, minus the score, on the way. The prices of the ends of a pair never
// exceed its cost, and are equal to it if it is taken.
type assignment struct {
	start       []int64 // of a left state in partner and cost
	partner     []int32
	cost        []float64
	taken       []int32 // by left state: the right one, None before its turn, or nobody
	owner       []int32 // by right state: the left one, or None
	left, right []float64
	search
}

// search is the state of one search for a shortest path.
type search struct {
	distance []float64 // by right state
	before   []int32   // by right state: the left one before it on its path
	settled  []bool
	touched  []int32
	queue    heap.Heap[reach] // the shortest path first
	order    []int32          // settled right states
}

func newAssignment(s, ties *Scores) *assignment {
	n, m := s.left.States(), s.right.States()
	a := &assignment{taken: make([]int32, n), owner: make([]int32, m), left: make([]float64, n), right: make([]float64, m)}
	a.distance, a.before, a.settled = make([]float64, m), make([]int32, m), make([]bool, m)
	for y := range m {
		a.owner[y], a.distance[y] = None, math.Inf(1)
	}
	a.queue = heap.New(reach.before)
	var r row
	for x := range n {
		a.taken[x] = None
		a.start = append(a.start, int64(len(a.partner)))
		s.fill(&r, x)
		for _, y := range r.sorted() {
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

func (a *assignment) solve() {
	for x := range a.taken {
		a.cheapest(int32(x))
	}
	for x := range a.taken {
		if a.taken[x] == None {
			a.augment(int32(x))
		}
	}
}

// cheapest gives a left state the price of its cheapest partner, and this partner if nobody has it.
func (a *assignment) cheapest(x int32) {
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

// augment finds the cheapest way to give a left state a partner, or to leave it or another one without.
func (a *assignment) augment(x int32) {
	a.relax(x, 0)
	total, loner, end := -a.left[x], x, None
	for a.queue.Len() > 0 {
		r := a.queue.Pop()
		if a.settled[r.state] {
			continue
		}
		if r.distance >= total {
			break
		}
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
		a.relax(owner, r.distance)
	}
	a.price(x, total)
	if end == None {
		end, a.taken[loner] = a.taken[loner], nobody
	}
	a.swap(x, end)
	a.forget()
}

// relax extends the path to a left state by its partners.
func (a *assignment) relax(x int32, distance float64) {
	for e := a.start[x]; e < a.start[x+1]; e++ {
		y := a.partner[e]
		if d := distance + a.cost[e] - a.left[x] - a.right[y]; d < a.distance[y] && !a.settled[y] {
			if math.IsInf(a.distance[y], 1) {
				a.touched = append(a.touched, y)
			}
			a.distance[y], a.before[y] = d, x
			a.queue.Push(reach{d, y})
		}
	}
}

// price lets the prices of the settled states follow their distances.
func (a *assignment) price(x int32, total float64) {
	a.left[x] += total
	for _, y := range a.order {
		if d := total - a.distance[y]; d > 0 {
			a.left[a.owner[y]] += d
			a.right[y] -= d
		}
	}
}

// swap takes the path to a right state, where the search from x ended.
func (a *assignment) swap(x, end int32) {
	for end >= 0 {
		y, owner := end, a.before[end]
		end = a.taken[owner]
		a.taken[owner], a.owner[y] = y, owner
		if owner == x {
			return
		}
	}
}

func (a *assignment) forget() {
	for _, y := range a.touched {
		a.distance[y], a.settled[y] = math.Inf(1), false
	}
	a.touched, a.order = a.touched[:0], a.order[:0]
	a.queue.Clear()
}

// reach is a right state at the end of a path.
type reach struct {
	distance float64
	state    int32
}

// before reports whether a path is shorter; ties go to the lower state.
func (r reach) before(o reach) bool {
	return r.distance < o.distance || r.distance == o.distance && r.state < o.state
}
