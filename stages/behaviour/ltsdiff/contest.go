package ltsdiff

// The most pairs of transitions with equal labels for which Fast scores: around the difference, and in the
// whole automata.
const (
	residuePairs = 1 << 18
	wholePairs   = 1 << 14
)

// contest is the best of several matchings: the one with the most unchanged transitions after rewriting,
// and the first of these.
type contest struct {
	left, right *Automaton
	best        *matching
	unchanged   int
	limit       int // how many can be unchanged
}

// newContest starts with one matching.
func newContest(m *matching) *contest {
	c := &contest{left: m.left, right: m.right, unchanged: -1, limit: commonLabels(m.left, m.right)}
	c.enter(m)
	return c
}

// commonLabels is how many transitions have counterparts with equal labels, wherever they are.
func commonLabels(l, r *Automaton) int {
	count := make(map[uint32]int)
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

// won says whether no matching can be better.
func (c *contest) won() bool { return c.unchanged >= c.limit }

// enter counts what a matching leaves unchanged.
func (c *contest) enter(m *matching) {
	d, err := Merge(Only(c.left), c.right, m.found())
	if err != nil {
		panic(err) // two automata are not too many
	}
	d.Rewrite()
	if n := d.Count(Unchanged); n > c.unchanged {
		c.best, c.unchanged = m, n
	}
}

// around lets LTSDiff match the residue of the first matching.
func (c *contest) around() {
	r := newResidue(c.best)
	c.scored(r.left, r.right, residuePairs, r.with)
}

// whole lets LTSDiff match the automata.
func (c *contest) whole() {
	c.scored(c.left, c.right, wholePairs, func(pairs []Pair) *matching {
		m := newMatching(c.left, c.right)
		for _, p := range pairs {
			m.join(p.Left, p.Right)
		}
		return m
	})
}

// scored enters what LTSDiff finds for two automata, as it is and improved, unless too many pairs would
// have to be scored.
func (c *contest) scored(l, r *Automaton, limit int64, with func([]Pair) *matching) {
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
		if c.won() {
			return
		}
		pairs := match()
		c.enter(with(pairs))
		m := with(pairs)
		m.improve()
		c.enter(m)
	}
}

// commonPairs is how many pairs of transitions have equal labels, which is at least the number of pairs of
// states that score above 0 in a direction.
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
