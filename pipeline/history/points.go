package history

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/changepoint"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// cut is a place between two neighbouring segments: releases from to at, and at to end.
type cut struct{ from, at, end int }

// rankedPoints returns the change points of all subjects: what stands for itself, then what follows from that, and last what is no change, each by class, then by
// the size of the effect. The sort is stable, so equal ones keep the order of subjects, and the table its bytes.
func (l *series) rankedPoints() []schema.ChangePoint {
	all := l.joinMoves(slices.Concat(l.confirmedPoints(), l.trends(), l.newestPoints()))
	head := l.explain(all)
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int {
		a, b := &all[i], &all[k]
		return cmp.Or(trueFirst(a.class < classOfNone, b.class < classOfNone), trueFirst(head[i] < 0, head[k] < 0), cmp.Compare(a.class, b.class), cmp.Compare(b.size(), a.size()))
	})
	ranks := make([]int64, len(all))
	for at, i := range order {
		ranks[i] = int64(at + 1)
	}
	rows := make([]schema.ChangePoint, len(all))
	for at, i := range order {
		rows[at] = all[i].row
		if rows[at].Rank = ranks[i]; head[i] >= 0 {
			rows[at].Follows = &ranks[head[i]]
		}
	}
	return rows
}

// point is a row with the class by which it is ranked.
type point struct {
	row   schema.ChangePoint
	class int
}

// classOfMetrics is the class of metrics of components and fragments, and of what changed its name alone.
const classOfMetrics = 2

// classOfNone is the class of what did not change by the margin, or is undetermined.
const classOfNone = 3

// rankClass puts steps with time of their own above the floor first (0), then what waits for them or contains them (1), then
// metrics of components and fragments (2), and last what did not change by the margin or is undetermined (3).
func (l *series) rankClass(s *subject, row *schema.ChangePoint) int {
	switch {
	case !verdicts.IsChange(row.Verdict):
		return classOfNone
	case row.Level == schema.LevelMetric:
		return classOfMetrics
	case row.Level == schema.LevelTransition && s.awaited == "" && (&point{row: *row}).size() >= l.Verdicts.Limits(row.Component).FloorNs:
		return 0
	}
	return 1
}

// size returns the magnitude of the effect in ns; of a subject without an estimate that of the difference of levels.
func (p *point) size() float64 {
	if p.row.EffectNs == nil {
		return math.Abs(float64(p.row.AfterNs) - float64(p.row.BeforeNs))
	}
	return math.Abs(float64(*p.row.EffectNs))
}

// confirmedPoints returns the breaks that the scan found, with the verdict of comparing the runs on both sides. P and q are those
// of the scan over all releases, which decided on the break; the effect and its interval are those of the comparison.
func (l *series) confirmedPoints() []point {
	var asked []question
	var of []changepoint.Break // by question
	for i := range l.shapes {
		breaks := l.shapes[i].Breaks
		bounds := changepoint.Segments(breaks, l.n)
		for k, b := range breaks {
			// The levels on both sides reach to the neighbouring breaks, not beyond.
			asked, of = append(asked, question{i, cut{bounds[k], b.At, bounds[k+2]}}), append(of, b)
		}
	}
	all := make([]point, len(asked))
	l.judge(asked, func(k int, v *verdicts.Judgement) {
		p, b := l.pointOf(&asked[k], v), &of[k]
		p.row.Confirmed = true
		p.row.P, p.row.Q, p.row.RankP = optionalNumber(b.P), optionalNumber(b.Q), optionalNumber(b.RankP)
		all[k] = p
	})
	return all
}

// trends returns the slopes. What the runs at both ends differ by is no more than what the line says, so the runs are not
// compared: before and after are on the line.
func (l *series) trends() (all []point) {
	for i := range l.shapes {
		for _, t := range l.shapes[i].Trends {
			of := l.subjectRow(i)
			before, after := math.Exp(t.First)-ResolutionNs, math.Exp(t.First+t.Change)-ResolutionNs
			row := schema.ChangePoint{
				Series: of.Series, Level: of.Level, Component: of.Component, Fragment: of.Fragment, Subject: of.Subject,
				Metric: of.Metric, Function: of.Function, WaitsFor: l.subjects[i].awaited,
				Kind: schema.KindTrend, Release: l.Releases[t.From].Name, Position: int64(t.From + 1), Last: l.Releases[t.To-1].Name,
				Verdict: schema.Regressed, BeforeNs: stats.RoundNs(before), AfterNs: stats.RoundNs(after), EffectNs: stats.OptionalNs(after - before),
				Ratio: optionalNumber(math.Exp(t.Change)), P: optionalNumber(t.P), Q: optionalNumber(t.Q), Confirmed: true,
			}
			if t.Change < 0 {
				row.Verdict = schema.Improved
			}
			row.Verdict = verdicts.OfMetric(row.Metric, row.Verdict)
			all = append(all, point{row, l.rankClass(&l.subjects[i], &row)})
		}
	}
	return all
}

// newestPoints returns the changes that only the newest release has, by comparing it with the rest of its segment. Nothing
// tells yet whether its runs share the change or a common disturbance, so these points are not confirmed.
func (l *series) newestPoints() (all []point) {
	asked := make([]question, len(l.shapes))
	for i := range l.shapes {
		bounds := changepoint.Segments(l.shapes[i].Breaks, l.n)
		asked[i] = question{i, cut{bounds[len(bounds)-2], l.n - 1, l.n}}
	}
	changed := make(map[int]point) // by question
	l.judge(asked, func(k int, v *verdicts.Judgement) {
		if !verdicts.IsChange(v.Verdict) {
			return
		}
		p := l.pointOf(&asked[k], v)
		if v.Verdict == schema.Appeared || v.Verdict == schema.Vanished {
			p.row.P, p.row.Q = nil, nil // presence is observed, not tested
		}
		changed[k] = p
	})
	for _, k := range slices.Sorted(maps.Keys(changed)) {
		all = append(all, changed[k])
	}
	return all
}

// question asks how the runs of a subject on both sides of a cut compare.
type question struct {
	subject int
	cut     cut
}

// judge answers questions, cut by cut: rates of false discoveries are controlled over all subjects of a comparison, so none is
// judged alone, and the judgements of one cut only are in memory at a time.
func (l *series) judge(asked []question, answer func(k int, v *verdicts.Judgement)) {
	of := make(map[cut][]int)
	for k, q := range asked {
		of[q.cut] = append(of[q.cut], k)
	}
	for c, list := range of { // in any order: every answer has a place of its own
		all := l.judgeCut(c)
		for _, k := range list {
			answer(k, &all[asked[k].subject])
		}
	}
}

// judgeCut compares the runs of two segments in all subjects.
func (l *series) judgeCut(c cut) []verdicts.Judgement {
	s := verdicts.Sides{Roots: l.roots}
	for run, r := range l.release {
		switch {
		case r >= c.from && r < c.at:
			s.Base = append(s.Base, run)
		case r >= c.at && r < c.end:
			s.Cand = append(s.Cand, run)
		}
	}
	reducer, reduced := verdicts.NewReducer(s, l.Verdicts), make([]*verdicts.Reduction, len(l.subjects))
	for i := range reduced {
		r := reducer.Reduce(l.observed(i))
		reduced[i] = &r
	}
	return verdicts.JudgeReduced(reduced, s, l.Verdicts)
}

// pointOf returns the row of a change of a subject at a cut, without rank. Costs are per root execution, in ns; a ratio is that of
// the candidate's cost to the baseline's.
func (l *series) pointOf(q *question, v *verdicts.Judgement) point {
	s, of, c := &l.subjects[q.subject], l.subjectRow(q.subject), q.cut
	row := schema.ChangePoint{
		Series: of.Series, Level: of.Level, Component: of.Component, Fragment: of.Fragment, Subject: of.Subject,
		Metric: of.Metric, Function: of.Function, WaitsFor: s.awaited,
		Kind: schema.KindStep, Release: l.Releases[c.at].Name, Position: int64(c.at + 1), Verdict: v.Verdict,
		BeforeNs: stats.RoundNs(v.BaseNs), AfterNs: stats.RoundNs(v.CandNs),
		EffectNs: stats.OptionalNs(v.EffectNs), EffectLoNs: stats.OptionalNs(v.LoNs), EffectHiNs: stats.OptionalNs(v.HiNs),
		P: optionalNumber(v.P), Q: optionalNumber(v.Q),
	}
	for _, e := range v.Estimates {
		if e.Quantity == schema.QuantityCost {
			row.Ratio, row.RatioLo, row.RatioHi = optionalNumber(e.Ratio), optionalNumber(e.RatioLo), optionalNumber(e.RatioHi)
		}
	}
	row.Verdict = verdicts.OfMetric(row.Metric, row.Verdict)
	return point{row, l.rankClass(s, &row)}
}

// optionalNumber returns a number, or nil for NaN and infinities, which Parquet would keep and SQL trips over.
func optionalNumber(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
