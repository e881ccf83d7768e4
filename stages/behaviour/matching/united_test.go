package matching

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

func renderUnited(u *United) string {
	var out []string
	for _, t := range u.Transitions {
		out = append(out, fmt.Sprintf("%d-%d %v", t.Source, t.Target, t.Runs))
	}
	return fmt.Sprintf("%d states: %s", len(u.States), strings.Join(out, ", "))
}

func TestUnite(t *testing.T) {
	for _, c := range []struct {
		name     string
		automata []string
		want     string
	}{
		{"no automata", nil, "0 states: "},
		{"runs without the fragment", []string{"", ""}, "0 states: "},
		{"one automaton", []string{"0-1 f, 1-0 F"}, "2 states: 0-1 [0], 1-0 [0]"},
		{"states are numbered anew", []string{"0-7 f, 7-0 F"}, "2 states: 0-1 [0], 1-0 [0]"},
		{"the first run lacks the fragment", []string{"", "0-1 f, 1-0 F", "0-1 f, 1-0 F"}, "2 states: 0-1 [1 2], 1-0 [1 2]"},
		// Traces 1 and 3 of Hilbig 2023, figure 3.2: one calls g, the other h. By the joint walk the exits of f differ.
		{"one call is replaced", []string{"0-1 f, 1-2 g, 2-3 G, 3-0 F", "0-1 f, 1-2 h, 2-3 H, 3-0 F"},
			"6 states: 0-1 [0 1], 1-2 [0], 1-3 [1], 2-4 [0], 3-5 [1], 4-0 [0], 5-0 [1]"},
		// The left automaton takes x twice from one state, the right one from two states. To unite these would add words.
		{"two states of a run stay apart", []string{"0-1 a, 1-1 x, 1-0 b", "0-1 a, 1-2 x, 2-2 x, 2-0 b"},
			"3 states: 0-1 [0 1], 1-1 [0], 1-2 [1], 1-0 [0], 2-0 [1], 2-2 [1]"},
	} {
		var automata []Automaton
		for _, text := range c.automata {
			if text == "" {
				automata = append(automata, Automaton{})
				continue
			}
			automata = append(automata, automaton(text))
		}
		expect.Equal(t, renderUnited(Unite(automata, JointWalk(automata).Steps)), c.want, "%s", c.name)
	}
}

// TestUnitedKeepsRuns compares the united automaton with its definition on random automata, by both methods: restricted
// to one run it is that run's automaton, and no state unites two states of a run.
func TestUnitedKeepsRuns(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 200 {
		automata := make([]Automaton, 1+rng.Intn(5))
		for i := range automata {
			automata[i] = randomAutomaton(rng)
		}
		for _, method := range []Method{ByWalk, ByDifference} {
			matched := expect.Value(method.Match(automata))(t)
			u := Unite(automata, matched.Steps)
			checkUnited(t, automata, matched.Steps, u)
		}
	}
}

func checkUnited(t *testing.T, automata []Automaton, steps []Step, u *United) {
	t.Helper()
	states := make([]map[int64]int64, len(automata)) // by run: the state of the run that a state unites
	for run := range automata {
		states[run] = make(map[int64]int64)
	}
	for n, members := range u.States {
		for _, s := range members {
			if _, twice := states[s.Run][int64(n)]; twice {
				t.Fatalf("state %d unites two states of run %d: %v", n, s.Run, members)
			}
			states[s.Run][int64(n)] = s.State
		}
	}
	taken := make([]int, len(automata))
	for _, united := range u.Transitions {
		if !slices.IsSorted(united.Runs) {
			t.Fatalf("runs %v", united.Runs)
		}
		for _, run := range united.Runs {
			own := automata[run].Transitions[steps[united.Step].Taken[run]]
			if states[run][united.Source] != own.Source || states[run][united.Target] != own.Target {
				t.Fatalf("run %d takes %d-%d as %d-%d", run, own.Source, own.Target, united.Source, united.Target)
			}
			taken[run]++
		}
	}
	for run, a := range automata {
		expect.Equal(expect.Must(t), taken[run], len(a.Transitions), "transitions that run %d takes", run)
	}
}

// randomAutomaton returns a deterministic automaton of up to five states, or none at all.
func randomAutomaton(rng *rand.Rand) (a Automaton) {
	states := rng.Intn(6)
	seen := []int64{0}
	for source := int64(0); int(source) < len(seen) && states > 0; source++ {
		for _, function := range []string{"f", "g", "h"} {
			if source > 0 && rng.Intn(2) == 0 {
				continue
			}
			target := int64(rng.Intn(states))
			if target != 0 && !slices.Contains(seen, target) {
				target = int64(len(seen))
				seen = append(seen, target)
			}
			a.Transitions = append(a.Transitions, schema.Transition{
				Transition: int64(len(a.Transitions)), Source: source, Target: target, Kind: "enter", Function: function,
			})
		}
	}
	return a
}
