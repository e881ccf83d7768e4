package verdicts

import (
	"math"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestBinsOfTheirOwn tests as many rows as two bins have in two bins: noisy rows do not hide a change among quiet ones. One row less is one bin.
func TestBinsOfTheirOwn(t *testing.T) {
	for _, c := range []struct {
		rows int
		bins bool
	}{{2 * binSize, true}, {2*binSize - 1, false}} {
		var rows []*row
		var subjects []*Reduction
		for i := range c.rows {
			r := &row{Moments: &Moments{Estimate: .001}, subject: i, of: new(Reduction)}
			if i >= binSize {
				r.Estimate = .5
			}
			r.test.Estimate = r.Estimate
			rows, subjects = append(rows, r), append(subjects, &Reduction{Spread: float64(i)})
		}
		newEngine(sidesOf(1, 1), Defaults()).testCandidates(subjects, rows)
		expect.Equal(t, rows[0].test.SE != rows[c.rows-1].test.SE, c.bins, "%d rows have bins of their own", c.rows)
		closeTo(t, "degrees of freedom of the quiet", rows[0].test.DF, math.Inf(1))
	}
}

// TestCandidateOfTheMargin names a change of the margin itself, and none below it.
func TestCandidateOfTheMargin(t *testing.T) {
	e := newEngine(sidesOf(1, 1), Defaults())
	for estimate, want := range map[float64]string{.25: schema.Candidate, -.25: schema.Candidate, .2499: ""} {
		var j Judgement
		e.decideCandidate(&j, []*hypothesis{{rows: []*row{{Moments: &Moments{Margin: .25}, test: stats.Moderated{Estimate: estimate}, q: .01}}}})
		expect.Equal(t, j.Verdict, want, "a change of %g", estimate)
	}
}

// TestTimeAgainstItsEffect says what the word for a change of a time is, beside the effect on the cost that stands with it.
func TestTimeAgainstItsEffect(t *testing.T) {
	e := newEngine(sidesOf(5, 5), Defaults())
	for _, c := range []struct {
		quantity         int
		estimate, effect float64
		lo, hi           float64
		want             string
	}{
		{cost, .2, 10, 5, 15, schema.Regressed},
		{cost, -.2, -10, -15, -5, schema.Improved},
		{cost, .2, 10, -1, 21, schema.Regressed}, // the cost has a test of its own
		{cost, .2, -10, -15, -5, schema.ShapeChanged},
		{location, .2, 10, 5, 15, schema.Regressed},
		{location, -.2, -10, -15, -5, schema.Improved},
		{location, .2, 10, -1, 21, schema.ShapeChanged}, // the interval holds 0
		{location, .2, 10, 0, 21, schema.Regressed},     // it begins there
		{location, .2, 0, 0, 0, schema.Regressed},       // no effect contradicts nothing
		{location, -.2, 10, 5, 15, schema.ShapeChanged},
	} {
		j := Judgement{EffectNs: c.effect, LoNs: c.lo, HiNs: c.hi}
		h := &hypothesis{rows: []*row{{Moments: &Moments{Quantity: int32(c.quantity)}, test: stats.Moderated{Estimate: c.estimate}, q: .01}}}
		expect.Equal(t, e.decideTime(&j, nil, []*hypothesis{h}) == h, true, "%+v decides", c)
		expect.Equal(t, j.Verdict, c.want, "%+v", c)
	}
}

// TestBlocksWithASubject compares in the blocks in which some run of either side has it, by a call or by a time, if these are enough.
func TestBlocksWithASubject(t *testing.T) {
	s := sidesOf(5, 5)
	s.Blocks = []int{0, 1, 2, 3, 4, 0, 1, 2, 3, 4}
	e := newEngine(s, Defaults())
	o := &Observed{Runs: make([]Run, 10)}
	o.Runs[0].Count = 1   // of the baseline alone
	o.Runs[6].Count = 1   // of the candidate alone
	o.Runs[2].TotalNs = 1 // by its time alone
	blocks := e.blocksWith(o)
	expect.Equal(t, len(blocks), 3, "blocks that have it")
	for i, b := range blocks {
		expect.Equal(t, b.base[0], i, "the block")
	}
	o.Runs[2].TotalNs = 0
	expect.Equal(t, len(e.blocksWith(o)), 5, "all blocks, where two have it")
}

// TestIntervalInBlocks takes the interval of a difference from that of the ratio where the variances of the sides are not known.
func TestIntervalInBlocks(t *testing.T) {
	s := sidesOf(3, 3)
	s.Blocks = []int{0, 1, 2, 0, 1, 2}
	e := newEngine(s, Defaults())
	r := &row{Moments: &Moments{Base: math.Log(11_000), Blocks: 3}, test: stats.Moderated{Estimate: math.Log(2), SE: .1, DF: 4}}
	var j Judgement
	e.figures(&j, r)
	half := 2.776445105197793 * .1 // the quantile .975 of t with four degrees of freedom
	for _, c := range []struct{ got, want float64 }{
		{j.BaseNs, 10_000}, {j.CandNs, 21_000}, {j.EffectNs, 11_000},
		{j.LoNs, 11_000 * (2*math.Exp(-half) - 1)}, {j.HiNs, 11_000 * (2*math.Exp(half) - 1)},
	} {
		if math.Abs(c.got-c.want) > 1e-6*c.want {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
}

// TestCertainWithRunsEnough says that numbers of calls are certain only where runs are enough for a verdict.
func TestCertainWithRunsEnough(t *testing.T) {
	for runs, want := range map[int]bool{2: false, 3: true} {
		o := &Observed{}
		for i := range 2 * runs {
			o.Runs = append(o.Runs, valued(float64(1+i/runs), 9))
		}
		r := newEngine(sidesOf(runs, runs), Defaults()).reduce(o)
		expect.Equal(t, r.Certain, want, "%d runs a side", runs)
		expect.Equal(t, r.Spread == 0, want, "no spread is needed of %d runs", runs)
	}
}

// TestMarginsBelowOneNanosecond has a floor of less than a ns count where the relative margin is nothing.
func TestMarginsBelowOneNanosecond(t *testing.T) {
	closeTo(t, "margin", logMargin(0, .5, 0), 2*math.Asinh(.25))
	closeTo(t, "margin without a floor", logMargin(.5, 0, 0), math.Log(1.5))
}

// TestRoundedBehind16 rounds to an eighth below 16 and to the 28th part from there.
func TestRoundedBehind16(t *testing.T) {
	closeTo(t, "below", rounded(15.999), 15.875)
	closeTo(t, "above", rounded(16.9), math.Exp2(4.05))
}

// TestTrapezoids adds the shifts below a quantile up as lines between quantiles: a shift that grows to 4 at the first decile and stays is .2
// or .4 of the calls' time below it.
func TestTrapezoids(t *testing.T) {
	base, cand := side{mean: 0, quantiles: make([]float64, len(Quantiles))}, side{quantiles: make([]float64, len(Quantiles))}
	for i := 1; i < len(Quantiles); i++ {
		cand.quantiles[i] = 4
	}
	// Up to the second decile it is .1 * (0+4)/2 = .2, and up to the third one .6.
	for whole, want := range map[float64]float64{2.01: .2, 1.99: .1, 6.01: .3, 5.99: .2} {
		cand.mean = whole
		closeTo(t, "unchanged", unchangedBelow(base, cand), want)
	}
}
