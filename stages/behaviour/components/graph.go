package components

import (
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// modelGraph is a model in which paths are replaced. Nodes and edges are only marked as gone, so that
// their numbers stay valid.
type modelGraph struct {
	nodes     []graphNode
	edges     []graphEdge
	variables []Variable
}

// graphNode is a state.
type graphNode struct {
	accepting, initial, gone bool
	out, in                  []int // edges that leave it
}

// graphEdge is a transition.
type graphEdge struct {
	label  uint32
	target int // a node, or none
	step   Step
}

// none is neither a node nor an edge.
const none = -1

// fragmentGraph is a part of the graph under construction. Each of its ends is either a node, or an edge
// that still lacks its source or its target.
// With edges as ends, two parts are joined by one node and not by a silent step between two, so that the result needs
// no minimisation.
type fragmentGraph struct {
	first, last int // edges, or none
	start, end  int // nodes, or none
}

// newGraph copies an automaton; edge n is transition n as long as no path was replaced.
func newGraph(a *language.Automaton) *modelGraph {
	g := new(modelGraph)
	for _, accepting := range a.Accepting {
		g.nodes = append(g.nodes, graphNode{accepting: accepting})
	}
	for _, s := range a.Initial {
		g.nodes[s].initial = true
	}
	for t, s := range a.Source() {
		n := g.addEdge(a.Label[t])
		g.nodes[s].out = append(g.nodes[s].out, n)
		g.setTarget(n, int(a.Target[t]))
	}
	return g
}

// addNode adds a node and returns its number.
func (g *modelGraph) addNode(accepting bool) int {
	g.nodes = append(g.nodes, graphNode{accepting: accepting})
	return len(g.nodes) - 1
}

// addEdge adds an edge without ends.
func (g *modelGraph) addEdge(label uint32) int {
	g.edges = append(g.edges, graphEdge{label: label, target: none})
	return len(g.edges) - 1
}

// setSource lets an edge n leave a node p.
func (g *modelGraph) setSource(p, n int) { g.nodes[p].out = append(g.nodes[p].out, n) }

// setTarget lets an edge n lead to a node p.
func (g *modelGraph) setTarget(n, p int) {
	g.edges[n].target = p
	g.nodes[p].in = append(g.nodes[p].in, n)
}

// edgesInto returns the edges to a node, and drops those that were redirected.
// Redirecting an edge leaves its number in the list of its old target; it is dropped here, when somebody asks.
func (g *modelGraph) edgesInto(p int) []int {
	g.nodes[p].in = slices.DeleteFunc(g.nodes[p].in, func(n int) bool { return g.edges[n].target != p })
	return g.nodes[p].in
}

// mergeNodes moves all edges of one node to another.
func (g *modelGraph) mergeNodes(gone, kept int) {
	g.nodes[gone].gone = true
	g.nodes[kept].out = append(g.nodes[kept].out, g.nodes[gone].out...)
	for _, n := range slices.Clone(g.edgesInto(gone)) {
		g.setTarget(n, kept)
	}
}

// cutPath removes the edges of a path and the nodes between, and returns where it led. At that time edges
// still have the numbers of the transitions.
func (g *modelGraph) cutPath(p linearPath) (to int) {
	last := len(p.steps) - 1
	to = g.edges[p.steps[last]].target
	for i, t := range p.steps {
		if i < last {
			g.nodes[g.edges[t].target].gone = true
		}
		g.edges[t].target = none
	}
	from := &g.nodes[p.from]
	from.out = slices.DeleteFunc(from.out, func(n int) bool { return n == int(p.steps[0]) })
	return to
}

// joinStrands puts one part behind another. Where two nodes meet, the second is merged into the first if
// that is allowed; otherwise a silent step connects them.
// mayMerge is false where a node has further edges outside the part: merging it would add words.
func (g *modelGraph) joinStrands(a, b fragmentGraph, mayMerge bool) fragmentGraph {
	out := fragmentGraph{a.first, b.last, a.start, b.end}
	switch {
	case a.last != none && b.first != none: // two loose edges: a new node between them
		p := g.addNode(false)
		g.setTarget(a.last, p)
		g.setSource(p, b.first)
	case a.last != none: // the edge leads into the other part's node
		g.setTarget(a.last, b.start)
	case b.first != none: // the edge leaves this part's node
		g.setSource(a.end, b.first)
	case mayMerge:
		g.mergeNodes(b.start, a.end)
		if b.start == b.end {
			out.end = a.end
		}
	default:
		n := g.addEdge(language.Tau)
		g.setSource(a.end, n)
		g.setTarget(n, b.start)
	}
	return out
}

// toModel returns the graph as a model.
func (g *modelGraph) toModel(component string) *Model {
	// 1. Number the nodes that are left.
	var b language.Builder
	number := make([]int32, len(g.nodes))
	for i, p := range g.nodes {
		if !p.gone {
			if number[i] = b.State(p.accepting); p.initial {
				b.Initial(number[i])
			}
		}
	}
	// 2. Copy the edges that are left. Their order in the automaton is another one, so that steps are found by key.
	steps := make(map[transitionKey]Step)
	for i, p := range g.nodes {
		for _, n := range p.out {
			if t := g.edges[n]; !p.gone {
				b.Transition(number[i], t.label, number[t.target])
				steps[transitionKey{number[i], number[t.target], t.label}] = t.step
			}
		}
	}
	return withData(component, b.Automaton(), g.variables, steps)
}

// addCounter adds a variable that counts to a maximum.
func (g *modelGraph) addCounter(most int) int {
	name := "cnt"
	if n := len(g.variables); n > 0 {
		name = fmt.Sprint("cnt", n+1)
	}
	g.variables = append(g.variables, Variable{name, int32(most)})
	return len(g.variables) - 1
}

// graphWeaver builds parts of the graph from the terms that represent the word of a path.
type graphWeaver struct {
	*modelGraph
	path   linearPath
	accept []bool // by letter: whether a word may end behind it
	data   bool   // whether repetitions are counted by variables
}

// replacePath puts a representation of the word of a path in its place.
func (g *modelGraph) replacePath(p linearPath, repeats term, data bool) {
	w := graphWeaver{g, p, make([]bool, len(p.steps)), data}
	for i, t := range p.steps {
		w.accept[i] = g.nodes[g.edges[t].target].accepting
	}
	from, to := int(p.from), g.cutPath(p)
	woven := g.joinStrands(fragmentGraph{none, none, from, from}, w.weaveTerm(repeats), false)
	g.joinStrands(woven, fragmentGraph{none, none, to, to}, false)
}

// weaveTerm builds the part for a term.
func (w *graphWeaver) weaveTerm(t term) fragmentGraph {
	switch {
	case t.letter >= 0: // one event
		return w.weaveLetter(t.letter)
	case t.repeated == nil: // a sequence
		return w.weaveSequence(len(t.sequence), func(i int) fragmentGraph { return w.weaveTerm(t.sequence[i]) })
	case t.count == 0: // any number of times
		return w.weaveLoop(*t.repeated)
	case t.count == 1 || !w.data: // written out
		return w.weaveSequence(t.count, func(int) fragmentGraph { return w.weaveTerm(*t.repeated) })
	}
	return w.weaveCounted(*t.repeated, t.count)
}

// weaveLetter builds an edge, and the accepting node behind it unless the next part has it.
func (w *graphWeaver) weaveLetter(i int) fragmentGraph {
	n := w.addEdge(w.edges[w.path.steps[i]].label)
	if !w.accept[i] || i == len(w.accept)-1 {
		return fragmentGraph{n, n, none, none}
	}
	p := w.addNode(true)
	w.setTarget(n, p)
	return fragmentGraph{n, none, none, p}
}

// weaveSequence joins parts one behind the other.
func (w *graphWeaver) weaveSequence(length int, part func(int) fragmentGraph) fragmentGraph {
	all := part(0)
	for i := 1; i < length; i++ {
		all = w.joinStrands(all, part(i), true)
	}
	return all
}

// weaveLoop allows a term any number of times. The part begins and ends at one node.
func (w *graphWeaver) weaveLoop(t term) fragmentGraph {
	s := w.weaveTerm(t)
	at := s.start
	switch {
	case s.first != none && s.last != none: // a loose edge at both ends: a node closes the loop
		at = w.addNode(false)
		w.setSource(at, s.first)
		w.setTarget(s.last, at)
	case s.first != none:
		at = s.end
		w.setSource(at, s.first)
	case s.last != none:
		w.setTarget(s.last, at)
	case s.start != s.end:
		w.mergeNodes(s.end, at)
	}
	return fragmentGraph{none, none, at, at}
}

// weaveCounted allows a term exactly count times: a loop that a variable counts. A silent step leads into
// it and, when the count is reached, another one out of it.
func (w *graphWeaver) weaveCounted(t term, count int) fragmentGraph {
	at := w.weaveLoop(t).start
	// A further round is possible while the counter is below its maximum, and every round counts one.
	v, full := w.addCounter(count), int32(count)
	for _, n := range w.nodes[at].out {
		w.edges[n].step.When = append(w.edges[n].step.When, Guard{v, true, full})
	}
	for _, n := range w.edgesInto(at) {
		w.edges[n].step.Do = append(w.edges[n].step.Do, Update{v, true, 1})
	}
	// The loop is left only when the counter is full, which also resets it for the next time.
	in, out := w.addEdge(language.Tau), w.addEdge(language.Tau)
	w.setTarget(in, at)
	w.setSource(at, out)
	w.edges[out].step = Step{[]Guard{{v, false, full}}, []Update{{v, false, 0}}}
	return fragmentGraph{in, out, none, none}
}
