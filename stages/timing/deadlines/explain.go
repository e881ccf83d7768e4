package deadlines

import (
	"cmp"
	"slices"
)

// Cause is an outlier that made an occurrence late.
type Cause struct {
	Edge        Edge
	BoundNs     int64 // what its bound reaches into the occurrence
	ThresholdNs int64 // the greatest usual bound
	Known       bool  // occurrences in time depend on steps of this kind; without, the threshold is 0
	ExcessNs    int64 // bound less threshold
	GainNs      int64 // how much earlier the end is when it alone is lowered; 0 if another cause hides it
	Label       Label
}

// Explanation is why an occurrence was late.
type Explanation struct {
	Sufficient    bool    // with the causes lowered the deadline is met; if not, nothing gains more than they do
	Causes        []Cause // by gain, then by excess, the largest first; then by target
	MakespanNs    int64   // how long the occurrence takes with the causes lowered
	UnexplainedNs int64   // time on the critical path that no bound accounts for
	Outliers      int     // unusual bounds in all, most of which need not matter
	Exhausted     bool    // the search ran out of steps: a smaller or a better set may exist
}

// Explain finds the smallest set of unusual bounds that made an occurrence miss the deadline.
func (r *Reference) Explain(o *Occurrence) Explanation {
	x := Explanation{MakespanNs: o.ToNs - o.FromNs, UnexplainedNs: o.ToNs - o.FromNs}
	x.Sufficient = x.MakespanNs <= r.options.DeadlineNs
	c := newChart(o)
	last := len(c.events) - 1
	if last < 0 || c.events[last] != o.To {
		return x
	}
	x.UnexplainedNs = c.unexplainedNs(int32(last), o.FromNs)
	outliers := r.outliers(o, c)
	x.Outliers = len(outliers)
	k := newCore(c, outliers)
	s := newSearch(k, o.FromNs+r.options.DeadlineNs, r.options.MaxSteps)
	s.run()
	for _, n := range s.best {
		k.lower(n)
		gainNs := o.ToNs - k.schedule()
		k.restore(n)
		x.Causes = append(x.Causes, newCause(o, c, outliers[n], gainNs))
	}
	slices.SortFunc(x.Causes, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(b.GainNs, a.GainNs), cmp.Compare(b.ExcessNs, a.ExcessNs),
			cmp.Compare(a.Edge.Target, b.Edge.Target), preference(&a.Edge, &b.Edge))
	})
	x.MakespanNs = s.bestNs - o.FromNs
	x.Sufficient = x.MakespanNs <= r.options.DeadlineNs
	x.Exhausted = s.exhausted
	return x
}

func newCause(o *Occurrence, c *chart, out outlier, gainNs int64) Cause {
	i := out.constraint
	e := o.Edges[c.edge[i]]
	return Cause{
		Edge: e, BoundNs: c.boundNs[i], ThresholdNs: out.thresholdNs, Known: out.known, ExcessNs: out.excessNs,
		GainNs: gainNs, Label: label(&e, e.Source == o.From || c.isCaused(c.source[i])),
	}
}
