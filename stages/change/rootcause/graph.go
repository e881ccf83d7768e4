package rootcause

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// node is a service fragment, or a function that another component waits for and that runs inside of fragments, as
// callbacks do.
type node struct {
	name, component, function string
	row                       *figure   // of the fragment as a whole, or nil
	own                       []*figure // its steps of own time
	waits                     []*wait   // by callee
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
	awaited             string // "component.function"
	component, function string // the same taken apart
	caller, callee      *node  // callee is nil where no trace tells of it
	steps               []*figure
	base, cand, diffNs  float64
	messages            []*figure // that go between the two
	messageShare        float64   // of their cost, that falls into this wait
}

// route is what messages have in common.
type route struct{ receiver, sender, function string }

// place files a subject.
func (f *finder) place(g *figure) {
	c := g.Change
	switch c.Level {
	case schema.LevelFragment:
		n := f.node(c)
		n.row, n.function = g, cmp.Or(c.Function, n.function)
	case schema.LevelTransition:
		n := f.node(c)
		if g.Awaited != "" {
			f.await(n, g)
			return
		}
		n.own = append(n.own, g)
		at := place{component: c.Component, function: g.Function}
		f.steps[at] = append(f.steps[at], g)
	case schema.LevelMessage:
		at := route{c.Component, c.Peer, c.Function}
		f.messages[at] = append(f.messages[at], g)
	}
}

// node is the fragment that a change is in. The function of a fragment is in its name.
func (f *finder) node(c *schema.Change) *node {
	n := f.nodes[c.Fragment]
	if n == nil {
		n = &node{name: c.Fragment, component: c.Component}
		n.function, _, _ = strings.Cut(strings.TrimPrefix(c.Fragment, c.Component+"."), " ")
		f.nodes[c.Fragment] = n
	}
	return n
}

// await adds a step in which a fragment waits.
func (f *finder) await(n *node, g *figure) {
	if w := n.waitFor(g.Awaited); w != nil {
		w.steps = append(w.steps, g)
		return
	}
	w := &wait{awaited: g.Awaited, caller: n, steps: []*figure{g}}
	w.component, w.function = f.apart(g.Awaited)
	n.waits = append(n.waits, w)
	at := place{component: n.component, function: w.function}
	f.blocking[at] = append(f.blocking[at], w)
}

// waitFor is the wait for a callee, or nil.
func (n *node) waitFor(awaited string) *wait {
	for _, w := range n.waits {
		if w.awaited == awaited {
			return w
		}
	}
	return nil
}

// apart takes "component.function" apart. Either may have points in it: the longest component that is known counts.
func (f *finder) apart(awaited string) (component, function string) {
	for at := len(awaited); ; {
		if at = strings.LastIndexByte(awaited[:at], '.'); at < 0 {
			component, function, _ = strings.Cut(awaited, ".")
			return component, function
		}
		if f.components[awaited[:at]] {
			return awaited[:at], awaited[at+1:]
		}
	}
}

// connect sums up the steps, and finds who is waited for.
func (f *finder) connect() {
	nested := make(map[string]*node)
	shared := make(map[route][]*wait)
	for _, name := range slices.Sorted(maps.Keys(f.nodes)) {
		n := f.nodes[name]
		slices.SortFunc(n.waits, func(a, b *wait) int { return cmp.Compare(a.awaited, b.awaited) })
		for _, w := range n.waits {
			for _, g := range w.steps {
				w.base, w.cand = w.base+g.base.CostNs, w.cand+g.cand.CostNs
			}
			w.diffNs = w.cand - w.base
			w.messages = append(slices.Clip(f.messages[route{w.component, n.component, w.function}]), f.messages[route{n.component, w.component, w.function}]...)
			key := route{w.component, n.component, w.function}
			shared[key] = append(shared[key], w)
			if w.callee = f.calleeOf(w, nested); w.callee != nil {
				w.callee.callers = append(w.callee.callers, n)
			}
		}
		n.sum()
	}
	for _, list := range shared {
		divide(list)
	}
	maps.Copy(f.nodes, nested)
}

// calleeOf is the fragment that a fragment waits for. Where the function runs inside of fragments it is what they
// spend in it.
func (f *finder) calleeOf(w *wait, nested map[string]*node) *node {
	if n := f.nodes[schema.FragmentName(w.component, w.function, schema.Receive, w.caller.component)]; n != nil {
		return n
	}
	name := w.awaited + " inside"
	if n := nested[name]; n != nil {
		return n
	}
	steps := f.steps[place{component: w.component, function: w.function}]
	if len(steps) == 0 {
		return nil
	}
	n := &node{name: name, component: w.component, function: w.function, own: steps, nested: true}
	n.sum()
	nested[name] = n
	return n
}

// sum is the inclusive cost: that of the whole, or of all steps.
func (n *node) sum() {
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

// divide shares the messages of waits for one callee among them, by how much of the difference each has, or where they
// have none, of the time.
func divide(list []*wait) {
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

// byName are all fragments in the order of their names.
func (f *finder) byName() []*node {
	out := make([]*node, 0, len(f.nodes))
	for _, name := range slices.Sorted(maps.Keys(f.nodes)) {
		out = append(out, f.nodes[name])
	}
	return out
}
