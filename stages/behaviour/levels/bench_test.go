package levels_test

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/tracelake/tracelake/stages/behaviour/language"
	"github.com/tracelake/tracelake/stages/behaviour/levels"
)

// release makes n fragments of mixed size: some 10 states mostly, and up to 1,000. A part of them, by seed, is as in no other
// release.
func release(name string, n int, changed float64, seed int64) levels.ModelSet {
	set := levels.ModelSet{Name: name}
	own := rand.New(rand.NewSource(seed))
	for i := range n {
		rng := rand.New(rand.NewSource(int64(i)))
		size := 5 + rng.Intn(10)
		if i%50 == 0 {
			size = 100 + rng.Intn(900)
		}
		b := new(language.Builder)
		for range size {
			b.State(false)
		}
		b.Initial(0)
		b.Accept(0)
		for s := range size {
			b.Transition(int32(s), uint32(rng.Intn(200)), int32((s+1)%size))
			if rng.Intn(10) == 0 {
				b.Transition(int32(s), uint32(200+rng.Intn(200)), int32(rng.Intn(size)))
			}
		}
		if own.Float64() < changed {
			b.Transition(int32(own.Intn(size)), uint32(400+own.Intn(100)), int32(own.Intn(size)))
		}
		set.Entities = append(set.Entities, levels.Entity{Component: fmt.Sprint("c", i%40), Name: fmt.Sprint("f", i), Automaton: b.Automaton()})
	}
	return set
}

// BenchmarkTwoReleases compares two releases of 4,000 fragments, of which 5 % differ.
func BenchmarkTwoReleases(b *testing.B) {
	bench(b, levels.None, release("1", 4000, 0, 1), release("2", 4000, 0.05, 2))
}

// BenchmarkTwoReleasesOfOthers compares two releases of 4,000 fragments, all of which differ.
func BenchmarkTwoReleasesOfOthers(b *testing.B) {
	bench(b, levels.None, release("1", 4000, 1, 1), release("2", 4000, 1, 2))
}

// BenchmarkTwentyReleases compares twenty releases of 4,000 fragments, of which 5 % differ in each.
func BenchmarkTwentyReleases(b *testing.B) {
	var sets []levels.ModelSet
	for i := range int64(20) {
		sets = append(sets, release(fmt.Sprint(i), 4000, 0.05, i))
	}
	bench(b, levels.None, sets...)
}

// BenchmarkCompletion compares three releases of 4,000 fragments, of which 5 % differ in each, and completes the lattices.
func BenchmarkCompletion(b *testing.B) {
	bench(b, levels.Full, release("1", 4000, 0.05, 1), release("2", 4000, 0.05, 2), release("3", 4000, 0.05, 3))
}

func bench(b *testing.B, completion levels.Completion, sets ...levels.ModelSet) {
	fragments := 0
	for _, s := range sets {
		fragments += len(s.Entities)
	}
	b.ReportAllocs()
	for b.Loop() {
		c, err := levels.Compare(b.Context(), sets, levels.Options{Completion: completion, MaxComputed: 64})
		if err != nil || len(c.Variants) < fragments {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(fragments)*float64(b.N)/b.Elapsed().Seconds(), "fragments/s")
}
