package components

import (
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// graph is a model in which paths are replaced.
type graph struct {
	places    []place
	arrows    []arrow
	variables []Variable
}

type place struct {
	accepting, initial, gone bool
	out, in                  []int // arrows; of in only those that still have the place for their target
}

type arrow struct {
	label  uint32
	target int // a place, or nowhere
	step   Step
}

// nowhere is no place and no arrow.
const nowhere = -1

// strand is a part of the graph under construction. It begins and ends with either a place, or an arrow that has yet
// to get its source or its target.
type strand struct {
	first, last int // arrows, or nowhere
	start, end  int // places, or nowhere
}

func newGraph(a *language.Automaton) *graph {
	g := new(graph)
	for _, accepting := range a.Accepting {
		g.places = append(g.places, place{accepting: accepting})
	}
	for _, s := range a.Initial {
		g.places[s].initial = true
	}
	for t, s := range a.Source() {
		n := g.arrow(a.Label[t])
		g.places[s].out = append(g.places[s].out, n)
		g.aim(n, int(a.Target[t]))
	}
	return g
}

func (g *graph) place(accepting bool) int {
	g.places = append(g.places, place{accepting: accepting})
	return len(g.places) - 1
}

func (g *graph) arrow(label uint32) int {
	g.arrows = append(g.arrows, arrow{label: label, target: nowhere})
	return len(g.arrows) - 1
}

func (g *graph) leave(p, n int) { g.places[p].out = append(g.places[p].out, n) }

func (g *graph) aim(n, p int) {
	g.arrows[n].target = p
	g.places[p].in = append(g.places[p].in, n)
}

// into are the arrows to a place.
func (g *graph) into(p int) []int {
	g.places[p].in = slices.DeleteFunc(g.places[p].in, func(n int) bool { return g.arrows[n].target != p })
	return g.places[p].in
}

// merge moves all arrows of a place to another.
func (g *graph) merge(gone, kept int) {
	g.places[gone].gone = true
	g.places[kept].out = append(g.places[kept].out, g.places[gone].out...)
	for _, n := range slices.Clone(g.into(gone)) {
		g.aim(n, kept)
	}
}

// cut removes the arrows of a path and the places between, and returns where it led. The numbers of arrows are at first
// those of the transitions.
func (g *graph) cut(p path) (to int) {
	last := len(p.steps) - 1
	to = g.arrows[p.steps[last]].target
	for i, t := range p.steps {
		if i < last {
			g.places[g.arrows[t].target].gone = true
		}
		g.arrows[t].target = nowhere
	}
	from := &g.places[p.from]
	from.out = slices.DeleteFunc(from.out, func(n int) bool { return n == int(p.steps[0]) })
	return to
}

// join puts one strand behind another. Of two places that meet, the second goes if it may; else a silent step leads from one
// to the other.
func (g *graph) join(a, b strand, mayMerge bool) strand {
	out := strand{a.first, b.last, a.start, b.end}
	switch {
	case a.last != nowhere && b.first != nowhere:
		p := g.place(false)
		g.aim(a.last, p)
		g.leave(p, b.first)
	case a.last != nowhere:
		g.aim(a.last, b.start)
	case b.first != nowhere:
		g.leave(a.end, b.first)
	case mayMerge:
		g.merge(b.start, a.end)
		if b.start == b.end {
			out.end = a.end
		}
	default:
		n := g.arrow(language.Tau)
		g.leave(a.end, n)
		g.aim(n, b.start)
	}
	return out
}

// model is the graph as a model.
func (g *graph) model(component string) *Model {
	var b language.Builder
	number := make([]int32, len(g.places))
	for i, p := range g.places {
		if !p.gone {
			if number[i] = b.State(p.accepting); p.initial {
				b.Initial(number[i])
			}
		}
	}
	steps := make(map[way]Step)
	for i, p := range g.places {
		for _, n := range p.out {
			if t := g.arrows[n]; !p.gone {
				b.Transition(number[i], t.label, number[t.target])
				steps[way{number[i], number[t.target], t.label}] = t.step
			}
		}
	}
	return withData(component, b.Automaton(), g.variables, steps)
}

// counter is a new variable.
func (g *graph) counter(most int) int {
	name := "cnt"
	if n := len(g.variables); n > 0 {
		name = fmt.Sprint("cnt", n+1)
	}
	g.variables = append(g.variables, Variable{name, int32(most)})
	return len(g.variables) - 1
}
