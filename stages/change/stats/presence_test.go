package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestPresence holds the rate against sums by hand: of three runs a side, what one, two or three of six have separates the sides with
// probability 125/23328, 16/729 and 1/32.
func TestPresence(t *testing.T) {
	p := NewPresence(3, 3)
	p.Add(0, 3, 10)
	p.Add(3, 0, 2)
	p.Add(0, 3, 1)
	expect.Equal(t, p.Rate(10), 0., "where all else is in all runs or none")

	p = NewPresence(3, 3)
	for _, count := range []float64{10, 2, 1} {
		p.Add(0, 3, count)
	}
	p.Add(3, 3, 50) // what all runs have says nothing
	p.Add(0, 0, 50)
	p.Add(1, 0, 2)
	p.Add(1, 1, 2)
	p.Add(1, 2, 1.5)
	one, two, three := 2*math.Pow(1./6, 3)*math.Pow(5./6, 3), 2*math.Pow(2./6, 3)*math.Pow(4./6, 3), 2*math.Pow(.5, 6)
	for _, c := range []struct{ count, want float64 }{{10, 0}, {2, (one + two) / 2}, {1, (one + two + three) / 3}} {
		if got := p.Rate(c.count); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("of those that happen %g times: %g, want %g", c.count, got, c.want)
		}
	}
	expect.Equal(t, p.RunsNeeded(1, .05), 3, "runs for a rate that is there")
	expect.Equal(t, p.RunsNeeded(1, .01), 4, "runs for a hundredth")
}

// TestPresenceByChance draws what runs have by chance alone: what separates the sides is found in no more than a twentieth of the draws, also
// where a whole request of many steps does; what is new in all runs of a candidate stands beside them.
func TestPresenceByChance(t *testing.T) {
	for _, runs := range []int{3, 5, 8} {
		rng := rand.New(rand.NewPCG(uint64(runs), 9))
		false_, missed := 0, 0
		const draws = 400
		for range draws {
			p, planted := NewPresence(runs, runs), NewPresence(runs, runs)
			var separating []float64
			for range 30 { // requests
				in := .05 + .9*rng.Float64()
				base, cand := 0, 0
				for range runs {
					base, cand = base+btoi(rng.Float64() < in), cand+btoi(rng.Float64() < in)
				}
				for range 1 + rng.IntN(9) {
					count := float64(1 + rng.IntN(4))
					p.Add(base, cand, count)
					planted.Add(base, cand, count)
					if p.Separates(base, cand) {
						separating = append(separating, count)
					}
				}
			}
			for range 200 {
				planted.Add(0, runs, 1)
			}
			found := false
			for _, count := range separating {
				found = found || p.Rate(count) <= .025
			}
			false_ += btoi(found)
			missed += btoi(planted.Rate(1) > .025)
		}
		if false_ > draws/20 || missed > draws/20 {
			t.Errorf("%d runs a side: of %d draws, %d claim what is chance, %d miss what is new", runs, draws, false_, missed)
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
