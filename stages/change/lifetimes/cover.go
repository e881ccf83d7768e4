package lifetimes

import (
	"slices"
	"sort"
)

// Cover is when the lifetimes of one name are under way. Add takes all of them, then Close comes, then Within. Times are ns.
type Cover struct{ starts, finishes bounds }

// bounds are ends of lifetimes. Sums wrap around where an int64 cannot hold them; what is asked of them is a difference, which it can.
type bounds struct {
	at  []int64 // ascending, once closed
	sum []int64 // of those before a position
}

// Add takes a lifetime.
func (c *Cover) Add(startNs, finishNs int64) {
	c.starts.at, c.finishes.at = append(c.starts.at, startNs), append(c.finishes.at, finishNs)
}

// Number is how many lifetimes there are.
func (c *Cover) Number() int { return len(c.starts.at) }

// Close ends the lifetimes.
func (c *Cover) Close() {
	for _, b := range []*bounds{&c.starts, &c.finishes} {
		slices.Sort(b.at)
		b.sum = make([]int64, len(b.at)+1)
		for i, ns := range b.at {
			b.sum[i+1] = b.sum[i] + ns
		}
	}
}

// before returns the sum of the times from each bound to a time that is not before it.
func (b *bounds) before(ns int64) int64 {
	n := sort.Search(len(b.at), func(i int) bool { return b.at[i] >= ns })
	return int64(n)*ns - b.sum[n]
}

// Within returns how much time a span has inside lifetimes, as often as it is inside one.
func (c *Cover) Within(fromNs, toNs int64) int64 {
	return c.starts.before(toNs) - c.finishes.before(toNs) - c.starts.before(fromNs) + c.finishes.before(fromNs)
}
