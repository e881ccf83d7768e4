package functionchanges

import (
	"math"
	"math/rand/v2"
	"testing"
)

// reports says whether a comparison reports a function as changed: found, above the floor and not within the margin.
func (d *Detection) reports(c *Change) bool {
	return c.Found && c.Exceeds(d.EffectNs) && max(math.Abs(c.LogLo), math.Abs(c.LogHi)) > math.Log1p(d.Margin)
}

// planted returns costs of runs drawn from others, without putting them back, with a function slower in the second half.
func planted(rng *rand.Rand, from [][]Cost, size, function int, log float64) [][]Cost {
	drawn := rng.Perm(len(from[0]))[:2*size]
	out := make([][]Cost, len(from))
	for i := range from {
		for _, j := range drawn {
			out[i] = append(out[i], from[i][j])
		}
	}
	slow(out[function], size, math.Exp(log))
	return out
}

// What is said to be found with a power of 80 % is found in 70 to 90 % of comparisons of recorded runs, drawn again and again, with
// just this change planted: a change in every call of one function.
func TestDetectedPower(t *testing.T) {
	costs, rng := unchangedRuns(t), rand.New(rand.NewPCG(7, 7))
	for _, size := range []int{3, 5, 8} {
		d := Detection{Runs: size, Power: .8, Margin: .05, EffectNs: 10_000}
		detectable, _ := Detect(costs, d, Defaults())
		found, tried := 0, 0
		for i := range detectable {
			if detectable[i].State != Asked || math.IsInf(detectable[i].Log, 1) {
				continue
			}
			for range 10 {
				r := Judge(planted(rng, costs, size, i, detectable[i].Log), Design{Base: size}, Defaults())
				if detectable[i].Inside { // what contains it changed as well
					level, whole := Defaults().Levels(size)
					r.Select(level+whole, true)
				}
				found, tried = found+btoi(d.reports(&r.Changes[i])), tried+1
			}
		}
		if power := float64(found) / float64(tried); tried < 200 || power < .7 || power > .9 {
			t.Errorf("%d runs a side: changes that are to be found with a power of .8 are found in %.2f of %d comparisons", size, power, tried)
		}
	}
}

// The same of the run time of root executions, whose runs differ by 10 %.
func TestDetectedPowerOfWholes(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	run := func() float64 { return 1e6 * math.Exp(.1*rng.NormFloat64()) }
	many := make([]float64, 100)
	for i := range many {
		many[i] = run()
	}
	for _, size := range []int{3, 5, 10} {
		d := Detection{Runs: size, Power: .8, Margin: .05, EffectNs: 10_000}
		c := DetectRoots([]Root{{many, ones(len(many))}}, d, Defaults())[0]
		_, level := Defaults().Levels(size)
		found := 0
		for range 1000 {
			totals := make([]float64, 2*size)
			for i := range totals {
				if totals[i] = run(); i >= size {
					totals[i] *= math.Exp(c.Log)
				}
			}
			w := JudgeWhole(totals, Design{Base: size}, .95)
			found += btoi(w.P <= level)
		}
		if found < 700 || found > 900 {
			t.Errorf("%d runs a side: a change of %.0f %% that is to be found with a power of .8 is found in %d of 1000 comparisons", size, 100*math.Expm1(c.Log), found)
		}
	}
}

// What limits the smallest change: noise, the margin of runs that do not differ, and the floor of what costs little. More runs see
// smaller changes, and functions that are not asked say why.
func TestDetectedLimits(t *testing.T) {
	costs := noisy(31, 10, 0)
	for _, row := range costs[:2] { // runs that do not differ
		for j := range row {
			row[j] = Cost{Calls: 10, TotalNs: 2e6, Q10Ns: 2e5, Q25Ns: 2e5, MedianNs: 2e5, GeoNs: 2e5}
		}
	}
	for j := range costs[1] {
		costs[1][j].TotalNs = 20_000
	}
	costs[2][3] = Cost{}
	slow(costs[3], 0, 1e-9)
	five, factors := Detect(costs, Detection{Runs: 5, Power: .8, Margin: .05, EffectNs: 10_000}, Defaults())
	ten, _ := Detect(costs, Detection{Runs: 10, Power: .8, Margin: .05, EffectNs: 10_000}, Defaults())
	if five[1].By != ByFloor || math.Abs(math.Expm1(five[1].Log)-.5) > .1 {
		t.Errorf("a floor of 10 us of 20 us: %+v", five[1])
	}
	if five[2].State != Sporadic || five[3].State != TooSmall || len(factors.Log) != 10 {
		t.Errorf("states %v and %v, %d factors", five[2].State, five[3].State, len(factors.Log))
	}
	for i := range five {
		if five[i].State == Asked && !(ten[i].Log <= five[i].Log) {
			t.Errorf("function %d: ten runs find %g, five %g", i, ten[i].Log, five[i].Log)
		}
	}
	margin, _ := Detect(costs, Detection{Runs: 5, Power: .8, Margin: 1, EffectNs: 0}, Defaults())
	if by := margin[10].By; by != ByMargin {
		t.Errorf("a margin of 100 %% is limited by %s", by)
	}
	if few, _ := Detect(noisy(5, 2, 0), Detection{Runs: 5, Power: .8}, Defaults()); few[0].Log != 0 || few[0].By != "" {
		t.Errorf("two runs tell %+v", few[0])
	}
}
