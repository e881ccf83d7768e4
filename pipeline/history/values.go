package history

import (
	"math"

	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/changepoint"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// tables makes the tables of what is observed.
func (s *Spec) tables(o *compare.Observations) *Tables {
	l := newLook(s, o)
	l.values = make([][]float64, len(l.subjects))
	for i, s := range l.subjects {
		l.values[i] = changepoint.Medians(l.logCosts(s), l.release, l.n)
	}
	l.breaks = l.clear(changepoint.Find(l.values, s.Series))
	return &Tables{Values: l.rows(), Points: l.points()}
}

// look is one look at a series of releases.
type look struct {
	*Spec
	subjects []*compare.Subject    // that have a value in every run
	observed []verdicts.Observed   // the same, by their costs only
	roots    []float64             // by run: its root executions
	release  []int                 // by run
	n        int                   // releases
	values   [][]float64           // by subject and release, on a logarithmic scale
	breaks   [][]changepoint.Break // by subject
}

func newLook(s *Spec, o *compare.Observations) *look {
	l := &look{Spec: s, roots: o.Sides.Roots, n: len(s.Releases)}
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
	return l
}

// logCosts are the costs per root execution of the runs, on the scale of package verdicts.
func (l *look) logCosts(s *compare.Subject) []float64 {
	y := make([]float64, len(s.Observed.Runs))
	for run, r := range s.Observed.Runs {
		y[run] = math.Log(r.TotalNs/math.Max(l.roots[run], 1) + ResolutionNs)
	}
	return y
}

// clear keeps the breaks that hold after all subjects are allowed for.
func (l *look) clear(all [][]changepoint.Break) [][]changepoint.Break {
	for i, breaks := range all {
		kept := breaks[:0]
		for _, b := range breaks {
			if b.Q <= l.Verdicts.FDR {
				kept = append(kept, b)
			}
		}
		all[i] = kept
	}
	return all
}

// rows are the values of all subjects.
func (l *look) rows() []schema.ReleaseValue {
	rows := make([]schema.ReleaseValue, 0, len(l.subjects)*l.n)
	for i := range l.subjects {
		segment := 0
		for r, release := range l.Releases {
			if segment < len(l.breaks[i]) && r == l.breaks[i][segment].At {
				segment++
			}
			v := l.identity(i)
			v.Release, v.Position, v.Runs, v.Segment = release.Name, int64(r+1), int64(len(release.Runs)), int64(segment+1)
			v.ValueNs = round(math.Exp(l.values[i][r]) - ResolutionNs)
			rows = append(rows, v)
		}
	}
	return rows
}

// identity is a row that says which subject it is about.
func (l *look) identity(subject int) schema.ReleaseValue {
	s := l.subjects[subject]
	c := &s.Change
	return schema.ReleaseValue{
		Series: int64(subject + 1), Level: c.Level, Component: c.Component, Fragment: c.Fragment, Subject: c.Subject,
		Metric: c.Metric, Function: function(s),
	}
}

// function is the one that runs in a step, or that the subject is of.
func function(s *compare.Subject) string {
	if s.Function != "" {
		return s.Function
	}
	return s.Change.Function
}

// round is a number of nanoseconds. Bounds that leave the range stop at its ends.
func round(ns float64) int64 {
	switch {
	case ns <= math.MinInt64:
		return math.MinInt64
	case ns >= math.MaxInt64:
		return math.MaxInt64
	}
	return int64(math.Round(ns))
}
