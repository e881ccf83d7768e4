package ltsdiff

import (
	"math/rand"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestNumbering checks that automata which differ in numbers only are numbered to be the same.
func TestNumbering(t *testing.T) {
	rng := rand.New(rand.NewSource(8))
	eachCase(t, 500, 5, func(name string, a, _ *Automaton) {
		b, _ := permuted(t, rng, a)
		if canonicalNumbering(a).compareTo(canonicalNumbering(b)) != 0 {
			t.Fatalf("%s: the numbering depends on the numbers before: %+v", name, a)
		}
	})
}

// TestResidue takes some of the pairs of an automaton and a renumbered copy away, and lets LTSDiff find
// them by what they have to do with the others.
func TestResidue(t *testing.T) {
	rng := rand.New(rand.NewSource(9))
	for range 20 {
		a := rnd(rng, 60)
		b, first := shuffled(rng, a)
		l, r := a.automaton(t, 0), b.automaton(t, first)
		want := Fast(l, r)
		m := newMatching(l, r)
		for _, p := range want {
			if rng.Intn(12) > 0 {
				m.addPair(p.Left, p.Right)
			}
		}
		e := newResidue(m)
		if n := int(e.left.States()); n < len(want)-len(m.pairs)+1 || n > 60 {
			t.Errorf("%d states around %d without partners", n, len(want)-len(m.pairs))
		}
		expect.Slice(expect.Must(t), e.withPairs(Assign(Global(e.left, e.right), nil)).pairsByLeft(), want, "states")
	}
}

// TestImprove starts from pairs at random.
func TestImprove(t *testing.T) {
	rng := rand.New(rand.NewSource(10))
	better := 0
	for i := range 50 {
		l, r := generated(t, rnd, 20, int64(i))
		m := newMatching(l, r)
		for x, y := range rng.Perm(20) {
			m.addPair(int32(x), int32(y))
		}
		before := unchanged(t, l, r, m.pairsByLeft(), false)
		m.improve()
		after := unchanged(t, l, r, m.pairsByLeft(), false)
		if after < before {
			t.Fatalf("case %d: %d unchanged transitions became %d", i, before, after)
		}
		better += after - before
	}
	if better < 200 {
		t.Errorf("%d transitions more in 50 cases", better)
	}
}

// TestNeverWorseGenerated lets fast compete with all other algorithms on small pairs, and what it does without
// scores with landmarks on larger and very different ones.
func TestNeverWorseGenerated(t *testing.T) {
	for seed := range int64(5) {
		for i, kind := range []func(*rand.Rand, int) raw{cmi, rnd} {
			l, r := generated(t, kind, 60, seed)
			got := unchanged(t, l, r, Fast(l, r), true)
			for _, a := range Algorithms[1:] {
				if n := unchanged(t, l, r, a.Match(l, r), true); n > got {
					t.Errorf("kind %d, seed %d: fast leaves %d transitions unchanged, %s %d", i, seed, got, a.Name, n)
				}
			}
			rng := rand.New(rand.NewSource(seed))
			a := kind(rng, 200)
			b := a
			for range 10 {
				b = mutated(rng, b)
			}
			l, r = a.automaton(t, 0), b.automaton(t, 0)
			m := matchUnscored(canonicalNumbering(l), canonicalNumbering(r))
			want := unchanged(t, l, r, LocalLandmarks(1)(l, r), false)
			if got := unchanged(t, m.left, m.right, m.pairsByLeft(), false); got < want {
				t.Errorf("kind %d, seed %d: %d transitions unchanged without scores, %d with", i, seed, got, want)
			}
		}
	}
}

// TestContest has pairs at which fast needs scores to be as good as LTSDiff.
func TestContest(t *testing.T) {
	for _, c := range []struct {
		states, versions int
		seed             int64
	}{{40, 1, 30}, {40, 1, 86}, {300, 1, 4}, {300, 1, 5}, {1000, 1, 0}, {40, 5, 1028}, {60, 3, 1026}} {
		l, r := apart(t, cmi, c.states, c.versions, c.seed)
		got := unchanged(t, l, r, Fast(l, r), true)
		for _, name := range []string{"dynamic", "lightweight", "local5", "heavyweight"} {
			if n := unchanged(t, l, r, algorithm(t, name)(l, r), true); n > got {
				t.Errorf("%d states, seed %d: fast leaves %d transitions unchanged, %s %d", c.states, c.seed, got, name, n)
			}
		}
	}
}

// TestLeftovers has two automata whose only common transitions are cut off from what looks alike.
func TestLeftovers(t *testing.T) {
	a := raw{accepting: make([]bool, 12)}
	b := raw{accepting: make([]bool, 12)}
	for s := range int32(11) {
		mine, other := uint32(100+s), uint32(200+s)
		if s%3 == 1 {
			mine, other = 1, 1
		}
		a.transitions = append(a.transitions, Transition{s, mine, s + 1})
		b.transitions = append(b.transitions, Transition{s, other, s + 1})
	}
	l, r := a.automaton(t, 0), b.automaton(t, 0)
	m := matchUnscored(canonicalNumbering(l), canonicalNumbering(r))
	expect.Equal(t, unchanged(t, m.left, m.right, m.pairsByLeft(), false), 4, "unchanged transitions")
}
