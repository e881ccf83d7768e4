package matching

import (
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// automaton makes one of lines "source-target symbol", where a symbol is a function's name in which
// capitals mark the exit.
func automaton(text string) Automaton {
	var a Automaton
	for i, line := range strings.Split(text, ", ") {
		t := schema.Transition{Transition: int64(i), Kind: "enter"}
		if _, err := fmt.Sscanf(line, "%d-%d %s", &t.Source, &t.Target, &t.Function); err != nil {
			panic(err)
		}
		if f := strings.ToLower(t.Function); f != t.Function {
			t.Function, t.Kind = f, "exit"
		}
		a.Transitions = append(a.Transitions, t)
	}
	return a
}

func render(m Matching) string {
	var out []string
	for _, s := range m.Steps {
		out = append(out, fmt.Sprint(s.Depth, s.Taken))
	}
	return strings.Join(out, ", ")
}

func TestJointWalk(t *testing.T) {
	const trace1 = "0-1 f, 1-2 g, 2-3 G, 3-0 F"
	for _, c := range []struct {
		name     string
		automata []string
		want     string
	}{
		{"no automata", nil, ""},
		{"one automaton", []string{trace1}, "0 [0], 1 [1], 2 [2], 3 [3]"},
		// Traces 1 and 3 of Hilbig 2023, Fig. 3.2: from the initial state on they agree only in the
		// enter of f. The exits of f, equal in Fig. 3.4, need a structural matching.
		{"the paper's traces 1 and 3", []string{trace1, "0-1 f, 1-2 h, 2-3 H, 3-0 F"},
			"0 [0 0], 1 [1 -1], 1 [-1 1], 2 [2 -1], 2 [-1 2], 3 [3 -1], 3 [-1 3]"},
		{"a fragment is missing in a run", []string{trace1, ""}, "0 [0 -1], 1 [1 -1], 2 [2 -1], 3 [3 -1]"},
		{"an added branch that joins again", []string{"0-1 f, 1-0 F", "0-1 f, 1-0 F, 1-2 g, 2-3 G, 3-0 F"},
			"0 [0 0], 1 [1 1], 1 [-1 2], 2 [-1 3], 3 [-1 4]"},
		// x is first reached alone, by the left one through a; then together through b.
		{"together is better than alone", []string{"0-1 a, 0-2 b, 1-3 y, 2-3 z, 3-0 x", "0-2 b, 2-3 z, 3-0 x"},
			"0 [0 -1], 0 [1 0], 1 [2 -1], 1 [3 1], 2 [4 2]"},
		{"the end of a word ends the walk", []string{"0-1 f, 1-0 F", "0-1 f, 1-2 F, 2-3 f, 3-0 F"},
			"0 [0 0], 1 [1 1], 2 [-1 2], 3 [-1 3]"},
	} {
		var automata []Automaton
		for _, text := range c.automata {
			if text == "" {
				automata = append(automata, Automaton{})
				continue
			}
			automata = append(automata, automaton(text))
		}
		expect.Equal(t, render(JointWalk(automata)), c.want, "%s", c.name)
	}
}

func TestSymbolsDifferInEveryPart(t *testing.T) {
	a, b := automaton("0-0 f"), automaton("0-0 f")
	for _, change := range []func(*schema.Transition){
		func(t *schema.Transition) { t.Function = "g" },
		func(t *schema.Transition) { t.Kind = "exit" },
		func(t *schema.Transition) { t.Direction = "send" },
		func(t *schema.Transition) { t.Peer = "p" },
	} {
		b.Transitions[0] = a.Transitions[0]
		change(&b.Transitions[0])
		expect.Equal(t, len(JointWalk([]Automaton{a, b}).Steps), 2, "steps that match %+v", b.Transitions[0])
	}
}

// random makes an automaton without cycles but through the initial state, all of whose states are reachable.
func random(rng *rand.Rand) Automaton {
	n := 1 + rng.Intn(12)
	reached := map[int]bool{0: true}
	var a Automaton
	for s := range n {
		if !reached[s] {
			continue
		}
		for symbol := range 4 {
			if rng.Intn(2) == 0 && symbol > 0 {
				continue
			}
			target := s + 1 + rng.Intn(3)
			if target >= n {
				target = 0
			}
			reached[target] = true
			a.Transitions = append(a.Transitions, schema.Transition{
				Transition: int64(len(a.Transitions)), Source: int64(s), Target: int64(target),
				Function: fmt.Sprint("f", symbol), Kind: "enter",
			})
		}
	}
	return a
}

func randoms(rng *rand.Rand) []Automaton {
	out := make([]Automaton, 1+rng.Intn(4))
	for i := range out {
		out[i] = random(rng)
	}
	return out
}

// methods are what pairs automata, for tests that hold for both.
var methods = []Method{ByWalk, ByDifference}

func match(t *testing.T, m Method, automata []Automaton) Matching {
	t.Helper()
	matched := expect.Value(m.Match(automata))(t)
	return matched
}

func TestEveryTransitionIsInOneStep(t *testing.T) {
	for _, method := range methods {
		rng := rand.New(rand.NewSource(1))
		for range 400 {
			automata := randoms(rng)
			m := match(t, method, automata)
			onceEach(t, automata, m)
			for i, s := range m.Steps {
				if i > 0 && s.Depth < m.Steps[i-1].Depth {
					t.Fatalf("%s: the depth falls: %s", method, render(m))
				}
				sameSymbols(t, automata, s)
			}
		}
	}
}

func onceEach(t *testing.T, automata []Automaton, m Matching) {
	t.Helper()
	for i, a := range automata {
		seen := make([]int, len(a.Transitions))
		for _, s := range m.Steps {
			if s.Taken[i] != None {
				seen[s.Taken[i]]++
			}
		}
		for k, n := range seen {
			expect.Equal(expect.Must(t), n, 1, "transition %d of automaton %d: steps", k, i)
		}
	}
}

func sameSymbols(t *testing.T, automata []Automaton, s Step) {
	t.Helper()
	var first *schema.Transition
	for i, k := range s.Taken {
		if k == None {
			continue
		}
		r := &automata[i].Transitions[k]
		if first != nil && SymbolOf(first) != SymbolOf(r) {
			t.Fatalf("a step takes %+v and %+v", *first, *r)
		}
		first = r
	}
	if first == nil {
		t.Fatal("a step takes nothing")
	}
}

func TestAnAutomatonMatchesItselfWhollyAndUnderOtherNumbers(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for n := range 600 {
		a := random(rng)
		b := Automaton{Transitions: append([]schema.Transition(nil), a.Transitions...)}
		shift := int64(1 + rng.Intn(100))
		for i := range b.Transitions {
			for _, s := range []*int64{&b.Transitions[i].Source, &b.Transitions[i].Target} {
				if *s != 0 {
					*s = 1000 - shift**s
				}
			}
		}
		rng.Shuffle(len(b.Transitions), func(i, j int) {
			b.Transitions[i], b.Transitions[j] = b.Transitions[j], b.Transitions[i]
		})
		for _, s := range match(t, methods[n%2], []Automaton{a, b}).Steps {
			expect.Equal(expect.Must(t), s.Taken[0], s.Taken[1], "step %v of an automaton with itself", s)
		}
	}
}

func TestTheOrderOfAutomataIsTheOrderOfColumns(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	for n := range 800 {
		automata := randoms(rng)
		want := match(t, methods[n%2], automata)
		order := rng.Perm(len(automata))
		shuffled := make([]Automaton, len(automata))
		for i, k := range order {
			shuffled[i] = automata[k]
		}
		got := match(t, methods[n%2], shuffled)
		for i := range got.Steps {
			back := make([]int64, len(order))
			for column, k := range order {
				back[k] = got.Steps[i].Taken[column]
			}
			got.Steps[i].Taken = back
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("order %v: got %s, want %s", order, render(got), render(want))
		}
	}
}

// Twenty automata whose product has a state for every set of them end in as many steps as transitions.
func TestManyAutomataAreWalkedInLinearTime(t *testing.T) {
	var automata []Automaton
	for i := range 20 {
		var a Automaton
		for d := range int64(100) {
			for s := range 21 {
				target := d + 1
				if s == i {
					target = 1000 + d // off the common path and never back
				}
				a.Transitions = append(a.Transitions, schema.Transition{
					Transition: int64(len(a.Transitions)), Source: d, Target: target, Function: fmt.Sprint(s), Kind: "enter",
				})
			}
		}
		automata = append(automata, a)
	}
	m := JointWalk(automata)
	if len(m.Steps) > 20*21*100 {
		t.Errorf("%d steps", len(m.Steps))
	}
}
