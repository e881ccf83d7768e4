package levels_test

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/levels"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestComputedSets checks that a computed model set is, entity by entity, below or above those that it stands below or above.
func TestComputedSets(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	computed := 0
	for range 60 {
		c := compare(t, random(rng, 3, 3), levels.Full)
		numbers, lattices, sets := numbersOf(c), latticesOf(c), map[int64]string{}
		for _, v := range c.Variants {
			if v.Level == schema.OfModelSets {
				sets[v.Variant] = v.ModelSet
			}
			if strings.HasPrefix(v.ModelSet, "computed_") {
				computed++
			}
		}
		for _, e := range c.Lattice {
			if e.Level != schema.OfModelSets {
				continue
			}
			for k, l := range lattices {
				x, y := numbers[key{k.component, k.entity, sets[e.Lower]}], numbers[key{k.component, k.entity, sets[e.Upper]}]
				if x != y && !l.above[[2]int64{x, y}] {
					t.Fatalf("%s is below %s, but %v is not: %d, %d", sets[e.Lower], sets[e.Upper], k, x, y)
				}
			}
		}
	}
	if computed < 100 {
		t.Errorf("only %d rows of computed model sets", computed)
	}
}

// TestIncomplete checks that what is left out is said: of the variants that could not be combined, on both levels.
func TestIncomplete(t *testing.T) {
	sets := parse(t, "A\n  c e: a | b\nB\n  c e: b | c\nC\n  c e: a | c\nD\n  c e: a | b | c\n")
	for limit, want := range map[int]string{
		0: "A* B* C* D A* B* C* D",                                   // no combination has room
		2: "A* B* C* D -* -* A* B* C* D -* -*",                       // two intersections have
		7: "A* B* C* D - - - - -* -* -* A* B* C* D - - - - -* -* -*", // the union of all three has none
		8: "A B C D - - - - - - - - A B C D - - - - - - - -",
	} {
		c := expect.Value(levels.Compare(t.Context(), sets, levels.Options{Completion: levels.Partial, MaxComputed: limit}))(t)
		var got []string
		for _, v := range c.Variants {
			got = append(got, or(v.ModelSet, "-")+map[bool]string{true: "*"}[v.Incomplete])
		}
		expect.Equal(t, strings.Join(got, " "), want, "with room for %d", limit)
	}
}

// TestUnionsThroughIntersections has variants of which every union of two is an intersection of others too. The union of
// three must not be lost for it.
func TestUnionsThroughIntersections(t *testing.T) {
	alphabet, sets := new(schema.Dictionary), []levels.ModelSet{}
	for _, words := range []string{"a", "b", "c", "a b d", "a b e", "a c f", "a c g", "b c h", "b c i"} {
		e := levels.Entity{Name: "e", Automaton: once(alphabet, strings.Fields(words)...)}
		sets = append(sets, levels.ModelSet{Name: words, Entities: []levels.Entity{e}})
	}
	c := expect.Value(levels.Compare(t.Context(), sets, levels.Options{Completion: levels.Partial, MaxComputed: 1000}))(t)
	if _, found := find(latticesOf(c)[key{"", "e", ""}], once(alphabet, "a", "b", "c")); !found {
		t.Error("a, b, c is missing")
	}
}

func TestNamesTwice(t *testing.T) {
	for text, want := range map[string]string{
		"A\nB\nA\n":                         `model set "A" stands twice in the comparison`,
		"A\n  c e: a\n  d e: a\n  c e: b\n": `entity "e" of component "c" stands twice in model set "A"`,
	} {
		if _, err := levels.Compare(t.Context(), parse(t, text), levels.Defaults); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// TestMoved checks which names are taken for which: those of the same component first, every one once, and none that is in both
// sets.
func TestMoved(t *testing.T) {
	c := compare(t, parse(t, `A
  c one: a
  d two: a
  d three: a
  d stays: a
  d goes: b
B
  d stays: a
  d four: a
  e five: a
  e six: c
`), levels.None)
	want := "appeared e six, vanished d three, vanished d goes, moved d two d four, moved c one e five"
	var got []string
	for _, x := range c.Changes {
		got = append(got, strings.TrimSpace(strings.Join([]string{x.Verdict, x.Component, x.Entity, x.CandComponent, x.CandEntity}, " ")))
	}
	expect.Equal(t, strings.Join(got, ", "), want, "changes")
}

func TestNothing(t *testing.T) {
	for _, sets := range [][]levels.ModelSet{nil, {{Name: "A"}}, {{Name: "A"}, {Name: "B"}}} {
		c := compare(t, sets, levels.Full)
		if len(c.Variants) != len(sets) || len(c.Lattice)+len(c.Changes)+len(c.Diffs) != 0 {
			t.Errorf("%d empty model sets: %s", len(sets), render(c))
		}
	}
}
