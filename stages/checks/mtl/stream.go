package mtl

import "math/bits"

// truth is that of a block of states, a bit each. Bits beyond the last state mean nothing.
type truth [blockStates / 64]uint64

// stream yields the truth of a formula block by block.
type stream interface {
	next(out *truth)
}

// constant holds everywhere.
type constant struct{}

func (constant) next(out *truth) {
	for w := range out {
		out[w] = ^uint64(0)
	}
}

// tupleAtom holds at states of certain tuples.
type tupleAtom struct {
	tape  *Tape
	holds []bool // by tuple
	block int64
}

func (a *tupleAtom) next(out *truth) {
	b := &a.tape.blocks[a.block]
	a.block++
	*out = truth{}
	if b.tuple != nil {
		gather(out, b.tuple, a.holds)
	} else {
		gather(out, b.wideTuple, a.holds)
	}
}

// gather looks the tuples of a block up.
func gather[T uint16 | uint32](out *truth, tuples []T, holds []bool) {
	for w := 0; len(tuples) > 0; w++ {
		n := min(64, len(tuples))
		var word uint64
		for i, x := range tuples[:n] {
			if holds[x] {
				word |= 1 << i
			}
		}
		out[w], tuples = word, tuples[n:]
	}
}

// givenBits holds where bits were computed elsewhere, a bit a state.
type givenBits struct {
	bits  []uint64
	block int64
}

func (g *givenBits) next(out *truth) {
	copy(out[:], g.bits[min(g.block*int64(len(out)), int64(len(g.bits))):])
	g.block++
}

// negation holds where its part does not.
type negation struct{ of stream }

func (s *negation) next(out *truth) {
	s.of.next(out)
	for w := range out {
		out[w] = ^out[w]
	}
}

// junction holds where all of its parts do, or any.
type junction struct {
	parts []stream
	any   bool
	one   truth // of a part
}

func (s *junction) next(out *truth) {
	s.parts[0].next(out)
	for _, p := range s.parts[1:] {
		p.next(&s.one)
		if s.any {
			for w := range out {
				out[w] |= s.one[w]
			}
		} else {
			for w := range out {
				out[w] &= s.one[w]
			}
		}
	}
}

// scanner finds the next state at which a stream holds. It never moves back.
type scanner struct {
	of     stream
	invert bool  // it finds where the stream does not hold
	block  int64 // whose truth is in hand
	states int64 // of the tape
	truth  truth
}

// newScanner returns a scanner of a stream that begins at a block.
func newScanner(of stream, invert bool, block, states int64) *scanner {
	return &scanner{of: of, invert: invert, block: block - 1, states: states}
}

// from returns the first state at or behind a state at which the stream holds, or the number of states.
func (s *scanner) from(state int64) int64 {
	for state < s.states {
		for s.block < state>>blockBits {
			s.of.next(&s.truth)
			s.block++
			if s.invert {
				for w := range s.truth {
					s.truth[w] = ^s.truth[w]
				}
			}
		}
		first := int(state % blockStates)
		w := first / 64
		word := s.truth[w] &^ (1<<(first%64) - 1)
		for word == 0 && w+1 < len(s.truth) {
			w++
			word = s.truth[w]
		}
		if word != 0 {
			return min(s.block<<blockBits+int64(w*64+bits.TrailingZeros64(word)), s.states)
		}
		state = (s.block + 1) << blockBits
	}
	return s.states
}

// cursor reads times of states, a block at a time.
type cursor struct {
	tape   *Tape
	block  int64
	timeNs []int64 // of the block
	buffer []int64
}

func newCursor(t *Tape) *cursor { return &cursor{tape: t, block: -1} }

// load makes a block the one in hand.
func (c *cursor) load(block int64) {
	b := &c.tape.blocks[block]
	c.block = block
	if b.after == nil {
		c.timeNs = b.timeNs
		return
	}
	if c.buffer == nil {
		c.buffer = make([]int64, blockStates)
	}
	c.timeNs = c.buffer[:len(b.after)]
	for i, x := range b.after {
		c.timeNs[i] = b.firstNs + int64(x)
	}
}
