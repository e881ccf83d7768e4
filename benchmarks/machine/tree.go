package machine

import "slices"

// nodeKind is what a function call in the body of a service is.
type nodeKind uint8

const (
	local        nodeKind = iota // a function of the same component
	blockingCall                 // sends a request and waits for the reply
	triggerCall                  // sends a trigger, which has no reply
	request                      // sends a request and goes on
	wait                         // waits for the reply to a request
)

// node is a function call in the body of a service.
type node struct {
	kind                nodeKind
	function            string
	target              int // service, for calls
	slot                uint8
	pair                int // the request and its wait are taken or left together; 0: alone
	optional, repeating bool
	planted             bool
	times               []uint8 // how often it runs, by variant; nil: once
	beforeNs            int64   // passes before its start
	gapNs               int64   // passes before its finish
	fixedNs             int64   // passes before its finish, without noise
	children            []*node
}

const maxDepth = 5

// grow makes the body of a service from its calls: it nests them in local functions and puts the
// wait of each non-blocking call behind what follows the call.
// The order of the calls is the order in which they were drawn.
func (b *builder) grow(s *service) {
	names := &b.names[s.component]
	var items []*node
	slot := uint8(1) // slot 0 is that of blocking calls
	var waits []*node
	for _, c := range s.calls {
		n, w := b.callNode(c, &slot)
		items = append(items, n)
		if w != nil {
			waits = append(waits, w)
		} else if len(waits) > 0 && b.rng.percent(60) {
			items, waits = append(items, waits[0]), waits[1:]
		}
	}
	items = append(items, waits...) // waits that no call has come behind
	s.body = b.nest(items, names, 1)
	if s.component == 0 {
		once(s.body)
	}
	s.gapNs = b.gap()
	b.vary(s.body, len(s.shares), make(map[int][]uint8))
}

// once takes the loops out of a body. The exposure loop has none but itself: what it repeats would
// be half a setpoint.
func once(nodes []*node) {
	for _, n := range nodes {
		n.repeating = false
		once(n.children)
	}
}

// vary decides how often the optional and repeating functions run in each variant. The first
// variant runs everything once, so every call is made by some variant.
func (b *builder) vary(nodes []*node, variants int, pairs map[int][]uint8) {
	for _, n := range nodes {
		if n.pair != 0 && pairs[n.pair] != nil {
			n.times = pairs[n.pair]
			continue
		}
		n.times = b.times(n, variants)
		if n.pair != 0 {
			pairs[n.pair] = n.times
		}
		b.vary(n.children, variants, pairs)
	}
}

// times draws how often a function runs in each variant: up to three times if it repeats, and not at all in half
// of the variants if it is optional.
func (b *builder) times(n *node, variants int) []uint8 {
	t := make([]uint8, variants)
	for v := range t {
		t[v] = 1
		if v > 0 && n.repeating {
			t[v] = uint8(1 + b.rng.below(3))
		}
		if v > 0 && n.optional && b.rng.percent(50) {
			t[v] = 0
		}
	}
	return t
}

// callNode makes the node of a call, and that of its wait if the call does not block.
// A service without a reply is always triggered. Calls that find no free slot block instead.
func (b *builder) callNode(c call, slot *uint8) (n, w *node) {
	callee := &b.m.services[c.target]
	n = &node{function: callee.function, target: c.target, optional: c.optional, repeating: c.repeating,
		planted: c.planted, beforeNs: b.gap(), gapNs: b.gap() / 8}
	switch {
	case !callee.replies:
		n.kind = triggerCall
	case c.blocking || *slot == scanSlot:
		n.kind = blockingCall
	default:
		n.kind, n.slot, n.repeating = request, *slot, false
		n.pair = int(*slot)
		w = &node{kind: wait, function: "await_" + callee.function, target: c.target, slot: *slot,
			pair: n.pair, optional: c.optional, beforeNs: b.gap(), gapNs: b.gap() / 8}
		*slot++
	}
	return n, w
}

// nest puts some neighbours into local functions, down to maxDepth.
// A loop around a request would ask several times and wait once, so only groups without one repeat.
func (b *builder) nest(items []*node, names *actions, depth int) []*node {
	var out []*node
	for len(items) > 0 {
		if depth >= maxDepth || !b.rng.percent(22) {
			out, items = append(out, items[0]), items[1:]
			continue
		}
		n := min(1+b.rng.below(4), len(items))
		f := b.localNode(names.next())
		f.children = b.nest(items[:n:n], names, depth+1)
		f.repeating = !hasPair(items[:n]) && b.rng.percent(12)
		out, items = append(out, f), items[n:]
	}
	return out
}

// hasPair reports whether one of the nodes is a request or its wait. A loop around only one of them would leave
// replies without a wait.
func hasPair(nodes []*node) bool {
	return slices.ContainsFunc(nodes, func(n *node) bool { return n.pair != 0 })
}

// localNode returns a local function with drawn times.
func (b *builder) localNode(function string) *node {
	return &node{kind: local, function: function, beforeNs: b.gap(), gapNs: b.gap()}
}

// gap draws how long a piece of code takes: 2 us to 128 us, before the machine is tuned.
func (b *builder) gap() int64 { return b.rng.octaves(2000, 6) }

// addLeaf puts a local function that calls nothing somewhere into the body of a service.
// The way down is drawn step by step through local functions that do not repeat, as repeating would multiply the
// leaf.
func (b *builder) addLeaf(s *service, function string) {
	leaf := b.localNode(function)
	leaf.optional = b.rng.percent(30)
	leaf.times = b.times(leaf, len(s.shares))
	at := &s.body
	for depth := 1; depth < maxDepth; depth++ {
		n := b.pickLocal(*at)
		if n == nil || b.rng.percent(30) {
			break
		}
		at = &n.children
	}
	*at = slices.Insert(*at, b.rng.below(len(*at)+1), leaf)
}

// pickLocal draws one of some nodes, and returns it if calls may be added to it.
func (b *builder) pickLocal(nodes []*node) *node {
	if len(nodes) == 0 {
		return nil
	}
	if n := nodes[b.rng.below(len(nodes))]; n.kind == local && !n.repeating {
		return n
	}
	return nil
}
