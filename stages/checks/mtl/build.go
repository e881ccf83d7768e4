package mtl

import "github.com/tracelake/tracelake/stages/checks/spec"

// Mode says what the end of a run means to a formula.
type Mode uint8

const (
	Finite Mode = iota // nothing comes any more
	Strong             // the formula must hold, whatever comes
	Weak               // the formula may hold, if the right things come
)

// swapped is the mode of what is negated.
func (m Mode) swapped() Mode { return [...]Mode{Finite: Finite, Strong: Weak, Weak: Strong}[m] }

// Leaf is the truth of a part of a formula that needs no temporal operator, at every state.
type Leaf struct {
	Holds []bool   // by tuple
	Bits  []uint64 // instead of Holds: a bit a state
}

// Leaves gives the leaf of a formula, or none where its operator is to be evaluated. It has one for every Atom and Compare.
type Leaves func(f *spec.Formula) *Leaf

// run is a tape with the meaning of atoms.
type run struct {
	tape   *Tape
	leaves Leaves
}

// build returns the stream of a formula from a block on.
func (r *run) build(f *spec.Formula, m Mode, block int64) stream {
	if leaf := r.leaves(f); leaf != nil {
		if leaf.Bits != nil {
			return &givenBits{leaf.Bits, block}
		}
		return &tupleAtom{r.tape, leaf.Holds, block}
	}
	switch f.Op {
	case spec.Not:
		return &negation{r.build(f.Args[0], m.swapped(), block)}
	case spec.And, spec.Or:
		j := &junction{any: f.Op == spec.Or}
		for _, a := range f.Args {
			j.parts = append(j.parts, r.build(a, m, block))
		}
		return j
	case spec.If:
		return &junction{any: true, parts: []stream{&negation{r.build(f.Args[0], m.swapped(), block)}, r.build(f.Args[1], m, block)}}
	case spec.Finally:
		goal := newScanner(r.build(f.Args[0], m, block), false, block, r.tape.states)
		return newUntil(r.tape, f.Within, m == Weak, goal, nil, block)
	case spec.Globally: // not finally not: both negations swap the mode, so that the part has that of the whole
		goal := newScanner(r.build(f.Args[0], m, block), true, block, r.tape.states)
		return &negation{newUntil(r.tape, f.Within, m.swapped() == Weak, goal, nil, block)}
	case spec.Until:
		broken := newScanner(r.build(f.Args[0], m, block), true, block, r.tape.states)
		goal := newScanner(r.build(f.Args[1], m, block), false, block, r.tape.states)
		return newUntil(r.tape, f.Within, m == Weak, goal, broken, block)
	}
	return constant{} // spec.True
}

// at is the truth of a formula at a state.
func (r *run) at(f *spec.Formula, m Mode, state int64) bool {
	var t truth
	r.build(f, m, state>>blockBits).next(&t)
	return t[state%blockStates/64]>>(state%64)&1 != 0
}

// horizon is how far a formula looks ahead in ns, or spec.Unbounded.
func horizon(f *spec.Formula) int64 {
	most := int64(0)
	for _, a := range f.Args {
		most = max(most, horizon(a))
	}
	if !f.Temporal() {
		return most
	}
	if f.Within == nil || f.Within.ToNs >= spec.Unbounded-most {
		return spec.Unbounded
	}
	return most + f.Within.ToNs
}

// Truth is the truth of a formula at every state of a tape, which is taken as it is: a bit a state. Bits beyond the last state mean nothing.
func Truth(t *Tape, f *spec.Formula, leaves Leaves) []uint64 {
	r := &run{t, leaves}
	s := r.build(f, Finite, 0)
	var bits []uint64
	var block truth
	for range t.blocks {
		s.next(&block)
		bits = append(bits, block[:]...)
	}
	return bits
}
