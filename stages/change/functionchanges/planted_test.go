package functionchanges

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// drawnRuns returns five recorded runs a side, drawn from those that do not differ.
func drawnRuns(rng *rand.Rand, from [][]Cost) [][]Cost {
	order := rng.Perm(len(from[0]))[:10]
	out := make([][]Cost, len(from))
	for i, row := range from {
		for _, j := range order {
			out[i] = append(out[i], row[j])
		}
	}
	return out
}

// blames reports whether a comparison names a function as changed: found, with an interval that excludes 0, and by more than the margin
// and the floor of a comparison.
func blames(c *Change) bool {
	d := Detection{Margin: .05, EffectNs: 10_000}
	_, lo, hi := c.Effect(d.EffectNs)
	return d.reports(c) && lo*hi > 0
}

// TestPlantedInRecordings plants changes in recorded runs of a compressor, thirty times each, and counts how often they are named
// and how many functions are blamed that nobody changed.
func TestPlantedInRecordings(t *testing.T) {
	recorded := unchangedRuns(t)
	costly := byCost(recorded)
	hot, second, middle := costly[0], costly[1], costly[4]
	for _, c := range []struct {
		name  string
		plant map[int]float64 // factor of each function in the second half
		all   float64         // factor of all functions
		named float64         // at least: share of the functions of plant that are named with their direction
	}{
		{"all functions 10 % slower", nil, 1.1, 0},
		{"all functions 10 % slower and one by 30 % on top", map[int]float64{hot: 1.3}, 1.1, .95},
		{"two functions in opposite directions", map[int]float64{hot: 1.4, second: 1 / 1.4}, 1, .9},
		{"a third of all functions", thirdOf(costly, recorded), 1, .75},
		{"a middle one alone", map[int]float64{middle: 1.5}, 1, .95},
	} {
		rng, named, blamed, told := rand.New(rand.NewPCG(23, 11)), 0, 0, 0
		for range 30 {
			costs := drawnRuns(rng, recorded)
			for i := range costs {
				by := c.all
				if f, planted := c.plant[i]; planted {
					by *= f
				}
				slow(costs[i], 5, by)
			}
			r := Judge(costs, Design{Base: 5}, Defaults())
			for i, by := range c.plant {
				named += btoi(blames(&r.Changes[i]) && r.Changes[i].Log*math.Log(by) > 0)
			}
			for i := range r.Changes {
				by, planted := c.plant[i]
				blamed += btoi(blames(&r.Changes[i]) && (!planted || r.Changes[i].Log*math.Log(by) < 0))
			}
			factor := r.Factors.Compare(Design{Base: 5}, .95)
			told += btoi(factor.Lo <= math.Log(c.all) && math.Log(c.all) <= factor.Hi)
		}
		share := float64(named) / float64(max(30*len(c.plant), 1))
		t.Logf("%s: %.2f named, %d blamed that did not change, the factor of the machine in its interval in %d of 30", c.name, share, blamed, told)
		if share < c.named || blamed > 5 || told < 25 {
			t.Errorf("%s: %.2f named, %d blamed that did not change, the factor of the machine in its interval in %d of 30", c.name, share, blamed, told)
		}
	}
}

// byCost lists the functions, those that cost most first.
func byCost(costs [][]Cost) []int {
	order, total := make([]int, len(costs)), make([]float64, len(costs))
	for i, row := range costs {
		order[i] = i
		for _, c := range row {
			total[i] += c.TotalNs
		}
	}
	slices.SortFunc(order, func(a, b int) int { return int(math.Copysign(1, total[b]-total[a])) })
	return order
}

// thirdOf slows every third function, as far as that costs a run more than the floor.
func thirdOf(functions []int, costs [][]Cost) map[int]float64 {
	const by = 1.4
	slower := make(map[int]float64)
	for n := 0; n < len(functions); n += 3 {
		if i := functions[n]; (by-1)*costs[i][0].TotalNs > 2*10_000 {
			slower[i] = by
		}
	}
	return slower
}
