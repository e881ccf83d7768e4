package ltsdiff

// residue is what two automata do not have in common under a matching: the states without a partner and
// those that share less than three quarters of their transitions with it. All other pairs of states are held
// together as one state, the surroundings. A transition to or from there has a label of its own for each pair of states
// and label, so it has a counterpart only where both sides have it with the same pair.
type residue struct {
	*matching
	left, right *Automaton // the surroundings are their last states
	states      [2][]int32 // by state of left and right: its number in the whole
	place       [2][]int32 // and the other way round, or None
	codes       map[outward]uint32
}

// outward is a label, and the left state of a pair of the surroundings if there is one.
type outward struct {
	label   uint32
	pair    int32 // None between two states of the residue
	leaving bool
}

func newResidue(m *matching) *residue {
	r := &residue{matching: m, codes: make(map[outward]uint32)}
	r.place[0], r.place[1] = filled(int(m.left.States())), filled(int(m.right.States()))
	keeper := &improver{matching: m}
	for x, y := range m.partner[0] {
		if y == None || !keeper.settled(int32(x), y) {
			r.take(0, int32(x))
			if y != None {
				r.take(1, y)
			}
		}
	}
	for y, x := range m.partner[1] {
		if x == None {
			r.take(1, int32(y))
		}
	}
	r.left, r.right = r.part(0, m.left), r.part(1, m.right)
	return r
}

// settled says whether two partners share at least three quarters of their transitions.
func (m *improver) settled(x, y int32) bool {
	right := m.right.Out.Start[y+1] - m.right.Out.Start[y] + m.right.In.Start[y+1] - m.right.In.Start[y]
	return 4*m.kept(x, None) >= 3*max(m.degree(x), int(right))
}

func (r *residue) take(side int, s int32) {
	r.place[side][s] = int32(len(r.states[side]))
	r.states[side] = append(r.states[side], s)
}

// part makes the automaton of one side.
func (r *residue) part(side int, whole *Automaton) *Automaton {
	around := int32(len(r.states[side]))
	a := &Automaton{Initial: make([]bool, around+1), Accepting: make([]bool, around+1)}
	var list []Transition
	for place, s := range r.states[side] {
		a.Initial[place], a.Accepting[place] = whole.Initial[s], whole.Accepting[s]
		for i := whole.Out.Start[s]; i < whole.Out.Start[s+1]; i++ {
			if to := r.place[side][whole.Out.End[i]]; to != None {
				list = append(list, Transition{int32(place), r.code(whole.Out.Label[i], None, true), to})
			} else {
				list = append(list, Transition{int32(place), r.code(whole.Out.Label[i], r.pair(side, whole.Out.End[i]), true), around})
			}
		}
		for i := whole.In.Start[s]; i < whole.In.Start[s+1]; i++ {
			if from := whole.In.End[i]; r.place[side][from] == None {
				list = append(list, Transition{around, r.code(whole.In.Label[i], r.pair(side, from), false), int32(place)})
			}
		}
	}
	a.Out = sortArcs(len(a.Initial), list, func(t Transition) (int32, int32) { return t.Source, t.Target })
	a.In = sortArcs(len(a.Initial), list, func(t Transition) (int32, int32) { return t.Target, t.Source })
	return a
}

// pair is the left state of the pair that a state of the surroundings is in.
func (r *residue) pair(side int, s int32) int32 {
	if side == 0 {
		return s
	}
	return r.partner[1][s]
}

func (r *residue) code(label uint32, pair int32, leaving bool) uint32 {
	key := outward{label, pair, leaving}
	code, ok := r.codes[key]
	if !ok {
		code = uint32(len(r.codes))
		r.codes[key] = code
	}
	return code
}

// with is the matching with other pairs in the residue.
func (r *residue) with(pairs []Pair) *matching {
	m := newMatching(r.matching.left, r.matching.right)
	for x, y := range r.partner[0] {
		if y != None && r.place[0][x] == None {
			m.join(int32(x), y)
		}
	}
	for _, p := range pairs {
		if int(p.Left) < len(r.states[0]) && int(p.Right) < len(r.states[1]) {
			m.join(r.states[0][p.Left], r.states[1][p.Right])
		}
	}
	return m
}
