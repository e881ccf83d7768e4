package timebase

import (
	"math"
	"math/rand"
	"testing"
)

// BenchmarkDomains finds one time for 64 clocks that exchange a million messages, each with eight others.
func BenchmarkDomains(b *testing.B) {
	const clocks, messages = 64, 1_000_000
	r := rand.New(rand.NewSource(11))
	offsets, drifts := make([]int64, clocks), make([]float64, clocks)
	var pairs [][2]int
	for u := 1; u < clocks; u++ {
		offsets[u], drifts[u] = r.Int63n(1e12), r.NormFloat64()*30e-6
		for range 4 {
			pairs = append(pairs, [2]int{r.Intn(u), u})
		}
	}
	h := &happening{clocks: clocks, orders: new(Orders), shown: func(u int, t int64) int64 {
		return t + offsets[u] + int64(math.Round(drifts[u]*float64(t)))
	}}
	h.exchange(r, pairs, messages, 600e9, 20_000, 2_000_000)
	b.ReportAllocs()
	for b.Loop() {
		s := Solve(h.orders, clocks, 0)
		if n := h.broken(s); n > 0 {
			b.Fatalf("%d orders are broken", n)
		}
	}
	b.ReportMetric(float64(messages)*float64(b.N)/b.Elapsed().Seconds(), "messages/s")
}
