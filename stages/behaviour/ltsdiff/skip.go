package ltsdiff

import (
	"slices"
)

// foldSkips replaces skip patterns and reports whether there were any. As a fork: a state s has two transitions
// with the same label, on different sides, to the states L and R, and from R the automaton continues to L. Then one
// transition into R serves both, and the sides that went directly to L skip from R to L. A join is the same with
// all arrows reversed.
func (w *rewriter) foldSkips(v view) bool {
	changed := false
	for s := range int32(len(w.states)) {
		if len(w.at[v][s]) < 2 {
			continue
		}
		// Only transitions with one label can be a pattern.
		list := w.stepsByLabel(v, s)
		for from := 0; from < len(list); {
			to := from + 1
			for to < len(list) && w.steps[list[to]].Label == w.steps[list[from]].Label {
				to++
			}
			changed = w.foldRun(v, list[from:to]) || changed
			from = to
		}
	}
	return changed
}

// foldRun replaces patterns among transitions with the same label, unless more than maxNeighbourPairs of them are
// missing on some side. It reports whether there were any.
func (w *rewriter) foldRun(v view, run []int32) bool {
	// What all sides have cannot be skipped by any.
	run = slices.DeleteFunc(run, func(n int32) bool { return w.steps[n].Sides == w.all })
	if len(run) < 2 || len(run) > maxNeighbourPairs {
		return false
	}
	changed := false
	for i, left := range run {
		for j, right := range run {
			if i != j && !w.dead[right] && w.isSkipPattern(v, &w.steps[left], &w.steps[right]) {
				run[j] = w.replacePattern(v, left, right)
				changed = true
				break
			}
		}
	}
	return changed
}

// isSkipPattern reports whether two transitions at a state, with the same label, are a skip pattern: only right
// leads into R, R is not initial, and the transitions that continue from R exist on no side where right does not.
func (w *rewriter) isSkipPattern(v view, left, right *Step) bool {
	s, l, r := v.nearEnd(left), v.farEnd(left), v.farEnd(right)
	if left.Sides&right.Sides != 0 || s == l || s == r || l == r {
		return false
	}
	if w.states[r].Initial != 0 || len(w.at[1-v][r]) > 1 || w.states[l].Accepting != w.states[r].Accepting {
		return false
	}
	for _, n := range w.at[v][r] {
		if w.steps[n].Sides&^right.Sides != 0 {
			return false
		}
	}
	return w.hasSkippableRegion(v, r, l, s)
}

// replacePattern folds a pattern and returns the step that now stands for right.
func (w *rewriter) replacePattern(v view, left, right int32) int32 {
	// 1. Both transitions go; 2. one that serves both comes, and 3. a skip for the sides of the direct one.
	a, b := w.steps[left], w.steps[right]
	w.removeStep(left)
	w.removeStep(right)
	l, r := v.farEnd(&a), v.farEnd(&b)
	skip := Step{Transition{r, Skip, l}, a.Sides, filledWithNone(len(a.Number))}
	if v == join {
		skip.Source, skip.Target = l, r
	}
	w.states[r].Sides |= a.Sides
	b.addSides(&a)
	w.addStep(b)
	w.addStep(skip)
	return int32(len(w.steps) - 2)
}

// regionLimit is how many states may be reached from R without passing L: beyond it, nothing is folded. gLTSdiff
// has no limit and walks through the whole automaton for every pattern.
const regionLimit = 4096

// region is the set of states between R and L of a skip pattern. Its slices are reused from search to search; marks
// of older searches are recognised by their number and need no clearing.
type region struct {
	r, l, s       int32   // the states where the pattern is left, where it ends, and where it forks
	search        int32   // number of the current search
	ahead, behind []int32 // by state: the last search that met it on the way from R, and on the way back from L
	queue         []int32 // states met on the last way
}

// hasSkippableRegion reports whether there is something to skip from r to l: transitions between the two, or states
// on the paths from r to l that avoid s, if those states are entered only from r or each other and left only to l
// or each other.
func (w *rewriter) hasSkippableRegion(v view, r, l, s int32) bool {
	g := &w.region
	for len(g.ahead) < len(w.states) {
		g.ahead, g.behind = append(g.ahead, 0), append(g.behind, 0)
	}
	g.r, g.l, g.s = r, l, s
	g.search++
	// 1. From r ahead: l must be reached.
	if !w.exploreRegion(v, g.ahead, r, l) || g.ahead[l] != g.search {
		return false
	}
	// 2. From l back, within what was reached.
	w.exploreRegion(1-v, g.behind, l, r)
	// 3. What lies in both must be closed towards the rest of the automaton.
	between := 0
	for _, x := range g.queue {
		if g.isBetween(x) {
			between++
			if !w.isEnclosed(v, x, l) || !w.isEnclosed(1-v, x, r) {
				return false
			}
		}
	}
	return between > 0 || len(g.queue) == 2
}

// exploreRegion meets the states that can be reached from one, but continues neither from s nor from the other end.
// On the way back it meets only what was met on the way ahead. It returns false if there are more than regionLimit.
func (w *rewriter) exploreRegion(v view, met []int32, from, end int32) bool {
	g := &w.region
	g.queue = append(g.queue[:0], from)
	met[from] = g.search
	for i := 0; i < len(g.queue); i++ {
		x := g.queue[i]
		if x == end || x == g.s {
			continue
		}
		for _, n := range w.at[v][x] {
			y := v.farEnd(&w.steps[n])
			if met[y] != g.search && (from == g.r || g.ahead[y] == g.search) {
				met[y] = g.search
				g.queue = append(g.queue, y)
			}
		}
		if len(g.queue) > regionLimit {
			return false
		}
	}
	return true
}

// isBetween reports whether a state lies between r and l.
func (g *region) isBetween(x int32) bool {
	return g.ahead[x] == g.search && g.behind[x] == g.search && x != g.r && x != g.l && x != g.s
}

// isEnclosed reports whether all steps of a state in a view lead to states between r and l, or to an end.
func (w *rewriter) isEnclosed(v view, x, end int32) bool {
	for _, n := range w.at[v][x] {
		if y := v.farEnd(&w.steps[n]); y != end && !w.region.isBetween(y) {
			return false
		}
	}
	return true
}
