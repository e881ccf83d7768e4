package sampletests

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// BenchmarkCompare takes skewed durations of 1 us resolution, without the sort.
func BenchmarkCompare(b *testing.B) {
	for _, n := range []int{5, 20, 50, 10_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			left, right := NewSample(lognormal(n, 1)), NewSample(lognormal(n, 2))
			for b.Loop() {
				Compare(left, right, Defaults())
			}
			b.ReportMetric(float64(2*n)*float64(b.N)/b.Elapsed().Seconds(), "samples/s")
		})
	}
}

func BenchmarkNewSample(b *testing.B) {
	for _, n := range []int{50, 10_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			values := lognormal(n, 1)
			for b.Loop() {
				NewSample(values)
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "samples/s")
		})
	}
}

func lognormal(n int, seed uint64) []int64 {
	r := rand.New(rand.NewPCG(seed, 0))
	v := make([]int64, n)
	for i := range v {
		v[i] = 1000 * int64(1000*math.Exp(r.NormFloat64()))
	}
	return v
}
