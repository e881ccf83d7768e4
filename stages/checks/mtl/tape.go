package mtl

import "math"

// blockBits is the logarithm of the number of states of a block, and blockStates that number.
const blockBits, blockStates = 12, 1 << 12

// Tape holds the states of a run in their order: time, sequence number, and what atoms see of a state as the number of a
// tuple of attributes. A state takes 6 bytes where times of neighbours are within 4 seconds and tuples are fewer than 65,536.
// Times never descend. The zero value is an empty tape.
type Tape struct {
	blocks []block
	states int64
	left   int64 // states of the run that are left out
	lastNs int64
	full   block // the block that is being filled, in full width
}

// block is up to blockStates states in the narrowest columns that hold them.
type block struct {
	firstNs, firstSeq int64
	after             []uint32 // ns since firstNs; nil where it does not fit
	timeNs            []int64  // instead of after
	tuple             []uint16 // nil where it does not fit
	wideTuple         []uint32 // instead of tuple
	seq               []int64  // nil where sequence numbers follow one another
}

// Append adds a state. Its time is not before that of the state before it.
func (t *Tape) Append(timeNs, seq int64, tuple uint32) {
	b := &t.full
	b.timeNs = append(b.timeNs, timeNs)
	b.seq = append(b.seq, seq)
	b.wideTuple = append(b.wideTuple, tuple)
	t.lastNs = timeNs
	t.states++
	if len(b.timeNs) == blockStates {
		t.seal()
	}
}

// LeaveOut says that the run has so many more states, which the tape leaves out since Sparse formulas do not see them. The last state of
// the run is never left out.
func (t *Tape) LeaveOut(states int64) { t.left = states }

// Close ends the appending.
func (t *Tape) Close() {
	if len(t.full.timeNs) > 0 {
		t.seal()
	}
	t.full = block{}
}

// Sealed is the tape as far as its blocks are full, while it is still being filled: it shares them.
func (t *Tape) Sealed() *Tape {
	sealed := &Tape{blocks: t.blocks[:len(t.blocks):len(t.blocks)]}
	if sealed.states = int64(len(t.blocks)) << blockBits; sealed.states > 0 {
		sealed.lastNs = sealed.TimeNs(sealed.states - 1)
	}
	return sealed
}

// seal stores the block that was filled in narrow columns.
func (t *Tape) seal() {
	from := &t.full
	n := len(from.timeNs)
	to := block{firstNs: from.timeNs[0], firstSeq: from.seq[0]}
	if uint64(from.timeNs[n-1]-from.timeNs[0]) <= math.MaxUint32 {
		to.after = make([]uint32, n)
		for i, x := range from.timeNs {
			to.after[i] = uint32(x - to.firstNs)
		}
	} else {
		to.timeNs = append([]int64(nil), from.timeNs...)
	}
	widest, inSequence := uint32(0), true
	for i, x := range from.wideTuple {
		widest = max(widest, x)
		inSequence = inSequence && from.seq[i] == to.firstSeq+int64(i)
	}
	if widest <= math.MaxUint16 {
		to.tuple = make([]uint16, n)
		for i, x := range from.wideTuple {
			to.tuple[i] = uint16(x)
		}
	} else {
		to.wideTuple = append([]uint32(nil), from.wideTuple...)
	}
	if !inSequence {
		to.seq = append([]int64(nil), from.seq...)
	}
	t.blocks = append(t.blocks, to)
	from.timeNs, from.seq, from.wideTuple = from.timeNs[:0], from.seq[:0], from.wideTuple[:0]
}

// States is the number of states. FirstNs and LastNs are the times of the first and the last one, which must exist.
func (t *Tape) States() int64  { return t.states }
func (t *Tape) FirstNs() int64 { return t.blocks[0].firstNs }
func (t *Tape) LastNs() int64  { return t.lastNs }

// TimeNs is the time of a state.
func (t *Tape) TimeNs(state int64) int64 {
	b, i := &t.blocks[state>>blockBits], state%blockStates
	if b.after != nil {
		return b.firstNs + int64(b.after[i])
	}
	return b.timeNs[i]
}

// Seq is the sequence number of a state.
func (t *Tape) Seq(state int64) int64 {
	b, i := &t.blocks[state>>blockBits], state%blockStates
	if b.seq != nil {
		return b.seq[i]
	}
	return b.firstSeq + i
}

// Tuple is the tuple of a state.
func (t *Tape) Tuple(state int64) uint32 {
	b, i := &t.blocks[state>>blockBits], state%blockStates
	if b.tuple != nil {
		return uint32(b.tuple[i])
	}
	return b.wideTuple[i]
}

// From is the first state that is not before a time, or the number of states.
func (t *Tape) From(timeNs int64) int64 {
	low, high := int64(0), t.states
	for low < high {
		if middle := (low + high) / 2; t.TimeNs(middle) < timeNs {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}
