package etf

import (
	"github.com/tracelake/tracelake/stages/heap"
)

// claimOrder is an order of the claims in which a reader gives their starts and their ends the order of this run again. Read
// again, claims of one time start, and end, in the order of the text, but on a lifeline the outer one starts first and the inner one
// ends first wherever they stand. So of those that start, or end, together, the last of neighbours on one lifeline must stand before
// all that come after it, and of claims of equal start, end and resource each before the next. The order of starts is taken
// where it is one, which it nearly always is. The text that a run was read of is one; a run of another reader may have none, and
// keeps the order of starts where ends contradict it.
func (t *ThingsWriter) claimOrder() []int {
	// (1) Mostly starts are in order, and ends do not ask for another one.
	order, sorted := make([]int, len(t.from)), true
	for i := range order {
		order[i] = i
	}
	t.endsBefore(func(first, then int) { sorted = sorted && first < then })
	if sorted {
		return order
	}
	// (2) Else list what stands behind each claim, and count what stands before it.
	behind, before := make([][]int, len(order)), make([]int32, len(order))
	both := func(first, then int) {
		behind[first] = append(behind[first], then)
		before[then]++
	}
	t.startsBefore(both)
	t.endsBefore(both)
	// (3) Of those with nothing left before them take the first in the order of starts.
	ready := heap.New(func(a, b int) bool { return a < b })
	for i, n := range before {
		if n == 0 {
			ready.Push(i)
		}
	}
	order = order[:0]
	for next := 0; len(order) < len(before); {
		if ready.Len() == 0 {
			// A circle: the first of its claims is written whatever should stand before it.
			for before[next] <= 0 {
				next++
			}
			before[next] = 0
			ready.Push(next)
		}
		i := ready.Pop()
		order = append(order, i)
		before[i] = -1
		for _, then := range behind[i] {
			if before[then]--; before[then] == 0 {
				ready.Push(then)
			}
		}
	}
	return order
}

// startsBefore tells which claims must stand before which for the order of starts.
func (t *ThingsWriter) startsBefore(must func(first, then int)) {
	same := map[[3]int64]int{} // the last claim of this time by end and resource
	for i, from := range t.from {
		if i > 0 && t.from[i-1] != from {
			clear(same)
		}
		kind := [3]int64{from, t.to[i], t.of.Claims.Resource[i]}
		if last, some := same[kind]; some {
			must(last, i)
		}
		same[kind] = i
	}
	t.neighbours(len(t.from), func(i int) (int, int64) { return i, t.from[i] }, must)
}

// endsBefore tells which claims must stand before which for the order of ends. Claims without length end as they start.
func (t *ThingsWriter) endsBefore(must func(first, then int)) {
	ends := make([]int, 0, len(t.finish))
	for _, f := range t.finish {
		if t.to[f.claim] > t.from[f.claim] {
			ends = append(ends, f.claim)
		}
	}
	t.neighbours(len(ends), func(i int) (int, int64) { return ends[i], t.to[ends[i]] }, must)
}

// neighbours tells of claims in an order, of which those of one time stand together, that the last of neighbours of one time and
// lifeline must stand before each of those that follow up to the next lifeline.
func (t *ThingsWriter) neighbours(count int, at func(int) (claim int, timeNs int64), must func(first, then int)) {
	last := -1 // of the neighbours before those in hand
	for i := 1; i < count; i++ {
		before, earlier := at(i - 1)
		claim, timeNs := at(i)
		switch {
		case timeNs != earlier:
			last = -1
			continue
		case t.on[claim] != t.on[before]:
			last = before
		}
		if last >= 0 {
			must(last, claim)
		}
	}
}
