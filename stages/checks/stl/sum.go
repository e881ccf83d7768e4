package stl

import (
	"cmp"
	"slices"
)

// Change is what changes in a sum of signals at an instant: its value by a step, and its slope.
type Change struct {
	At, Step, Slope float64
	Open            int // how many summands begin, less those that end
}

// Sum is the signal from one instant to another that is 0 before all changes. It sorts the changes. Where no summand is open
// the sum is exactly 0, whatever rounding left. The time is linear in the changes but for the sorting.
func Sum(changes []Change, from, to float64) *Signal {
	slices.SortStableFunc(changes, func(a, b Change) int { return cmp.Compare(a.At, b.At) })
	var b builder
	now, value, slope, open := from, 0.0, 0.0, 0
	for i := 0; i < len(changes); {
		at := min(changes[i].At, to)
		if at > now {
			b.add(now, at, poly{c: value, b: slope})
			value += slope * (at - now)
			now = at
		}
		if at >= to {
			break
		}
		for ; i < len(changes) && changes[i].At == at; i++ {
			value, slope, open = value+changes[i].Step, slope+changes[i].Slope, open+changes[i].Open
		}
		if open == 0 {
			value, slope = 0, 0
		}
	}
	b.add(now, to, poly{c: value, b: slope})
	s := b.signal(from, value)
	s.last = s.ending(len(s.poly) - 1)
	return s
}
