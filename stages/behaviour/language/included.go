package language

// Included reports whether b accepts every word that a accepts, by the method of antichains (De Wulf, Doyen, Henzinger and Raskin
// 2006): words lead to pairs of a state of a and the set of states where b may be. A pair need not be followed
// where the same state was met with a smaller set, for whatever word the smaller set accepts, the larger one does.
// a is never made deterministic, and b only as far as the search goes.
func Included(a, b *Automaton) bool {
	// A state that leads to no accepting one would refute inclusion although it accepts nothing.
	a = Trim(a)
	c := antichain{left: a, right: newSubsetAutomaton(b), smallest: make([][]int32, a.States()), pairs: make(map[[2]int32]bool)}
	for _, s := range a.Initial {
		if !c.addPair(s, c.right.startState()) {
			return false
		}
	}
	for i := 0; i < len(c.queue); i++ {
		// Pairs that a smaller set made unnecessary are skipped.
		if pair := c.queue[i]; c.pairs[pair] && !c.followPair(pair[0], pair[1]) {
			return false
		}
	}
	return true
}

// antichain is a search for a word of the left language that is not in the right one.
type antichain struct {
	left     *Automaton // trim: every state still leads to an accepting one
	right    *subsetAutomaton
	smallest [][]int32         // by state: the sets reached with it, none a subset of another
	pairs    map[[2]int32]bool // true: the pair is among smallest
	queue    [][2]int32
}

// followPair takes all steps from a pair. It returns false if a word is not included.
func (c *antichain) followPair(s, t int32) bool {
	// Each step of a is followed by the step of all states of b at once.
	labels, targets := c.left.Out(s)
	for i, l := range labels {
		to := t
		if l != Tau {
			to = c.right.follow(t, l)
		}
		if !c.addPair(targets[i], to) {
			return false
		}
	}
	return true
}

// addPair queues a pair, unless an earlier one with a smaller set makes it unnecessary. It returns false
// if a word is not included.
func (c *antichain) addPair(s, t int32) bool {
	// The empty set of states accepts nothing more, while a, which is trim, does.
	if t == noState || c.left.Accepting[s] && !c.right.isAccepting(t) {
		return false
	}
	pair := [2]int32{s, t}
	if _, found := c.pairs[pair]; found || c.isCovered(s, t) {
		return true
	}
	c.pairs[pair] = true
	c.queue = append(c.queue, pair)
	return true
}

// isCovered reports whether a smaller set was reached with the state. If not, the larger ones are dropped
// in favour of this one. The sets of a deterministic automaton are single states, none a subset of
// another.
func (c *antichain) isCovered(s, t int32) bool {
	if c.right.deterministic {
		return false
	}
	set, kept := c.right.membersOf(t), c.smallest[s][:0]
	for _, other := range c.smallest[s] {
		members := c.right.membersOf(other)
		if isSubset(members, set) {
			return true
		}
		if isSubset(set, members) {
			c.pairs[[2]int32{s, other}] = false
			continue
		}
		kept = append(kept, other)
	}
	c.smallest[s] = append(kept, t)
	return false
}

// isSubset reports whether all of x are in y; both ascend.
func isSubset(x, y []int32) bool {
	if len(x) > len(y) {
		return false
	}
	j := 0
	for _, v := range x {
		for j < len(y) && y[j] < v {
			j++
		}
		if j == len(y) || y[j] != v {
			return false
		}
	}
	return true
}
