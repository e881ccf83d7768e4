package samplechanges

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/sampletests"
)

// PathSide is the time that one side's critical paths spend in a part.
type PathSide struct {
	TotalNs     []int64 // by run; 0 where no path of the run has the part
	Occurrences int64   // paths of all runs that have the part
}

// ComparePaths judges a part of critical paths. Its samples are totals, one for every run, so the tests compare
// runs with runs. Where a side has one run alone there is nothing to test: then DYN, which also decides for the
// tests, wants the totals to differ by the threshold of ABS, or by more than that of REL and by the guard.
//
// It appeared or vanished where the time that one side lacks is a change by these rules; otherwise a path
// that now and then takes another way would be reported.
func (j *Judge) ComparePaths(of Subject, base, cand PathSide) schema.Change {
	left, right := Side{Values: base.TotalNs, Runs: len(base.TotalNs)}, Side{Values: cand.TotalNs, Runs: len(cand.TotalNs)}
	c, r := j.measure(of, left, right)
	c.NBase, c.NCand = base.Occurrences, cand.Occurrences
	method := j.Method
	if min(left.Runs, right.Runs) < 2 {
		r.Fired = ofTotals(r, j.thresholds(c.Component))
		if method != sampletests.ABS && method != sampletests.REL {
			method = sampletests.DYN
		}
	}
	j.decide(&c, &r, method)
	c.Verdict = pathVerdict(&c, r)
	c.ImpactNs = c.AbsNs
	return c
}

// ofTotals says which methods detect a change where a side is one total.
func ofTotals(r sampletests.Result, o sampletests.Options) sampletests.Fired {
	f := sampletests.Fired{ABS: r.Fired.ABS, REL: r.Fired.REL}
	f.DYN = r.AbsNs >= o.AbsNs || f.REL && r.AbsNs >= o.GuardNs
	return f
}

// pathVerdict names the direction of a change of a part of critical paths, by its totals.
func pathVerdict(c *schema.Change, r sampletests.Result) string {
	switch {
	case !c.Detected:
		return schema.Unchanged
	case c.NBase == 0:
		return schema.Appeared
	case c.NCand == 0:
		return schema.Vanished
	}
	return verdict(c, r)
}
