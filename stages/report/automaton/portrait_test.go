package automaton

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// random is a connected automaton with n states and more transitions, of every look.
func random(seed uint64, n int) *Automaton {
	r := rand.New(rand.NewPCG(seed, 1))
	a := &Automaton{Title: "random", Compared: true}
	for s := range n {
		a.States = append(a.States, State{Number: int64(s), Initial: s == 0, Accepting: r.IntN(8) == 0, Side: Side(max(r.IntN(6)-3, 0))})
	}
	add := func(from, to int) {
		t := Transition{Source: int64(from), Target: int64(to), Label: fmt.Sprintf("enter f%d", r.IntN(40)), Note: "sends to lib"}
		t.Side, t.Changed, t.Verdict = Side(max(r.IntN(6)-3, 0)), r.IntN(5) == 0, "slower: own time"
		for range r.IntN(12) {
			t.Base.SamplesNs = append(t.Base.SamplesNs, r.Int64N(1e6))
			t.Cand.SamplesNs = append(t.Cand.SamplesNs, r.Int64N(3e6))
		}
		t.Base.Count, t.Cand.Count = int64(len(t.Base.SamplesNs)), int64(len(t.Cand.SamplesNs))
		a.Transitions = append(a.Transitions, t)
	}
	for s := 1; s < n; s++ {
		add(max(s-1-r.IntN(3), 0), s)
	}
	for range n / 3 {
		from := r.IntN(n)
		add(from, min(max(from+r.IntN(12)-5, 0), n-1))
	}
	return a
}

// draw draws an automaton as SVG, at most that wide.
func draw(t testing.TB, a *Automaton, width Length) string {
	t.Helper()
	p := expect.Value(Layout(a, width))(t)
	var svg bytes.Buffer
	expect.OK(t, p.WriteSVG(&svg))
	return svg.String()
}

// BenchmarkLayout lays out random automata of some sizes.
func BenchmarkLayout(b *testing.B) {
	for _, states := range []int{50, 500, 2000} {
		b.Run(fmt.Sprint(states), func(b *testing.B) {
			a := random(1, states)
			for b.Loop() {
				expect.Value(Layout(a, 1600*px))(b)
			}
		})
	}
}
