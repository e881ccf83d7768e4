package history

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/changepoint"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// cut is a place between two neighbouring segments: releases from to at, and at to end.
type cut struct{ from, at, end int }

// points are the change points of all subjects, ranked.
func (l *look) points() []schema.ChangePoint {
	all := append(l.confirmed(), l.unconfirmed()...)
	slices.SortStableFunc(all, func(a, b point) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(b.size(), a.size()))
	})
	rows := make([]schema.ChangePoint, len(all))
	for i, p := range all {
		rows[i] = p.row
		rows[i].Rank = int64(i + 1)
	}
	return rows
}

// point is a row with what it is ranked by.
type point struct {
	row   schema.ChangePoint
	class int
}

// class puts steps that take time of their own, of an amount that matters, before what waits for them or has them in it, and
// metrics of components and fragments behind that. Last comes what did not change enough or does not tell.
func (l *look) class(s *compare.Subject, row *schema.ChangePoint) int {
	switch {
	case !verdicts.IsChange(row.Verdict):
		return 3
	case row.Level == schema.LevelMetric:
		return 2
	case row.Level == schema.LevelTransition && s.Awaited == "" && (&point{row: *row}).size() >= l.Verdicts.FloorNs:
		return 0
	}
	return 1
}

func (p *point) size() float64 {
	if p.row.EffectNs == nil {
		return math.Abs(float64(p.row.AfterNs) - float64(p.row.BeforeNs))
	}
	return math.Abs(float64(*p.row.EffectNs))
}

// confirmed are the breaks that the scan found, with what the runs on both sides say.
func (l *look) confirmed() (all []point) {
	known := make(map[cut][]verdicts.Judgement)
	for i, breaks := range l.breaks {
		bounds := changepoint.Segments(breaks, l.n)
		for k, b := range breaks {
			c := cut{bounds[k], b.At, bounds[k+2]}
			if known[c] == nil {
				known[c] = l.judge(c)
			}
			p := l.point(i, c, &known[c][i])
			p.row.Confirmed = true
			p.row.P, p.row.Q, p.row.RankP = finite(b.P), finite(b.Q), finite(b.RankP)
			all = append(all, p)
		}
	}
	return all
}

// unconfirmed are the changes that only the newest release has: it is compared with the rest of its segment.
func (l *look) unconfirmed() (all []point) {
	known := make(map[cut][]verdicts.Judgement)
	for i, breaks := range l.breaks {
		bounds := changepoint.Segments(breaks, l.n)
		c := cut{bounds[len(bounds)-2], l.n - 1, l.n}
		if known[c] == nil {
			known[c] = l.judge(c)
		}
		v := &known[c][i]
		if !verdicts.IsChange(v.Verdict) {
			continue
		}
		p := l.point(i, c, v)
		if v.Verdict == schema.Appeared || v.Verdict == schema.Vanished {
			p.row.P, p.row.Q = nil, nil // it is not by a test that it is there or not
		}
		all = append(all, p)
	}
	return all
}

// judge compares the runs of two segments, in all subjects.
func (l *look) judge(c cut) []verdicts.Judgement {
	s := verdicts.Sides{Roots: l.roots}
	for run, r := range l.release {
		switch {
		case r >= c.from && r < c.at:
			s.Base = append(s.Base, run)
		case r >= c.at && r < c.end:
			s.Cand = append(s.Cand, run)
		}
	}
	return verdicts.Judge(l.observed, s, l.Verdicts)
}

// point tells a change of a subject.
func (l *look) point(subject int, c cut, v *verdicts.Judgement) point {
	s, of := l.subjects[subject], l.identity(subject)
	row := schema.ChangePoint{
		Series: of.Series, Level: of.Level, Component: of.Component, Fragment: of.Fragment, Subject: of.Subject,
		Metric: of.Metric, Function: of.Function, WaitsFor: s.Awaited,
		Release: l.Releases[c.at].Name, Position: int64(c.at + 1), Verdict: v.Verdict,
		BeforeNs: round(v.BaseNs), AfterNs: round(v.CandNs),
		EffectNs: nanos(v.EffectNs), EffectLoNs: nanos(v.LoNs), EffectHiNs: nanos(v.HiNs),
		P: finite(v.P), Q: finite(v.Q),
	}
	for _, e := range v.Estimates {
		if e.Quantity == schema.QuantityCost {
			row.Ratio, row.RatioLo, row.RatioHi = finite(e.Ratio), finite(e.RatioLo), finite(e.RatioHi)
		}
	}
	return point{row, l.class(s, &row)}
}

// nanos is a number of nanoseconds, or nil where there is none.
func nanos(x float64) *int64 {
	if math.IsNaN(x) {
		return nil
	}
	n := round(x)
	return &n
}

// finite is a number, or nil where there is none.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
