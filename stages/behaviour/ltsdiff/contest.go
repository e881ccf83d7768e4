package ltsdiff

// residuePairs and wholePairs bound the pairs of transitions with equal labels for which Fast computes scores: around
// the difference, and in the whole automata. Scoring costs time in proportion to these pairs.
const (
	residuePairs = 1 << 18
	wholePairs   = 1 << 14
)

// contest keeps the best of several matchings: the one with the most unchanged transitions after rewriting, and the
// first of these.
type contest struct {
	left, right *Automaton
	best        *matching
	unchanged   int // transitions that the best matching leaves unchanged
	limit       int // an upper bound of unchanged, from the labels alone
}

// newContest starts with one matching.
func newContest(m *matching) *contest {
	c := &contest{left: m.left, right: m.right, unchanged: -1, limit: commonLabels(m.left, m.right)}
	c.enterMatching(m)
	return c
}

// commonLabels counts the transitions that have a partner with an equal label, wherever it is. No matching can
// leave more transitions unchanged.
func commonLabels(l, r *Automaton) int {
	count := make(map[uint32]int)
	// Labels that occur on both sides, each as often as on the side where it is rarer.
	for _, label := range l.Out.Label {
		count[label]++
	}
	n := 0
	for _, label := range r.Out.Label {
		if count[label] > 0 {
			count[label]--
			n++
		}
	}
	return n
}

// isOptimal reports whether no matching can be better, so that the remaining, slower attempts can be skipped.
func (c *contest) isOptimal() bool { return c.unchanged >= c.limit }

// enterMatching counts what a matching leaves unchanged after rewriting, and keeps it if that is more than before.
func (c *contest) enterMatching(m *matching) {
	d, err := Merge(Only(c.left), c.right, m.pairsByLeft())
	if err != nil {
		panic(err) // two automata are not too many
	}
	// Rewriting may unite further transitions, and it is what the reader sees.
	d.Rewrite()
	if n := d.Count(Unchanged); n > c.unchanged {
		c.best, c.unchanged = m, n
	}
}

// matchResidue lets LTSdiff match only the part around the difference. In versions of one program that part is
// small, and the scores are affordable.
func (c *contest) matchResidue() {
	r := newResidue(c.best)
	c.matchByScores(r.left, r.right, residuePairs, r.withPairs)
}

// matchWhole lets LTSdiff match the automata as a whole.
func (c *contest) matchWhole() {
	c.matchByScores(c.left, c.right, wholePairs, func(pairs []Pair) *matching {
		m := newMatching(c.left, c.right)
		for _, p := range pairs {
			m.addPair(p.Left, p.Right)
		}
		return m
	})
}

// matchByScores enters what four variants of LTSdiff find for two automata, each as it is and improved. It does
// nothing if more than limit pairs of transitions would have to be scored.
func (c *contest) matchByScores(l, r *Automaton, limit int64, with func([]Pair) *matching) {
	if commonPairs(l, r) > limit {
		return
	}
	global := Global(l, r)
	for _, match := range []func() []Pair{
		func() []Pair { return Assign(global, nil) },
		func() []Pair { return Landmarks(global) },
		func() []Pair { return LocalLandmarks(1)(l, r) },
		func() []Pair { return LocalLandmarks(5)(l, r) },
	} {
		if c.isOptimal() {
			return
		}
		// As it is, and improved: either may leave more transitions unchanged after rewriting.
		pairs := match()
		c.enterMatching(with(pairs))
		m := with(pairs)
		m.improve()
		c.enterMatching(m)
	}
}

// commonPairs counts the pairs of transitions with equal labels. The number of pairs of states that score above 0
// in one direction is at most this.
func commonPairs(l, r *Automaton) int64 {
	count := make(map[uint32]int64)
	for _, label := range l.Out.Label {
		count[label]++
	}
	n := int64(0)
	for _, label := range r.Out.Label {
		n += count[label]
	}
	return n
}
