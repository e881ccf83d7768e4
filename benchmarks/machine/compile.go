package machine

import (
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// action is what happens at an event of a program.
type action uint8

const (
	begin       action = iota // the service starts, with the request if there is one
	finish                    // the service finishes, with the reply if one is wanted
	plain                     // an event without message
	callBlock                 // sends a request and stops until its reply is there
	callRequest               // sends a request
	callTrigger               // sends a trigger
	await                     // stops until a reply is there
	resume                    // receives the reply
)

// op is an event of a program.
type op struct {
	action  action
	slot    uint8
	planted bool
	key     uint32
	target  int32 // service, for calls
	link    int32 // number of the pair of caller and service, for calls
	gapNs   int64 // passes before the event, with noise
	fixedNs int64 // passes before the event, without
}

// compiler turns the bodies of services into programs.
type compiler struct {
	m     *Machine
	keys  schema.Numbering[Key]    // becomes Machine.Keys
	links schema.Numbering[[2]int] // component and service
	slow  []Slow
	used  []bool // which of slow found their function

	component int // of the variant that is compiled, as are the following
	variant   int
	program   []op // its events so far
}

// compile turns all services into programs. A regression whose function does not exist is an error: a benchmark
// without it would show nothing.
func (b *builder) compile(slow []Slow) error {
	c := &compiler{m: b.m, slow: slow, used: make([]bool, len(slow))}
	for i := range b.m.services {
		c.service(i)
	}
	b.m.Keys, b.m.links = c.keys.List, len(c.links.List)
	for i, ok := range c.used {
		if !ok {
			return fmt.Errorf("no function %s in this machine", slow[i].name())
		}
	}
	return nil
}

// service compiles all variants; those that come out equal share a program.
// Variants differ in how often they run something, and may come out equal by chance.
func (c *compiler) service(i int) {
	s := &c.m.services[i]
	s.link = c.link(s.component, i)
	s.course = make([]int, len(s.shares))
	for v := range s.shares {
		p := c.compileVariant(i, v)
		k := slices.IndexFunc(s.programs, func(q []op) bool { return slices.EqualFunc(p, q, sameEvent) })
		if k < 0 {
			k = len(s.programs)
			s.programs = append(s.programs, p)
		}
		s.course[v] = k
	}
}

// sameEvent reports whether two ops write the same event. Times do not count: they do not show in the word of an
// execution.
func sameEvent(a, b op) bool { return a.key == b.key && a.action == b.action }

// compileVariant compiles a service as it runs in one variant, from its start to its finish.
func (c *compiler) compileVariant(i, v int) []op {
	s := &c.m.services[i]
	c.component, c.variant, c.program = s.component, v, nil
	c.add(s.function, s.function, schema.Enter, op{action: begin})
	c.nodes(s.body, s.function)
	gap, fixed := c.slowed(s.function, s.gapNs, 0, true)
	c.add(s.function, s.function, schema.Exit, op{action: finish, gapNs: gap, fixedNs: fixed})
	return c.program
}

// nodes compiles the calls of a body in their order, each as often as the variant has it.
func (c *compiler) nodes(nodes []*node, inside string) {
	for _, n := range nodes {
		for range n.count(c.variant) {
			c.node(n, inside)
		}
	}
}

// node compiles one call of a function out of the function inside.
func (c *compiler) node(n *node, inside string) {
	before, _ := c.slowed(inside, n.beforeNs, 0, false)
	enter := op{action: plain, slot: n.slot, planted: n.planted, target: int32(n.target), gapNs: before}
	exit := op{action: plain, slot: n.slot, gapNs: n.gapNs}
	callee := ""
	if n.kind != local {
		callee = c.m.services[n.target].function
	}
	switch n.kind {
	case local:
		exit.gapNs, exit.fixedNs = c.slowed(n.function, n.gapNs, n.fixedNs, true)
	case blockingCall:
		enter.action, exit.action = callBlock, resume
	case triggerCall:
		enter.action = callTrigger
	case request:
		enter.action = callRequest
	case wait:
		enter.action, exit.action = await, resume
	}
	// Callers and services are paired by number, to count how often each pair ran.
	if enter.action >= callBlock && enter.action <= callTrigger {
		enter.link = c.link(c.component, n.target)
	}
	c.add(n.function, callee, schema.Enter, enter)
	c.nodes(n.children, n.function)
	c.add(n.function, callee, schema.Exit, exit)
}

// slowed is the time a piece of code of a function takes once the regressions are planted. A fixed
// delay is added once an execution, before its finish.
func (c *compiler) slowed(function string, gapNs, fixedNs int64, last bool) (gap, fixed int64) {
	for i, s := range c.slow {
		if s.Function != function || s.Component != "" && s.Component != c.m.Components[c.component] {
			continue
		}
		c.used[i] = true
		if s.Factor != 0 {
			gapNs = int64(float64(gapNs) * s.Factor)
			fixedNs = int64(float64(fixedNs) * s.Factor)
		}
		if last {
			fixedNs += s.Delay.Nanoseconds()
		}
	}
	return gapNs, fixedNs
}

// add appends an event, and numbers its key when it is new.
func (c *compiler) add(function, callee string, kind schema.Kind, o op) {
	o.key = c.keys.Number(Key{Component: c.component, Function: function, Callee: callee, Kind: kind})
	c.program = append(c.program, o)
}

// link returns the number of a caller and a service that it calls.
func (c *compiler) link(caller, service int) int32 {
	return int32(c.links.Number([2]int{caller, service}))
}
