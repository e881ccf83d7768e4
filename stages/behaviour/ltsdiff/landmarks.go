package ltsdiff

import (
	"cmp"
	"math"
	"slices"
)

// A pair is a landmark if it is among the best landmarkShare of all pairs of states and its score exceeds
// landmarkRatio times that of the next partner.
const (
	landmarkShare = 0.25
	landmarkRatio = 1.5
)

// Landmarks matches states that stand out and grows from there: Walkinshaw and Bogdanov 2013, section
// 5.3. Without a landmark it starts at the initial states.
func Landmarks(s *Scores) []Pair {
	m := newMatching(s.left, s.right)
	l := newLandmarks(s, m)
	l.addPositive()
	l.addZero()
	if len(m.pairs) == 0 {
		if start, ok := s.startPair(); ok {
			m.addPair(start.Left, start.Right)
		}
	}
	m.growByScores(s)
	return m.pairs
}

// landmarks selects landmarks from the best quarter of all pairs of states, ordered by score and, where scores are
// equal, by the number of the left and then of the right state. Pairs that score above 0 are listed; the others are
// only counted, because all that matters of them is whether a left state has exactly one left.
type landmarks struct {
	*Scores
	matching    *matching
	row         row       // scratch: the scores of one left state
	top         []float64 // by left state: the highest of its scores
	order       []int32   // left states by their highest scores, descending
	minScore    float64   // the lowest score among the best pairs
	tiesKept    []int32   // by left state: its pairs of exactly minScore that are among the best; nil if all are
	zeros       int64     // number of pairs of score 0 among the best
	zerosBefore []int64   // by left state: number of pairs of score 0 of the states before it
	unused      [2]int32  // right states without a partner, by accepting
}

// newLandmarks counts the scores by left state and finds the score above which pairs are among the best.
// It computes every row three times at most and stores none.
func newLandmarks(s *Scores, m *matching) *landmarks {
	l := &landmarks{Scores: s, matching: m, top: make([]float64, s.left.States())}
	for _, accepting := range s.right.Accepting {
		l.unused[intOf(accepting)]++
	}
	positive, states := int64(0), l.unused
	l.zerosBefore = make([]int64, s.left.States()+1)
	// 1. One pass over all scores: how many there are, and the highest of each state.
	for x := range s.left.States() {
		s.fillRow(&l.row, x)
		positive += int64(len(l.row.states))
		l.zerosBefore[x+1] = l.zerosBefore[x] + int64(states[intOf(s.left.Accepting[x])]) - int64(len(l.row.states))
		for _, y := range l.row.states {
			l.top[x] = max(l.top[x], l.row.score[y])
		}
	}
	// 2. The best quarter ends among the scores above 0, or among those of 0.
	count := int64(math.Ceil(landmarkShare * float64(s.left.States()) * float64(s.right.States())))
	if l.zeros = max(0, count-positive); positive > count {
		l.limitToBest(count, positive)
	}
	for x := range s.left.States() {
		if l.top[x] > 0 {
			l.order = append(l.order, x)
		}
	}
	// 3. States with the highest scores choose first.
	slices.SortStableFunc(l.order, func(a, b int32) int { return cmp.Compare(l.top[b], l.top[a]) })
	return l
}

// addPositive makes landmarks of left states that have a score above 0, the highest score first.
func (l *landmarks) addPositive() {
	for _, x := range l.order {
		if l.top[x] < l.minScore {
			return
		}
		y, best, second := l.bestPartner(x)
		switch {
		case y == None: // all its partners above 0 are taken
			l.addOnlyZero(x)
		case best > second*landmarkRatio: // it stands out
			l.addLandmark(x, y)
		}
	}
}

// bestPartner returns the free right state with the highest score, the first on ties, and the second highest score,
// which is negative if there is no other state.
func (l *landmarks) bestPartner(x int32) (y int32, best, second float64) {
	l.fillRow(&l.row, x)
	y, best, second = None, -1, -1
	ties := math.MaxInt
	if l.tiesKept != nil {
		ties = int(l.tiesKept[x])
	}
	for _, z := range l.row.sortedStates() {
		v := l.row.score[z]
		if v < l.minScore {
			continue
		}
		if v == l.minScore {
			if ties--; ties < 0 {
				continue
			}
		}
		if l.matching.partner[1][z] != None {
			continue
		}
		if v > best {
			y, best, second = z, v, best
		} else {
			second = max(second, v)
		}
	}
	return y, best, second
}

// addLandmark pairs two states and takes the right one from those unused.
func (l *landmarks) addLandmark(x, y int32) {
	l.matching.addPair(x, y)
	l.unused[intOf(l.right.Accepting[y])]--
}

// addZero makes landmarks of left states whose scores are all 0. They come last, as in a list sorted by score.
func (l *landmarks) addZero() {
	for x := range l.left.States() {
		if l.top[x] == 0 {
			l.addOnlyZero(x)
		}
	}
}

// addOnlyZero makes a landmark of a left state and its single free partner of score 0 among the best. The caller
// has checked that its partners with a higher score are taken.
func (l *landmarks) addOnlyZero(x int32) {
	from, to := l.zerosBefore[x], l.zerosBefore[x+1]
	// All pairs of score 0 that count belong to states before this one.
	if from >= l.zeros {
		return
	}
	if to <= l.zeros && l.unused[intOf(l.left.Accepting[x])] != 1 {
		return
	}
	l.fillRow(&l.row, x)
	only := None
	for y := range l.right.States() {
		if !l.matching.areCombinable(x, y) || l.row.score[y] > 0 {
			continue
		}
		if from++; from > l.zeros {
			break
		}
		if l.matching.partner[1][y] == None {
			if only != None {
				return
			}
			only = y
		}
	}
	if only != None {
		l.addLandmark(x, only)
	}
}

// scoredPair is a pair that could be made, with its score.
type scoredPair struct {
	Pair
	score float64
}

// growByScores pairs the neighbours of pairs (Walkinshaw and Bogdanov 2013, section 5.3): the free predecessors and
// successors by equal labels of all pairs, the highest score first and on ties the first found; then those of the
// new pairs, until there are none.
//
// When a wave is over, every neighbour of the pairs before it has a partner or conflicts with one, so the next wave
// starts from the new pairs only.
func (m *matching) growByScores(s *Scores) {
	var wave []scoredPair
	for from := 0; from < len(m.pairs); {
		wave = wave[:0]
		// The neighbours of the pairs of the last wave.
		for _, p := range m.pairs[from:] {
			wave = m.appendNeighbours(wave, &m.left.In, &m.right.In, p)
			wave = m.appendNeighbours(wave, &m.left.Out, &m.right.Out, p)
		}
		for i := range wave {
			wave[i].score = s.At(wave[i].Left, wave[i].Right)
		}
		slices.SortStableFunc(wave, func(a, b scoredPair) int { return cmp.Compare(b.score, a.score) })
		from = len(m.pairs)
		// A pair of this wave may take a state that a later candidate needs.
		for _, c := range wave {
			if m.areFree(c.Left, c.Right) {
				m.addPair(c.Left, c.Right)
			}
		}
	}
}

// appendNeighbours appends the neighbours of a pair in one direction that could be pairs, in the order of the
// transitions of the left automaton and then of the right one.
func (m *matching) appendNeighbours(wave []scoredPair, l, r *Arcs, p Pair) []scoredPair {
	type arcs struct{ left, right int32 }
	var found []arcs
	l.eachCommonRun(p.Left, r, p.Right, func(i, iTo, j, jTo int32) {
		for ; i < iTo; i++ {
			for k := j; k < jTo; k++ {
				if x, y := l.End[i], r.End[k]; m.areFree(x, y) && m.areCombinable(x, y) {
					found = append(found, arcs{i, k})
				}
			}
		}
	})
	slices.SortFunc(found, func(a, b arcs) int {
		return cmp.Or(cmp.Compare(l.Number[a.left], l.Number[b.left]), cmp.Compare(r.Number[a.right], r.Number[b.right]))
	})
	for _, a := range found {
		wave = append(wave, scoredPair{Pair: Pair{l.End[a.left], r.End[a.right]}})
	}
	return wave
}
