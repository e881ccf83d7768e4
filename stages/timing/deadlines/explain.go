package deadlines

import (
	"cmp"
	"slices"
)

// Cause is an outlier that made an occurrence late.
type Cause struct {
	Edge        Edge  // the constraint
	BoundNs     int64 // the part of its bound within the occurrence, ns
	ThresholdNs int64 // greatest usual bound, ns
	Known       bool  // occurrences in time depend on steps of this kind; otherwise the threshold is 0
	ExcessNs    int64 // bound less threshold
	GainNs      int64 // how much earlier the end is when it alone is lowered; 0 if another cause hides it
	Label       Label // why it may have taken long
}

// Explanation is why an occurrence was late.
type Explanation struct {
	Sufficient    bool    // with the causes lowered the deadline is met; if not, nothing gains more than they do
	Causes        []Cause // by gain, then by excess, the largest first; then by target
	MakespanNs    int64   // duration of the occurrence with the causes lowered
	UnexplainedNs int64   // time on the critical path that no bound accounts for
	Outliers      int     // unusual bounds in all, most of which do not matter
	Exhausted     bool    // the search ran out of steps: a smaller or a better set may exist
}

// Explain finds the smallest set of unusual bounds that made an occurrence miss the deadline. It does not
// change the reference but for cached thresholds.
func (r *Reference) Explain(o *Occurrence) Explanation {
	x := Explanation{MakespanNs: o.ToNs - o.FromNs, UnexplainedNs: o.ToNs - o.FromNs}
	x.Sufficient = x.MakespanNs <= r.options.DeadlineNs
	c := newScheduleGraph(o)
	last := len(c.events) - 1
	if last < 0 || c.events[last] != o.To {
		return x
	}
	x.UnexplainedNs = c.unexplainedNs(int32(last), o.FromNs)
	outliers := r.findOutliers(o, c)
	x.Outliers = len(outliers)
	k := newScheduleCore(c, outliers)
	s := newSearch(k, o.FromNs+r.options.DeadlineNs, r.options.MaxSteps)
	s.findBest()
	for _, n := range s.best {
		k.lowerOutlier(n)
		gainNs := o.ToNs - k.reschedule()
		k.restoreOutlier(n)
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

// newCause describes an outlier of the set.
func newCause(o *Occurrence, c *scheduleGraph, out outlier, gainNs int64) Cause {
	i := out.constraint
	e := o.Edges[c.edge[i]]
	return Cause{
		Edge: e, BoundNs: c.boundNs[i], ThresholdNs: out.thresholdNs, Known: out.known, ExcessNs: out.excessNs,
		GainNs: gainNs, Label: labelOf(&e, e.Source == o.From || c.isCaused(c.source[i])),
	}
}

// Label names in a word why a constraint may take long, after PPS. PPS has no label for execution: it
// calls this resource contention too, because a trace does not distinguish work from waiting for a
// processor.
type Label string

const (
	// Execution is a part of a call that the occurrence made: what it did took longer.
	Execution Label = "execution"
	// CommunicationDelay is a message.
	CommunicationDelay Label = "communication delay"
	// ServiceContention is on a lifeline before it turns to the occurrence: it was busy for others.
	ServiceContention Label = "service contention"
	// ResourceContention is between two calls on a lifeline, after one that the occurrence made: it was kept from going on.
	ResourceContention Label = "resource contention"
)

// labelOf returns the label of a constraint; caused says whether the first event of the occurrence leads
// to its source.
func labelOf(e *Edge, caused bool) Label {
	switch {
	case e.Message:
		return CommunicationDelay
	case !caused:
		return ServiceContention
	case e.Idle:
		return ResourceContention
	}
	return Execution
}

// isCaused reports whether the first event of the occurrence leads to an event.
func (c *scheduleGraph) isCaused(event int32) bool {
	return int(event) < len(c.caused) && c.caused[event]
}
