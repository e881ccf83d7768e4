package language_test

import (
	"math/rand"
	"testing"

	. "github.com/tracelake/tracelake/stages/behaviour/language"
)

// chain makes a deterministic automaton of n states and three transitions a state, all of them reachable, that accepts in
// one state of ten.
func chain(rng *rand.Rand, n int) *Automaton {
	b := new(Builder)
	for range n {
		b.State(rng.Intn(10) == 0)
	}
	b.Initial(0)
	for s := range n {
		b.Transition(int32(s), uint32(s%50), int32((s+1)%n))
		b.Transition(int32(s), uint32(50+rng.Intn(25)), int32(rng.Intn(n)))
		b.Transition(int32(s), uint32(75+rng.Intn(25)), int32(rng.Intn(n)))
	}
	return b.Automaton()
}

// loops makes n words of 100 labels each that begin at one state and lead back to it by silent steps.
func loops(rng *rand.Rand, n int) *Automaton {
	b := new(Builder)
	start := b.State(true)
	b.Initial(start)
	for range n {
		at := start
		for range 100 {
			next := b.State(false)
			b.Transition(at, uint32(rng.Intn(50)), next)
			at = next
		}
		b.Transition(at, Tau, start)
	}
	return b.Automaton()
}

func BenchmarkEqual(b *testing.B) {
	rng := rand.New(rand.NewSource(1))
	x := chain(rng, 100_000)
	y := shuffled(rng, x)
	for b.Loop() {
		if !Equal(x, y) {
			b.Fatal("not equal")
		}
	}
	b.ReportMetric(200_000*float64(b.N)/b.Elapsed().Seconds(), "states/s")
}

func BenchmarkEqualNondeterministic(b *testing.B) {
	rng := rand.New(rand.NewSource(1))
	x := loops(rng, 1_000)
	y := shuffled(rng, x)
	for b.Loop() {
		if !Equal(x, y) {
			b.Fatal("not equal")
		}
	}
	b.ReportMetric(2*float64(x.States())*float64(b.N)/b.Elapsed().Seconds(), "states/s")
}

func BenchmarkIncluded(b *testing.B) {
	rng := rand.New(rand.NewSource(1))
	x := chain(rng, 100_000)
	y := shuffled(rng, x)
	for b.Loop() {
		if !Included(x, y) {
			b.Fatal("not included")
		}
	}
	b.ReportMetric(200_000*float64(b.N)/b.Elapsed().Seconds(), "states/s")
}

func BenchmarkMinimise(b *testing.B) {
	x := chain(rand.New(rand.NewSource(1)), 100_000)
	for b.Loop() {
		Minimise(x)
	}
	b.ReportMetric(100_000*float64(b.N)/b.Elapsed().Seconds(), "states/s")
}

func BenchmarkMinimiseNondeterministic(b *testing.B) {
	x := loops(rand.New(rand.NewSource(1)), 1_000)
	for b.Loop() {
		Minimise(x)
	}
	b.ReportMetric(float64(x.States())*float64(b.N)/b.Elapsed().Seconds(), "states/s")
}
