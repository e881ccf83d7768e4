package stl

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestLeast sees that no sampled value lies outside of the least and the greatest one, and that both are approached where they are said to be.
func TestLeast(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for range 300 {
		var of []Fragment
		for from := 0.0; len(of) < 1+r.IntN(5); from = of[len(of)-1].To {
			of = append(of, Fragment{from, from + 1 + r.Float64()*3, r.Float64()*8 - 4, r.Float64()*8 - 4, r.Float64()*8 - 4})
		}
		s := New(of)
		from := r.Float64() * s.End()
		to := from + r.Float64()*(s.End()-from)
		least, leastAt := s.Least(from, to)
		greatest, greatestAt := s.Greatest(from, to)
		for i := range 2001 {
			if v := s.At(from + (to-from)*float64(i)/2000); v < least-1e-9 || v > greatest+1e-9 {
				t.Fatalf("%v on [%g, %g] has %g, beyond %g and %g", of, from, to, v, least, greatest)
			}
		}
		for at, want := range map[float64]float64{leastAt: least, greatestAt: greatest} {
			if math.Abs(s.At(at)-want) > 1e-9 && math.Abs(s.At(at-1e-9)-want) > 1e-6 || at < from || at > to {
				t.Fatalf("%v on [%g, %g]: %g is not approached at %g", of, from, to, want, at)
			}
		}
	}
}
