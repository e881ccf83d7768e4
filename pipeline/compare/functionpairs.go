package compare

import (
	"maps"
	"slices"

	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// functionPair is a function as both sides know it. The names differ where it moved to another component or was renamed; of a
// function that one side lacks both are that of the other side.
type functionPair struct {
	base, cand functionKey
}

// name is what a function is reported under: where the candidate has it, since that is the code to look at.
func (p *functionPair) name() functionKey { return p.cand }

// movedFrom is the name of a function in the baseline where it has another one in the candidate, else "".
func (p *functionPair) movedFrom() string {
	if p.base == p.cand {
		return ""
	}
	return p.base.component + "." + p.base.function
}

// pairFunctions lists the functions that runs of either side have, by the names that they are reported under. Functions that only
// one side has are paired where they moved or were renamed, unless steps are paired by the walk, which finds nothing that moved.
func (j *comparison) pairFunctions(sides *verdicts.Sides) (pairs []functionPair) {
	base, cand := j.functionKeys(sides.Base), j.functionKeys(sides.Cand)
	names := make(map[functionKey]functionKey)
	if j.Matching != matching.ByWalk {
		left, right := without(base, cand), without(cand, base)
		moves := matching.MovedFunctions(j.traits(left, sides.Base, sides.Roots), j.traits(right, sides.Cand, sides.Roots))
		for _, m := range moves {
			names[left[m.Base]] = right[m.Cand]
		}
	}
	of := make(map[functionKey]functionPair)
	for _, k := range cand {
		of[k] = functionPair{k, k}
	}
	for _, k := range base {
		if to, moved := names[k]; moved {
			of[to] = functionPair{k, to}
		} else {
			of[k] = functionPair{k, k}
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
