package components

// term is a representation of a word: a letter, a sequence, or a repetition of a term.
type term struct {
	letter   int    // its position in the word; -1 for a sequence or repetition
	sequence []term // one after the other
	repeated *term  // nil unless it is a repetition
	count    int    // how often it is repeated; 0: any number of times
}

// maxWordLength is the number of letters that are represented together. Longer words are represented
// piece by piece, because the time grows with the cube of the length.
const maxWordLength = 512

// minimumRepresentation returns the minimum repetition representation of a word, in which equal letters
// are equal numbers: the one with the fewest letters and repetitions, each counting one (Nakamura, Saito,
// Takigawa, Kudo and Mamitsuka, Discrete Applied Mathematics 161, 2013, figure 1). O(n^3) time and O(n^2)
// memory.
// A word of one letter n times costs 2, and one without repetitions its length.
func minimumRepresentation(word []int) term {
	if len(word) > maxWordLength {
		whole := term{letter: -1}
		for from := 0; from < len(word); from += maxWordLength {
			piece := representWord(word[from:min(from+maxWordLength, len(word))])
			piece.shiftLetters(from)
			whole.sequence = append(whole.sequence, piece)
		}
		return whole
	}
	return representWord(word)
}

// shiftLetters moves the letters of a term to later positions of the word.
func (r *term) shiftLetters(by int) {
	if r.letter >= 0 {
		r.letter += by
	}
	for i := range r.sequence {
		r.sequence[i].shiftLetters(by)
	}
	if r.repeated != nil {
		r.repeated.shiftLetters(by)
	}
}

// costTable holds, for every segment of a word of n letters, its cost and how it is composed. The segment
// from i with z letters is at i*n + z-1 in from and part, and at (i+z-1)*n + z-1 in upto: the second copy
// lets the inner loop read both halves of a division in order.
// Of words of 512 letters it takes 3 MB.
type costTable struct {
	n          int
	from, upto []int32 // costs
	part       []int32 // d > 0: its first d letters and the rest; -z: its first z letters, repeated; 0: a letter
}

// representWord fills the table by growing segments: the dynamic programme of the paper.
func representWord(word []int) term {
	n := len(word)
	c := &costTable{n, make([]int32, n*n), make([]int32, n*n), make([]int32, n*n)}
	for i := range c.from {
		c.from[i] = int32(2 * n) // more than any
	}
	// Invariant: all segments of fewer than z letters have their final costs when those of z begin. A repetition of
	// the segment at i may lower the cost of longer ones that begin there.
	for z := 1; z <= n; z++ {
		for i := 0; i+z <= n; i++ {
			c.tryConcatenation(i, z)
			c.upto[(i+z-1)*n+z-1] = c.from[i*n+z-1]
			c.tryRepetition(word, i, z)
		}
	}
	return c.termOf(0, n)
}

// tryConcatenation finds the cheapest division of a segment in two, the first of those that cost the
// same, if it is cheaper than its repetition.
func (c *costTable) tryConcatenation(i, z int) {
	at := i*c.n + z - 1
	best, part := c.from[at], c.part[at]
	if z == 1 {
		best = 1
	}
	// This loop takes nearly all of the time; it reads both slices in order and without bounds checks.
	heads := c.from[i*c.n : at]                                 // of 1, 2, ... letters
	tails := c.upto[(i+z-1)*c.n : (i+z-1)*c.n+z-1][:len(heads)] // of 1, 2, ... letters
	for d, head := range heads {
		if cost := head + tails[len(tails)-1-d]; cost < best {
			best, part = cost, int32(d+1)
		}
	}
	c.from[at], c.part[at] = best, part
}

// tryRepetition finds how often a segment stands in the word in a row.
func (c *costTable) tryRepetition(word []int, i, z int) {
	// Each further copy makes a longer segment that is this one repeated.
	for next := i + z; next+z <= c.n; next += z {
		for k := range z {
			if word[i+k] != word[next+k] {
				return
			}
		}
		at := i*c.n + next + z - i - 1
		if cost := c.from[i*c.n+z-1] + 1; cost < c.from[at] {
			c.from[at], c.part[at] = cost, int32(-z)
		}
	}
}

// termOf returns the representation of a segment.
func (c *costTable) termOf(i, z int) term {
	switch d := int(c.part[i*c.n+z-1]); {
	case d > 0:
		return term{letter: -1, sequence: []term{c.termOf(i, d), c.termOf(i+d, z-d)}}
	case d < 0:
		once := c.termOf(i, -d)
		return term{letter: -1, repeated: &once, count: z / -d}
	}
	return term{letter: i}
}
