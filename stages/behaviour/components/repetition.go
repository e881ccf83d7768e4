package components

// term is a representation of a word: a letter, a sequence, or repetitions of a term.
type term struct {
	letter   int    // its position in the word; -1 of a sequence or repetition
	sequence []term // one after the other
	repeated *term  //
	count    int    // how often it is repeated; 0: any number of times
}

// longest is how many letters are represented together; longer words are represented piece by piece, as the time goes
// with the cube of the length.
const longest = 512

// shortest is the minimum repetition representation of a word, of which equal letters are equal numbers: that with the
// fewest letters and repetitions, each counting one. It is the algorithm of Nakamura, Saito, Takigawa, Kudo and Mamitsuka,
// Discrete Applied Mathematics 161, 2013, figure 1.
func shortest(word []int) term {
	if len(word) > longest {
		whole := term{letter: -1}
		for from := 0; from < len(word); from += longest {
			piece := represent(word[from:min(from+longest, len(word))])
			piece.shift(from)
			whole.sequence = append(whole.sequence, piece)
		}
		return whole
	}
	return represent(word)
}

// shift moves the letters of a term to later positions of the word.
func (r *term) shift(by int) {
	if r.letter >= 0 {
		r.letter += by
	}
	for i := range r.sequence {
		r.sequence[i].shift(by)
	}
	if r.repeated != nil {
		r.repeated.shift(by)
	}
}

// choices are, for every segment of a word of n letters, its cost and how it comes about. The segment from i with z letters
// is at i*n + z-1 in from and part, and at (i+z-1)*n + z-1 in upto.
type choices struct {
	n          int
	from, upto []int32 // costs
	part       []int32 // d > 0: its first d letters and the rest; -z: its first z letters, repeated; 0: a letter
}

func represent(word []int) term {
	n := len(word)
	c := &choices{n, make([]int32, n*n), make([]int32, n*n), make([]int32, n*n)}
	for i := range c.from {
		c.from[i] = int32(2 * n) // more than any
	}
	for z := 1; z <= n; z++ {
		for i := 0; i+z <= n; i++ {
			c.concatenate(i, z)
			c.upto[(i+z-1)*n+z-1] = c.from[i*n+z-1]
			c.repeat(word, i, z)
		}
	}
	return c.term(0, n)
}

// concatenate finds the cheapest division of a segment in two, the first of those that cost the same, where it is
// cheaper than its repetition.
func (c *choices) concatenate(i, z int) {
	at := i*c.n + z - 1
	best, part := c.from[at], c.part[at]
	if z == 1 {
		best = 1
	}
	heads := c.from[i*c.n : at]                                 // of 1, 2, ... letters
	tails := c.upto[(i+z-1)*c.n : (i+z-1)*c.n+z-1][:len(heads)] // of 1, 2, ... letters
	for d, head := range heads {
		if cost := head + tails[len(tails)-1-d]; cost < best {
			best, part = cost, int32(d+1)
		}
	}
	c.from[at], c.part[at] = best, part
}

// repeat finds how often a segment stands in the word in a row.
func (c *choices) repeat(word []int, i, z int) {
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

// term is the representation of a segment.
func (c *choices) term(i, z int) term {
	switch d := int(c.part[i*c.n+z-1]); {
	case d > 0:
		return term{letter: -1, sequence: []term{c.term(i, d), c.term(i+d, z-d)}}
	case d < 0:
		once := c.term(i, -d)
		return term{letter: -1, repeated: &once, count: z / -d}
	}
	return term{letter: i}
}
