package history

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/changepoint"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// found finds the changes of level in the observations of all runs.
func (s *Spec) found(o *compare.Observations) *series {
	l := newSeries(s, o)
	// 1. One value a release: the median of its runs, which one disturbed run of three moves little.
	l.values = make([][]float64, len(l.subjects))
	for i := range l.subjects {
		l.values[i] = changepoint.Medians(l.logCosts(i), l.release, l.n)
	}
	// 2. The scan finds breaks in all series; those with a q above the false discovery rate are dropped.
	rules := s.Series
	rules.Margin = math.Log1p(s.Verdicts.Margin)
	for i := range l.subjects {
		of := &l.subjects[i]
		rules.Margins = append(rules.Margins, math.Log1p(s.Verdicts.Limits(of.component).Margin))
	}
	l.shapes = l.keepSignificant(changepoint.Find(l.values, rules))
	return l
}

// series is a series of releases with the subjects that have a value in every run. A subject that some runs lack is there
// with a cost of 0, so that its appearance is a change of level like any other.
type series struct {
	*Spec
	subjects []subject           // that have a value in every run
	roots    []float64           // by run: its root executions
	release  []int               // by run
	n        int                 // releases
	follows  []bool              // by subject: the factors of the runs are taken out of its costs
	factors  []float64           // by run: these, as logarithms
	values   [][]float64         // by subject and release, on a logarithmic scale
	shapes   []changepoint.Shape // by subject

	fragments map[string]int // by name: the subject that is the whole fragment
	renamed   []compare.Move // functions of the newest release whose fragments go on under the names of before
	runs      []verdicts.Run // by run: of the subject at hand
}

// subject is what a history needs of a subject of the comparison, in a sixth of the memory: all subjects are in memory while each cut
// is judged.
type subject struct {
	level, component, fragment, name, metric string
	peer                                     string // the component at the other end of a message, or that a fragment is called from
	function, awaited                        string // that runs in it, and for whom it waits
	judged                                   string // the level at which it is judged
	initial                                  bool   // a fragment that no message starts
	costs                                    compare.Costs
}

// newSeries takes the subjects by their costs alone: quantiles of one release are too few to compare in a series. It takes them away
// from the observations.
func newSeries(s *Spec, o *compare.Observations) *series {
	l := &series{Spec: s, roots: o.Sides.Roots, n: len(s.Releases)}
	for r, of := range s.Releases {
		for range of.Runs {
			l.release = append(l.release, r)
		}
	}
	l.subjects = make([]subject, 0, len(o.Subjects)+1) // one is that of the factors
	for i := range o.Subjects {
		if s := &o.Subjects[i]; s.HasRuns() {
			c := &s.Change
			l.subjects = append(l.subjects, subject{
				level: c.Level, component: c.Component, fragment: c.Fragment, name: c.Subject, metric: c.Metric, peer: c.Peer,
				function: cmp.Or(s.Function, c.Function), awaited: s.Awaited, judged: s.Observed.Level, initial: s.Initial, costs: s.Costs(),
			})
		}
	}
	o.Subjects = nil
	l.fragments = make(map[string]int)
	for i := range l.subjects {
		if s := &l.subjects[i]; s.level == schema.LevelFragment {
			l.fragments[s.fragment] = i
		}
	}
	l.renamed = o.Moves()
	l.follow(o)
	return l
}

// wholeOf returns the subject that is a whole fragment, nil where none is known.
func (l *series) wholeOf(fragment string) *subject {
	if i, known := l.fragments[fragment]; known {
		return &l.subjects[i]
	}
	return nil
}

// functionOf returns the function that a fragment is of, "" where it is not known.
func (l *series) functionOf(fragment string) string {
	if s := l.wholeOf(fragment); s != nil {
		return s.function
	}
	return ""
}

// observed returns what the runs say of the cost of a subject. Of one that follows the factors of the runs it is without these. The
// memory serves the next subject, too.
func (l *series) observed(subject int) *verdicts.Observed {
	s := &l.subjects[subject]
	l.runs = s.costs.Append(l.runs[:0])
	if l.follows[subject] {
		l.withoutFactors(l.runs)
	}
	return &verdicts.Observed{Level: s.judged, Component: s.component, CostOnly: true, Runs: l.runs}
}

// logCosts returns the costs per root execution of all runs on the logarithmic scale of package verdicts, log(ns + resolution):
// on it a change by a factor has one size whatever the cost, and 0 stays finite. Of a subject that follows the factors of the runs
// they are without these.
func (l *series) logCosts(subject int) []float64 {
	runs := l.observed(subject).Runs
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

// valueRows yields one row for each subject and release, in this order. All together would be the largest part of a history.
func (l *series) valueRows(yield func(schema.ReleaseValue) bool) {
	for i := range l.subjects {
		segment := 0
		for r, release := range l.Releases {
			if breaks := l.shapes[i].Breaks; segment < len(breaks) && r == breaks[segment].At {
				segment++
			}
			v := l.subjectRow(i)
			v.Release, v.Position, v.Runs, v.Segment = release.Name, int64(r+1), int64(len(release.Runs)), int64(segment+1)
			v.ValueNs = stats.RoundNs(math.Exp(l.values[i][r]) - ResolutionNs)
			v.Follows = l.follows[i]
			v.Outlier = slices.Contains(l.shapes[i].Outliers, r)
			if !yield(v) {
				return
			}
		}
	}
}

// subjectRow returns a row with the columns that identify a subject.
func (l *series) subjectRow(subject int) schema.ReleaseValue {
	s := &l.subjects[subject]
	return schema.ReleaseValue{
		Series: int64(subject + 1), Level: s.level, Component: s.component, Fragment: s.fragment, Subject: s.name,
		Metric: s.metric, Function: s.function,
	}
}
