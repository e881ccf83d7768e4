package functionchanges

import (
	"math"
	"testing"
)

// TestContradicted halves the typical call of a function and lets the dear ones take so much longer that the total stays: the
// distribution changed, and the effect on the cost is that of the total. Where all calls take half as long the total follows, and
// where the total alone grows there is no typical call to contradict.
func TestContradicted(t *testing.T) {
	typical := func(c *Cost, by float64) {
		c.Q10Ns, c.Q25Ns, c.MedianNs, c.GeoNs = c.Q10Ns*by, c.Q25Ns*by, c.MedianNs*by, c.GeoNs*by
	}
	for seed := range uint64(10) {
		costs := noisy(600+seed, 5, 5)
		for j := 5; j < 10; j++ {
			typical(&costs[3][j], .5)
			typical(&costs[8][j], .5)
			costs[8][j].TotalNs *= .5
			costs[12][j].TotalNs *= 1.5
		}
		changes := Judge(costs, Design{Base: 5}, Defaults()).Changes
		moved, halved, grown := &changes[3], &changes[8], &changes[12]
		if log, lo, hi := moved.Effect(0); !moved.Found || !moved.Contradicted || !moved.By.PerCall() || math.Abs(log) > .1 || lo > 0 || hi < 0 {
			t.Errorf("seed %d: a typical call of half the time and the same total: %+v", seed, *moved)
		}
		if log, _, hi := halved.Effect(0); !halved.Found || halved.Contradicted || hi >= 0 || math.Abs(log-math.Log(.5)) > .15 {
			t.Errorf("seed %d: all calls of half the time: %+v", seed, *halved)
		}
		if log, lo, _ := grown.Effect(0); !grown.Found || grown.Contradicted || grown.By.PerCall() || lo <= 0 || math.Abs(log-math.Log(1.5)) > .15 {
			t.Errorf("seed %d: a total half as great again: %+v", seed, *grown)
		}
	}
}
