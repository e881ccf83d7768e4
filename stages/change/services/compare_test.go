package services

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestFewRequestsAreDrawnToTheOthers has thirty operations whose times vary by half, one whose two baseline requests are alike by chance, and one
// whose two differ and which takes hundred times as long. By their own variances alone the first one stands out, and the second one does not.
func TestFewRequestsAreDrawnToTheOthers(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	samples := func(n int, ms float64) (out []sample) {
		for range n {
			out = append(out, sample{value: ms * 1e6 * math.Exp(.5*rng.NormFloat64())})
		}
		return out
	}
	times := func(ms ...float64) (out []sample) {
		for _, m := range ms {
			out = append(out, sample{value: m * 1e6})
		}
		return out
	}
	const offset = 1e4
	var all []*change
	for range 30 {
		all = append(all, compare(samples(20, 5), samples(20, 5), offset))
	}
	alike := compare(times(3, 3.01), times(9.1, 9.2, 9.3), offset)
	apart := compare(times(3, 9), samples(15, 600), offset)
	judge(append(all, alike, apart))
	if alike.own.P() > .01 || alike.p < .01 {
		t.Errorf("requests that are alike by chance: p %g by themselves, %g with the others", alike.own.P(), alike.p)
	}
	if apart.own.P() < .02 || apart.p > 1e-4 {
		t.Errorf("requests that differ: p %g by themselves, %g with the others", apart.own.P(), apart.p)
	}
	if p := apart.beyondDrift(.2); p < .02 {
		t.Errorf("a change that its own requests do not show has a verdict at %g", p)
	}
}
