package controlchart

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// slow are the limits of the mean of n times by a walk over all times: the means of as many in a row as the greatest power of two not above n of
// which there are 16.
func slow(times []int64, n int) (lower, upper float64, are bool) {
	mean := 0.0
	for _, t := range times {
		mean += float64(t) / float64(len(times))
	}
	deviation := 0.0
	for size := 1; size <= n && len(times)/size >= 16; size *= 2 {
		var means []float64
		for i := 0; i+size <= len(times); i += size {
			sum := 0.0
			for _, t := range times[i : i+size] {
				sum += float64(t)
			}
			means = append(means, sum/float64(size))
		}
		of, squares := 0.0, 0.0
		for _, m := range means {
			of += m / float64(len(means))
		}
		for _, m := range means {
			squares += (m - of) * (m - of)
		}
		deviation, are = math.Sqrt(squares/float64(len(means)-1)), true
	}
	return mean - 3*deviation, mean + 3*deviation, are
}

// TestLimits compares limits of random times with a walk over all of them.
func TestLimits(t *testing.T) {
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(math.Abs(a)+math.Abs(b))+1e-6 }
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 9))
		var b Baseline
		var times []int64
		for range rng.IntN(600) {
			times = append(times, rng.Int64N(1+rng.Int64N(1_000_000)))
			b.Add(times[len(times)-1])
		}
		expect.Equal(t, b.Count(), int64(len(times)), "seed %d: times", seed)
		for range 10 {
			n := 1 + rng.IntN(400)
			lower, upper, are := b.Limits(int64(n))
			low, up, some := slow(times, n)
			if are != some || are && (!near(lower, low) || !near(upper, up)) {
				t.Fatalf("seed %d: the mean of %d of %d times: %v to %v (%v), by a walk %v to %v (%v)", seed, n, len(times), lower, upper, are, low, up, some)
			}
		}
	}
}

// TestLimitsOfAlikeTimes has times that stay as they are for long: the mean of 64 varies as much as a single one, and is not believed to be known better.
func TestLimitsOfAlikeTimes(t *testing.T) {
	var alike, apart Baseline
	for i := range 64_000 {
		state := int64(1000)
		if i/2000%2 == 1 {
			state = 1200
		}
		alike.Add(state)
		apart.Add(1000 + 200*int64(i*7919%64_000/32_000))
	}
	width := func(b *Baseline) float64 {
		lower, upper, _ := b.Limits(64)
		return upper - lower
	}
	if wide, narrow := width(&alike), width(&apart); wide < 590 || narrow > 0.2*wide {
		t.Errorf("limits of the mean of 64 are %.0f ns apart where times stay as they are, %.0f where they change at once", wide, narrow)
	}
	expect.Equal(t, alike.Strikes(1200, 64), false, "a state of the baseline strikes")
	expect.Equal(t, apart.Strikes(1200, 64), true, "a mean that the baseline has nowhere strikes")
}

// TestStrikes has a baseline without any deviation: a hundredth more does not strike, two do.
func TestStrikes(t *testing.T) {
	var b Baseline
	for range 15 {
		b.Add(1000)
	}
	expect.Equal(t, b.Strikes(2000, 4), false, "of 15 times nothing is known")
	b.Add(1000)
	for ns, want := range map[float64]bool{1000: false, 1010: false, 1020: true, 980: true} {
		expect.Equal(t, b.Strikes(ns, 4), want, "%v ns", ns)
	}
}
