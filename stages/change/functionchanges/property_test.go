package functionchanges

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

const testFunctions = 30

// noisy returns costs of functions whose runs differ by a common factor of about 10 % and by 3 % of their own, and whose calls cost
// from 100 ns to 10 us.
func noisy(seed uint64, base, cand int) [][]Cost {
	rng := rand.New(rand.NewPCG(seed, 1))
	common := make([]float64, base+cand)
	for j := range common {
		common[j] = math.Exp(.1 * rng.NormFloat64())
	}
	costs := make([][]Cost, testFunctions)
	for i := range costs {
		calls, ns := float64(20+rng.IntN(2000)), 100*math.Pow(10, 2*rng.Float64())
		for j := range common {
			x := ns * common[j] * math.Exp(.03*rng.NormFloat64())
			wiggle := func() float64 { return x * math.Exp(.005*rng.NormFloat64()) }
			costs[i] = append(costs[i], Cost{Calls: calls, TotalNs: 1.2 * calls * wiggle(), Q10Ns: .8 * wiggle(), Q25Ns: .9 * wiggle(), MedianNs: wiggle(), GeoNs: wiggle()})
		}
	}
	return costs
}

// slow multiplies all times of a function in the runs from from on.
func slow(row []Cost, from int, by float64) {
	for j := range row {
		if c := &row[j]; j >= from {
			c.TotalNs, c.Q10Ns, c.Q25Ns, c.MedianNs, c.GeoNs = c.TotalNs*by, c.Q10Ns*by, c.Q25Ns*by, c.MedianNs*by, c.GeoNs*by
		}
	}
}

func foundIn(r Result) (found []int) {
	for i := range r.Changes {
		if r.Changes[i].Found {
			found = append(found, i)
		}
	}
	return found
}

func TestOneFunction(t *testing.T) {
	costs := noisy(1, 5, 5)
	slow(costs[7], 5, 1.3)
	r := Judge(costs, Design{Base: 5}, Defaults())
	if found := foundIn(r); !slices.Equal(found, []int{7}) {
		t.Fatalf("functions %v are found, want 7 alone", found)
	}
	if c := r.Changes[7]; !(c.LogLo < math.Log(1.3) && math.Log(1.3) < c.LogHi && c.LogLo > 0) {
		t.Errorf("the interval is %g to %g, and the truth %g", c.LogLo, c.LogHi, math.Log(1.3))
	}
}

// All functions alike are no function's change: the factors say it.
func TestGlobalFactor(t *testing.T) {
	costs := noisy(2, 5, 5)
	for i := range costs {
		slow(costs[i], 5, 1.5)
	}
	r := Judge(costs, Design{Base: 5}, Defaults())
	if found := foundIn(r); len(found) > 0 {
		t.Errorf("functions %v are blamed for a slower machine", found)
	}
	c := r.Factors.Compare(Design{Base: 5}, .95)
	if !(c.P < .01 && c.Lo < math.Log(1.5) && math.Log(1.5) < c.Hi) {
		t.Errorf("the factor is said to be %.2f to %.2f with p = %.2g, and is 1.5", math.Exp(c.Lo), math.Exp(c.Hi), c.P)
	}
	slow(costs[3], 5, 1.3)
	expect.Slice(t, foundIn(Judge(costs, Design{Base: 5}, Defaults())), []int{3}, "found on the slower machine")
}

// A machine that is 10 % slower on one side and one function that is 30 % slower on top: both are told, and nothing else.
func TestGlobalFactorAndOneFunction(t *testing.T) {
	named, others := 0, 0
	for seed := range uint64(20) {
		costs := noisy(400+seed, 5, 5)
		for i := range costs {
			slow(costs[i], 5, 1.1)
		}
		slow(costs[11], 5, 1.3)
		r := Judge(costs, Design{Base: 5}, Defaults())
		c := r.Factors.Compare(Design{Base: 5}, .95)
		named += btoi(r.Changes[11].Found && c.Lo < math.Log(1.1) && math.Log(1.1) < c.Hi)
		others += len(foundIn(r)) - btoi(r.Changes[11].Found)
	}
	if named < 18 || others > 4 {
		t.Errorf("both are told in %d of 20 comparisons, with %d other functions", named, others)
	}
}

// A function that is renamed, and one that is inlined into its caller, are on one side only and are no change of time of the others; the
// caller takes over the time of what it inlined.
func TestRenamedAndInlined(t *testing.T) {
	wrong, grown := 0, 0
	for seed := range uint64(20) {
		costs := noisy(500+seed, 5, 5)
		renamed := slices.Clone(costs[3])
		for j := range 5 {
			renamed[j], costs[3][5+j] = Cost{}, Cost{}
		}
		for j := 5; j < 10; j++ { // 8 calls 9
			inlined, caller := &costs[9][j], &costs[8][j]
			by := 1 + inlined.TotalNs/caller.TotalNs
			slow(costs[8][j:j+1], 0, by)
			*inlined = Cost{}
		}
		r := Judge(append(costs, renamed), Design{Base: 5}, Defaults())
		if r.Changes[3].State != Vanished || r.Changes[9].State != Vanished || r.Changes[testFunctions].State != Appeared {
			t.Fatalf("states %v, %v and %v", r.Changes[3].State, r.Changes[9].State, r.Changes[testFunctions].State)
		}
		for _, i := range foundIn(r) {
			wrong += btoi(i != 8)
		}
		grown += btoi(r.Changes[8].Found && r.Changes[8].Log > 0)
	}
	if wrong > 4 || grown < 15 {
		t.Errorf("%d other functions are found in 20 comparisons, the caller in %d", wrong, grown)
	}
}

// Three runs that share a state by chance are no change: a function of one call with two states, each shared by the runs of a side, is
// found only where a root execution is shown to have changed. A function of many calls is found by itself.
func TestThreeRunsShareAState(t *testing.T) {
	costs := noisy(41, 3, 3)
	for j := range costs[5] {
		ns := 2e6 * (1 + .05*float64(j%3))
		if j >= 3 {
			ns *= 4
		}
		costs[5][j] = Cost{Calls: 1, TotalNs: ns, Q10Ns: ns, Q25Ns: ns, MedianNs: ns, GeoNs: ns}
	}
	for j := range costs[6] {
		c := &costs[6][j]
		c.Calls, c.TotalNs = 1000, 1000*c.MedianNs // much of the time
	}
	slow(costs[6], 3, 2)
	r := Judge(costs, Design{Base: 3}, Defaults())
	expect.Slice(t, foundIn(r), []int{6}, "found by themselves")
	r.Select(.02, true)
	expect.Slice(t, foundIn(r), []int{5, 6}, "found inside a root execution that changed")
}

// Two functions change in opposite directions. Over twenty comparisons a few of the 560 others may be found as well: the rate is not 0.
func TestOppositeChanges(t *testing.T) {
	others := 0
	for seed := range uint64(20) {
		costs := noisy(100+seed, 5, 5)
		slow(costs[4], 5, 1.4)
		slow(costs[9], 5, 1/1.4)
		r := Judge(costs, Design{Base: 5}, Defaults())
		if c := &r.Changes; !(*c)[4].Found || !(*c)[9].Found || (*c)[4].Log < 0 || (*c)[9].Log > 0 {
			t.Errorf("functions %v are found, want 4 slower and 9 faster", foundIn(r))
		}
		others += len(foundIn(r)) - 2
	}
	if others > 4 {
		t.Errorf("%d functions are found that did not change", others)
	}
}

// At a higher level more is found, and intervals of what is found hold the truth.
func TestSelect(t *testing.T) {
	costs := noisy(3, 5, 5)
	slow(costs[2], 5, 1.08)
	r := Judge(costs, Design{Base: 5}, Defaults())
	c := &r.Changes[2]
	wide := c.LogHi - c.LogLo
	if r.Select(c.Q*.99, false); c.Found || len(foundIn(r)) > 0 {
		t.Errorf("functions %v are found at a level below the least q", foundIn(r))
	}
	if r.Select(c.Q*1.01, false); !slices.Equal(foundIn(r), []int{2}) {
		t.Errorf("functions %v are found at the least q, want 2 alone", foundIn(r))
	}
	one := c.LogHi - c.LogLo
	if r.Select(1, false); len(foundIn(r)) != testFunctions || c.LogHi-c.LogLo >= one {
		t.Errorf("%d functions are found at a level of 1, and the interval of one among them is %g wide, that of one alone %g", len(foundIn(r)), c.LogHi-c.LogLo, one)
	}
	if math.IsInf(wide, 0) || !(c.LogLo < c.Log && c.Log < c.LogHi) {
		t.Errorf("the interval is %g to %g", c.LogLo, c.LogHi)
	}
}

// A function that waits does not get slower with the machine: it is not said to change on a slower one, in neither direction, and
// neither is a function whose own noise hides whether it follows. A change of the wait is found.
func TestWaiting(t *testing.T) {
	wrong, missed, followed := 0, 0, 0
	for seed := range uint64(30) {
		costs := noisy(200+seed, 5, 5)
		rng := rand.New(rand.NewPCG(seed, 3))
		for j := range costs[6] {
			x := 1e6 * math.Exp(.01*rng.NormFloat64())
			costs[6][j] = Cost{Calls: 10, TotalNs: 10 * x, Q10Ns: .99 * x, Q25Ns: .995 * x, MedianNs: x, GeoNs: x}
		}
		for i := range costs {
			if i != 6 {
				slow(costs[i], 5, 1.2)
			}
		}
		r := Judge(costs, Design{Base: 5}, Defaults())
		followed += btoi(r.Changes[6].Follows)
		wrong += btoi(r.Changes[6].Found)
		slow(costs[6], 5, 1.5)
		missed += btoi(!Judge(costs, Design{Base: 5}, Defaults()).Changes[6].Found)
	}
	if followed > 2 || wrong > 1 || missed > 1 {
		t.Errorf("of 30 waits %d are taken for work, %d are found on a slower machine, and a change is missed in %d", followed, wrong, missed)
	}
}

// The speed of a machine may change while a run lasts. A function whose fast calls are as fast in every run, and whose mean says for how long the
// machine was slow, follows the factors by its mean alone. A change of a tenth shows in its fast calls, which the factors would hide, and on a slower
// machine it is blamed for nothing.
func TestSteadyFastCalls(t *testing.T) {
	missed, wrong := 0, 0
	for seed := range uint64(30) {
		costs := noisy(500+seed, 5, 5)
		rng := rand.New(rand.NewPCG(seed, 4))
		for i := range costs {
			slow(costs[i], 5, 1.2)
		}
		for j := range costs[6] {
			c, fast := &costs[6][j], 1e3*math.Exp(.02*rng.NormFloat64())
			mean := math.Exp(.08 * rng.NormFloat64())
			c.TotalNs, c.MedianNs, c.GeoNs, c.Q10Ns, c.Q25Ns = c.TotalNs*mean, c.MedianNs*mean, c.GeoNs*mean, fast, 1.01*fast
		}
		r := Judge(costs, Design{Base: 5}, Defaults())
		wrong += btoi(r.Changes[6].Found)
		slow(costs[6], 5, 1.1)
		missed += btoi(!Judge(costs, Design{Base: 5}, Defaults()).Changes[6].Found)
	}
	if missed > 13 || wrong > 1 {
		t.Errorf("of 30 changes %d are missed, and on a slower machine %d are found that are none", missed, wrong)
	}
}

// A ratio of two variances of four degrees of freedom each exceeds 6.388 in 5 % of cases, by the tables of the F distribution.
func TestUpperF(t *testing.T) {
	if f := upperF(.05, 4); math.Abs(f-6.388) > .001 {
		t.Errorf("%g, want 6.388", f)
	}
}

// Of intervals of functions that did not change 95 % hold 0, and of those of functions that are found no more than 5 % miss the truth.
func TestCoverage(t *testing.T) {
	var holds, asked, missed, selected float64
	for seed := range uint64(200) {
		costs := noisy(300+seed, 5, 5)
		for i := range 5 {
			slow(costs[i], 5, 1.06+.02*float64(i))
		}
		r := Judge(costs, Design{Base: 5}, Defaults())
		for i := range r.Changes {
			c, truth := &r.Changes[i], 0.0
			if i < 5 {
				truth = math.Log(1.06 + .02*float64(i))
			}
			held := float64(btoi(c.LogLo <= truth && truth <= c.LogHi))
			if i >= 5 {
				asked, holds = asked+1, holds+held
			}
			if c.Found {
				selected, missed = selected+1, missed+1-held
			}
		}
	}
	if share := holds / asked; share < .93 || share > .99 {
		t.Errorf("%.1f %% of the intervals of unchanged functions hold 0", 100*share)
	}
	if selected < 100 || missed/selected > .05 {
		t.Errorf("%.0f of %.0f intervals of functions that are found miss the truth", missed, selected)
	}
}

func TestThirdOfAllChanged(t *testing.T) {
	costs := noisy(4, 5, 5)
	var changed []int
	for i := 0; i < testFunctions; i += 3 {
		slow(costs[i], 5, 1.4)
		changed = append(changed, i)
	}
	r := Judge(costs, Design{Base: 5}, Defaults())
	for _, i := range foundIn(r) {
		if !slices.Contains(changed, i) || r.Changes[i].Log < 0 {
			t.Errorf("function %d is said to have changed by %.2f", i, math.Exp(r.Changes[i].Log))
		}
	}
	if n := len(foundIn(r)); n < len(changed)-1 {
		t.Errorf("%d of %d changed functions are found", n, len(changed))
	}
}

// Fewer runs than are needed for a judgement, and functions that not all runs have.
func TestNotAsked(t *testing.T) {
	if r := Judge(noisy(5, 2, 5), Design{Base: 2}, Defaults()); len(foundIn(r)) > 0 || r.Factors.Log != nil {
		t.Error("two runs of the baseline are judged")
	}
	costs := noisy(5, 3, 3)
	for j := range 3 {
		costs[0][j], costs[1][3+j] = Cost{}, Cost{}
	}
	costs[2][4] = Cost{}
	slow(costs[3], 0, 1e-9)
	r := Judge(costs, Design{Base: 3}, Defaults())
	for i, want := range []State{Appeared, Vanished, Sporadic, TooSmall, Asked} {
		expect.Equal(t, r.Changes[i].State, want, "state of function %d", i)
	}
}

// changed is noise with two planted changes: what the symmetries below are tried on.
func changed(seed uint64) [][]Cost {
	costs := noisy(seed, 5, 4)
	slow(costs[2], 5, 1.25)
	slow(costs[5], 5, .8)
	return costs
}

// alike checks that two comparisons say the same; effects of the second one are multiplied by sign.
func alike(t *testing.T, what string, a, b Result, at func(i int) int, sign float64) {
	t.Helper()
	if len(foundIn(a)) == 0 {
		t.Fatalf("%s: nothing is found", what)
	}
	for i := range a.Changes {
		x, y := a.Changes[i], b.Changes[at(i)]
		if x.Found != y.Found || x.State != y.State || x.By != y.By || math.Abs(x.P-y.P) > 1e-9 || math.Abs(x.Q-y.Q) > 1e-9 || math.Abs(x.Log-sign*y.Log) > 1e-9 {
			t.Fatalf("%s: function %d: %+v became %+v", what, i, x, y)
		}
	}
}

func same(i int) int { return i }

func TestSymmetries(t *testing.T) {
	for seed := range uint64(5) {
		costs, d := changed(10+seed), Design{Base: 5}
		r := Judge(costs, d, Defaults())

		backwards := slices.Clone(costs)
		slices.Reverse(backwards)
		alike(t, "order of functions", r, Judge(backwards, d, Defaults()), func(i int) int { return testFunctions - 1 - i }, 1)

		var shuffled, swapped, scaled [][]Cost
		for _, row := range costs {
			shuffled = append(shuffled, []Cost{row[3], row[0], row[4], row[1], row[2], row[8], row[6], row[5], row[7]})
			swapped = append(swapped, slices.Concat(row[5:], row[:5]))
			scaled = append(scaled, slices.Clone(row))
			slow(scaled[len(scaled)-1], 0, 3)
		}
		alike(t, "order of runs", r, Judge(shuffled, d, Defaults()), same, 1)
		o := Defaults()
		o.FloorNs *= 3
		alike(t, "all times three times as long", r, Judge(scaled, d, o), same, 1)
		other := Judge(swapped, Design{Base: 4}, Defaults())
		expect.Slice(t, foundIn(r), foundIn(other), "sides swapped")
		alike(t, "sides swapped", r, other, same, -1)

		steady := append(slices.Clone(costs), noisy(99, 5, 4)[0])
		expect.Slice(t, foundIn(Judge(steady, d, Defaults())), foundIn(r), "with one more function")
	}
}

// Runs of one block share a state of the machine that no factor removes, since it is each function's own. Compared within blocks, a
// small change is found; without them it is not.
func TestBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	costs := noisy(6, 6, 6)
	for i := range costs {
		for block := range 6 {
			by := math.Exp(.4 * rng.NormFloat64())
			slow(costs[i][block:block+1], 0, by)
			slow(costs[i][6+block:7+block], 0, by)
		}
	}
	slow(costs[7], 6, 1.3)
	d := Design{Base: 6, Blocks: []int{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5}}
	expect.Slice(t, foundIn(Judge(costs, d, Defaults())), []int{7}, "found in blocks")
	if found := foundIn(Judge(costs, Design{Base: 6}, Defaults())); len(found) > 0 {
		t.Errorf("functions %v are found without blocks, where noise is greater than the change", found)
	}
	two := Design{Base: 6, Blocks: []int{0, 1, 2, 2, 2, 2, 0, 1, 3, 3, 3, 3}}
	expect.Equal(t, two.Pairs(12), 2, "blocks with both sides")
	if r := Judge(costs, two, Defaults()); r.Factors.Log != nil {
		t.Error("two blocks with both sides are judged")
	}
}

func TestWhole(t *testing.T) {
	// Curl_poll on a busy machine: 20 ms more, and not one overlap.
	totals := []float64{10.5e6, 1.8e6, 9.6e6, 8.8e6, 3.2e6, 20.9e6, 22.9e6, 28.4e6, 32.9e6, 20.9e6}
	w := JudgeWhole(totals, Design{Base: 5}, .95)
	if effect := math.Expm1(w.Log) * w.BaseNs; !(w.P < .001 && effect > 12e6 && effect < 25e6 && w.Lo > 0 && w.Lo < w.Log && w.Log < w.Hi) {
		t.Errorf("p = %g, %.1f ms, logarithms %.2f to %.2f", w.P, effect/1e6, w.Lo, w.Hi)
	}
	swapped := JudgeWhole(slices.Concat(totals[5:], totals[:5]), Design{Base: 5}, .95)
	if math.Abs(swapped.P-w.P) > 1e-12 || swapped.Log > 0 {
		t.Errorf("swapped: p = %g instead of %g, logarithm %g", swapped.P, w.P, swapped.Log)
	}
}

// The rates on recordings: at most one split of twenty finds something where nothing changed, with the binomial error of a hundred
// splits, and a function that became slower by 20 % is found in all splits but some.
func TestRates(t *testing.T) {
	all := readRecorded(t)
	var functions, null, hot []string
	for f := range all {
		functions = append(functions, f)
	}
	slices.Sort(functions)
	for i := 1; i <= 10; i++ {
		null = append(null, fmt.Sprintf("base-%02d", i), fmt.Sprintf("base2-%02d", i))
		hot = append(hot, fmt.Sprintf("hot20-%02d", i))
	}
	rng := rand.New(rand.NewPCG(20, 20))
	pick := func(from []string, n int) []string {
		drawn := slices.Clone(from)
		rng.Shuffle(len(drawn), func(a, b int) { drawn[a], drawn[b] = drawn[b], drawn[a] })
		return drawn[:n]
	}
	for _, size := range []int{3, 5, 8} {
		wrong, found := 0, 0
		for range 100 {
			if len(foundIn(Judge(all.of(functions, pick(null, 2*size)), Design{Base: size}, Defaults()))) > 0 {
				wrong++
			}
			r := Judge(all.of(functions, slices.Concat(pick(null, size), pick(hot, size))), Design{Base: size}, Defaults())
			if r.Changes[slices.Index(functions, "mainQSort3")].Found {
				found++
			}
		}
		if wrong > 9 || found < 95 {
			t.Errorf("%d runs per side: something is found in %d of 100 unchanged splits, the changed function in %d of 100", size, wrong, found)
		}
	}
}
