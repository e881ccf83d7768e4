package timebase

import (
	"math/rand"
	"testing"
)

// TestLine checks that times of a line never run back.
func TestLine(t *testing.T) {
	r := rand.New(rand.NewSource(8))
	for range 2000 {
		l := Line{r.Int63n(1e18), r.Int63n(2e18) - 1e18, 2*r.Float64() - 1}
		at := l.OriginNs + r.Int63n(1e12) - 5e11
		for i := range int64(100) {
			if l.At(at+i+1) < l.At(at+i) {
				t.Fatalf("%+v runs back at %d", l, at+i)
			}
		}
	}
}

// TestCurve checks that times of a curve never run back, least of all where lines meet, and that it is where its lines begin.
func TestCurve(t *testing.T) {
	r := rand.New(rand.NewSource(9))
	for range 2000 {
		c := Curve{{r.Int63n(1e18), r.Int63n(2e18) - 1e18, 0}}
		for range 1 + r.Intn(4) {
			last := &c[len(c)-1]
			length := 1 + r.Int63n(1e12)
			rise := r.Int63n(2*length) - length + 1
			last.Drift = float64(rise) / float64(length)
			c = append(c, Line{last.OriginNs + length, last.OffsetNs + rise, r.Float64() - 0.5})
		}
		for _, l := range c {
			if got := c.At(l.OriginNs) - l.OriginNs; got != l.OffsetNs {
				t.Fatalf("%+v: %d where a line begins at %d", c, got, l.OffsetNs)
			}
			for i := int64(-50); i < 50; i++ {
				if c.At(l.OriginNs+i+1) < c.At(l.OriginNs+i) {
					t.Fatalf("%+v runs back at %d", c, l.OriginNs+i)
				}
			}
		}
	}
}
