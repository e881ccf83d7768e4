package hotness

import (
	"cmp"
	"slices"
)

// Paths are the critical paths of a run by component: how long each had steps on them up to any time,
//
//	on(t) = Σ (min(t, end) - start) over the steps of the component that begin before t
//
// which is linear between the times at which a path enters or leaves the component. Only these are kept: a path that goes on within a component
// changes nothing. Steps come in any order with Add; then Order is called, and then Within.
type Paths struct {
	most    int // changes at most
	changes []change
	sums    []int64 // by change: on at its time
	first   []int   // by component: its first change; and where those of the last one end
}

// change is how many more paths are in a component from a time on; after Order, how many are.
type change struct {
	timeNs    int64
	component uint32
	paths     int32
}

// NewPaths returns the paths of no run yet, which have at most so many changes. Each takes 24 bytes, and twice as many are held at once before Order.
func NewPaths(most int) *Paths { return &Paths{most: most} }

// Add adds a step of a component, and reports whether there is room for it.
func (p *Paths) Add(component uint32, startNs, endNs int64) bool {
	if endNs <= startNs {
		return true
	}
	p.changes = append(p.changes, change{startNs, component, 1}, change{endNs, component, -1})
	if len(p.changes) < 2*p.most {
		return true
	}
	p.compact()
	return len(p.changes) <= p.most
}

// compact puts the changes of a component at a time together, in the order of both, and leaves out those that change nothing.
func (p *Paths) compact() {
	slices.SortFunc(p.changes, func(a, b change) int {
		if a.component != b.component {
			return cmp.Compare(a.component, b.component)
		}
		return cmp.Compare(a.timeNs, b.timeNs)
	})
	kept := p.changes[:0]
	for i := 0; i < len(p.changes); {
		c := p.changes[i]
		for i++; i < len(p.changes) && p.changes[i].component == c.component && p.changes[i].timeNs == c.timeNs; i++ {
			c.paths += p.changes[i].paths
		}
		if c.paths != 0 {
			kept = append(kept, c)
		}
	}
	p.changes = kept
}

// Order makes the sums of all steps, and reports whether there was room for them.
func (p *Paths) Order() bool {
	p.compact()
	if len(p.changes) > p.most {
		return false
	}
	p.changes = slices.Clip(p.changes)
	p.sums = make([]int64, len(p.changes))
	for i := range p.changes {
		c := &p.changes[i]
		for len(p.first) <= int(c.component) {
			p.first = append(p.first, i)
		}
		if i > p.first[c.component] {
			before := p.changes[i-1]
			p.sums[i] = p.sums[i-1] + int64(before.paths)*(c.timeNs-before.timeNs)
			c.paths += before.paths
		}
	}
	p.first = append(p.first, len(p.changes))
	return true
}

// Within is how long each component had steps between two times, by their numbers, and how long all of them together: steps that reach over a
// border are cut there. Components behind the last one that has a step are left out.
func (p *Paths) Within(fromNs, toNs int64) (ns []int64, allNs int64) {
	for component := range uint32(len(p.first) - 1) {
		n := p.on(component, toNs) - p.on(component, fromNs)
		ns = append(ns, n)
		allNs += n
	}
	return ns, allNs
}

// on is for how long a component had steps up to a time.
func (p *Paths) on(component uint32, timeNs int64) int64 {
	from, to := p.first[component], p.first[component+1]
	i, found := slices.BinarySearchFunc(p.changes[from:to], timeNs, func(c change, t int64) int { return cmp.Compare(c.timeNs, t) })
	if i += from; found {
		return p.sums[i]
	}
	if i == from {
		return 0
	}
	c := p.changes[i-1]
	return p.sums[i-1] + int64(c.paths)*(timeNs-c.timeNs)
}
