package ltsdiff

import (
	"cmp"
	"slices"
)

// Rewrite makes a difference smaller without changing the language of any side, where Skip is the empty
// word. It untangles states, joins equal transitions and folds skip patterns, in this order, again and again until
// nothing changes.
//
// A state that a skip was led through is then on sides that have no number for it.
func (d *Difference) Rewrite() {
	w := newRewriter(d)
	for changed, rounds := true, 0; changed && rounds <= len(d.Steps); rounds++ {
		changed = w.untangle()
		changed = w.redundant() || changed
		changed = w.fold(fork) || changed
		changed = w.fold(join) || changed
	}
	w.finish(d)
}

// view is a direction to look at transitions in: fork from their sources, join from their targets.
type view int

const (
	fork view = iota
	join
)

// rewriter is a difference that changes.
type rewriter struct {
	states []State
	gone   []bool // by state
	steps  []Step
	dead   []bool       // by step
	at     [2][][]int32 // by view and state: the steps that start or end there
	region region
	all    Sides
}

func newRewriter(d *Difference) *rewriter {
	w := &rewriter{states: d.States, gone: make([]bool, len(d.States)), all: 1<<d.Sides - 1}
	w.at[fork], w.at[join] = make([][]int32, len(d.States)), make([][]int32, len(d.States))
	for _, s := range d.Steps {
		w.add(s)
	}
	return w
}

// near is the end of a step where it is listed in a view, far the other one.
func (v view) near(s *Step) int32 {
	if v == fork {
		return s.Source
	}
	return s.Target
}

func (v view) far(s *Step) int32 { return (1 - v).near(s) }

func (w *rewriter) add(s Step) {
	n := int32(len(w.steps))
	w.steps, w.dead = append(w.steps, s), append(w.dead, false)
	w.at[fork][s.Source] = append(w.at[fork][s.Source], n)
	w.at[join][s.Target] = append(w.at[join][s.Target], n)
}

func (w *rewriter) remove(n int32) {
	s := &w.steps[n]
	w.dead[n] = true
	for v, end := range []int32{s.Source, s.Target} {
		i := slices.Index(w.at[v][end], n)
		w.at[v][end] = slices.Delete(w.at[v][end], i, i+1)
	}
}

// byLabel are the steps at a state in runs of equal labels.
func (w *rewriter) byLabel(v view, state int32) []int32 {
	list := slices.Clone(w.at[v][state])
	slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(w.steps[a].Label, w.steps[b].Label) })
	return list
}

// finish writes back what is left, states in the order they came.
func (w *rewriter) finish(d *Difference) {
	place := make([]int32, len(w.states))
	d.States = d.States[:0]
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
	d.Steps = combine(d.Steps)
}

// redundant makes one transition of several with equal labels between the same states.
func (w *rewriter) redundant() bool {
	changed := false
	for s := range w.states {
		if len(w.at[fork][s]) < 2 {
			continue
		}
		list := slices.Clone(w.at[fork][s])
		slices.SortStableFunc(list, func(a, b int32) int { return w.steps[a].compare(w.steps[b].Transition) })
		for i := 1; i < len(list); i++ {
			if w.steps[list[i]].Transition == w.steps[list[i-1]].Transition {
				w.steps[list[i-1]].join(&w.steps[list[i]])
				w.remove(list[i])
				list[i] = list[i-1]
				changed = true
			}
		}
	}
	return changed
}
