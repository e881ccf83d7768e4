package stats

import (
	"math/rand/v2"
	"testing"
)

func BenchmarkHarrellDavis10M(b *testing.B) {
	v := make([]int64, 10_000_000)
	for i := range v {
		v[i] = int64(i)
	}
	for b.Loop() {
		HarrellDavis(v, 0.9)
	}
}

func BenchmarkDeciles50(b *testing.B) {
	v := draw(rand.New(rand.NewPCG(1, 1)), 50, 1<<20)
	for b.Loop() {
		Deciles(v)
	}
}

func BenchmarkHodgesLehmann1M(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	x, y := draw(r, 1_000_000, 1<<30), draw(r, 1_000_000, 1<<30)
	for b.Loop() {
		HodgesLehmann(x, y)
	}
}

func BenchmarkMannWhitneyExact25(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	x, y := draw(r, 25, 20), draw(r, 25, 20)
	for b.Loop() {
		MannWhitneyExact(x, y)
	}
}

func BenchmarkKolmogorovSmirnovExact500(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	x, y := draw(r, 512, 1<<30), draw(r, 512, 1<<30)
	for b.Loop() {
		KolmogorovSmirnovExact(x, y)
	}
}
