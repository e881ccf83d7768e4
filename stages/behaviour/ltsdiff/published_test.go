package ltsdiff

import (
	"cmp"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// published are examples of gLTSdiff: drawings of automata and of their difference.
var published = []struct {
	folder, result string
	inputs         int
	states         Sides // where the states are, if the drawing does not say
}{
	{"SimpleDiff", "result", 2, 0},
	{"PostProcessing", "result2", 2, 0},
	{"MoreThanTwoInputs", "result", 3, 7},
}

func readInputs(t *testing.T, folder string, n int, l labels) (inputs []*Automaton) {
	for i := range n {
		inputs = append(inputs, readInput(t, fmt.Sprintf("published/%s/input%d.dot", folder, i+1), l))
	}
	return inputs
}

func TestPublished(t *testing.T) {
	for _, c := range published {
		for _, a := range Algorithms {
			l := labels{}
			inputs := readInputs(t, c.folder, c.inputs, l)
			d := compared(t, a.Match, true, inputs)
			want := readDot(t, "published/"+c.folder+"/"+c.result+".dot", l)
			for i := range want.States {
				want.States[i].Sides |= c.states
			}
			expect.Equal(t, kinds(d), kinds(want), "%s %s: unchanged, added, removed", c.folder, a.Name)
			if c.folder == "PostProcessing" {
				continue // either end of the left automaton can be matched; see TestPublishedRewriting
			}
			byNumbers(d)
			if g, w := write(d, l), write(want, l); g != w {
				t.Errorf("%s %s:%s", c.folder, a.Name, lineDifference(g, w))
			}
		}
	}
}

// byNumbers puts states in the order of their numbers on the first side, and then on the others.
func byNumbers(d *Difference) {
	order := make([]int32, len(d.States))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		for side := range d.Sides {
			x, y := uint32(d.States[a].Number[side]), uint32(d.States[b].Number[side]) // None is last
			if x != y {
				return cmp.Compare(x, y)
			}
		}
		return 0
	})
	states, place := make([]State, len(order)), make([]int32, len(order))
	for i, s := range order {
		states[i], place[s] = d.States[s], int32(i)
	}
	d.States = states
	for i := range d.Steps {
		d.Steps[i].Source, d.Steps[i].Target = place[d.Steps[i].Source], place[d.Steps[i].Target]
	}
}

// TestPublishedRewriting has the matching of the drawing before rewriting.
func TestPublishedRewriting(t *testing.T) {
	l := labels{}
	inputs := readInputs(t, "PostProcessing", 2, l)
	d := expect.Value(Merge(Only(inputs[0]), inputs[1], []Pair{{0, 0}, {1, 3}}))(t)
	for _, result := range []string{"result1", "result2"} {
		if g, w := write(d, l), write(readDot(t, "published/PostProcessing/"+result+".dot", l), l); g != w {
			t.Errorf("%s:%s", result, lineDifference(g, w))
		}
		d.Rewrite()
	}
}

// compared is Compare with or without rewriting.
func compared(t *testing.T, match Matcher, rewrite bool, inputs []*Automaton) *Difference {
	t.Helper()
	if rewrite {
		d := expect.Value(Compare(match, inputs...))(t)
		return d
	}
	d := expect.Value(Merge(Only(inputs[0]), inputs[1], match(inputs[0], inputs[1])))(t)
	return d
}

// TestManySides checks that each of several versions finds its language and its numbers in their difference.
func TestManySides(t *testing.T) {
	rng := rand.New(rand.NewSource(7))
	for range 10 {
		version := cmi(rng, 30)
		var automata []*Automaton
		for range 4 {
			b, first := shuffled(rng, version)
			automata = append(automata, b.automaton(t, first))
			version = mutated(rng, version)
		}
		d := compared(t, Fast, true, automata)
		for side, a := range automata {
			if !sameLanguage(projected{d, side}, projected{Only(a), 0}) {
				t.Fatalf("the language of side %d is another", side)
			}
			var numbers []int32
			for _, s := range d.Steps {
				if s.Number[side] != None {
					numbers = append(numbers, s.Number[side])
				}
			}
			slices.Sort(numbers)
			if len(numbers) != len(a.Out.End) || len(slices.Compact(numbers)) != len(a.Out.End) {
				t.Fatalf("side %d has transitions %v", side, numbers)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	two := []bool{true, false}
	for _, c := range []struct {
		initial, accepting []bool
		transitions        []Transition
		want               string
	}{
		{two, two[:1], nil, "2 initial and 1 accepting flags"},
		{two, two, []Transition{{0, 1, 2}}, "transition 0 leads from state 0 to 2"},
		{two, two, []Transition{{0, Skip, 1}}, "kept for skips"},
		{two, two, []Transition{{0, 1, 1}, {1, 1, 1}, {0, 1, 1}}, "transitions 0 and 2 are the same"},
	} {
		_, err := NewAutomaton(c.initial, c.accepting, c.transitions)
		expect.Refused(t, err, c.want, "error")
	}
	a := automaton(t, two, two, []Transition{{0, 1, 1}})
	for _, pairs := range [][]Pair{{{0, 1}}, {{0, 0}, {0, 0}}, {{2, 0}}, {{0, -1}}} {
		if _, err := Merge(Only(a), a, pairs); err == nil {
			t.Errorf("no error for the pairs %v", pairs)
		}
	}
	many := make([]*Automaton, MaxSides+1)
	for i := range many {
		many[i] = a
	}
	_, err := Compare(Fast, many...)
	expect.Refused(t, err, "more than 64 automata", "%d automata", len(many))
	if d := compared(t, Fast, true, many[:MaxSides]); len(d.States) != 2 || len(d.Steps) != 1 {
		t.Errorf("64 times the same automaton is %+v", d)
	}
}

func TestNothing(t *testing.T) {
	none, one := automaton(t, nil, nil, nil), automaton(t, []bool{true}, []bool{true}, []Transition{{0, 1, 0}})
	for _, a := range Algorithms {
		for _, c := range []struct {
			automata []*Automaton
			want     [6]int
		}{
			{nil, [6]int{}},
			{[]*Automaton{none, none}, [6]int{}},
			{[]*Automaton{none, one}, [6]int{Added: 1, 3 + Added: 1}},
			{[]*Automaton{one, none}, [6]int{Removed: 1, 3 + Removed: 1}},
		} {
			expect.Equal(t, kinds(compared(t, a.Match, true, c.automata)), c.want, "%s", a.Name)
		}
	}
}
