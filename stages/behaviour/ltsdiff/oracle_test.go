package ltsdiff

import (
	"cmp"
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// tiny is a random automaton, often nondeterministic, with any number of initial and accepting states.
func tiny(t testing.TB, rng *rand.Rand, most, alphabet int) *Automaton {
	n := 1 + rng.Intn(most)
	initial, accepting := make([]bool, n), make([]bool, n)
	for s := range n {
		initial[s], accepting[s] = rng.Intn(4) == 0, rng.Intn(3) > 0
	}
	seen := map[Transition]bool{}
	var list []Transition
	for range rng.Intn(3*n + 1) {
		tr := Transition{int32(rng.Intn(n)), uint32(rng.Intn(alphabet)), int32(rng.Intn(n))}
		if !seen[tr] {
			seen[tr] = true
			list = append(list, tr)
		}
	}
	return automaton(t, initial, accepting, list)
}

// denseScores follows the recurrence word by word: k refinements of the scores of all pairs.
func denseScores(l, r *Automaton, k int, forward, global bool) [][]float64 {
	s := make([][]float64, l.States())
	for x := range s {
		s[x] = make([]float64, r.States())
	}
	for range k {
		next := make([][]float64, len(s))
		for x := range s {
			for y := range s[x] {
				next[x] = append(next[x], denseScore(l, r, s, int32(x), int32(y), forward, global))
			}
		}
		s = next
	}
	return s
}

func denseScore(l, r *Automaton, s [][]float64, x, y int32, forward, global bool) float64 {
	if l.Accepting[x] != r.Accepting[y] {
		return -1
	}
	al, ar, a, b := &l.Out, &r.Out, 0.0, 0.0
	if !forward {
		al, ar = &l.In, &r.In
		a, b = float64(intOf(l.Initial[x] && r.Initial[y])), float64(intOf(l.Initial[x] || r.Initial[y]))
	}
	sum, n, u := a, 0.0, 0.0
	hasPartner := make(map[int32]bool)
	for i := al.Start[x]; i < al.Start[x+1]; i++ {
		alone := true
		for j := ar.Start[y]; j < ar.Start[y+1]; j++ {
			if al.Label[i] == ar.Label[j] {
				n++
				sum += 1 + 0.6*s[al.End[i]][ar.End[j]]
				alone, hasPartner[j] = false, true
			}
		}
		if alone {
			u++
		}
	}
	u += float64(ar.Start[y+1]-ar.Start[y]) - float64(len(hasPartner))
	if n == 0 && !global || u+n+b == 0 {
		return 0
	}
	return sum / (2 * (u + n + b))
}

func denseCombined(l, r *Automaton, k int, global bool) [][]float64 {
	f, b := denseScores(l, r, k, true, global), denseScores(l, r, k, false, global)
	for x := range f {
		for y := range f[x] {
			if f[x][y] < 0 || b[x][y] < 0 {
				f[x][y] = math.Inf(-1)
			} else {
				f[x][y] = (f[x][y] + b[x][y]) / 2
			}
		}
	}
	return f
}

func TestScoresAgainstDense(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for i := range 600 {
		l, r := tiny(t, rng, 8, 4), tiny(t, rng, 8, 4)
		k := 1 + i%5
		for _, c := range []struct {
			got  *Scores
			want [][]float64
		}{{Local(l, r, k), denseCombined(l, r, k, false)}, {Global(l, r), denseCombined(l, r, 60, true)}} {
			for x := range c.want {
				for y, want := range c.want[x] {
					if got := c.got.At(int32(x), int32(y)); got != want && !(math.Abs(got-want) < 1e-12) {
						t.Fatalf("case %d: score of %d, %d is %v, want %v", i, x, y, got, want)
					}
				}
			}
		}
	}
}

// denseLandmarks finds landmarks among all pairs, listed and sorted.
func denseLandmarks(s *Scores) (found []Pair) {
	var list []scoredPair
	for x := range s.left.States() {
		for y := range s.right.States() {
			if v := s.At(x, y); v >= 0 {
				list = append(list, scoredPair{Pair{x, y}, v})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b scoredPair) int { return cmp.Compare(b.score, a.score) })
	list = list[:min(len(list), int(math.Ceil(0.25*float64(s.left.States())*float64(s.right.States()))))]
	done, used := map[int32]bool{}, map[int32]bool{}
	for _, c := range list {
		if done[c.Left] {
			continue
		}
		done[c.Left] = true
		var left []scoredPair
		for _, d := range list {
			if d.Left == c.Left && !used[d.Right] {
				left = append(left, d)
			}
		}
		if len(left) == 1 || len(left) > 1 && left[0].score > 1.5*left[1].score {
			found, used[left[0].Right] = append(found, left[0].Pair), true
		}
	}
	return found
}

func TestLandmarksAgainstDense(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	zero, limited := 0, 0
	for i := range 4000 {
		l, r := tiny(t, rng, 9, 1+i%7), tiny(t, rng, 9, 1+i%7)
		s := Local(l, r, 1+i%3)
		m := newMatching(l, r)
		marks := newLandmarks(s, m)
		marks.addPositive()
		marks.addZero()
		want := denseLandmarks(s)
		expect.Slice(expect.Must(t), m.pairs, want, "case %d: landmarks", i)
		for _, p := range want {
			zero += intOf(s.At(p.Left, p.Right) == 0)
		}
		limited += intOf(marks.tiesKept != nil)
	}
	if zero < 20 || limited < 20 {
		t.Errorf("%d landmarks of score 0 and %d cases with more scores than count: too few to show anything", zero, limited)
	}
}

// bestSum is the greatest sum of the scores of a matching of the left states from x on.
func bestSum(s *Scores, x int32, used []bool) float64 {
	if x == s.left.States() {
		return 0
	}
	best := bestSum(s, x+1, used)
	for y := range used {
		if v := s.At(x, int32(y)); !used[y] && v >= 0 {
			used[y] = true
			best = max(best, v+bestSum(s, x+1, used))
			used[y] = false
		}
	}
	return best
}

func TestAssignmentAgainstAll(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	for i := range 1500 {
		l, r := tiny(t, rng, 6, 3), tiny(t, rng, 6, 3)
		s := Global(l, r)
		a := newAssignment(s, nil)
		a.assignAll()
		got := 0.0
		for x, y := range a.taken {
			if y >= 0 {
				got += s.At(int32(x), y)
			}
		}
		if want := bestSum(s, 0, make([]bool, r.States())); math.Abs(got-want) > 1e-9 {
			t.Fatalf("case %d: assigned scores add up to %v, at best %v", i, got, want)
		}
		for _, p := range Assign(s, nil) {
			if s.At(p.Left, p.Right) < 0.1 {
				t.Fatalf("case %d: %v scores %v", i, p, s.At(p.Left, p.Right))
			}
		}
	}
}

// most is the greatest number of unchanged transitions, before or after rewriting, of any matching of the
// left states from x on.
func most(m *matching, x int32, count func() int) int {
	if x == m.left.States() {
		return count()
	}
	best := most(m, x+1, count)
	for y := range m.right.States() {
		if m.partner[1][y] == None && m.areCombinable(x, y) {
			m.partner[0][x], m.partner[1][y] = y, x
			best = max(best, most(m, x+1, count))
			m.partner[0][x], m.partner[1][y] = None, None
		}
	}
	return best
}

func unchanged(t testing.TB, l, r *Automaton, pairs []Pair, rewrite bool) int {
	d := expect.Value(Merge(Only(l), r, pairs))(t)
	if rewrite {
		d.Rewrite()
	}
	return d.Count(Unchanged)
}

func TestFastAgainstAll(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	sum, best, missed := 0, 0, 0
	for range 300 {
		l, r := tiny(t, rng, 5, 3), tiny(t, rng, 5, 3)
		m := newMatching(l, r)
		all := most(m, 0, func() int { return unchanged(t, l, r, m.pairsByLeft(), true) })
		got := unchanged(t, l, r, Fast(l, r), true)
		if got > all {
			t.Fatalf("%d unchanged transitions, more than any matching has: %d", got, all)
		}
		sum, best, missed = sum+got, best+all, missed+intOf(got < all)
	}
	t.Logf("fast keeps %d of %d transitions; in %d of 300 cases not the most", sum, best, missed)
	if sum*100 < best*97 {
		t.Errorf("fast keeps %d transitions unchanged, the best matchings keep %d", sum, best)
	}
}
