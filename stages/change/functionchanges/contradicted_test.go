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

// TestContradictedWait has a wait whose typical calls take a third less and whose total stays, on a machine that is 30 % slower for all else in one run of each
// side, and in one more of the candidate. The total does not follow the machine, so that nothing of what all share is taken out of it.
func TestContradictedWait(t *testing.T) {
	shown := 0
	for seed := range uint64(10) {
		costs := noisy(800+seed, 5, 5)
		for i := range costs {
			for _, j := range []int{0, 5, 6} {
				if i != 3 {
					slowOne(&costs[i][j], 1.3)
				}
			}
		}
		for j := range costs[3] {
			c := &costs[3][j]
			setTotal(c, 20e6*(1+.0005*float64(j%5)))
			if j >= 5 {
				c.Q10Ns, c.Q25Ns, c.MedianNs, c.GeoNs = c.Q10Ns*.67, c.Q25Ns*.67, c.MedianNs*.67, c.GeoNs*.67
			}
		}
		wait := &Judge(costs, Design{Base: 5}, Defaults()).Changes[3]
		log, lo, hi := wait.Effect(0)
		if !wait.Found || !wait.Contradicted {
			continue
		}
		shown++
		if math.Abs(log) > .001 || lo > 0 || hi < 0 {
			t.Errorf("seed %d: a total that stays: %+v", seed, *wait)
		}
	}
	if shown < 8 {
		t.Errorf("the distribution is found to have changed in %d of 10", shown)
	}
}

// slowOne makes all times of a function in one run longer.
func slowOne(c *Cost, by float64) {
	c.TotalNs, c.Q10Ns, c.Q25Ns, c.MedianNs, c.GeoNs = c.TotalNs*by, c.Q10Ns*by, c.Q25Ns*by, c.MedianNs*by, c.GeoNs*by
}
