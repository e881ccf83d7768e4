package claimgraph

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/stages/timing/timesort"
)

// Claims are the claims of a trace by position. No claim ends before it starts.
type Claims struct{ StartNs, EndNs []int64 }

// Infinite is the epsilon that orders every claim before all that start when or after it ends.
const Infinite int64 = math.MaxInt64

// Edge is a critical edge from the claim, or event, From to To.
type Edge struct {
	From, To   int32
	Dependency int32 // position of the dependency that it is; -1 in the graph of Ends
}

// Critical is what all critical paths of a graph have.
type Critical struct {
	WeightNs int64
	FromNs   []int64 // weight of the longest path from the source to the start of each claim; for every claim, critical or not
	Claims   []int32 // on a critical path, in the order of FromNs, then of positions
	Edges    []Edge  // critical edges, at most as many as were asked for, by From and To
	Count    int64   // of critical edges
}

// Ends finds the critical paths where a claim follows another one that ended at most epsilon before. It lists at most so many edges.
func Ends(c *Claims, epsilonNs int64, most int) *Critical {
	n := len(c.StartNs)
	out := &Critical{FromNs: make([]int64, n)}
	byEnd, byStart := sorted(c.EndNs, c.StartNs), sorted(c.StartNs, c.EndNs)
	out.forward(c, byEnd, byStart, epsilonNs)
	behind := backward(c, byEnd, byStart, epsilonNs)
	for i := range n {
		out.WeightNs = max(out.WeightNs, out.FromNs[i]+c.EndNs[i]-c.StartNs[i]+behind[i])
	}
	critical := func(i int32) bool { return out.FromNs[i]+c.EndNs[i]-c.StartNs[i]+behind[i] == out.WeightNs }
	for i := range int32(n) {
		if critical(i) {
			out.Claims = append(out.Claims, i)
		}
	}
	slices.SortStableFunc(out.Claims, func(a, b int32) int { return cmp.Compare(out.FromNs[a], out.FromNs[b]) })
	out.endEdges(c, epsilonNs, most)
	return out
}

// sorted returns the positions in the order of first, then of second.
func sorted(first, second []int64) []int32 {
	order := timesort.Everything(len(first))
	timesort.Stable(order, second)
	timesort.Stable(order, first)
	return order
}

// falling is a queue of values at times, of which only those are kept that a later one does not reach: the first is the greatest.
type falling struct {
	timeNs, value []int64
	head          int
}

func (q *falling) push(timeNs, value int64) {
	for n := len(q.value); n > q.head && q.value[n-1] <= value; n-- {
		q.timeNs, q.value = q.timeNs[:n-1], q.value[:n-1]
	}
	q.timeNs, q.value = append(q.timeNs, timeNs), append(q.value, value)
}

// greatest is the greatest value at most so far from a time, or 0: the source and the sink are there for all.
func (q *falling) greatest(timeNs, withinNs int64) int64 {
	for q.head < len(q.value) && distance(timeNs, q.timeNs[q.head]) > withinNs {
		q.head++
	}
	if q.head == len(q.value) {
		return 0
	}
	return q.value[q.head]
}

// distance is that of two times; Infinite where it does not fit.
func distance(a, b int64) int64 {
	if d := max(a, b) - min(a, b); d >= 0 {
		return d
	}
	return Infinite
}

// forward computes FromNs. Claims of no length at the time of a start do not raise its value, which is theirs, too.
func (out *Critical) forward(c *Claims, byEnd, byStart []int32, epsilonNs int64) {
	var q falling
	ended := 0
	for _, i := range byStart {
		t := c.StartNs[i]
		for ; ended < len(byEnd) && c.EndNs[byEnd[ended]] <= t && c.StartNs[byEnd[ended]] < t; ended++ {
			e := byEnd[ended]
			q.push(c.EndNs[e], out.FromNs[e]+c.EndNs[e]-c.StartNs[e])
		}
		out.FromNs[i] = q.greatest(t, epsilonNs)
	}
}

// backward computes the weight of the longest path from the end of each claim to the sink.
func backward(c *Claims, byEnd, byStart []int32, epsilonNs int64) []int64 {
	behind := make([]int64, len(byEnd))
	var q falling
	started := len(byStart) - 1
	for k := len(byEnd) - 1; k >= 0; k-- {
		i := byEnd[k]
		t := c.EndNs[i]
		for ; started >= 0 && c.StartNs[byStart[started]] >= t && c.EndNs[byStart[started]] > t; started-- {
			s := byStart[started]
			q.push(c.StartNs[s], c.EndNs[s]-c.StartNs[s]+behind[s])
		}
		behind[i] = q.greatest(t, epsilonNs)
	}
	return behind
}

// endEdges counts and lists the critical edges. The end of a critical claim and the start of another are ends of one iff their
// values are equal and the start is at most epsilon behind.
func (out *Critical) endEdges(c *Claims, epsilonNs int64, most int) {
	at := func(i int32) int64 { return out.FromNs[i] + c.EndNs[i] - c.StartNs[i] }
	ends, starts := slices.Clone(out.Claims), slices.Clone(out.Claims)
	slices.SortFunc(ends, func(a, b int32) int {
		return cmp.Or(cmp.Compare(at(a), at(b)), cmp.Compare(c.EndNs[a], c.EndNs[b]), cmp.Compare(a, b))
	})
	slices.SortFunc(starts, func(a, b int32) int {
		return cmp.Or(cmp.Compare(out.FromNs[a], out.FromNs[b]), cmp.Compare(c.StartNs[a], c.StartNs[b]), cmp.Compare(a, b))
	})
	low, high := 0, 0
	for _, e := range ends {
		value, endNs := at(e), c.EndNs[e]
		beyond := func(s int32, reach bool) bool { // of starts that come behind: of a greater value, or later
			if out.FromNs[s] != value {
				return out.FromNs[s] > value
			}
			if reach {
				return c.StartNs[s] >= endNs && distance(c.StartNs[s], endNs) > epsilonNs
			}
			return c.StartNs[s] >= endNs
		}
		for low < len(starts) && !beyond(starts[low], false) {
			low++
		}
		for high = max(high, low); high < len(starts) && !beyond(starts[high], true); {
			high++
		}
		found := int64(high - low)
		if c.StartNs[e] == endNs && found > 0 {
			found-- // a claim of no length does not follow itself
		}
		out.Count += found
		for i := low; i < high && len(out.Edges) < most; i++ {
			if s := starts[i]; s != e {
				out.Edges = append(out.Edges, Edge{e, s, -1})
			}
		}
	}
	slices.SortFunc(out.Edges, func(a, b Edge) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
}
