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
	l.positive()
	l.zero()
	if len(m.pairs) == 0 {
		if start, ok := s.startPair(); ok {
			m.join(start.Left, start.Right)
		}
	}
	m.grow(s)
	return m.pairs
}

// landmarks finds landmarks. Best are the pairs with the highest scores, by number of the left and then
// of the right state where these are equal. Those with a score above 0 are looked at; the others are only
// counted, for what matters of them is whether a left state has exactly one left.
type landmarks struct {
	*Scores
	matching *matching
	row      row
	top      []float64 // by left state: the highest of its scores
	order    []int32   // left states by their highest scores
	least    float64   // of the scores among the best
	ties     []int32   // by left state: how many pairs of that score are; nil if all are
	zeros    int64     // how many pairs of score 0 are among the best
	before   []int64   // by left state: how many pairs of score 0 the states before it have
	unused   [2]int32  // right states without a partner, by accepting
}

func newLandmarks(s *Scores, m *matching) *landmarks {
	l := &landmarks{Scores: s, matching: m, top: make([]float64, s.left.States())}
	for _, accepting := range s.right.Accepting {
		l.unused[flag(accepting)]++
	}
	positive, states := int64(0), l.unused
	l.before = make([]int64, s.left.States()+1)
	for x := range s.left.States() {
		s.fill(&l.row, x)
		positive += int64(len(l.row.states))
		l.before[x+1] = l.before[x] + int64(states[flag(s.left.Accepting[x])]) - int64(len(l.row.states))
		for _, y := range l.row.states {
			l.top[x] = max(l.top[x], l.row.score[y])
		}
	}
	count := int64(math.Ceil(landmarkShare * float64(s.left.States()) * float64(s.right.States())))
	if l.zeros = max(0, count-positive); positive > count {
		l.limit(count, positive)
	}
	for x := range s.left.States() {
		if l.top[x] > 0 {
			l.order = append(l.order, x)
		}
	}
	slices.SortStableFunc(l.order, func(a, b int32) int { return cmp.Compare(l.top[b], l.top[a]) })
	return l
}

// positive makes landmarks of left states that have a score above 0.
func (l *landmarks) positive() {
	for _, x := range l.order {
		if l.top[x] < l.least {
			return
		}
		y, best, second := l.best(x)
		switch {
		case y == None:
			l.onlyZero(x)
		case best > second*landmarkRatio:
			l.join(x, y)
		}
	}
}

// best finds the right state with the highest score that has no partner, the first on ties, and the second
// highest score, which is negative if there is no other state.
func (l *landmarks) best(x int32) (y int32, best, second float64) {
	l.fill(&l.row, x)
	y, best, second = None, -1, -1
	ties := math.MaxInt
	if l.ties != nil {
		ties = int(l.ties[x])
	}
	for _, z := range l.row.sorted() {
		v := l.row.score[z]
		if v < l.least {
			continue
		}
		if v == l.least {
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

func (l *landmarks) join(x, y int32) {
	l.matching.join(x, y)
	l.unused[flag(l.right.Accepting[y])]--
}

// zero makes landmarks of left states whose scores are all 0.
func (l *landmarks) zero() {
	for x := range l.left.States() {
		if l.top[x] == 0 {
			l.onlyZero(x)
		}
	}
}

// onlyZero makes a landmark of a left state and its one partner of score 0 among the best. All its
// partners with a higher score are taken.
func (l *landmarks) onlyZero(x int32) {
	from, to := l.before[x], l.before[x+1]
	if from >= l.zeros {
		return
	}
	if to <= l.zeros && l.unused[flag(l.left.Accepting[x])] != 1 {
		return
	}
	l.fill(&l.row, x)
	only := None
	for y := range l.right.States() {
		if !l.matching.combinable(x, y) || l.row.score[y] > 0 {
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
		l.join(x, only)
	}
}
