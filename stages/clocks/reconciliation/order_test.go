package reconciliation

import (
	"errors"
	"math/rand"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/clocks/timebase"
)

// closure is the slow oracle: by Floyd and Warshall, which instants come before or with which, and which strictly before.
func closure(m *Model) (before, strictly [][]bool) {
	n := m.Instants()
	before, strictly = make([][]bool, n), make([][]bool, n)
	for i := range n {
		before[i], strictly[i] = make([]bool, n), make([]bool, n)
		before[i][i] = true
	}
	for b := 1; b < len(m.first); b++ {
		for i := m.first[b-1]; i+1 < m.first[b]; i++ {
			before[i][i+1] = true
			strictly[i][i+1] = b > len(m.Units) || m.Units[b-1].TimeNs[i-m.first[b-1]] != m.Units[b-1].TimeNs[i+1-m.first[b-1]]
		}
	}
	for _, r := range m.Relations {
		l, g := r.Left.Instant, r.Right.Instant
		before[l][g] = true
		switch r.Kind {
		case schema.Precedes:
			strictly[l][g] = true
		case schema.Coincides:
			before[g][l] = true
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				if before[i][k] && before[k][j] {
					before[i][j] = true
					strictly[i][j] = strictly[i][j] || strictly[i][k] || strictly[k][j]
				}
			}
		}
	}
	return before, strictly
}

// TestOrder compares with the closure: there is an order if nothing is before itself, and then groups are what is one.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	impossible := 0
	for range 20000 {
		m := random(r)
		before, strictly := closure(m)
		possible := true
		for i := range strictly {
			possible = possible && !strictly[i][i]
		}
		a, err := m.Arrange()
		if (err == nil) != possible {
			t.Fatalf("possible %v, but %v\n%s", possible, err, dump(m))
		}
		if err != nil {
			impossible++
			checkCycle(t, m, err)
			continue
		}
		for i := range before {
			for j := range before {
				if one := before[i][j] && before[j][i]; one != (a.group[i] == a.group[j]) {
					t.Fatalf("%d and %d: one %v\n%s", i, j, one, dump(m))
				}
				if before[i][j] && a.group[i] < a.group[j] {
					t.Fatalf("%d is before %d in the wrong order\n%s", i, j, dump(m))
				}
			}
		}
	}
	if impossible < 2000 || impossible > 18000 {
		t.Errorf("%d of 20000 are impossible: the instances test little", impossible)
	}
}

func checkCycle(t *testing.T, m *Model, err error) {
	var c *Contradiction
	if !errors.As(err, &c) || len(c.Steps) == 0 {
		t.Fatalf("the error is %v\n%s", err, dump(m))
	}
	strict := false
	for _, s := range c.Steps {
		strict = strict || strings.Contains(s, "trace") || strings.Contains(s, "before c") || strings.Contains(s, "later ticks")
	}
	if !strict {
		t.Fatalf("nothing is strict in %v\n%s", err, dump(m))
	}
}

// TestAtOnce lets two events of one time coincide, and not two of different times.
func TestAtOnce(t *testing.T) {
	spec := specify(t, `Specification s { Clock a, b [ Synchronizes a = b ] }`)
	for later, possible := range map[int64]bool{0: true, 1: false} {
		u := &Unit{Name: "u"}
		for i, name := range []string{"a", "b"} {
			id, _ := spec.Find(name)
			u.Tick(id, u.Event(int64(i), 5+later*int64(i)))
		}
		m := NewModel([]*Unit{u})
		m.Specify(spec)
		if _, err := m.Arrange(); (err == nil) != possible {
			t.Errorf("%d ns apart: %v", later, err)
		}
	}
}

// TestShortest has a cycle of two relations and long ways along traces, and one of three relations and few steps: the
// former is easier to read.
func TestShortest(t *testing.T) {
	var units []*Unit
	for _, name := range []string{"x", "y", "z"} {
		u := &Unit{Name: name}
		for e := range int64(10) {
			u.Event(e, e)
		}
		units = append(units, u)
	}
	m := NewModel(units)
	m.Constraints = []Constraint{{Name: "r"}}
	clock := m.clockCode("c")
	for _, r := range [][2]int32{{9, 10}, {19, 0}, {10, 20}, {20, 8}} {
		m.addRelation(schema.Precedes, Occurrence{r[0], clock, 1}, Occurrence{r[1], clock, 2})
	}
	_, err := m.Arrange()
	equal(t, err.Error(), "the traces and what orders them contradict each other: c[1] of x before c[2] of y (r); "+
		"event 0 of y, at 0 ns, before its event 9, at 9 ns (its trace); c[1] of y before c[2] of x (r); "+
		"event 0 of x, at 0 ns, before its event 9, at 9 ns (its trace)")
}

// TestTangle has a component of sixty thousand instants: its explanation takes no time that grows faster than it.
func TestTangle(t *testing.T) {
	const n = 30_000
	units := []*Unit{{Name: "x"}, {Name: "y"}}
	for e := range int64(n) {
		units[0].Event(e, e)
		units[1].Event(e, e)
	}
	m := NewModel(units)
	m.Constraints = []Constraint{{Name: "r"}}
	clock := m.clockCode("c")
	for e := range int32(n - 1) {
		m.addRelation(schema.Causes, Occurrence{e + 1, clock, 1}, Occurrence{n + e, clock, 1})
		m.addRelation(schema.Causes, Occurrence{n + e + 1, clock, 1}, Occurrence{e, clock, 1})
	}
	if _, err := m.Arrange(); err == nil || strings.Count(err.Error(), ";") > 3 {
		t.Errorf("the error is %v", err)
	}
}

// TestCorrect checks that corrected times respect the order, and that no smaller largest change does: by Bellman and
// Ford's relaxation of the same relations within T - c to T + c.
func TestCorrect(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	changed := 0
	for range 20000 {
		m := random(r)
		a, err := m.Arrange()
		if err != nil {
			continue
		}
		lines := make([]timebase.Curve, len(m.Units))
		for i := range lines {
			lines[i] = timebase.Curve{{OffsetNs: int64(r.Intn(9))}}
		}
		times := a.Correct(lines)
		worst := int64(0)
		for i := range m.Events() {
			u, e := m.Place(int32(i))
			plain, got := lines[u].At(m.Units[u].TimeNs[e]), times.At(int32(i))
			worst = max(worst, plain-got, got-plain)
		}
		edges := weights(m, a)
		for _, e := range edges {
			if times.At(e.to) < times.At(e.from)+e.w {
				t.Fatalf("%d -> %d by %d: %d, %d\n%s", e.from, e.to, e.w, times.At(e.from), times.At(e.to), dump(m))
			}
		}
		if !feasible(m, lines, edges, worst) || worst > 0 && feasible(m, lines, edges, worst-1) {
			t.Fatalf("the largest change is %d, which is not the least\n%s", worst, dump(m))
		}
		if worst > 0 {
			changed++
		}
	}
	if changed < 2000 {
		t.Errorf("only %d instances needed a change", changed)
	}
}

type edge struct {
	from, to int32
	w        int64
}

// weights lists what corrected times respect, in the simplest way.
func weights(m *Model, a *Arrangement) (edges []edge) {
	for b := 1; b < len(m.first); b++ {
		for i := m.first[b-1]; i+1 < m.first[b]; i++ {
			edges = append(edges, edge{i, i + 1, 0})
		}
	}
	before, _ := closure(m)
	for i := range before {
		for j := range before {
			if before[i][j] && before[j][i] {
				edges = append(edges, edge{int32(i), int32(j), 0})
			}
		}
	}
	for _, r := range m.Relations {
		w := int64(1)
		if m.blockOf(r.Left.Instant) == m.blockOf(r.Right.Instant) || before[r.Right.Instant][r.Left.Instant] {
			w = 0
		}
		edges = append(edges, edge{r.Left.Instant, r.Right.Instant, w})
	}
	return edges
}

// feasible reports whether times within c of T respect the edges.
func feasible(m *Model, lines []timebase.Curve, edges []edge, c int64) bool {
	least, most := make([]int64, m.Instants()), make([]int64, m.Instants())
	for i := range least {
		least[i], most[i] = -1<<40, 1<<40
		if u, e := m.Place(int32(i)); u != NoUnit {
			at := lines[u].At(m.Units[u].TimeNs[e])
			least[i], most[i] = at-c, at+c
		}
	}
	for range least {
		for _, e := range edges {
			least[e.to] = max(least[e.to], least[e.from]+e.w)
		}
	}
	for i := range least {
		if least[i] > most[i] {
			return false
		}
	}
	return true
}

// TestTrack checks that events between instants keep the order of their trace and change no more than instants have to, and
// that a Track finds the times of instants.
func TestTrack(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for range 5000 {
		m := random(r)
		for _, u := range m.Units { // instants at every third event
			for e := range u.Position {
				u.Position[e] *= 3
			}
		}
		a, err := m.Arrange()
		if err != nil {
			continue
		}
		times := a.Correct(make([]timebase.Curve, len(m.Units)))
		worst := farthest(m, times)
		for u, unit := range m.Units {
			k, before := times.Track(u, nil), int64(-1<<40)
			for p := range int64(3 * len(unit.Position)) {
				at := unit.TimeNs[p/3]
				if p%3 > 0 && p/3+1 < int64(len(unit.TimeNs)) {
					at += max(0, (unit.TimeNs[p/3+1]-at)*(p%3)/3)
				}
				plain, corrected, instant := k.Next(p, at)
				if plain != at || corrected < before || (instant == NoInstant) != (p%3 > 0) {
					t.Fatalf("event %d at %d: %d, %d after %d, instant %d", p, at, plain, corrected, before, instant)
				}
				if instant != NoInstant && corrected != times.At(m.first[u]+instant) {
					t.Fatalf("instant %d: %d, not %d", instant, corrected, times.At(m.first[u]+instant))
				}
				if away := max(at-corrected, corrected-at); away > worst {
					t.Fatalf("event %d at %d: %d is %d away, more than %d", p, at, corrected, away, worst)
				}
				before = corrected
			}
		}
	}
}

// farthest is the largest change of an instant's time.
func farthest(m *Model, times *Times) (worst int64) {
	for i := range int32(m.Events()) {
		u, e := m.Place(i)
		got, at := times.At(i), m.Units[u].TimeNs[e]
		worst = max(worst, got-at, at-got)
	}
	return worst
}
