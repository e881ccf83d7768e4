package ltsdiff

import (
	"cmp"
	"slices"
)

// numbering is an automaton with its states in an order that does not depend on the numbers they came with.
type numbering struct {
	*Automaton
	*colours
	old []int32 // by state here: its number there
}

// number orders states breadth-first from the initial ones, along labels, and then what cannot be
// reached. Fingerprints decide between states that this does not tell apart. Where they do not either, the
// states look alike to a depth of 16 transitions and the given order stays.
func number(a *Automaton) *numbering {
	c := newColours(a)
	deepest := c[len(depths)-1]
	w := &breadth{Automaton: a, colour: deepest, place: filled(int(a.States()))}
	roots := make([]int32, a.States())
	for s := range roots {
		roots[s] = int32(s)
	}
	slices.SortStableFunc(roots, func(x, y int32) int {
		return cmp.Or(flag(a.Initial[y])-flag(a.Initial[x]), cmp.Compare(deepest[x], deepest[y]))
	})
	for i, s := range roots {
		w.meet(s)
		if i+1 == len(roots) || !a.Initial[roots[i+1]] {
			w.walk()
		}
	}
	return w.renumbered(c)
}

// breadth is a breadth-first walk.
type breadth struct {
	*Automaton
	colour []uint64
	order  []int32
	place  []int32
	next   int
	arcs   []int32
}

func (w *breadth) meet(s int32) {
	if w.place[s] == None {
		w.place[s] = int32(len(w.order))
		w.order = append(w.order, s)
	}
}

func (w *breadth) walk() {
	for ; w.next < len(w.order); w.next++ {
		s := w.order[w.next]
		w.arcs = w.arcs[:0]
		for i := w.Out.Start[s]; i < w.Out.Start[s+1]; i++ {
			w.arcs = append(w.arcs, i)
		}
		slices.SortStableFunc(w.arcs, func(i, j int32) int {
			return cmp.Or(cmp.Compare(w.Out.Label[i], w.Out.Label[j]), cmp.Compare(w.colour[w.Out.End[i]], w.colour[w.Out.End[j]]))
		})
		for _, i := range w.arcs {
			w.meet(w.Out.End[i])
		}
	}
}

// renumbered makes the automaton in the order of the walk.
func (w *breadth) renumbered(c *colours) *numbering {
	n := &numbering{Automaton: &Automaton{}, colours: &colours{}, old: w.order}
	transitions := make([]Transition, 0, len(w.Out.End))
	for place, s := range w.order {
		n.Initial, n.Accepting = append(n.Initial, w.Initial[s]), append(n.Accepting, w.Accepting[s])
		for i := w.Out.Start[s]; i < w.Out.Start[s+1]; i++ {
			transitions = append(transitions, Transition{int32(place), w.Out.Label[i], w.place[w.Out.End[i]]})
		}
	}
	slices.SortFunc(transitions, Transition.compare)
	n.Out = sortArcs(len(w.order), transitions, func(t Transition) (int32, int32) { return t.Source, t.Target })
	n.In = sortArcs(len(w.order), transitions, func(t Transition) (int32, int32) { return t.Target, t.Source })
	for i := range depths {
		n.colours[i] = make([]uint64, len(w.order))
		for place, s := range w.order {
			n.colours[i][place] = c[i][s]
		}
	}
	return n
}

// compare orders numbered automata; only those that are the same are equal.
func (n *numbering) compare(o *numbering) int {
	flags := func(a, b bool) int { return flag(a) - flag(b) }
	return cmp.Or(
		slices.Compare(n.Out.Start, o.Out.Start), slices.Compare(n.Out.Label, o.Out.Label), slices.Compare(n.Out.End, o.Out.End),
		slices.CompareFunc(n.Initial, o.Initial, flags), slices.CompareFunc(n.Accepting, o.Accepting, flags))
}
