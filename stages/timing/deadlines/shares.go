package deadlines

import (
	"cmp"
	"slices"
)

// Share is the time that the critical path of an occurrence spends on one kind of step.
type Share struct {
	Key uint32 // the kind of step, as the caller numbers kinds
	Ns  int64  // the sum over its steps
}

// Shares returns where the time of an occurrence went, by key: the durations of the constraints on one
// critical path, from the last event back to the start. They add up to the time of the occurrence, less
// what lies before an event that has no incoming constraint.
func Shares(o *Occurrence) []Share {
	var shares []Share
	for e := o.criticalInto(o.To); e != nil && e.TargetNs > o.FromNs; e = o.criticalInto(e.Source) {
		shares = append(shares, Share{e.Key, e.TargetNs - max(e.SourceNs, o.FromNs)})
		if e.SourceNs <= o.FromNs || e.Source >= e.Target {
			break
		}
	}
	slices.SortFunc(shares, func(a, b Share) int { return cmp.Compare(a.Key, b.Key) })
	n := 0
	for i, s := range shares {
		if i > 0 && shares[n-1].Key == s.Key {
			shares[n-1].Ns += s.Ns
			continue
		}
		shares[n] = s
		n++
	}
	return shares[:n]
}

// Comparison compares the time of a kind of step on the critical path with occurrences in time; an
// occurrence whose critical path lacks the step counts as 0 ns.
type Comparison struct {
	Key      uint32 // as that of Share
	Ns       int64  // in this occurrence
	MedianNs int64  // of an even number, half way between the two in the middle, rounded down
	MaxNs    int64  // in any occurrence in time
	ExcessNs int64  // Ns - MedianNs
}

// Compare returns for what an occurrence took longer than occurrences in time, the largest excess first,
// then the smallest key. Every kind of step is there that any of them has on its critical path.
func (r *Reference) Compare(o *Occurrence) []Comparison {
	var out []Comparison
	r.sortShares()
	own := Shares(o)
	keys := len(r.shares)
	if len(own) > 0 {
		keys = max(keys, int(own[len(own)-1].Key)+1)
	}
	for key := range keys {
		c := Comparison{Key: uint32(key)}
		has := len(own) > 0 && own[0].Key == c.Key
		if has {
			c.Ns, own = own[0].Ns, own[1:]
		}
		if key < len(r.shares) && len(r.shares[key]) > 0 {
			v := r.shares[key]
			has, c.MedianNs, c.MaxNs = true, medianOf(v, r.n), v[len(v)-1]
		}
		c.ExcessNs = c.Ns - c.MedianNs
		if has {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b Comparison) int { return cmp.Compare(b.ExcessNs, a.ExcessNs) })
	return out
}

// sortShares puts the times of every key in ascending order.
func (r *Reference) sortShares() {
	if r.sorted {
		return
	}
	for _, v := range r.shares {
		slices.Sort(v)
	}
	r.sorted = true
}

// medianOf returns the median of ascending values, which are not negative, together with enough zeros to
// make n.
func medianOf(v []int64, n int) int64 {
	value := func(i int) int64 {
		if i -= n - len(v); i >= 0 {
			return v[i]
		}
		return 0
	}
	return (value((n-1)/2) + value(n/2)) / 2
}
