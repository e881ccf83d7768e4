package language

// Equal reports whether two automata accept the same language, by the method of Hopcroft and Karp: states of either
// that one word reaches are put into one class, until an accepting and a rejecting one meet or nothing is left to
// follow. Automata that are not deterministic are made so as far as the search goes. A search takes no more steps than there
// are states, so time is nearly linear in what it visits.
func Equal(a, b *Automaton) bool {
	e := equivalence{left: newSubsets(a), right: newSubsets(b)}
	if !e.meet(e.left.start(), e.right.start()) {
		return false
	}
	for i := 0; i < len(e.queue); i++ {
		if !e.follow(e.queue[i]) {
			return false
		}
	}
	return true
}

// equivalence is a search for a word that one side accepts and the other does not.
type equivalence struct {
	left, right *subsets
	parent      []int32 // union-find: 0 is lost, then the states of both sides in turns
	queue       [][2]int32
}

// follow takes all labels from a pair of states. It returns false where the languages differ.
func (e *equivalence) follow(pair [2]int32) bool {
	ll, lt := outOf(e.left, pair[0])
	rl, rt := outOf(e.right, pair[1])
	for i, j := 0, 0; i < len(ll) || j < len(rl); {
		l, r := lost, lost
		switch {
		case j == len(rl) || i < len(ll) && ll[i] < rl[j]:
			l = lt[i]
			i++
		case i == len(ll) || rl[j] < ll[i]:
			r = rt[j]
			j++
		default:
			l, r = lt[i], rt[j]
			i, j = i+1, j+1
		}
		if !e.meet(l, r) {
			return false
		}
	}
	return true
}

// meet puts two states that one word reaches into one class, and queues them where they were in two.
func (e *equivalence) meet(l, r int32) bool {
	if (l != lost && e.left.accepting(l)) != (r != lost && e.right.accepting(r)) {
		return false
	}
	x, y := e.find(max(2*l+1, 0)), e.find(2*r+2) // of lost both are 0
	if x != y {
		e.parent[max(x, y)] = min(x, y)
		e.queue = append(e.queue, [2]int32{l, r})
	}
	return true
}

// find returns the class of a state and halves the way to it.
func (e *equivalence) find(x int32) int32 {
	for n := int32(len(e.parent)); n <= x; n++ {
		e.parent = append(e.parent, n)
	}
	for e.parent[x] != x {
		e.parent[x] = e.parent[e.parent[x]]
		x = e.parent[x]
	}
	return x
}

// outOf returns the transitions of a state, none where it is lost.
func outOf(d *subsets, s int32) ([]uint32, []int32) {
	if s == lost {
		return nil, nil
	}
	return d.out(s)
}
