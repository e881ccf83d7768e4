package history

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/relocations"
)

// place is a release in which changes are first seen.
type place struct {
	position  int64
	confirmed bool
}

// joinMoves names functions that moved or were renamed once: the points of a function that only one side of a cut has, and of the
// one that only the other side has and that is paired with it as a comparison pairs them, become one point of the function. Of several
// fragments of a function the times are added. What names the function beside its own fragments vanishes and appears as well, and becomes one
// point, too: steps in which it is called or answers, its messages, parts of critical paths, and the fragments in which what it calls runs.
func (l *series) joinMoves(all []point) []point {
	gone, come := make(map[place][]*point), make(map[place][]*point)
	for i := range all {
		row := &all[i].row
		at := place{row.Position, row.Confirmed}
		switch {
		case row.Kind != schema.KindStep:
		case row.Verdict == schema.Appeared:
			come[at] = append(come[at], &all[i])
		case row.Verdict == schema.Vanished:
			gone[at] = append(gone[at], &all[i])
		}
	}
	joined := make(map[*point]bool)
	var moved []point
	for at, points := range gone { // in any order: the points are sorted afterwards
		vanished, appeared := l.byFunction(points), l.byFunction(come[at])
		left, of := l.onlyIn(vanished, int(at.position)-2, int(at.position)-1)
		right, to := l.onlyIn(appeared, int(at.position)-1, int(at.position)-2)
		moves := new(relocations.Moves)
		if int(at.position) == l.n {
			l.addRenamed(moves)
		}
		for _, m := range matching.MovedFunctions(of, to) {
			before, after := vanished[left[m.Base]], appeared[right[m.Cand]]
			moves.AddFunction(left[m.Base], right[m.Cand])
			moved = append(moved, moveOf(left[m.Base], before, after))
			for _, p := range slices.Concat(before, after) {
				joined[p] = true
			}
		}
		moved = append(moved, l.joinPlaces(points, come[at], moves, joined)...)
	}
	var out []point
	for i := range all {
		if !joined[&all[i]] {
			out = append(out, all[i])
		}
	}
	slices.SortFunc(moved, func(a, b point) int {
		return cmp.Or(cmp.Compare(a.row.Position, b.row.Position), cmp.Compare(a.row.Series, b.row.Series))
	})
	return append(out, moved...)
}

// addRenamed adds the functions of the newest release whose fragments go on under the names of before.
func (l *series) addRenamed(moves *relocations.Moves) {
	for _, m := range l.renamed {
		moves.AddFunction(relocations.Function{Component: m.BaseComponent, Name: m.BaseFunction}, relocations.Function{Component: m.CandComponent, Name: m.CandFunction})
	}
}

// byFunction groups points of fragments by the functions that these are of.
func (l *series) byFunction(points []*point) map[relocations.Function][]*point {
	of := make(map[relocations.Function][]*point)
	for _, p := range points {
		if f := l.wholeOf(p.row.Fragment); f != nil {
			k := relocations.Function{Component: f.component, Name: f.function}
			of[k] = append(of[k], p)
		}
	}
	return of
}

// onlyIn lists the functions with points of whole fragments that a release has and another one has in no fragment, as they are paired by.
func (l *series) onlyIn(points map[relocations.Function][]*point, release, other int) (keys []relocations.Function, all []matching.Function) {
	calls, known := make(map[relocations.Function]float64), make(map[relocations.Function]bool)
	for i := range l.subjects {
		s := &l.subjects[i]
		k := relocations.Function{Component: s.component, Name: l.functionOf(s.fragment)}
		if s.level != schema.LevelFragment || points[k] == nil {
			continue
		}
		known[k] = known[k] || l.values[i][other] > math.Log(ResolutionNs)
		for run, r := range l.observed(i).Runs {
			if l.release[run] == release {
				calls[k] += r.Count / math.Max(l.roots[run], 1) / float64(len(l.Releases[release].Runs))
			}
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(points), func(a, b relocations.Function) int {
		return cmp.Or(cmp.Compare(a.Component, b.Component), cmp.Compare(a.Name, b.Name))
	}) {
		if !known[k] && slices.ContainsFunc(points[k], isWhole) {
			keys, all = append(keys, k), append(all, matching.Function{Component: k.Component, Name: k.Name, Calls: calls[k]})
		}
	}
	return keys, all
}

// isWhole reports whether a point is one of a whole fragment.
func isWhole(p *point) bool { return p.row.Level == schema.LevelFragment }

// moveOf is the point of a function that moved. It is that of a fragment of the function as it is from there on, without what is tested:
// presence is observed.
func moveOf(from relocations.Function, before, after []*point) point {
	one := *after[slices.IndexFunc(after, isWhole)]
	one.row.Verdict, one.row.BeforeNs, one.row.AfterNs = schema.Moved, 0, 0
	one.row.Subject = from.Component + "." + from.Name + " -> " + one.row.Subject
	for _, p := range before {
		if isWhole(p) {
			one.row.BeforeNs += p.row.BeforeNs
		}
	}
	for _, p := range after {
		if isWhole(p) {
			one.row.AfterNs += p.row.AfterNs
		}
	}
	one.compareMoved()
	return one
}

// compareMoved fills in what the times before and after say, and takes away what is tested.
func (p *point) compareMoved() {
	effect, ratio := p.row.AfterNs-p.row.BeforeNs, (float64(p.row.AfterNs)+ResolutionNs)/(float64(p.row.BeforeNs)+ResolutionNs)
	p.row.EffectNs, p.row.Ratio = &effect, &ratio
	p.row.EffectLoNs, p.row.EffectHiNs, p.row.RatioLo, p.row.RatioHi = nil, nil, nil, nil
	p.row.P, p.row.Q, p.row.RankP = nil, nil, nil
}
