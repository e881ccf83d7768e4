package ltsdiff

import (
	"cmp"
	"slices"
)

// Rewrite makes a difference smaller without changing the language of any side, where Skip is the empty word (weak
// language). It splits mixed states, joins equal transitions and folds skip patterns, in this order, again and
// again until nothing changes: the rewriters of gLTSdiff.
//
// A state that a skip was led through is then on sides that have no number for it.
func (d *Difference) Rewrite() {
	w := newRewriter(d)
	// The bound on rounds only guards against an endless loop: each round removes transitions or splits states.
	for changed, rounds := true, 0; changed && rounds <= len(d.Steps); rounds++ {
		changed = w.splitMixedStates()
		changed = w.joinRedundant() || changed
		changed = w.foldSkips(fork) || changed
		changed = w.foldSkips(join) || changed
	}
	w.writeBack(d)
}

// view is a direction in which transitions are seen: as forks from their sources, or as joins at their targets.
// Every rewriter is written once for both.
type view int

const (
	fork view = iota
	join
)

// rewriter is a difference while it is rewritten. Steps are never moved: a removed one is marked dead, so that
// their numbers stay valid.
type rewriter struct {
	states []State
	gone   []bool // by state: whether it was split
	steps  []Step
	dead   []bool       // by step: whether it was removed
	at     [2][][]int32 // by view and state: the living steps that start or end there
	region region       // scratch of hasSkippableRegion
	all    Sides        // the set of all sides
}

// newRewriter lists the steps of a difference at both of their ends.
func newRewriter(d *Difference) *rewriter {
	w := &rewriter{states: d.States, gone: make([]bool, len(d.States)), all: 1<<d.Sides - 1}
	w.at[fork], w.at[join] = make([][]int32, len(d.States)), make([][]int32, len(d.States))
	for _, s := range d.Steps {
		w.addStep(s)
	}
	return w
}

// nearEnd returns the end of a step under which it is listed in a view.
func (v view) nearEnd(s *Step) int32 {
	if v == fork {
		return s.Source
	}
	return s.Target
}

// farEnd returns the other end.
func (v view) farEnd(s *Step) int32 { return (1 - v).nearEnd(s) }

// addStep appends a step.
func (w *rewriter) addStep(s Step) {
	n := int32(len(w.steps))
	w.steps, w.dead = append(w.steps, s), append(w.dead, false)
	w.at[fork][s.Source] = append(w.at[fork][s.Source], n)
	w.at[join][s.Target] = append(w.at[join][s.Target], n)
}

// removeStep marks a step as dead. O(degree of its ends).
func (w *rewriter) removeStep(n int32) {
	s := &w.steps[n]
	w.dead[n] = true
	for v, end := range []int32{s.Source, s.Target} {
		i := slices.Index(w.at[v][end], n)
		w.at[v][end] = slices.Delete(w.at[v][end], i, i+1)
	}
}

// stepsByLabel returns the steps at a state in runs of equal labels. The slice is a copy.
func (w *rewriter) stepsByLabel(v view, state int32) []int32 {
	// The list changes while steps are removed.
	list := slices.Clone(w.at[v][state])
	slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(w.steps[a].Label, w.steps[b].Label) })
	return list
}

// writeBack stores what is left, states in the order they came.
func (w *rewriter) writeBack(d *Difference) {
	place := make([]int32, len(w.states))
	d.States = d.States[:0]
	// 1. Number the states that are left, 2. move the steps to these numbers.
	for s := range w.states {
		place[s] = int32(len(d.States))
		if !w.gone[s] {
			d.States = append(d.States, w.states[s])
		}
	}
	d.Steps = d.Steps[:0]
	for n, s := range w.steps {
		if !w.dead[n] {
			s.Source, s.Target = place[s.Source], place[s.Target]
			d.Steps = append(d.Steps, s)
		}
	}
	d.Steps = combineSteps(d.Steps)
}

// joinRedundant makes one transition of several with equal labels between the same states, and reports whether
// there were any.
func (w *rewriter) joinRedundant() bool {
	changed := false
	for s := range w.states {
		if len(w.at[fork][s]) < 2 {
			continue
		}
		list := slices.Clone(w.at[fork][s])
		slices.SortStableFunc(list, func(a, b int32) int { return w.steps[a].compare(w.steps[b].Transition) })
		for i := 1; i < len(list); i++ {
			if w.steps[list[i]].Transition == w.steps[list[i-1]].Transition {
				w.steps[list[i-1]].addSides(&w.steps[list[i]])
				w.removeStep(list[i])
				list[i] = list[i-1]
				changed = true
			}
		}
	}
	return changed
}

// splitMixedStates splits the unchanged states that have no unchanged transition, but added and removed ones: into
// one state that is added and one that is removed. Such a state was matched by mistake. It reports whether there
// were any.
func (w *rewriter) splitMixedStates() bool {
	changed := false
	for s := range int32(len(w.states)) {
		if !w.gone[s] && w.states[s].Sides.Kind() == Unchanged && w.isMixed(s) {
			w.splitState(s, ^Sides(1))
			w.splitState(s, 1)
			w.gone[s] = true
			changed = true
		}
	}
	return changed
}

// isMixed reports whether a state has added and removed transitions and no unchanged one.
func (w *rewriter) isMixed(s int32) bool {
	var seen [3]bool
	for _, list := range [][]int32{w.at[fork][s], w.at[join][s]} {
		for _, n := range list {
			if seen[w.steps[n].Sides.Kind()] = true; seen[Unchanged] {
				return false
			}
		}
	}
	return seen[Added] && seen[Removed]
}

// splitState makes a state for some sides of a mixed one, which takes over their transitions.
func (w *rewriter) splitState(s int32, sides Sides) {
	c := w.states[s]
	c.Sides, c.Initial, c.Number = c.Sides&sides, c.Initial&sides, slices.Clone(c.Number)
	for side := range c.Number {
		if sides>>side&1 == 0 {
			c.Number[side] = None
		}
	}
	part := int32(len(w.states))
	w.states, w.gone = append(w.states, c), append(w.gone, false)
	w.at[fork], w.at[join] = append(w.at[fork], nil), append(w.at[join], nil)
	// A loop is listed in both views, and must move both of its ends.
	for _, v := range []view{join, fork} {
		for _, n := range slices.Clone(w.at[v][s]) {
			if step := w.steps[n]; step.Sides&sides != 0 {
				w.removeStep(n)
				if v == fork {
					step.Source = part
				} else {
					step.Target = part
				}
				w.addStep(step)
			}
		}
	}
}
