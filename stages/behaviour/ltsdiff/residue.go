package ltsdiff

// residue is the part of two automata that differs under a matching: the states without a partner, and those that
// share less than three quarters of their transitions with it. All other pairs of states are held together as one
// state, the surroundings. A transition to or from there has a label of its own for each pair of states and label,
// so it has a partner only where both sides have it with the same pair.
type residue struct {
	*matching
	left, right *Automaton              // the surroundings are the last state of each
	states      [2][]int32              // by side and state of the residue: its number in the whole
	position    [2][]int32              // by side and state of the whole: its number in the residue, or None
	codes       map[residueLabel]uint32 // the labels in use
}

// residueLabel is a label of the whole, and for a transition to or from the surroundings its pair there.
type residueLabel struct {
	label   uint32
	pair    int32 // left state of the pair; None between two states of the residue
	leaving bool  // whether the transition leaves the residue
}

// newResidue takes the states that are not settled. The matching must not change while the residue is in use.
func newResidue(m *matching) *residue {
	r := &residue{matching: m, codes: make(map[residueLabel]uint32)}
	r.position[0], r.position[1] = filledWithNone(int(m.left.States())), filledWithNone(int(m.right.States()))
	keeper := &improver{matching: m}
	// Pairs that are doubtful go into the residue with both states.
	for x, y := range m.partner[0] {
		if y == None || !keeper.isSettled(int32(x), y) {
			r.takeState(0, int32(x))
			if y != None {
				r.takeState(1, y)
			}
		}
	}
	for y, x := range m.partner[1] {
		if x == None {
			r.takeState(1, int32(y))
		}
	}
	r.left, r.right = r.buildPart(0, m.left), r.buildPart(1, m.right)
	return r
}

// isSettled reports whether two partners share at least three quarters of their transitions.
func (m *improver) isSettled(x, y int32) bool {
	right := m.right.Out.Start[y+1] - m.right.Out.Start[y] + m.right.In.Start[y+1] - m.right.In.Start[y]
	return 4*m.keptAt(x, None) >= 3*max(m.degreeOf(x), int(right))
}

// takeState adds a state of the whole to the residue.
func (r *residue) takeState(side int, s int32) {
	r.position[side][s] = int32(len(r.states[side]))
	r.states[side] = append(r.states[side], s)
}

// buildPart makes the residue's automaton of one side.
func (r *residue) buildPart(side int, whole *Automaton) *Automaton {
	around := int32(len(r.states[side]))
	a := &Automaton{Initial: make([]bool, around+1), Accepting: make([]bool, around+1)}
	var list []Transition
	// Transitions within the residue keep their labels; those across its border get one for each pair around it.
	for place, s := range r.states[side] {
		a.Initial[place], a.Accepting[place] = whole.Initial[s], whole.Accepting[s]
		for i := whole.Out.Start[s]; i < whole.Out.Start[s+1]; i++ {
			if to := r.position[side][whole.Out.End[i]]; to != None {
				list = append(list, Transition{int32(place), r.codeOf(whole.Out.Label[i], None, true), to})
			} else {
				list = append(list, Transition{int32(place), r.codeOf(whole.Out.Label[i], r.pairOf(side, whole.Out.End[i]), true), around})
			}
		}
		for i := whole.In.Start[s]; i < whole.In.Start[s+1]; i++ {
			if from := whole.In.End[i]; r.position[side][from] == None {
				list = append(list, Transition{around, r.codeOf(whole.In.Label[i], r.pairOf(side, from), false), int32(place)})
			}
		}
	}
	a.Out = sortArcs(len(a.Initial), list, func(t Transition) (int32, int32) { return t.Source, t.Target })
	a.In = sortArcs(len(a.Initial), list, func(t Transition) (int32, int32) { return t.Target, t.Source })
	return a
}

// pairOf returns the left state of the pair that a state of the surroundings is in.
func (r *residue) pairOf(side int, s int32) int32 {
	if side == 0 {
		return s
	}
	return r.partner[1][s]
}

// codeOf returns the code of a label, a new one if it was not seen before. Both sides share the codes.
func (r *residue) codeOf(label uint32, pair int32, leaving bool) uint32 {
	key := residueLabel{label, pair, leaving}
	code, ok := r.codes[key]
	if !ok {
		code = uint32(len(r.codes))
		r.codes[key] = code
	}
	return code
}

// withPairs returns the matching with other pairs inside the residue and the old ones around it.
func (r *residue) withPairs(pairs []Pair) *matching {
	m := newMatching(r.matching.left, r.matching.right)
	for x, y := range r.partner[0] {
		if y != None && r.position[0][x] == None {
			m.addPair(int32(x), y)
		}
	}
	for _, p := range pairs {
		if int(p.Left) < len(r.states[0]) && int(p.Right) < len(r.states[1]) {
			m.addPair(r.states[0][p.Left], r.states[1][p.Right])
		}
	}
	return m
}
