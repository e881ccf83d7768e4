package functionchanges

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestBursts lets the candidate share its processor: calls of every function wait for a turn, the more so the more it computes, and
// typical calls stay as they were. No function is blamed, and the totals are said to have changed together; a function whose every call
// takes longer on top of that is found. Where one function alone waits, it is found.
func TestBursts(t *testing.T) {
	const turnNs = 2e6
	var blamed, together, named, alone, apart int
	const tries = 30
	for seed := range uint64(tries) {
		costs, rng := noisy(700+seed, 5, 5), rand.New(rand.NewPCG(seed, 7))
		for _, row := range costs {
			for j := 5; j < 10; j++ {
				turns := 6 * row[j].TotalNs / turnNs
				turns = math.Max(0, math.Round(turns+math.Sqrt(turns)*rng.NormFloat64()))
				row[j].TotalNs += turns * turnNs
			}
		}
		r := Judge(costs, Design{Base: 5}, Defaults())
		for i := range r.Changes {
			blamed += btoi(blames(&r.Changes[i]))
		}
		together += btoi(r.Together)
		for j := 5; j < 10; j++ {
			c := &costs[11][j]
			c.Q10Ns, c.Q25Ns, c.MedianNs, c.GeoNs = 1.4*c.Q10Ns, 1.4*c.Q25Ns, 1.4*c.MedianNs, 1.4*c.GeoNs
		}
		named += btoi(Judge(costs, Design{Base: 5}, Defaults()).Changes[11].Found)

		costs = noisy(800+seed, 5, 5)
		for j := 5; j < 10; j++ {
			costs[4][j].TotalNs += 10 * turnNs
		}
		r = Judge(costs, Design{Base: 5}, Defaults())
		alone += btoi(blames(&r.Changes[4]))
		apart += btoi(!r.Together)
	}
	t.Logf("of %d: %d functions blamed, together %d, one on top named %d; one alone named %d, not together %d", tries, blamed, together, named, alone, apart)
	if blamed > 3 || together < tries-2 || named < tries-3 {
		t.Errorf("a shared processor: %d functions are blamed, the totals changed together in %d and one on top is found in %d of %d", blamed, together, named, tries)
	}
	if alone < tries-1 || apart < tries-3 {
		t.Errorf("one function that waits: it is found in %d, and alone in %d of %d", alone, apart, tries)
	}
}
