package language

import (
	"cmp"
	"slices"
)

// noState is where a deterministic automaton is when no path is left: the empty set of states.
const noState int32 = -1

// subsetAutomaton is the deterministic automaton of an automaton, computed as far as it is asked for
// (Rabin and Scott 1959). A state is a set of states closed under silent steps. If the automaton is
// deterministic already, its states are used as they are.
type subsetAutomaton struct {
	of            *Automaton
	deterministic bool     // the automaton is deterministic, and all fields below are unused
	members       []int32  // states of all sets, one set after the other, each ascending
	begin         []uint32 // by set: position of its first member; one entry more than there are sets
	table         []int32  // sets by their members, plus one; 0 is empty
	label         []uint32 // labels of the transitions of expanded sets
	target        []int32
	span          [][2]uint32  // by set: its transitions are label[span[0]:span[1]]
	known         []bool       // by set: whether it was expanded
	mark          []bool       // by state: whether it is in the set under construction
	scratch       []int32      // the set under construction
	moves         []transition // scratch of expandSet
}

// newSubsetAutomaton prepares the deterministic automaton; nothing is computed yet.
func newSubsetAutomaton(a *Automaton) *subsetAutomaton {
	d := &subsetAutomaton{of: a, deterministic: a.Deterministic()}
	if !d.deterministic {
		d.begin, d.table, d.mark = []uint32{0}, make([]int32, 64), make([]bool, a.States())
	}
	return d
}

// startState returns the state before the first label.
func (d *subsetAutomaton) startState() int32 {
	switch {
	case len(d.of.Initial) == 0:
		return noState
	case d.deterministic:
		return d.of.Initial[0]
	}
	// The set is closed under silent steps before it is numbered.
	d.scratch = append(d.scratch[:0], d.of.Initial...)
	return d.internScratch()
}

// membersOf returns the states that a state stands for. The slice must not be changed.
func (d *subsetAutomaton) membersOf(s int32) []int32 {
	if d.deterministic {
		return []int32{s}
	}
	return d.members[d.begin[s]:d.begin[s+1]]
}

// isAccepting reports whether a word may end in a state.
func (d *subsetAutomaton) isAccepting(s int32) bool {
	if d.deterministic {
		return d.of.Accepting[s]
	}
	return slices.ContainsFunc(d.membersOf(s), func(member int32) bool { return d.of.Accepting[member] })
}

// transitionsOf returns the transitions of a state, ascending by label. The slices are valid until the
// next call.
func (d *subsetAutomaton) transitionsOf(s int32) (labels []uint32, targets []int32) {
	if d.deterministic {
		return d.of.Out(s)
	}
	if !d.known[s] { // most sets of a large automaton are never asked for
		d.expandSet(s)
	}
	from, to := d.span[s][0], d.span[s][1]
	return d.label[from:to], d.target[from:to]
}

// follow takes a label; the result is noState if there is no transition.
func (d *subsetAutomaton) follow(s int32, label uint32) int32 {
	if s == noState {
		return noState // nothing leads on from where no word leads
	}
	labels, targets := d.transitionsOf(s)
	if i, found := slices.BinarySearch(labels, label); found {
		return targets[i]
	}
	return noState
}

// expandSet computes the transitions of a set.
func (d *subsetAutomaton) expandSet(s int32) {
	d.moves = d.moves[:0]
	for _, member := range d.membersOf(s) {
		labels, targets := d.of.Out(member)
		for i, l := range labels {
			if l != Tau {
				d.moves = append(d.moves, transition{label: l, target: targets[i]})
			}
		}
	}
	// Moves with one label together make one set; duplicates are dropped when it is closed.
	slices.SortFunc(d.moves, func(x, y transition) int { return cmp.Compare(x.label, y.label) })
	from := uint32(len(d.label))
	for i := 0; i < len(d.moves); {
		label := d.moves[i].label
		d.scratch = d.scratch[:0]
		for ; i < len(d.moves) && d.moves[i].label == label; i++ {
			d.scratch = append(d.scratch, d.moves[i].target)
		}
		d.label = append(d.label, label)
		d.target = append(d.target, d.internScratch())
	}
	d.known[s], d.span[s] = true, [2]uint32{from, uint32(len(d.label))}
}

// internScratch returns the set of the states in scratch and those that silent steps reach from them. It
// overwrites scratch.
func (d *subsetAutomaton) internScratch() int32 {
	d.closeScratch()
	mask := uint32(len(d.table) - 1)
	i := hashOf(d.scratch) & mask
	// Linear probing; sets are compared member by member where hashes meet.
	for ; d.table[i] != 0; i = (i + 1) & mask {
		if s := d.table[i] - 1; slices.Equal(d.membersOf(s), d.scratch) {
			return s
		}
	}
	// A new set: its members go to the end of the common list, and its transitions are computed when they are needed.
	d.members = append(d.members, d.scratch...)
	d.begin = append(d.begin, uint32(len(d.members)))
	d.known = append(d.known, false)
	d.span = append(d.span, [2]uint32{})
	d.table[i] = int32(len(d.known)) // plus one: 0 is empty
	if 2*len(d.known) > len(d.table) {
		d.growTable()
	}
	return int32(len(d.known) - 1)
}

// closeScratch adds to scratch what silent steps reach, drops duplicates, and sorts.
func (d *subsetAutomaton) closeScratch() {
	distinct := d.scratch[:0]
	// 1. Drop duplicates. The marks are cleared at the end, so that a set costs its own size.
	for _, s := range d.scratch {
		if !d.mark[s] {
			d.mark[s] = true
			distinct = append(distinct, s)
		}
	}
	d.scratch = distinct
	// 2. Follow silent steps; the list grows while it is read.
	for i := 0; i < len(d.scratch); i++ {
		labels, targets := d.of.Out(d.scratch[i])
		// Tau is the greatest label, so that silent steps come last.
		for k := len(labels) - 1; k >= 0 && labels[k] == Tau; k-- {
			if t := targets[k]; !d.mark[t] {
				d.mark[t] = true
				d.scratch = append(d.scratch, t)
			}
		}
	}
	// 3. Sort, so that equal sets are equal lists.
	slices.Sort(d.scratch)
	for _, s := range d.scratch {
		d.mark[s] = false
	}
}

// growTable doubles the table.
func (d *subsetAutomaton) growTable() {
	d.table = make([]int32, 2*len(d.table))
	mask := uint32(len(d.table) - 1)
	for s := range d.known {
		i := hashOf(d.membersOf(int32(s))) & mask
		for d.table[i] != 0 {
			i = (i + 1) & mask
		}
		d.table[i] = int32(s) + 1
	}
}

// hashOf hashes an ascending set of states.
func hashOf(states []int32) uint32 {
	h := uint64(len(states))
	for _, s := range states {
		h = mixHash(h, uint64(uint32(s)))
	}
	return uint32(h >> 32)
}
