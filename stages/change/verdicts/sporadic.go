package verdicts

import "math"

// costOfCalls reduces the cost of what some runs lack, but enough of both sides have: the time of a call, over the runs that have any,
// times the mean number of calls of a run. A run without the subject says how often it happens, which is compared apart, and nothing
// of how long it takes; a cost of nothing among others would be so odd a value that no change could be shown. It reports whether the
// subject is of this kind. Runs in blocks are compared as they are: a pair of which one lacks the subject has no difference.
func (e *engine) costOfCalls(o *Observed) (m Moments, sporadic bool) {
	base, cand := o.takes(e.sides.Base), o.takes(e.sides.Cand)
	if o.CostOnly || e.blocks != nil || min(base, cand) < MinRuns || base+cand == len(e.sides.Base)+len(e.sides.Cand) {
		return m, false
	}
	calls := (e.count(o, e.sides.Base)*float64(len(e.sides.Base)) + e.count(o, e.sides.Cand)*float64(len(e.sides.Cand))) /
		float64(len(e.sides.Base)+len(e.sides.Cand))
	n := 0
	for _, run := range e.runs {
		if r := &o.Runs[run]; r.Count > 0 {
			e.values[n] = math.Log(r.TotalNs/r.Count*calls + quantities[cost].offset)
			n++
		}
	}
	return e.moments(cost, e.limits.FloorNs, e.values[:n], base, cand, nil), true
}
