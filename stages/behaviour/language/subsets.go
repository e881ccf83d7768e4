package language

import (
	"cmp"
	"slices"
)

// lost is where a deterministic automaton is when no path is left: the empty set of states.
const lost int32 = -1

// subsets is the deterministic automaton of an automaton, made as far as it is asked for (Rabin and Scott 1959). A state
// is a set of states closed under silent steps. Where the automaton is deterministic already, its states are taken as
// they are.
type subsets struct {
	of      *Automaton
	as      bool     // the automaton is deterministic
	members []int32  // the states of all sets, one set after the other, each ascending
	begin   []uint32 // by set: the position of its first member; one more element than sets
	table   []int32  // sets by their members, plus one; 0 is empty
	label   []uint32 // the transitions of expanded sets
	target  []int32
	span    [][2]uint32 // by set: its transitions; the same twice where they are not known yet
	known   []bool      // by set: expanded
	mark    []bool      // by state: in the set that is being made
	scratch []int32
	moves   []transition
}

func newSubsets(a *Automaton) *subsets {
	d := &subsets{of: a, as: a.Deterministic()}
	if !d.as {
		d.begin, d.table, d.mark = []uint32{0}, make([]int32, 64), make([]bool, a.States())
	}
	return d
}

// start is the state before the first label.
func (d *subsets) start() int32 {
	switch {
	case len(d.of.Initial) == 0:
		return lost
	case d.as:
		return d.of.Initial[0]
	}
	d.scratch = append(d.scratch[:0], d.of.Initial...)
	return d.intern()
}

// set returns the states that a state stands for.
func (d *subsets) set(s int32) []int32 {
	if d.as {
		return []int32{s}
	}
	return d.members[d.begin[s]:d.begin[s+1]]
}

// accepting reports whether a word may end in a state.
func (d *subsets) accepting(s int32) bool {
	if d.as {
		return d.of.Accepting[s]
	}
	return slices.ContainsFunc(d.set(s), func(member int32) bool { return d.of.Accepting[member] })
}

// out returns the transitions of a state, ascending by label. They hold until the next call.
func (d *subsets) out(s int32) (labels []uint32, targets []int32) {
	if d.as {
		return d.of.Out(s)
	}
	if !d.known[s] {
		d.expand(s)
	}
	from, to := d.span[s][0], d.span[s][1]
	return d.label[from:to], d.target[from:to]
}

// step follows a label; the result is lost where there is no transition.
func (d *subsets) step(s int32, label uint32) int32 {
	if s == lost {
		return lost
	}
	labels, targets := d.out(s)
	if i, found := slices.BinarySearch(labels, label); found {
		return targets[i]
	}
	return lost
}

// expand finds the transitions of a set.
func (d *subsets) expand(s int32) {
	d.moves = d.moves[:0]
	for _, member := range d.set(s) {
		labels, targets := d.of.Out(member)
		for i, l := range labels {
			if l != Tau {
				d.moves = append(d.moves, transition{label: l, target: targets[i]})
			}
		}
	}
	slices.SortFunc(d.moves, func(x, y transition) int { return cmp.Compare(x.label, y.label) })
	from := uint32(len(d.label))
	for i := 0; i < len(d.moves); {
		label := d.moves[i].label
		d.scratch = d.scratch[:0]
		for ; i < len(d.moves) && d.moves[i].label == label; i++ {
			d.scratch = append(d.scratch, d.moves[i].target)
		}
		d.label = append(d.label, label)
		d.target = append(d.target, d.intern())
	}
	d.known[s], d.span[s] = true, [2]uint32{from, uint32(len(d.label))}
}

// intern returns the set of the states in scratch and those that silent steps reach from them. It spoils scratch.
func (d *subsets) intern() int32 {
	d.close()
	mask := uint32(len(d.table) - 1)
	i := hashOf(d.scratch) & mask
	for ; d.table[i] != 0; i = (i + 1) & mask {
		if s := d.table[i] - 1; slices.Equal(d.set(s), d.scratch) {
			return s
		}
	}
	d.members = append(d.members, d.scratch...)
	d.begin = append(d.begin, uint32(len(d.members)))
	d.known = append(d.known, false)
	d.span = append(d.span, [2]uint32{})
	d.table[i] = int32(len(d.known))
	if 2*len(d.known) > len(d.table) {
		d.grow()
	}
	return int32(len(d.known) - 1)
}

// close adds to scratch what silent steps reach, drops what stands there twice, and sorts.
func (d *subsets) close() {
	distinct := d.scratch[:0]
	for _, s := range d.scratch {
		if !d.mark[s] {
			d.mark[s] = true
			distinct = append(distinct, s)
		}
	}
	d.scratch = distinct
	for i := 0; i < len(d.scratch); i++ {
		labels, targets := d.of.Out(d.scratch[i])
		for k := len(labels) - 1; k >= 0 && labels[k] == Tau; k-- {
			if t := targets[k]; !d.mark[t] {
				d.mark[t] = true
				d.scratch = append(d.scratch, t)
			}
		}
	}
	slices.Sort(d.scratch)
	for _, s := range d.scratch {
		d.mark[s] = false
	}
}

func (d *subsets) grow() {
	d.table = make([]int32, 2*len(d.table))
	mask := uint32(len(d.table) - 1)
	for s := range d.known {
		i := hashOf(d.set(int32(s))) & mask
		for d.table[i] != 0 {
			i = (i + 1) & mask
		}
		d.table[i] = int32(s) + 1
	}
}

func hashOf(states []int32) uint32 {
	h := uint64(len(states))
	for _, s := range states {
		h = mix(h, uint64(uint32(s)))
	}
	return uint32(h >> 32)
}
