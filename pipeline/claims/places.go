package claims

import (
	"cmp"
	"slices"
)

// places finds the position at which a number stands in a list: that of an event among claims, say. Numbers of events are dense, so that a
// table of all numbers between the least and the greatest is small and needs no search. Where it would be large, numbers are sorted.
type places struct {
	least  int64
	at     []int32 // by number less the least: the position, or -1
	sorted []placed
}

// placed is a number with its position.
type placed struct {
	number int64
	at     int32
}

// mostSparse is how many numbers there may be for each that stands in the list, so that they have a table.
const mostSparse = 16

// newPlaces places the numbers of a list, each of which stands there once. Of one that stands there twice the last one counts.
func newPlaces(numbers []int64) (p places) {
	if len(numbers) == 0 {
		return p
	}
	least, most := slices.Min(numbers), slices.Max(numbers)
	p.least = least
	if span := uint64(most) - uint64(least); span < mostSparse*uint64(len(numbers)) {
		p.at = make([]int32, span+1)
		for i := range p.at {
			p.at[i] = -1
		}
		for i, n := range numbers {
			p.at[n-least] = int32(i)
		}
		return p
	}
	p.sorted = make([]placed, len(numbers))
	for i, n := range numbers {
		p.sorted[i] = placed{n, int32(i)}
	}
	slices.SortStableFunc(p.sorted, func(a, b placed) int { return cmp.Compare(a.number, b.number) })
	return p
}

// find returns the position of a number, if it is in the list.
func (p *places) find(number int64) (at int, found bool) {
	if p.sorted != nil {
		i, found := slices.BinarySearchFunc(p.sorted, number, func(x placed, n int64) int { return cmp.Compare(x.number, n) })
		for found && i+1 < len(p.sorted) && p.sorted[i+1].number == number {
			i++
		}
		if !found {
			return 0, false
		}
		return int(p.sorted[i].at), true
	}
	if i := uint64(number) - uint64(p.least); number >= p.least && i < uint64(len(p.at)) && p.at[i] >= 0 {
		return int(p.at[i]), true
	}
	return 0, false
}

// inOrder lists the positions in the order of the numbers.
func (p *places) inOrder() []int32 {
	var order []int32
	for _, x := range p.sorted {
		order = append(order, x.at)
	}
	for _, at := range p.at {
		if at >= 0 {
			order = append(order, at)
		}
	}
	return order
}
