package levels_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/language"
	"github.com/tracelake/tracelake/stages/behaviour/levels"
	"github.com/tracelake/tracelake/testdata/expect"
)

// key names a model of the input.
type key struct{ component, entity, set string }

// numbersOf returns the variant of every entity in every model set; entity "" is the model set as a whole.
func numbersOf(c *levels.Comparison) map[key]int64 {
	numbers := map[key]int64{}
	for _, v := range c.Variants {
		if v.ModelSet != "" {
			numbers[key{v.Component, v.Entity, v.ModelSet}] = v.Variant
		}
	}
	return numbers
}

// given returns the automaton of an entity in a model set; one without words where it is not there.
func given(sets []levels.ModelSet, k key) *language.Automaton {
	for _, s := range sets {
		for _, e := range s.Entities {
			if s.Name == k.set && e.Component == k.component && e.Name == k.entity {
				return e.Automaton
			}
		}
	}
	return new(language.Automaton)
}

// TestVariantsAreLanguages checks that two models of an entity have one number exactly where they accept the same words, that
// number 0 is that of no behaviour, and that two model sets have one number exactly where all of their entities do.
func TestVariantsAreLanguages(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 100 {
		sets := random(rng, 4, 3)
		numbers := numbersOf(compare(t, sets, levels.None))
		differ := map[[2]string]int{}
		for k, n := range numbers {
			for _, s := range sets {
				other := key{k.component, k.entity, s.Name}
				if k.entity == "" {
					continue
				}
				x, y := given(sets, k), given(sets, other)
				if got, want := n == numbers[other], sameLanguage(x, y); got != want {
					t.Fatalf("%v and %v are one variant: %v", k, other, got)
				}
				if (n == 0) != sameLanguage(x, new(language.Automaton)) {
					t.Fatalf("%v has number %d", k, n)
				}
				if n != numbers[other] {
					differ[[2]string{k.set, s.Name}]++
				}
			}
		}
		for _, x := range sets {
			for _, y := range sets {
				if got, want := numbers[key{set: x.Name}] == numbers[key{set: y.Name}], differ[[2]string{x.Name, y.Name}] == 0; got != want {
					t.Fatalf("%s and %s are one variant: %v", x.Name, y.Name, got)
				}
			}
		}
		for _, d := range compare(t, sets, levels.None).Differences {
			if d.Differing != int64(differ[[2]string{d.BaseSet, d.CandSet}]) || d.Differing != d.Appeared+d.Vanished+d.Changed+2*d.Moved {
				t.Fatalf("%+v, but %d entities differ", d, differ[[2]string{d.BaseSet, d.CandSet}])
			}
		}
	}
}

// lattice holds variants and how they relate: those of the input, then those computed from them.
type lattice struct {
	automata map[int64]*language.Automaton
	origin   map[int64]string
	above    map[[2]int64]bool // along the edges, upwards
	edges    [][2]int64
	apart    map[[2]int64]bool // unrelated
}

func latticesOf(c *levels.Comparison) map[key]*lattice {
	out := map[key]*lattice{}
	for _, d := range c.Diffs {
		e := c.Lattice[d.Edge]
		k := key{e.Component, e.Entity, ""}
		if out[k] == nil {
			out[k] = &lattice{map[int64]*language.Automaton{}, map[int64]string{}, map[[2]int64]bool{}, nil, map[[2]int64]bool{}}
		}
		l := out[k]
		l.automata[e.Lower], l.automata[e.Upper] = d.Lower, d.Upper
		if e.Relation == schema.Included {
			l.edges = append(l.edges, [2]int64{e.Lower, e.Upper})
		} else {
			l.apart[[2]int64{e.Lower, e.Upper}] = true
		}
	}
	for _, v := range c.Variants {
		if l := out[key{v.Component, v.Entity, ""}]; l != nil {
			l.origin[v.Variant] = v.Origin
		}
	}
	for _, l := range out {
		for range l.automata { // paths of one edge more every time
			for _, e := range l.edges {
				l.above[e] = true
				for v := range l.automata {
					if l.above[[2]int64{e[1], v}] {
						l.above[[2]int64{e[0], v}] = true
					}
				}
			}
		}
	}
	return out
}

// TestInclusionIsAnOrder checks that the edges lead from a variant to another exactly where its language is included, that none
// of them can be left out, and that the other pairs of the input are named as unrelated.
func TestInclusionIsAnOrder(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for range 60 {
		for k, l := range latticesOf(compare(t, random(rng, 4, 2), levels.Partial)) {
			for x, a := range l.automata {
				for y, b := range l.automata {
					included := x != y && language.Included(a, b)
					if l.above[[2]int64{x, y}] != included {
						t.Fatalf("%v: %d below %d: %v", k, x, y, !included)
					}
					apart := x < y && !included && !language.Included(b, a) && l.origin[x] == schema.FromInput && l.origin[y] == schema.FromInput
					if l.apart[[2]int64{x, y}] != apart {
						t.Fatalf("%v: %d and %d unrelated: %v", k, x, y, !apart)
					}
				}
			}
			for _, e := range l.edges {
				for v := range l.automata {
					if l.above[[2]int64{e[0], v}] && l.above[[2]int64{v, e[1]}] {
						t.Fatalf("%v: %d stands between %v", k, v, e)
					}
				}
			}
		}
	}
}

// TestCompletionIsClosed checks that the intersection of any two variants of the input or intersections is one of the variants,
// and so are the unions, and that nothing else is computed.
func TestCompletionIsClosed(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	computed := 0
	for range 60 {
		for k, l := range latticesOf(compare(t, random(rng, 4, 2), levels.Partial)) {
			for origin, f := range map[string]func(a, b *language.Automaton) *language.Automaton{
				schema.FromIntersection: language.Intersect,
				schema.FromUnion:        func(a, b *language.Automaton) *language.Automaton { return language.Union(a, b) },
			} {
				made := map[int64]bool{}
				for x, a := range l.automata {
					for y, b := range l.automata {
						if !under(l.origin[x], origin) || !under(l.origin[y], origin) {
							continue
						}
						z, found := find(l, f(a, b))
						if !found {
							t.Fatalf("%v: the %s of %d and %d is missing", k, origin, x, y)
						}
						if made[z] = made[z] || z != x && z != y; (z == 0) != sameLanguage(l.automata[z], new(language.Automaton)) {
							t.Fatalf("%v: the %s of %d and %d is number %d", k, origin, x, y, z)
						}
					}
				}
				for v, o := range l.origin {
					if o == origin && !made[v] {
						t.Fatalf("%v: nothing leads to the %s %d", k, origin, v)
					}
					if o == origin {
						computed++
					}
				}
			}
		}
	}
	if computed < 100 {
		t.Errorf("only %d variants were computed", computed)
	}
}

// under reports whether variants of an origin are combined by an operation.
func under(origin, operation string) bool { return origin == schema.FromInput || origin == operation }

func find(l *lattice, a *language.Automaton) (number int64, found bool) {
	for v, b := range l.automata {
		if sameLanguage(a, b) {
			return v, true
		}
	}
	return 0, false
}

// TestPermutedSets checks that the order of the model sets changes the numbers and the names of computed variants, and
// nothing else.
func TestPermutedSets(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	for range 60 {
		sets := random(rng, 4, 3)
		c := compare(t, sets, levels.Partial)
		permuted := slices.Clone(sets)
		rng.Shuffle(len(permuted), func(i, j int) { permuted[i], permuted[j] = permuted[j], permuted[i] })
		expect.Equal(expect.Must(t), unnumbered(c), unnumbered(compare(t, permuted, levels.Partial)), "in another order")
	}
}

// unnumbered writes out a comparison without what the order of the model sets decides: variants are named by the model sets
// that have them, or by their neighbours in the lattice.
func unnumbered(c *levels.Comparison) string {
	var lines []string
	names := map[string][]string{}
	name := func(component, entity string, variant int64) string {
		return fmt.Sprint(component, " ", entity, " ", variant)
	}
	for _, v := range c.Variants {
		n := name(v.Component, v.Entity, v.Variant)
		names[n] = append(names[n], v.ModelSet)
		slices.Sort(names[n])
	}
	for _, e := range c.Lattice {
		ends := []string{
			strings.Join(names[name(e.Component, e.Entity, e.Lower)], "+"), strings.Join(names[name(e.Component, e.Entity, e.Upper)], "+"),
		}
		if e.Relation == schema.Unrelated {
			slices.Sort(ends)
		}
		lines = append(lines, fmt.Sprint(e.Component, e.Entity, e.Relation, ends, counts(e.Added, e.Changed, e.Removed)))
	}
	for _, d := range c.Differences {
		if d.BaseSet > d.CandSet {
			d.BaseSet, d.CandSet, d.Appeared, d.Vanished = d.CandSet, d.BaseSet, d.Vanished, d.Appeared
		}
		lines = append(lines, fmt.Sprint(d))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n"
}

// sameLanguage reports whether two automata accept the same words: their minimal automata are then identical.
func sameLanguage(a, b *language.Automaton) bool {
	return language.Identical(language.Minimise(a), language.Minimise(b))
}
