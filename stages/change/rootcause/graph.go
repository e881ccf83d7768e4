package rootcause

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// nodeAt is a service fragment, or a function that another component waits for and that runs inside of fragments, as
// callbacks do.
type node struct {
	name, component, function string
	row                       *costChange   // of the fragment as a whole, or nil
	own                       []*costChange // its steps of own time
	waits                     []*wait       // by callee
	callers                   []*node
	base, cand, diffNs        float64 // inclusive costs, and their difference
	nested                    bool    // inside of fragments

	seen   bool   // by the walk
	left   bool   // by the walk, too
	parts  []part // what the findings contribute to the difference, by cause
	before []part // in the pass before
	taken  []part // on ways back
	whole  *cause // the finding that is the fragment itself, if it is diffuse
	restNs float64
	under  *cause // the diffuse finding on it or above it
}

// wait is what a fragment waits in for one callee.
type wait struct {
	awaited             string   // "component.function"
	component, function string   // the same taken apart
	calls               []string // the names that the caller has for it: those of the calls in which it waits
	caller, callee      *node    // callee is nil where no trace has it
	steps               []*costChange
	base, cand, diffNs  float64
	messages            []*costChange // that go between the two
	messageShare        float64       // of their cost, that falls into this wait
}

// route identifies the messages from one component to another that start or reply to one function.
type route struct{ receiver, sender, function string }

// placeSubject files a subject under its fragment, its messages or its steps. Metrics and parts of critical paths are
// no part of the account: they only inherit.
func (gr *graph) placeSubject(g *costChange) {
	c := g.Change
	switch c.Level {
	case schema.LevelFragment:
		n := gr.nodeAt(c)
		n.row, n.function = g, cmp.Or(c.Function, n.function)
	case schema.LevelTransition:
		n := gr.nodeAt(c)
		if g.Awaited != "" {
			gr.addWait(n, g)
			return
		}
		n.own = append(n.own, g)
		gr.steps[g.owner] = append(gr.steps[g.owner], g)
	case schema.LevelMessage:
		at := route{c.Component, c.Peer, c.Function}
		gr.messages[at] = append(gr.messages[at], g)
	}
}

// nodeAt returns the fragment that a change is in, and adds it where it is new. The function of a fragment is part of its
// name, see schema.FragmentName.
func (gr *graph) nodeAt(c *schema.Change) *node {
	n := gr.nodes[c.Fragment]
	if n == nil {
		n = &node{name: c.Fragment, component: c.Component}
		n.function, _, _ = strings.Cut(strings.TrimPrefix(c.Fragment, c.Component+"."), " ")
		gr.nodes[c.Fragment] = n
	}
	return n
}

// addWait adds a step in which a fragment waits.
func (gr *graph) addWait(n *node, g *costChange) {
	w := n.waitFor(g.Awaited)
	if w == nil {
		w = &wait{awaited: g.Awaited, caller: n}
		w.component, w.function = gr.splitAwaited(g.Awaited)
		n.waits = append(n.waits, w)
	}
	w.steps = append(w.steps, g)
	if call := callOf(g, w.function); !slices.Contains(w.calls, call) {
		w.calls = append(w.calls, call)
		at := place{component: n.component, function: call}
		gr.blocking[at] = append(gr.blocking[at], w)
	}
}

// callOf returns the name that the caller has for what it waits for, which may be another one than that of the function that
// received the call: the step that ends the wait bears it. Steps within the wait are those of callbacks.
func callOf(g *costChange, awaited string) string {
	if c := g.Change; c.Kind == schema.KindWords[schema.Exit] && c.Direction == schema.DirectionWords[schema.Receive] {
		return c.Function
	}
	return awaited
}

// waitFor returns the wait for a callee, or nil.
func (n *node) waitFor(awaited string) *wait {
	for _, w := range n.waits {
		if w.awaited == awaited {
			return w
		}
	}
	return nil
}

// splitAwaited splits "component.function". Both may contain points, so the longest known component counts.
func (gr *graph) splitAwaited(awaited string) (component, function string) {
	for at := len(awaited); ; {
		if at = strings.LastIndexByte(awaited[:at], '.'); at < 0 {
			component, function, _ = strings.Cut(awaited, ".")
			return component, function
		}
		if gr.components[awaited[:at]] {
			return awaited[:at], awaited[at+1:]
		}
	}
}

// connectCallees sums up the steps of every wait, finds the fragment that it waits for and the messages between both.
func (gr *graph) connectCallees() {
	nested := make(map[string]*node)
	shared := make(map[route][]*wait)
	for _, name := range slices.Sorted(maps.Keys(gr.nodes)) {
		n := gr.nodes[name]
		slices.SortFunc(n.waits, func(a, b *wait) int { return cmp.Compare(a.awaited, b.awaited) })
		for _, w := range n.waits {
			for _, g := range w.steps {
				w.base, w.cand = w.base+g.base.CostNs, w.cand+g.cand.CostNs
			}
			w.diffNs = w.cand - w.base
			w.messages = slices.Clip(gr.messages[route{w.component, n.component, w.function}])
			for _, call := range w.calls {
				w.messages = append(w.messages, gr.messages[route{n.component, w.component, call}]...)
			}
			key := route{w.component, n.component, w.function}
			shared[key] = append(shared[key], w)
			if w.callee = gr.calleeOf(w, nested); w.callee != nil {
				w.callee.callers = append(w.callee.callers, n)
			}
		}
		n.sumCosts()
	}
	for _, list := range shared {
		divideMessages(list)
	}
	gr.fragmentsOf = make(map[place][]*node)
	for _, n := range gr.nodesByName() {
		at, moved := gr.renamed[n.component+"."+n.function]
		if !moved {
			at = place{component: n.component, function: n.function}
		}
		gr.fragmentsOf[at] = append(gr.fragmentsOf[at], n)
	}
	maps.Copy(gr.nodes, nested)
}

// calleeOf returns the fragment that a fragment waits for. Where the function runs inside of fragments it is what they
// spend in it.
func (gr *graph) calleeOf(w *wait, nested map[string]*node) *node {
	if n := gr.nodes[schema.FragmentName(w.component, w.function, schema.Receive, w.caller.component)]; n != nil {
		return n
	}
	name := w.awaited + " inside"
	if n := nested[name]; n != nil {
		return n
	}
	steps := gr.steps[place{component: w.component, function: w.function}]
	if len(steps) == 0 {
		return nil
	}
	n := &node{name: name, component: w.component, function: w.function, own: steps, nested: true}
	n.sumCosts()
	nested[name] = n
	return n
}

// sumCosts sets the inclusive costs: those of the fragment as a whole, or the sums of all steps where the whole is unknown.
func (n *node) sumCosts() {
	if n.row != nil {
		n.base, n.cand, n.diffNs = n.row.base.CostNs, n.row.cand.CostNs, n.row.diffNs
		return
	}
	for _, g := range n.own {
		n.base, n.cand = n.base+g.base.CostNs, n.cand+g.cand.CostNs
	}
	for _, w := range n.waits {
		n.base, n.cand = n.base+w.base, n.cand+w.cand
	}
	n.diffNs = n.cand - n.base
}

// divideMessages shares the messages of waits for one callee among them, by how much of the difference each has, or where they
// have none, of the time.
func divideMessages(list []*wait) {
	diff, time := 0.0, 0.0
	for _, w := range list {
		diff += math.Abs(w.diffNs)
		time += w.base + w.cand
	}
	for _, w := range list {
		switch {
		case diff > 0:
			w.messageShare = math.Abs(w.diffNs) / diff
		case time > 0:
			w.messageShare = (w.base + w.cand) / time
		}
	}
}

// nodesByName returns all fragments in the order of their names, so that maps leave no trace in the results.
func (gr *graph) nodesByName() []*node {
	out := make([]*node, 0, len(gr.nodes))
	for _, name := range slices.Sorted(maps.Keys(gr.nodes)) {
		out = append(out, gr.nodes[name])
	}
	return out
}

// maxLinks bounds the fragments that a chain names: a reader follows eight, not eighty.
const maxLinks = 8

// nameChain names the fragments from a node up to an initial one. Above holds the next fragment on the shortest way.
func nameChain(n *node, above map[*node]*node) string {
	var links []string
	for ; n != nil; n = above[n] {
		if len(links) == maxLinks {
			links = append(links, "...")
			break
		}
		links = append(links, n.component+"."+n.function)
	}
	return strings.Join(links, " < ")
}

// waysUp finds the shortest ways from fragments that pass to initial ones, by breadth-first search from the initial ones in
// the order of names. It costs one visit a fragment and a wait.
func (gr *graph) waysUp(pass func(*node) bool) map[*node]*node {
	above := make(map[*node]*node)
	var queue []*node
	for _, n := range gr.nodesByName() {
		if n.initialRank() == 1 && pass(n) {
			above[n] = nil
			queue = append(queue, n)
		}
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, w := range n.waits {
			if _, known := above[w.callee]; w.callee != nil && !known && pass(w.callee) {
				above[w.callee] = n
				queue = append(queue, w.callee)
			}
		}
	}
	return above
}
