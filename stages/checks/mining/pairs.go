package mining

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// mostPaired is the number of functions of which pairs are looked at.
const mostPaired = 1024

// set is a set of paired functions, a bit each.
type set []uint64

func newSet(n int) set           { return make(set, (n+63)/64) }
func (s set) has(i int) bool     { return s[i/64]>>(i%64)&1 != 0 }
func (s set) put(i int)          { s[i/64] |= 1 << (i % 64) }
func (s set) remove(i int)       { s[i/64] &^= 1 << (i % 64) }
func (s set) add(other set)      { combine(s, other, func(x, y uint64) uint64 { return x | y }) }
func (s set) keepOnly(other set) { combine(s, other, func(x, y uint64) uint64 { return x & y }) }

func combine(s, other set, of func(x, y uint64) uint64) {
	for w := range s {
		s[w] = of(s[w], other[w])
	}
}

// pairs are what all runs show of pairs of functions. A function is open from a start to the first end after it.
type pairs struct {
	subjects []int // by the number of a pair's function
	paired   []int // by subject: its number here, or -1
	together []set // functions that were open at once with it
	around   []set // functions that were open whenever it was, from before its start until after its end
}

// Pairs chooses the functions of which pairs are looked at: those that are open for the longest time. All runs were observed.
func (m *Miner) Pairs() {
	p := &m.pairs
	for s := range m.subjects {
		if m.everywhere(s) {
			p.subjects = append(p.subjects, s)
		}
	}
	openNs := func(s int) (sum int64) {
		for _, r := range m.runs {
			sum += r.of[s].openNs
		}
		return sum
	}
	slices.SortStableFunc(p.subjects, func(a, b int) int { return cmp.Compare(openNs(b), openNs(a)) })
	p.subjects = p.subjects[:min(len(p.subjects), mostPaired)]
	p.paired = make([]int, len(m.subjects))
	for s := range p.paired {
		p.paired[s] = -1
	}
	for i, s := range p.subjects {
		p.paired[s] = i
		p.together, p.around = append(p.together, newSet(len(p.subjects))), append(p.around, newSet(len(p.subjects)))
		for w := range p.around[i] {
			p.around[i][w] = math.MaxUint64 // until something is seen of it
		}
	}
}

// everywhere reports whether every run calls a function.
func (m *Miner) everywhere(subject int) bool {
	for _, r := range m.runs {
		if subject >= len(r.of) || r.of[subject].starts == 0 {
			return false
		}
	}
	return true
}

// PairObserver watches the states of a run for pairs.
type PairObserver struct {
	numbering
	pairs *pairs
	open  set
	list  []int // the functions of open
}

// ObservePairs begins the second reading of a run.
func (m *Miner) ObservePairs(names *schema.Names) *PairObserver {
	return &PairObserver{numbering: m.numbering(names), pairs: &m.pairs, open: newSet(len(m.pairs.subjects))}
}

// PairColumns are the columns of events that a PairObserver needs.
func PairColumns() []string { return []string{"seq", "kind", "component", "function"} }

// Add watches events, in their order.
func (o *PairObserver) Add(ev *schema.Events) {
	for i, kind := range ev.Kind {
		if kind != schema.Enter && kind != schema.Exit {
			continue
		}
		s := o.subject(ev.Component[i], ev.Function[i])
		if s >= len(o.pairs.paired) || o.pairs.paired[s] < 0 {
			continue
		}
		if at := o.pairs.paired[s]; kind == schema.Enter {
			o.start(at)
		} else if o.open.has(at) {
			o.end(at)
		}
	}
}

// start opens a function, if it is not open already.
func (o *PairObserver) start(at int) {
	p := o.pairs
	if !o.open.has(at) {
		p.together[at].add(o.open)
		p.around[at].keepOnly(o.open)
		o.open.put(at)
		o.list = append(o.list, at)
	}
	for _, other := range o.list {
		p.together[other].put(at)
	}
}

// end closes a function: it was around none of those that stay open.
func (o *PairObserver) end(at int) {
	o.open.remove(at)
	o.list = slices.DeleteFunc(o.list, func(x int) bool { return x == at })
	for _, other := range o.list {
		o.pairs.around[other].remove(at)
	}
}

// exclusive reports whether two functions were never open at once.
func (p *pairs) exclusive(a, b int) bool {
	return a != b && !p.together[a].has(b) && !p.together[b].has(a)
}
