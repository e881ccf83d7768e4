package ltsdiff

import "slices"

// fold replaces skip patterns. Seen as forks: a state s has two transitions with the same label, on different
// sides, to the states L and R, and from R it goes on to L. Then one transition into R does for both, and
// those who went to L directly skip from R to L. A join is the same against the arrows.
func (w *rewriter) fold(v view) bool {
	changed := false
	for s := range int32(len(w.states)) {
		if len(w.at[v][s]) < 2 {
			continue
		}
		list := w.byLabel(v, s)
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

// foldRun replaces patterns among transitions with the same label, as long as no more than crowd of them
// are left out by a side.
func (w *rewriter) foldRun(v view, run []int32) bool {
	run = slices.DeleteFunc(run, func(n int32) bool { return w.steps[n].Sides == w.all })
	if len(run) < 2 || len(run) > crowd {
		return false
	}
	changed := false
	for i, left := range run {
		for j, right := range run {
			if i != j && !w.dead[right] && w.skips(v, &w.steps[left], &w.steps[right]) {
				run[j] = w.replace(v, left, right)
				changed = true
				break
			}
		}
	}
	return changed
}

// skips says whether two transitions at a state, with the same label, are a skip pattern. Only right
// leads into R, R is not initial, and what goes on from R is on no side that right is not on.
func (w *rewriter) skips(v view, left, right *Step) bool {
	s, l, r := v.near(left), v.far(left), v.far(right)
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
	return w.skippable(v, r, l, s)
}

// replace folds a pattern and returns the transition that is now in the place of right.
func (w *rewriter) replace(v view, left, right int32) int32 {
	a, b := w.steps[left], w.steps[right]
	w.remove(left)
	w.remove(right)
	l, r := v.far(&a), v.far(&b)
	skip := Step{Transition{r, Skip, l}, a.Sides, filled(len(a.Number))}
	if v == join {
		skip.Source, skip.Target = l, r
	}
	w.states[r].Sides |= a.Sides
	b.join(&a)
	w.add(b)
	w.add(skip)
	return int32(len(w.steps) - 2)
}
