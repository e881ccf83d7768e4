package ltsdiff

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// projected is what a side sees of a difference: the sets of states that it can be in.
type projected struct {
	d    *Difference
	side int
}

func (p projected) has(s Sides) bool { return s>>p.side&1 == 1 }

// closed adds all states that skips lead to.
func (p projected) closed(set []int32) []int32 {
	for i := 0; i < len(set); i++ {
		for _, s := range p.d.Steps {
			if s.Source == set[i] && s.Label == Skip && p.has(s.Sides) && !slices.Contains(set, s.Target) {
				set = append(set, s.Target)
			}
		}
	}
	slices.Sort(set)
	return set
}

func (p projected) start() (set []int32) {
	for s := range p.d.States {
		if p.has(p.d.States[s].Initial) {
			set = append(set, int32(s))
		}
	}
	return p.closed(set)
}

func (p projected) accepts(set []int32) bool {
	return slices.ContainsFunc(set, func(s int32) bool { return p.d.States[s].Accepting })
}

// next are the sets after each label.
func (p projected) next(set []int32) map[uint32][]int32 {
	to := make(map[uint32][]int32)
	for _, s := range p.d.Steps {
		if s.Label != Skip && p.has(s.Sides) && slices.Contains(set, s.Source) && !slices.Contains(to[s.Label], s.Target) {
			to[s.Label] = append(to[s.Label], s.Target)
		}
	}
	for label, set := range to {
		to[label] = p.closed(set)
	}
	return to
}

// sameLanguage walks through the sets of both in parallel; a set that is missing accepts nothing.
func sameLanguage(p, q projected) bool {
	type both struct{ p, q []int32 }
	todo, seen := []both{{p.start(), q.start()}}, map[string]bool{}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		key := fmt.Sprint(b.p, b.q)
		if seen[key] {
			continue
		}
		seen[key] = true
		if p.accepts(b.p) != q.accepts(b.q) {
			return false
		}
		pn, qn := p.next(b.p), q.next(b.q)
		for label := range pn {
			todo = append(todo, both{pn[label], qn[label]})
		}
		for label := range qn {
			if _, ok := pn[label]; !ok {
				todo = append(todo, both{nil, qn[label]})
			}
		}
	}
	return true
}

// eachCase visits random pairs, tiny ones of any kind and larger ones of the kinds that are compared.
func eachCase(t *testing.T, tinies, larger int, visit func(name string, l, r *Automaton)) {
	rng := rand.New(rand.NewSource(5))
	for i := range tinies {
		visit(fmt.Sprint("tiny ", i), tiny(t, rng, 7, 3), tiny(t, rng, 7, 3))
	}
	for i := range larger {
		l, r := generated(t, cmi, 20+i, int64(i))
		visit(fmt.Sprint("cmi ", i), l, r)
		l, r = generated(t, rnd, 10+i, int64(i))
		visit(fmt.Sprint("rnd ", i), l, r)
	}
}

func TestSidesKeepTheirLanguages(t *testing.T) {
	skips, splits := 0, 0
	eachCase(t, 150, 10, func(name string, l, r *Automaton) {
		for _, a := range Algorithms {
			d := expect.Value(Merge(Only(l), r, a.Match(l, r)))(t)
			states := len(d.States)
			for _, when := range []string{"before", "after"} {
				for side, whole := range []*Automaton{l, r} {
					if !sameLanguage(projected{d, side}, projected{Only(whole), 0}) {
						t.Fatalf("%s, %s: the language of side %d is another %s rewriting", name, a.Name, side, when)
					}
				}
				if when == "before" {
					d.Rewrite()
				}
			}
			splits += intOf(len(d.States) > states)
			for _, s := range d.Steps {
				skips += intOf(s.Label == Skip)
			}
		}
	})
	if skips < 20 || splits < 20 {
		t.Errorf("%d skips and %d differences with tangles: too few to show anything", skips, splits)
	}
}

// TestEverySideIsThere checks that each state and transition of a side is in the difference exactly once,
// under its number.
func TestEverySideIsThere(t *testing.T) {
	eachCase(t, 150, 10, func(name string, l, r *Automaton) {
		d := expect.Value(Compare(Fast, l, r))(t)
		for side, a := range []*Automaton{l, r} {
			states, steps := make([]int, a.States()), make([]int, len(a.Out.End))
			place := make([]int32, a.States())
			for i, s := range d.States {
				if n := s.Number[side]; n != None {
					states[n]++
					place[n] = int32(i)
					if (s.Initial>>side&1 == 1) != a.Initial[n] || s.Accepting != a.Accepting[n] || s.Sides>>side&1 != 1 {
						t.Fatalf("%s: state %d of side %d became %+v", name, n, side, s)
					}
				}
			}
			for _, s := range d.Steps {
				if n := s.Number[side]; n != None {
					steps[n]++
				}
				if (s.Number[side] != None) != (s.Sides>>side&1 == 1) && s.Label != Skip {
					t.Fatalf("%s: transition %+v", name, s)
				}
			}
			for _, counts := range [][]int{states, steps} {
				if slices.ContainsFunc(counts, func(n int) bool { return n != 1 }) {
					t.Fatalf("%s: states and transitions of side %d are there %v times", name, side, counts)
				}
			}
		}
	})
}

func TestSameAutomataDoNotDiffer(t *testing.T) {
	eachCase(t, 150, 10, func(name string, a, _ *Automaton) {
		d := expect.Value(Compare(Fast, a, a))(t)
		if len(d.Steps) != len(a.Out.End) || len(d.States) != int(a.States()) || d.Count(Unchanged) != len(d.Steps) {
			t.Fatalf("%s differs from itself: %+v", name, d)
		}
	})
}

// kinds counts the states and transitions of each kind.
func kinds(d *Difference) (counts [6]int) {
	for _, s := range d.States {
		counts[s.Sides.Kind()]++
	}
	for _, s := range d.Steps {
		counts[3+s.Sides.Kind()]++
	}
	return counts
}

func TestSwappedSides(t *testing.T) {
	eachCase(t, 150, 10, func(name string, l, r *Automaton) {
		there, back := Fast(l, r), Fast(r, l)
		for i, p := range back {
			back[i] = Pair{p.Right, p.Left}
		}
		slices.SortFunc(back, func(a, b Pair) int { return int(a.Left - b.Left) })
		expect.Slice(expect.Must(t), there, back, "%s: there, and swapped", name)
		d := expect.Value(Compare(Fast, l, r))(t)
		e := expect.Value(Compare(Fast, r, l))(t)
		a, b := kinds(d), kinds(e)
		b[Added], b[Removed], b[3+Added], b[3+Removed] = b[Removed], b[Added], b[3+Removed], b[3+Added]
		expect.Equal(expect.Must(t), a, b, "%s: unchanged, added, removed, and swapped", name)
	})
}

// permuted gives states other numbers and transitions another order.
func permuted(t *testing.T, rng *rand.Rand, a *Automaton) (b *Automaton, place []int) {
	place = rng.Perm(int(a.States()))
	initial, accepting := make([]bool, len(place)), make([]bool, len(place))
	var list []Transition
	for s, p := range place {
		initial[p], accepting[p] = a.Initial[s], a.Accepting[s]
		for i := a.Out.Start[s]; i < a.Out.Start[s+1]; i++ {
			list = append(list, Transition{int32(p), a.Out.Label[i], int32(place[a.Out.End[i]])})
		}
	}
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return automaton(t, initial, accepting, list), place
}

func TestNumbersDoNotMatter(t *testing.T) {
	rng := rand.New(rand.NewSource(6))
	eachCase(t, 150, 10, func(name string, l, r *Automaton) {
		pl, lp := permuted(t, rng, l)
		pr, rp := permuted(t, rng, r)
		d := expect.Value(Compare(Fast, l, r))(t)
		e := expect.Value(Compare(Fast, pl, pr))(t)
		expect.Equal(expect.Must(t), kinds(d), kinds(e), "%s: unchanged, added, removed, with other numbers", name)
		if name[0] == 't' {
			return // their states may look alike, and then any of them will do
		}
		want := Fast(l, r)
		for i, p := range want {
			want[i] = Pair{int32(lp[p.Left]), int32(rp[p.Right])}
		}
		slices.SortFunc(want, func(a, b Pair) int { return int(a.Left - b.Left) })
		expect.Slice(expect.Must(t), Fast(pl, pr), want, "%s", name)
	})
}
