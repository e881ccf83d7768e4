package stats

import (
	"math"
	"testing"
)

// TestStudentEqualsScipy compares with the tails of scipy 1.10.1, stats.t.sf.
func TestStudentEqualsScipy(t *testing.T) {
	for _, c := range numbers(t, "student.csv") {
		if got := studentUpper(c[0], c[1]); math.Abs(got-c[2]) > 1e-9*c[2] {
			t.Errorf("P(T > %v) on %v is %v, want %v", c[0], c[1], got, c[2])
		}
		if up, down := studentUpper(c[0], c[1]), studentUpper(-c[0], c[1]); math.Abs(up+down-1) > 1e-15 {
			t.Errorf("tails of %v on %v add up to %v", c[0], c[1], up+down)
		}
	}
}

// TestStudentCriticalInverts checks round trips, and the closed forms on one and two degrees of freedom.
func TestStudentCriticalInverts(t *testing.T) {
	for _, p := range []float64{1e-40, 1e-12, 1e-6, 0.0005, 0.025, 0.2, 0.4999} {
		for _, df := range []float64{0.3, 1, 4.68, 30, 1e3, 9.9e4, 1.1e5, 1e8, math.Inf(1)} {
			at := studentCritical(p, df)
			if back := studentUpper(at, df); !math.IsInf(at, 1) && math.Abs(back-p) > 1e-9*p {
				t.Errorf("p %v on %v: critical value %v has tail %v", p, df, at, back)
			}
		}
		one, two := math.Tan(math.Pi*(0.5-p)), (1-2*p)/math.Sqrt(2*p*(1-p))
		if got := studentCritical(p, 1); p > 1e-9 && math.Abs(got-one) > 1e-9*one {
			t.Errorf("p %v on 1: %v, want %v", p, got, one)
		}
		if got := studentCritical(p, 2); p > 1e-9 && math.Abs(got-two) > 1e-9*two {
			t.Errorf("p %v on 2: %v, want %v", p, got, two)
		}
	}
}
