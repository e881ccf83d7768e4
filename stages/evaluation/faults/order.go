package faults

import (
	"cmp"
	"slices"
)

// outward puts injections into an order in which none meets an event that another one has pushed in its direction:
// first those to the right, from the last to the first, then those to the left, from the first to the last.
//
// The paper injects "one after the other" and does not say in which order, but the order decides. By this one every
// event moves by its own δ, and consequences take the greatest demand. So no event ends later than by the greatest δ,
// nor earlier than by the least. In trace order an event that was pushed by the one before it gets its own δ on
// top, and pushes the next one by the sum: noise that exceeds the slack between events then tears the trace
// apart by thousands of σ, in a time that grows alike.
func outward(all []Injection) []Injection {
	slices.SortFunc(all, func(a, b Injection) int {
		switch right := a.DeltaNs > 0; {
		case right != (b.DeltaNs > 0):
			return cmp.Compare(b.DeltaNs, a.DeltaNs)
		case right:
			return cmp.Compare(b.Event, a.Event)
		}
		return cmp.Compare(a.Event, b.Event)
	})
	return all
}
