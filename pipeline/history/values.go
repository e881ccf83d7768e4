package history

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/changepoint"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// tables derives both tables from the observations of all runs.
func (s *Spec) tables(o *compare.Observations) *Tables {
	l := newSeries(s, o)
	// 1. One value a release: the median of its runs, which one disturbed run of three moves little.
	l.values = make([][]float64, len(l.subjects))
	for i := range l.subjects {
		l.values[i] = changepoint.Medians(l.logCosts(i), l.release, l.n)
	}
	// 2. The scan finds breaks in all series; those with a q above the false discovery rate are dropped.
	rules := s.Series
	rules.Margin = math.Log1p(s.Verdicts.Margin)
	l.shapes = l.keepSignificant(changepoint.Find(l.values, rules))
	// 3. The runs on both sides of each break are compared, and the newest release with those before it.
	return &Tables{Values: l.valueRows(), Points: l.rankedPoints()}
}

// series is a series of releases with the subjects that have a value in every run. A subject that some runs lack is there
// with a cost of 0, so that its appearance is a change of level like any other.
type series struct {
	*Spec
	subjects []*compare.Subject  // that have a value in every run
	observed []verdicts.Observed // the same, by their costs only
	roots    []float64           // by run: its root executions
	release  []int               // by run
	n        int                 // releases
	follows  []bool              // by subject: the factors of the runs are taken out of its costs
	values   [][]float64         // by subject and release, on a logarithmic scale
	shapes   []changepoint.Shape // by subject

	judged map[cut][]verdicts.Judgement // by subject: the comparisons made so far
}

// newSeries takes the subjects by their costs alone: quantiles of one release are too few to compare in a series.
func newSeries(s *Spec, o *compare.Observations) *series {
	l := &series{Spec: s, roots: o.Sides.Roots, n: len(s.Releases), judged: make(map[cut][]verdicts.Judgement)}
	for r, of := range s.Releases {
		for range of.Runs {
			l.release = append(l.release, r)
		}
	}
	for i := range o.Subjects {
		s := &o.Subjects[i]
		if s.Observed.Runs == nil {
			continue
		}
		cost := s.Observed
		cost.CostOnly = true
		l.subjects, l.observed = append(l.subjects, s), append(l.observed, cost)
	}
	l.follow(o)
	return l
}

// logCosts returns the costs per root execution of all runs on the logarithmic scale of package verdicts, log(ns + resolution):
// on it a change by a factor has one size whatever the cost, and 0 stays finite. Of a subject that follows the factors of the runs
// they are without these.
func (l *series) logCosts(subject int) []float64 {
	runs := l.observed[subject].Runs
	y := make([]float64, len(runs))
	for run, r := range runs {
		y[run] = math.Log(r.TotalNs/math.Max(l.roots[run], 1) + ResolutionNs)
	}
	return y
}

// keepSignificant keeps the breaks whose q is within the false discovery rate over all subjects, in the slices given.
func (l *series) keepSignificant(all []changepoint.Shape) []changepoint.Shape {
	for i := range all {
		all[i].Breaks = slices.DeleteFunc(all[i].Breaks, func(b changepoint.Break) bool { return !(b.Q <= l.Verdicts.FDR) })
		all[i].Trends = slices.DeleteFunc(all[i].Trends, func(t changepoint.Trend) bool { return !(t.Q <= l.Verdicts.FDR) })
	}
	return all
}

// valueRows returns one row for each subject and release, in this order.
func (l *series) valueRows() []schema.ReleaseValue {
	rows := make([]schema.ReleaseValue, 0, len(l.subjects)*l.n)
	for i := range l.subjects {
		segment := 0
		for r, release := range l.Releases {
			if breaks := l.shapes[i].Breaks; segment < len(breaks) && r == breaks[segment].At {
				segment++
			}
			v := l.subjectRow(i)
			v.Release, v.Position, v.Runs, v.Segment = release.Name, int64(r+1), int64(len(release.Runs)), int64(segment+1)
			v.ValueNs = roundNs(math.Exp(l.values[i][r]) - ResolutionNs)
			v.Follows = l.follows[i]
			v.Outlier = slices.Contains(l.shapes[i].Outliers, r)
			rows = append(rows, v)
		}
	}
	return rows
}

// subjectRow returns a row with the columns that identify a subject.
func (l *series) subjectRow(subject int) schema.ReleaseValue {
	s := l.subjects[subject]
	c := &s.Change
	return schema.ReleaseValue{
		Series: int64(subject + 1), Level: c.Level, Component: c.Component, Fragment: c.Fragment, Subject: c.Subject,
		Metric: c.Metric, Function: functionOf(s),
	}
}

// functionOf returns the function that runs in a step, or the function of any other subject.
func functionOf(s *compare.Subject) string {
	if s.Function != "" {
		return s.Function
	}
	return s.Change.Function
}

// roundNs rounds to nanoseconds, halves away from zero. Ends of intervals beyond the range of int64 stop at its ends.
func roundNs(ns float64) int64 {
	switch {
	case ns <= math.MinInt64:
		return math.MinInt64
	case ns >= math.MaxInt64:
		return math.MaxInt64
	}
	return int64(math.Round(ns))
}
