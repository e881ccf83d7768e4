package compare

import (
	"maps"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// functionPair is a function as both sides know it. The names differ where it moved to another component or was renamed; of a
// function that one side lacks both are that of the other side.
type functionPair struct {
	base, cand functionKey
	joined     []functionKey // further functions of the baseline that became one with it
}

// baseline lists all functions of the baseline that it was.
func (p *functionPair) baseline() []functionKey { return append([]functionKey{p.base}, p.joined...) }

// name is what a function is reported under: where the candidate has it, since that is the code to look at.
func (p *functionPair) name() functionKey { return p.cand }

// movedFrom is the name of a function in the baseline where it has another one in the candidate, or are those of all functions that it
// was, else "".
func (p *functionPair) movedFrom() string {
	if p.base == p.cand && p.joined == nil {
		return ""
	}
	var names []string
	for _, k := range p.baseline() {
		names = append(names, k.component+"."+k.function)
	}
	return schema.JoinNames(names)
}

// pairFunctions lists the functions that runs of either side have, by the names that they are reported under. Functions that only
// one side has are paired where they moved or were renamed, unless steps are paired by the walk, which finds nothing that moved.
func (j *comparison) pairFunctions(sides *verdicts.Sides) (pairs []functionPair) {
	base, cand := j.functionKeys(sides.Base), j.functionKeys(sides.Cand)
	names, joined := make(map[functionKey]functionKey), make(map[functionKey][]functionKey)
	if j.Matching != matching.ByWalk {
		left, right := without(base, cand), without(cand, base)
		of, to := j.traits(left, sides.Base, sides.Roots), j.traits(right, sides.Cand, sides.Roots)
		moves := matching.MovedFunctions(of, to)
		for _, m := range moves {
			names[left[m.Base]] = right[m.Cand]
		}
		for _, m := range matching.JoinedFunctions(of, to, moves) {
			joined[right[m.Cand]] = append(joined[right[m.Cand]], left[m.Base])
			names[left[m.Base]] = functionKey{}
		}
	}
	of := make(map[functionKey]functionPair)
	for _, k := range cand {
		of[k] = functionPair{base: k, cand: k}
	}
	for _, k := range base {
		switch to, moved := names[k]; {
		case !moved:
			of[k] = functionPair{base: k, cand: k}
		case to != functionKey{}: // else it stands with the one that it joined
			of[to] = functionPair{base: k, cand: to, joined: joined[to]}
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(of), functionKey.compare) {
		pairs = append(pairs, of[k])
	}
	return pairs
}

// without returns the functions that are not among others. Both lists are sorted.
func without(keys, others []functionKey) (out []functionKey) {
	for _, k := range keys {
		if _, known := slices.BinarySearchFunc(others, k, functionKey.compare); !known {
			out = append(out, k)
		}
	}
	return out
}

// lainBeside names the functions of the baseline that lay in the same component as a function that only the candidate has, and lie
// in one that calls it: calls within a component may not be traced, so that it need not be new, but seen for the first time. Of a function
// that only the baseline has, it names those of the candidate that came to where it was. "" where there are none.
func (j *comparison) lainBeside(pairs []functionPair, one functionKey, appeared bool) string {
	var names []string
	for i := range pairs {
		p := &pairs[i]
		from, to, name := p.base.component, p.cand.component, p.base
		if !appeared {
			from, to, name = to, from, p.cand
		}
		if from == to || from != one.component {
			continue
		}
		called := schema.FragmentName(one.component, one.function, schema.Receive, to)
		if slices.ContainsFunc(j.models, func(m *model) bool { return m.fragments[called] != nil }) {
			names = append(names, name.component+"."+name.function)
		}
	}
	return schema.JoinNames(names)
}

// traits describes functions of some runs as they are paired by.
func (j *comparison) traits(keys []functionKey, runs []int, roots []float64) []matching.Function {
	callers := make(map[functionKey]map[string]bool)
	for _, run := range runs {
		m := j.models[run]
		for name, f := range m.fragments {
			k := functionKey{f.Component, f.Function}
			if h, moved := m.moved[name]; moved {
				k.component = h.component
			}
			if f.Peer != "" {
				if callers[k] == nil {
					callers[k] = make(map[string]bool)
				}
				callers[k][f.Peer] = true
			}
		}
	}
	out := make([]matching.Function, len(keys))
	for i, k := range keys {
		calls := 0.0
		for _, run := range runs {
			calls += j.models[run].summaries.functions[k].Count / max(roots[run], 1) / float64(len(runs))
		}
		out[i] = matching.Function{Component: k.component, Name: k.function, Calls: calls, Callers: slices.Sorted(maps.Keys(callers[k]))}
	}
	return out
}

// together is what a run says of several functions taken as one. Sums are exact. A quantile is the mean of those of the functions by
// their calls, which is between them, as the calls themselves are not at hand.
func together(runs []verdicts.Run) verdicts.Run {
	if len(runs) == 1 {
		return runs[0]
	}
	var all verdicts.Run
	for _, r := range runs {
		all.Count, all.N, all.TotalNs, all.ArrivalNs = all.Count+r.Count, all.N+r.N, all.TotalNs+r.TotalNs, all.ArrivalNs+r.ArrivalNs
		all.LongestNs = max(all.LongestNs, r.LongestNs)
	}
	for _, r := range runs {
		if r.Quantiles == nil || r.N == 0 {
			continue
		}
		if all.Quantiles == nil {
			all.Quantiles = new([len(verdicts.Quantiles)]float64)
		}
		for q := range all.Quantiles {
			all.Quantiles[q] += r.Quantiles[q] * r.N / all.N
		}
	}
	return all
}

// functionsOf is what a run says of some functions taken as one.
func (m *model) functionsOf(keys []functionKey) verdicts.Run {
	runs := make([]verdicts.Run, len(keys))
	for i, k := range keys {
		runs[i] = m.summaries.functions[k]
	}
	return together(runs)
}
