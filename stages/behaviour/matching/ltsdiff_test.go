package matching

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

func TestLTSDiff(t *testing.T) {
	const trace1 = "0-1 f, 1-2 g, 2-3 G, 3-0 F"
	for _, c := range []struct {
		name     string
		automata []string
		want     string
	}{
		{"no automata", nil, ""},
		{"one automaton", []string{trace1}, "0 [0], 1 [1], 2 [2], 3 [3]"},
		{"a run without the fragment", []string{trace1, "", trace1}, "0 [0 -1 0], 1 [1 -1 1], 2 [2 -1 2], 3 [3 -1 3]"},
		// Hilbig 2023, Fig. 3.4: both calls of f start and end with the same black transition.
		{"the paper's traces 1 and 3", []string{trace1, "0-1 f, 1-2 h, 2-3 H, 3-0 F"},
			"0 [0 0], 1 [1 -1], 1 [-1 1], 2 [2 -1], 2 [-1 2], 3 [3 3]"},
		{"a call more", []string{trace1, "0-1 f, 1-2 h, 2-3 H, 3-4 g, 4-5 G, 5-0 F"},
			"0 [0 0], 1 [1 3], 1 [-1 1], 2 [2 4], 2 [-1 2], 3 [3 5]"},
		{"three runs, two of them alike", []string{trace1, "0-1 f, 1-2 h, 2-3 H, 3-0 F", trace1},
			"0 [0 0 0], 1 [1 -1 1], 1 [-1 1 -1], 2 [2 -1 2], 2 [-1 2 -1], 3 [3 3 3]"},
		// State 4 of the left one is states 4 and 5 of the right one. They cannot all be pairs, and yet x and y are the same.
		{"a state that is two", []string{"0-1 f, 1-2 g, 1-3 h, 2-4 x, 3-4 y, 4-0 F", "0-1 f, 1-2 g, 1-3 h, 2-4 x, 3-5 y, 4-0 F, 5-0 F, 5-0 z"},
			"0 [0 0], 1 [1 1], 1 [2 2], 2 [3 3], 2 [4 4], 3 [5 5], 3 [-1 6], 3 [-1 7]"},
	} {
		expect.Equal(t, render(match(t, ByDifference, automata(c.automata))), c.want, "%s", c.name)
	}
}

func automata(texts []string) (list []Automaton) {
	for _, text := range texts {
		if text == "" {
			list = append(list, Automaton{})
			continue
		}
		list = append(list, automaton(text))
	}
	return list
}

// More automata than a difference has sides: f calls another function in each, and waits for it in the same steps.
func TestManyAutomataThatDiffer(t *testing.T) {
	var list []Automaton
	for i := range 150 {
		list = append(list, automaton(fmt.Sprintf("0-1 f, 1-2 g%d, 2-3 G%d, 3-0 F", i, i)))
	}
	m := match(t, ByDifference, list)
	onceEach(t, list, m)
	if first, last := m.Steps[0], m.Steps[len(m.Steps)-1]; len(m.Steps) != 302 || strings.Contains(fmt.Sprint(first, last), "-1") {
		t.Errorf("%d steps, the first %v, the last %v", len(m.Steps), first, last)
	}
}

// The difference pairs more transitions than the joint walk, and hardly ever fewer.
func TestLTSDiffPairsMoreThanTheJointWalk(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	more, fewer := 0, 0
	for range 400 {
		list := []Automaton{random(rng), random(rng)}
		switch w, d := len(JointWalk(list).Steps), len(match(t, ByDifference, list).Steps); {
		case d < w:
			more++
		case d > w:
			fewer++
		}
	}
	if more < 200 || fewer > 8 {
		t.Errorf("more in %d, fewer in %d", more, fewer)
	}
}

func TestBrokenAutomata(t *testing.T) {
	for text, want := range map[string]string{
		"0-1 f, 1-2 g, 1-3 g, 2-0 F, 3-0 F": "fragment c.f: transition 2 (enter g) stands twice at its state: analyze the run again",
		"0-1 f, 1-0 F, 4-5 g":               "fragment c.f: transition 2 (enter g) cannot be reached from the start: analyze the run again",
	} {
		a := automaton(text)
		a.Fragment = "c.f"
		if _, err := ByDifference.Match([]Automaton{a}); err == nil || err.Error() != want {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

func TestParseMethod(t *testing.T) {
	for _, m := range methods {
		if got, err := ParseMethod(string(m)); got != m || err != nil {
			t.Errorf("%s: got %s, %v", m, got, err)
		}
	}
	if _, err := ParseMethod("guess"); err == nil || err.Error() != `"guess" is no way to match: ltsdiff or walk` {
		t.Errorf("got %v", err)
	}
}
