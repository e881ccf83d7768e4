package alignment

import (
	"math/rand"
	"testing"
)

// TestOverIsOneAfterTheOther sees that a line over a clock, which has a line itself, does what both do one after the other, also where clocks
// gain a hundredth.
func TestOverIsOneAfterTheOther(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	any := func() Line {
		return Line{
			OriginNs: rng.Int63n(1e12), WholeNs: rng.Int63n(1e15) - 5e14, PartNs: rng.NormFloat64() * 1e9, Drift: rng.NormFloat64() * 1e-2,
		}
	}
	for range 1000 {
		l, via := any(), any()
		via.OriginNs -= l.WholeNs
		both := l.over(&via, l.OriginNs-l.WholeNs)
		for range 10 {
			at := l.OriginNs + rng.Int63n(1e10)
			if off := both.At(at) - via.At(l.At(at)); off < -2 || off > 2 {
				t.Fatalf("%+v over %+v is off by %d ns at %d", l, via, off, at)
			}
		}
	}
}
