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
	for _, likeness := range []func(i, k int) float64{of.sameName, of.likeName} {
		for _, m := range mutuallyBest(len(base), len(cand), taken, likeness) {
			taken[0][m.Base], taken[1][m.Cand] = true, true
			moves = append(moves, m)
		}
	}
	slices.SortFunc(moves, func(a, b FunctionMove) int { return cmp.Compare(a.Base, b.Base) })
	return moves
}

// JoinedFunctions finds functions of the baseline that became one with a function that moved: they lay beside it under a name that is
// alike, nothing of the candidate is paired with them, and the function that moved is called about as often as all of them
// together. So it is where a file that was compiled twice under two names is compiled once. Each joins the function whose name is most alike,
// if only one is. A move in the result says which function of the candidate one of the baseline joined.
func JoinedFunctions(base, cand []Function, moves []FunctionMove) []FunctionMove {
	moved, paired := make(map[int]int), make(map[int]bool)
	for _, m := range moves {
		moved[m.Cand], paired[m.Base] = m.Base, true
	}
	of := newLikeness(base, cand)
	likeName := func(i, k int) float64 { return alike(&of.baseNames[i], &of.candNames[k]) }
	best := mutuallyBest(len(base), len(cand), [2]map[int]bool{paired, make(map[int]bool)}, likeName)
	var joined []FunctionMove
	for _, m := range best {
		first, isMoved := moved[m.Cand]
		if !isMoved || base[first].Component != base[m.Base].Component || likeName(m.Base, m.Cand) < renamedName {
			continue
		}
		together := Function{Calls: base[first].Calls + base[m.Base].Calls}
		if areCalledAlike(&together, &cand[m.Cand]) && apart(together.Calls, cand[m.Cand].Calls) < apart(base[first].Calls, cand[m.Cand].Calls) {
			joined = append(joined, m)
		}
	}
	return joined
}

// apart is how far two numbers of calls are apart, as the logarithm of their ratio.
func apart(a, b float64) float64 { return math.Abs(math.Log(a / b)) }

// likeness compares names and components. Pairs of letters that nearly all names share, such as those of a prefix of a library, say
// little: a pair weighs the logarithm of one plus the number of names by the number of those that have it.
type likeness struct {
	base, cand                     []Function
	baseNames, candNames           []spelling
	baseComponents, candComponents []spelling
}

func newLikeness(base, cand []Function) *likeness {
	l := &likeness{base: base, cand: cand}
	var names, components []string
	for _, f := range slices.Concat(base, cand) {
		names, components = append(names, f.Name), append(components, f.Component)
	}
	spelled, units := spell(names), spell(components)
	l.baseNames, l.candNames = spelled[:len(base)], spelled[len(base):]
	l.baseComponents, l.candComponents = units[:len(base)], units[len(base):]
	return l
}

// sameName is how likely a function moved to another component under its name, from 1 to 2; 0 where the names differ.
func (l *likeness) sameName(i, k int) float64 {
	if l.base[i].Name != l.cand[k].Name {
		return 0
	}
	return 1 + alike(&l.baseComponents[i], &l.candComponents[k])
}

// likeName is how likely a function was renamed, from 0 to 2; 0 where that is not likely enough. What costs least is asked first.
func (l *likeness) likeName(i, k int) float64 {
	if !areCalledAlike(&l.base[i], &l.cand[k]) {
		return 0
	}
	unit := alike(&l.baseComponents[i], &l.candComponents[k])
	if unit < renamedUnit {
		return 0
	}
	name := alike(&l.baseNames[i], &l.candNames[k])
	if name < renamedName {
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
func mutuallyBest(base, cand int, taken [2]map[int]bool, likeness func(i, k int) float64) (moves []FunctionMove) {
	type best struct {
		of    int
		score float64
		tied  bool
	}
	left, right := make([]best, base), make([]best, cand)
	note := func(at *best, other int, score float64) {
		switch {
		case score > at.score:
			*at = best{other, score, false}
		case score == at.score:
			at.tied = true
		}
	}
	for i := range base {
		if taken[0][i] {
			continue
		}
		for k := range cand {
			if taken[1][k] {
				continue
			}
			if score := likeness(i, k); score > 0 {
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

// spelling is a name as its pairs of adjacent letters and digits, whatever their case, sorted.
type spelling struct {
	name    string
	pairs   []string
	weights []float64 // of the pairs
}

// spell spells names, and weighs their pairs of letters.
func spell(names []string) []spelling {
	spelled, weights := make([]spelling, len(names)), make(map[string]float64)
	for i, name := range names {
		spelled[i] = spelling{name: name, pairs: letterPairs(name)}
		for _, pair := range slices.Compact(slices.Clone(spelled[i].pairs)) {
			weights[pair]++
		}
	}
	for pair, n := range weights {
		weights[pair] = math.Log1p(float64(len(names)) / n)
	}
	for i := range spelled {
		for _, pair := range spelled[i].pairs {
			spelled[i].weights = append(spelled[i].weights, weights[pair])
		}
	}
	return spelled
}

// alike compares two names by their pairs: twice the weight of the common ones divided by that of all of both (after Dice 1945,
// Ecology 26, 297-302). It is 1 for equal names and 0 for names without a common pair.
func alike(a, b *spelling) float64 {
	if a.name == b.name {
		return 1
	}
	common, all := 0., 0.
	for _, w := range a.weights {
		all += w
	}
	for _, w := range b.weights {
		all += w
	}
	for i, k := 0, 0; i < len(a.pairs) && k < len(b.pairs); {
		switch c := cmp.Compare(a.pairs[i], b.pairs[k]); {
		case c < 0:
			i++
		case c > 0:
			k++
		default:
			common, i, k = common+a.weights[i], i+1, k+1
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
