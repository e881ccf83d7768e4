package history

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/rootcause"
	"github.com/tracelake/tracelake/stages/change/stats"
)

// explain puts the changes of level of each release down to their root causes, as a comparison of two releases does (package rootcause): of each cause one
// point says it, and all others of it follow from that one. It returns for each point the position of the one that it follows from, -1 for none. Trends, which
// have no one release, and functions that moved stand for themselves.
func (l *series) explain(all []point) (head []int) {
	head = make([]int, len(all))
	of := make(map[place][]int)
	for i := range all {
		head[i] = -1
		if row := &all[i].row; row.Kind == schema.KindStep && row.Verdict != schema.Moved && all[i].class < classOfNone && isPart(row.Level) {
			at := place{row.Position, row.Confirmed}
			of[at] = append(of[at], i)
		}
	}
	for at, points := range of { // in any order: each point is of one place
		l.explainPlace(at, points, all, head)
	}
	return head
}

// explainPlace does so with the points of one release.
func (l *series) explainPlace(at place, points []int, all []point, head []int) {
	if len(points) < 2 {
		return
	}
	subjects := l.costsAround(int(at.position) - 1)
	of := func(i int) *rootcause.Subject { return &subjects[all[i].row.Series-1] }
	for _, i := range points {
		row, s := &all[i].row, of(i)
		c := s.Change
		c.Verdict, c.EffectNs, c.EffectLoNs, c.EffectHiNs = row.Verdict, row.EffectNs, row.EffectLoNs, row.EffectHiNs
		c.CostBaseNs, c.CostCandNs = &row.BeforeNs, &row.AfterNs
		s.Base[0].CostNs, s.Cand[0].CostNs = float64(row.BeforeNs), float64(row.AfterNs)
	}
	rootcause.Find(subjects, rootcause.Options{FloorNs: l.Verdicts.FloorNs, Margin: l.Verdicts.Margin})
	// The greatest of what a finding is itself says it; where that has no point, the greatest of what follows does.
	slices.SortStableFunc(points, func(a, b int) int {
		return cmp.Or(trueFirst(!of(a).Follows, !of(b).Follows), cmp.Compare(all[a].class, all[b].class), cmp.Compare(all[b].size(), all[a].size()))
	})
	first := make(map[int64]int) // by finding
	for _, i := range points {
		finding := of(i).Change.Finding
		if finding == nil {
			continue
		}
		if k, told := first[*finding]; told {
			head[i] = k
		} else {
			first[*finding] = i
		}
	}
}

// trueFirst compares two answers: the one that holds comes before the other.
func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// costsAround returns all subjects as root causes take them, with the costs of a release and of the one before. Nothing of them is said to have changed yet.
func (l *series) costsAround(release int) []rootcause.Subject {
	subjects, changes := make([]rootcause.Subject, len(l.subjects)), make([]schema.Change, len(l.subjects))
	for i := range l.subjects {
		s := &l.subjects[i]
		c := &changes[i]
		*c = schema.Change{Level: s.level, Component: s.component, Fragment: s.fragment, Subject: s.name, Metric: s.metric, Function: s.function, Peer: s.peer, Verdict: schema.Unchanged}
		if s.level == schema.LevelTransition {
			c.Kind, c.Direction, c.Function = l.stepOf(s)
		}
		before, after := l.costIn(i, release-1), l.costIn(i, release)
		c.CostBaseNs, c.CostCandNs = stats.OptionalNs(before.CostNs), stats.OptionalNs(after.CostNs)
		subjects[i] = rootcause.Subject{
			Change: c, Awaited: s.awaited, Function: s.function, Initial: s.initial, Base: []rootcause.Run{before}, Cand: []rootcause.Run{after},
		}
	}
	return subjects
}

// isPart reports whether subjects of a level are a part of something. What all functions share, and what users define, are none.
func isPart(level string) bool {
	return level != schema.LevelRunFactor && level != schema.LevelDefined
}

// stepOf takes the words of a step apart: what kind of event ends it, whether that sends or receives, and the function that it names.
func (l *series) stepOf(s *subject) (kind, direction, function string) {
	p := l.placeOf(s)
	kind, way, _ := strings.Cut(p.Form, " ")
	direction, _, _ = strings.Cut(way, " ")
	return kind, direction, p.Name
}

// costIn is what a subject costs in a release, and how often it happens, per root execution.
func (l *series) costIn(subject, release int) rootcause.Run {
	n, count := 0, 0.0
	for run, r := range l.observed(subject).Runs {
		if l.release[run] == release {
			n, count = n+1, count+r.Count/math.Max(l.roots[run], 1)
		}
	}
	return rootcause.Run{CostNs: math.Max(0, math.Exp(l.values[subject][release])-ResolutionNs), Count: count / float64(n)}
}
