package deadlines

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Reference is what is usual: the bounds of constraints, and the time that critical paths spend, in
// occurrences that met the deadline.
type Reference struct {
	options Options
	n       int       // occurrences added
	bounds  []sample  // by slot
	shares  [][]int64 // by key: time on the critical path in ns, of the occurrences that have the key on it
	sorted  bool      // the shares of every key are in ascending order
}

// sample is the bounds of one kind of constraint.
type sample struct {
	values      []int64
	thresholdNs int64
	known       bool // the threshold is that of the values
}

// NewReference returns a reference without occurrences.
func NewReference(o Options) *Reference { return &Reference{options: o} }

// Add takes note of an occurrence that met the deadline.
func (r *Reference) Add(o *Occurrence) {
	r.n++
	r.sorted = false
	for i := range o.Edges {
		e := &o.Edges[i]
		if e.BoundNs == schema.NoValue || e.TargetNs <= o.FromNs {
			continue
		}
		s := at(&r.bounds, slot(e.Key, o.crosses(e)))
		s.values, s.known = append(s.values, o.boundNs(e)), false
	}
	for _, s := range Shares(o) {
		ns := at(&r.shares, int(s.Key))
		*ns = append(*ns, s.Ns)
	}
}

// slot is where constraints of a kind are collected: apart from others, those that start before the occurrence.
func slot(key uint32, crosses bool) int {
	if crosses {
		return 2*int(key) + 1
	}
	return 2 * int(key)
}

// at returns an element of a list, which grows to have it.
func at[T any](list *[]T, i int) *T {
	if n := len(*list); i >= n {
		*list = slices.Grow(*list, i+1-n)[:i+1]
	}
	return &(*list)[i]
}

// Threshold is the greatest usual bound of a kind of constraint in ns. It is 0 and not known of a kind that no
// occurrence in time depends on. Crosses asks for constraints that start before the occurrence.
func (r *Reference) Threshold(key uint32, crosses bool) (ns int64, known bool) {
	i := slot(key, crosses)
	if i >= len(r.bounds) || len(r.bounds[i].values) == 0 {
		return 0, false
	}
	s := &r.bounds[i]
	if !s.known {
		slices.Sort(s.values)
		s.thresholdNs, s.known = threshold(s.values, r.options), true
	}
	return s.thresholdNs, true
}

// threshold is ceil(Q3 + whisker (Q3 - Q1)) of sorted values.
func threshold(v []int64, o Options) int64 {
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

// quartiles returns twice the first and twice the third quartile of sorted values, at least one: the medians of
// the lower and of the upper half, neither of which has the median of an odd number (Moore and McCabe; PPS,
// whose code goes wrong below six values).
func quartiles(v []int64) (lower, upper int64) {
	half := len(v) / 2
	if half == 0 {
		return 2 * v[0], 2 * v[0]
	}
	return twiceMedian(v[:half]), twiceMedian(v[len(v)-half:])
}

func twiceMedian(v []int64) int64 { return v[(len(v)-1)/2] + v[len(v)/2] }
