package matching

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Function is a function that only one side has.
type Function struct {
	Component, Name string
	Calls           float64  // per root execution, mean of the runs
	Callers         []string // the components that call it, sorted; none where that is not known
}

// FunctionMove is a function that lies in another component on the other side, or has another name there.
type FunctionMove struct{ Base, Cand int } // positions in the lists of functions

// How alike two functions of different names must be to be one that was renamed. Names are compared by their pairs of letters, which
// leaves what compounds share in place.
const (
	renamedName = .6 // of the names
	renamedUnit = .5 // of the components
	renamedCall = 4. // greatest ratio of the numbers of calls
)

// MovedFunctions pairs functions that only the baseline has with those that only the candidate has, so that what moved to another
// component or got another name is compared with itself. A function of the same name in another component comes first; where
// several have that name, the most alike component decides. Then come functions whose name and component are alike, which are
// called about as often and by one common component at least. A pair counts only if each is the best for the other and no second
// one is as good. Moves are in the order of the baseline's functions.
func MovedFunctions(base, cand []Function) []FunctionMove {
	var moves []FunctionMove
	taken := [2]map[int]bool{make(map[int]bool), make(map[int]bool)}
	of := newLikeness(base, cand)
	for _, likeness := range []func(a, b *Function) float64{of.sameName, of.likeName} {
		for _, m := range mutuallyBest(base, cand, taken, likeness) {
			taken[0][m.Base], taken[1][m.Cand] = true, true
			moves = append(moves, m)
		}
	}
	slices.SortFunc(moves, func(a, b FunctionMove) int { return cmp.Compare(a.Base, b.Base) })
	return moves
}

// likeness compares names and components. Pairs of letters that nearly all names share, such as those of a prefix of a library, say
// little: a pair weighs the logarithm of one plus the number of names by the number of those that have it.
type likeness struct{ names, components map[string]float64 }

func newLikeness(base, cand []Function) likeness {
	var names, components []string
	for _, f := range slices.Concat(base, cand) {
		names, components = append(names, f.Name), append(components, f.Component)
	}
	return likeness{weighPairs(names), weighPairs(components)}
}

// sameName is how likely a function moved to another component under its name, from 1 to 2; 0 where the names differ.
func (l likeness) sameName(a, b *Function) float64 {
	if a.Name != b.Name {
		return 0
	}
	return 1 + alike(a.Component, b.Component, l.components)
}

// likeName is how likely a function was renamed, from 0 to 2; 0 where that is not likely enough.
func (l likeness) likeName(a, b *Function) float64 {
	name, unit := alike(a.Name, b.Name, l.names), alike(a.Component, b.Component, l.components)
	if name < renamedName || unit < renamedUnit || !areCalledAlike(a, b) {
		return 0
	}
	return name + unit
}

// areCalledAlike reports whether two functions are called about as often, and by a common component where the callers are known.
func areCalledAlike(a, b *Function) bool {
	if math.Max(a.Calls, b.Calls) > renamedCall*math.Min(a.Calls, b.Calls) {
		return false
	}
	return len(a.Callers) == 0 || len(b.Callers) == 0 || slices.ContainsFunc(a.Callers, func(c string) bool {
		_, both := slices.BinarySearch(b.Callers, c)
		return both
	})
}

// mutuallyBest pairs those that are each the only best one for the other. It costs one comparison for every pair that is not
// taken: releases differ in some hundred functions.
func mutuallyBest(base, cand []Function, taken [2]map[int]bool, likeness func(a, b *Function) float64) (moves []FunctionMove) {
	type best struct {
		of    int
		score float64
		tied  bool
	}
	left, right := make([]best, len(base)), make([]best, len(cand))
	note := func(at *best, other int, score float64) {
		switch {
		case score > at.score:
			*at = best{other, score, false}
		case score == at.score:
			at.tied = true
		}
	}
	for i := range base {
		for k := range cand {
			if taken[0][i] || taken[1][k] {
				continue
			}
			if score := likeness(&base[i], &cand[k]); score > 0 {
				note(&left[i], k, score)
				note(&right[k], i, score)
			}
		}
	}
	for i, b := range left {
		if b.score > 0 && !b.tied && right[b.of].of == i && !right[b.of].tied {
			moves = append(moves, FunctionMove{i, b.of})
		}
	}
	return moves
}

// weighPairs returns the weight of every pair of letters of some names.
func weighPairs(names []string) map[string]float64 {
	weights := make(map[string]float64)
	for _, name := range names {
		for _, pair := range slices.Compact(letterPairs(name)) {
			weights[pair]++
		}
	}
	for pair, n := range weights {
		weights[pair] = math.Log1p(float64(len(names)) / n)
	}
	return weights
}

// alike compares two names by their pairs of adjacent letters and digits, whatever their case: twice the weight of the common ones
// divided by that of all of both (after Dice 1945, Ecology 26, 297-302). It is 1 for equal names and 0 for names without a common pair.
func alike(a, b string, weights map[string]float64) float64 {
	if a == b {
		return 1
	}
	left, right := letterPairs(a), letterPairs(b)
	common, all := 0., 0.
	for _, pair := range slices.Concat(left, right) {
		all += weights[pair]
	}
	for i, k := 0, 0; i < len(left) && k < len(right); {
		switch c := cmp.Compare(left[i], right[k]); {
		case c < 0:
			i++
		case c > 0:
			k++
		default:
			common, i, k = common+weights[left[i]], i+1, k+1
		}
	}
	if all == 0 {
		return 0
	}
	return 2 * common / all
}

// letterPairs lists the pairs of adjacent characters of a name, sorted.
func letterPairs(name string) []string {
	letters := []rune(strings.ToLower(name))
	var pairs []string
	for i := 1; i < len(letters); i++ {
		pairs = append(pairs, string(letters[i-1:i+1]))
	}
	slices.Sort(pairs)
	return pairs
}
