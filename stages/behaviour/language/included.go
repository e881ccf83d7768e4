package language

// Included reports whether b accepts every word that a accepts, by the method of antichains (De Wulf, Doyen, Henzinger and Raskin
// 2006): words lead to pairs of a state of a and the set of states where b may be. A pair need not be followed
// where the same state was met with a smaller set, for whatever word the smaller set accepts, the larger one does.
// a is never made deterministic, and b only as far as the search goes.
func Included(a, b *Automaton) bool {
	a = Trim(a)
	c := antichain{left: a, right: newSubsets(b), least: make([][]int32, a.States()), met: make(map[[2]int32]bool)}
	for _, s := range a.Initial {
		if !c.meet(s, c.right.start()) {
			return false
		}
	}
	for i := 0; i < len(c.queue); i++ {
		if pair := c.queue[i]; c.met[pair] && !c.follow(pair[0], pair[1]) {
			return false
		}
	}
	return true
}

// antichain is a search for a word of the left language that is not in the right one.
type antichain struct {
	left  *Automaton // trim: from everywhere a word can end
	right *subsets
	least [][]int32         // by state: the sets met with it, none a part of another
	met   map[[2]int32]bool // true: the pair is in least
	queue [][2]int32
}

// follow takes all steps from a pair. It returns false where a word is not included.
func (c *antichain) follow(s, t int32) bool {
	labels, targets := c.left.Out(s)
	for i, l := range labels {
		to := t
		if l != Tau {
			to = c.right.step(t, l)
		}
		if !c.meet(targets[i], to) {
			return false
		}
	}
	return true
}

// meet queues a pair, if no pair that was met says more.
func (c *antichain) meet(s, t int32) bool {
	if t == lost || c.left.Accepting[s] && !c.right.accepting(t) {
		return false
	}
	pair := [2]int32{s, t}
	if _, found := c.met[pair]; found || c.covered(s, t) {
		return true
	}
	c.met[pair] = true
	c.queue = append(c.queue, pair)
	return true
}

// covered reports whether a smaller set was met with the state. Where none was, it drops the larger ones in favour of this one.
// Of a deterministic automaton no set is a part of another.
func (c *antichain) covered(s, t int32) bool {
	if c.right.as {
		return false
	}
	set, kept := c.right.set(t), c.least[s][:0]
	for _, other := range c.least[s] {
		members := c.right.set(other)
		if within(members, set) {
			return true
		}
		if within(set, members) {
			c.met[[2]int32{s, other}] = false
			continue
		}
		kept = append(kept, other)
	}
	c.least[s] = append(kept, t)
	return false
}

// within reports whether all of x are in y; both ascend.
func within(x, y []int32) bool {
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
