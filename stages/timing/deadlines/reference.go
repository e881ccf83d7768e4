package deadlines

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Reference describes what is usual: the bounds of constraints, and the time that critical paths spend,
// in occurrences that met the deadline.
type Reference struct {
	options Options
	n       int           // number of occurrences
	bounds  []boundSample // by slot
	shares  [][]int64     // by key: time on the critical path in ns, of the occurrences that have the key on it
	sorted  bool          // whether the shares of every key ascend
}

// boundSample collects the bounds of one kind of constraint.
type boundSample struct {
	values      []int64 // ns
	thresholdNs int64
	known       bool // whether the threshold is that of the values
}

// NewReference returns a reference without occurrences.
func NewReference(o Options) *Reference { return &Reference{options: o} }

// Add includes an occurrence that met the deadline.
func (r *Reference) Add(o *Occurrence) {
	r.n++
	r.sorted = false
	for i := range o.Edges {
		e := &o.Edges[i]
		if e.BoundNs == schema.NoValue || e.TargetNs <= o.FromNs {
			continue
		}
		s := elementAt(&r.bounds, slotOf(e.Key, o.crosses(e)))
		s.values, s.known = append(s.values, o.boundNs(e)), false
	}
	for _, s := range Shares(o) {
		ns := elementAt(&r.shares, int(s.Key))
		*ns = append(*ns, s.Ns)
	}
}

// slotOf returns where constraints of a kind are collected: those that start before the occurrence
// separately from the others.
func slotOf(key uint32, crosses bool) int {
	if crosses {
		return 2*int(key) + 1
	}
	return 2 * int(key)
}

// elementAt returns an element of a list, which grows to have it.
func elementAt[T any](list *[]T, i int) *T {
	if n := len(*list); i >= n {
		*list = slices.Grow(*list, i+1-n)[:i+1]
	}
	return &(*list)[i]
}

// Threshold returns the greatest usual bound of a kind of constraint in ns. It is 0 and not known for a
// kind that no occurrence in time depends on. crosses asks for constraints that start before the
// occurrence.
func (r *Reference) Threshold(key uint32, crosses bool) (ns int64, known bool) {
	i := slotOf(key, crosses)
	if i >= len(r.bounds) || len(r.bounds[i].values) == 0 {
		return 0, false
	}
	s := &r.bounds[i]
	if !s.known {
		slices.Sort(s.values)
		s.thresholdNs, s.known = thresholdOf(s.values, r.options), true
	}
	return s.thresholdNs, true
}

// thresholdOf returns ceil(Q3 + whisker (Q3 - Q1)) of sorted values.
func thresholdOf(v []int64, o Options) int64 {
	if len(v) < o.MinSample {
		return v[len(v)-1]
	}
	lower, upper := quartiles(v)
	limit := math.Ceil((float64(upper) + o.Whisker*float64(upper-lower)) / 2)
	if limit >= math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(limit)
}

// quartiles returns twice the first and twice the third quartile of sorted values, at least one: the
// medians of the lower and of the upper half, without the median of an odd number (Moore and McCabe; the
// code of PPS goes wrong below six values). Twice the value is exact in integers.
func quartiles(v []int64) (lower, upper int64) {
	half := len(v) / 2
	if half == 0 {
		return 2 * v[0], 2 * v[0]
	}
	return twiceMedian(v[:half]), twiceMedian(v[len(v)-half:])
}

// twiceMedian returns twice the median of sorted values.
func twiceMedian(v []int64) int64 { return v[(len(v)-1)/2] + v[len(v)/2] }

// outlier is a constraint whose bound is greater than usual.
type outlier struct {
	constraint  int32 // its number in the chart
	thresholdNs int64 // greatest usual bound
	excessNs    int64 // bound less threshold
	known       bool  // occurrences in time have constraints of its kind
}

// findOutliers returns the constraints of a graph whose bounds are greater than usual, in their order.
func (r *Reference) findOutliers(o *Occurrence, c *scheduleGraph) []outlier {
	var found []outlier
	for i, bound := range c.boundNs {
		e := &o.Edges[c.edge[i]]
		if limit, known := r.Threshold(e.Key, o.crosses(e)); bound > limit {
			found = append(found, outlier{int32(i), limit, bound - limit, known})
		}
	}
	return found
}

// Options say what is allowed, and how to find out why it was not met.
type Options struct {
	DeadlineNs int64   // longest time that an occurrence may take, ns
	MinSample  int     // fewest bounds for quartiles; with fewer, the greatest is the threshold
	Whisker    float64 // multiple of the interquartile range above the third quartile that a usual bound may reach
	MaxSteps   int     // schedules that the search for one explanation may try
}

// Defaults returns the options for a deadline in ns. The whisker is that of PPS.
func Defaults(deadlineNs int64) Options {
	return Options{DeadlineNs: deadlineNs, MinSample: 4, Whisker: 3, MaxSteps: 2000}
}
