package alignment_test

import (
	"math"
	"math/rand"
	"testing"

	"github.com/tracelake/tracelake/stages/clocks/alignment"
)

// TestDriftsAreSettledTogether has a front that calls a back that asks a database, of which the back gains 50 ppm over 2 s: a hundred requests, whose
// messages are up to a tenth slower than the fastest. In 99 of 100 draws the drifts are found to half a ppm, whichever clock is the reference, and
// clocks that do not speak with each other run alike.
func TestDriftsAreSettledTogether(t *testing.T) {
	const draws = 1000
	for reference, truth := range []map[string]float64{{"host b": -50, "host c": 0}, {"host a": 50, "host c": 50}} {
		far, unlike := 0, 0
		for seed := range int64(draws) {
			c := drawRequests(seed, uint32(reference), []clock{{}, {7_000_000, 50e-6}, {-4_000_000, 0}})
			ppm := map[string]float64{}
			for _, b := range c.Solve(false, names).Bounds {
				ppm[b.Unit] = b.DriftPpm
			}
			isFar := false
			for unit, want := range truth {
				isFar = isFar || math.Abs(ppm[unit]-want) > 0.5
			}
			if isFar {
				far++
			}
			if reference == 0 && ppm["host c"] != 0 || reference == 1 && math.Abs(ppm["host a"]-ppm["host c"]) > 1e-6 {
				unlike++
			}
		}
		if far > draws/100 || unlike > draws/100 {
			t.Errorf("reference %d: in %d of %d draws a drift is off by more than half a ppm, and in %d clocks that run alike do not", reference, far, draws, unlike)
		}
	}
}

// drawRequests are the messages of a hundred requests in two seconds: front calls back, which asks db; everything takes up to a tenth longer at random.
func drawRequests(seed int64, reference uint32, clocks []clock) *alignment.Collector {
	rng := rand.New(rand.NewSource(seed))
	long := func(ns float64) int64 { return int64(ns * (1 + 0.1*rng.Float64())) }
	c := alignment.New()
	for i := range int64(100) {
		at := 1_000_000 + i*20_000_000 + long(500_000)
		send := func(from, to uint32, ns float64) {
			sent := at
			at += long(ns)
			c.Before(from, clocks[from].shown(sent), to, clocks[to].shown(at))
		}
		c.Start(reference)
		send(0, 1, 200_000)
		at += long(1e6)
		send(1, 2, 150_000)
		at += long(3e6)
		send(2, 1, 150_000)
		at += long(1e6)
		send(1, 0, 200_000)
	}
	return c
}

// TestTwoDrifts has a back that gains 50 ppm and a database that loses 30, in the same hundred requests. Pitman's estimate from the latencies of both directions, of
// which only the fastest are taken to be alike, is within half a ppm for 95.6 % of the clocks of such draws.
func TestTwoDrifts(t *testing.T) {
	const draws = 300
	truth := map[string]float64{"host b": -50, "host c": 30}
	near, squares := 0, 0.0
	for seed := range int64(draws) {
		c := drawRequests(seed, 0, []clock{{}, {7_000_000, 50e-6}, {-4_000_000, -30e-6}})
		for _, b := range c.Solve(false, names).Bounds {
			off := b.DriftPpm - truth[b.Unit]
			if squares += off * off; math.Abs(off) <= 0.5 {
				near++
			}
		}
	}
	// Of the rates that are likeliest, 83 % were near, and the error was .36 ppm.
	if rms := math.Sqrt(squares / (2 * draws)); near < 2*draws*92/100 || rms > .28 {
		t.Errorf("%d of %d drifts are within half a ppm, with an error of %.2f ppm", near, 2*draws, rms)
	}
}
