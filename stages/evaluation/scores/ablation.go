package scores

import (
	"math"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// ResolutionNs is added to a cost before its logarithm is taken, as for release verdicts.
const ResolutionNs = 1000

// Row is a subject's cost in the runs of both sides: the logarithm of ns per root execution plus ResolutionNs.
type Row struct{ Base, Cand []float64 } // by run

// LogCost is a cost as rows have it.
func LogCost(totalNs, roots float64) float64 { return math.Log(totalNs/roots + ResolutionNs) }

// Raised is the total cost that lies d higher on the scale of LogCost.
func Raised(totalNs, roots, d float64) float64 {
	return ((totalNs/roots+ResolutionNs)*math.Exp(d) - ResolutionNs) * roots
}

// LogMargin is the change of a row that does not matter: the relative margin, or what changes a cost around e^y by
// floorNs, whichever is more. It is the margin of release verdicts.
func LogMargin(relative, floorNs, y float64) float64 {
	return math.Max(math.Log1p(relative), 2*math.Asinh(floorNs/(2*math.Exp(y))))
}

// AtMargin is the difference that equals its own margin, where both sides have the mean y without it. The margin is that
// around the mean of both sides, which the difference d moves by half of itself, so the floor is met where
// 2 e^(y+d/2) sinh(d/2) = e^(y+d) - e^y is floorNs.
func AtMargin(relative, floorNs, y float64) float64 {
	return math.Max(math.Log1p(relative), math.Log1p(floorNs/math.Exp(y)))
}

// Test is one step of the ablation.
type Test string

// The tests on runs. All but Guarded hold the false discovery rate at q by Benjamini and Hochberg over all rows.
const (
	Welch     Test = "Welch t, BH"
	Student   Test = "t, BH"
	Moderated Test = "moderated t, BH"
	Guarded   Test = "moderated t, margin" // p < .05, and the estimate is the margin or more
	Treat     Test = "TREAT, BH"
)

// Tests are all of them, from the simplest on.
func Tests() []Test { return []Test{Welch, Student, Moderated, Guarded, Treat} }

// Ablation tests rows that share a prior.
type Ablation struct {
	Margin, FloorNs float64 // what counts as a change: relative to the baseline, and in ns
	Q               float64 // false discovery rate; of Guarded the level
}

// Detect says which rows change by each test; nil of a test that the number of runs does not allow.
func (a Ablation) Detect(rows []Row) map[Test][]bool {
	out := make(map[Test][]bool)
	if len(rows) == 0 {
		return out
	}
	base, cand := len(rows[0].Base), len(rows[0].Cand)
	if base >= 2 && cand >= 2 {
		out[Welch] = a.discoveries(pOf(rows, func(r *Row) float64 { return stats.Welch(r.Base, r.Cand) }))
	}
	if base+cand >= 3 {
		a.moderated(rows, out)
	}
	return out
}

// moderated fills in the tests with a variance that is one for both sides.
func (a Ablation) moderated(rows []Row, out map[Test][]bool) {
	variances, df := make([]float64, len(rows)), make([]float64, len(rows))
	for i, r := range rows {
		variances[i], df[i] = within(r.Base, r.Cand)
	}
	scale := 1/float64(len(rows[0].Base)) + 1/float64(len(rows[0].Cand))
	prior := stats.FitPrior(variances, df)
	plain, squeezed, treat, guarded := make([]float64, len(rows)), make([]float64, len(rows)), make([]float64, len(rows)), make([]bool, len(rows))
	for i, r := range rows {
		left, right := stats.Mean(r.Base), stats.Mean(r.Cand)
		m := stats.Moderated{Estimate: right - left, SE: math.Sqrt(variances[i] * scale), DF: df[i]}
		plain[i] = m.P()
		variance, total := prior.Squeeze(variances[i], df[i])
		m.SE, m.DF = math.Sqrt(variance*scale), total
		margin := LogMargin(a.Margin, a.FloorNs, (left+right)/2)
		squeezed[i], treat[i] = m.P(), m.Treat(margin)
		guarded[i] = squeezed[i] < a.Q && math.Abs(m.Estimate) >= margin
	}
	out[Student], out[Moderated], out[Treat] = a.discoveries(plain), a.discoveries(squeezed), a.discoveries(treat)
	out[Guarded] = guarded
}

// pOf returns the p-values of a test for all rows.
func pOf(rows []Row, test func(*Row) float64) []float64 {
	p := make([]float64, len(rows))
	for i := range rows {
		if p[i] = test(&rows[i]); math.IsNaN(p[i]) {
			p[i] = 1 // both sides are constant
		}
	}
	return p
}

// discoveries returns which rows Benjamini-Hochberg rejects at the level of the ablation.
func (a Ablation) discoveries(p []float64) []bool { return Discoveries(p, a.Q) }

// Discoveries are the p-values that Benjamini and Hochberg reject at a false discovery rate of q.
func Discoveries(p []float64, q float64) []bool {
	out := make([]bool, len(p))
	for i, adjusted := range stats.BenjaminiHochberg(p) {
		out[i] = adjusted <= q
	}
	return out
}

// within is the variance inside of both sides, with its degrees of freedom.
func within(sides ...[]float64) (variance, df float64) {
	for _, y := range sides {
		m := stats.Mean(y)
		for _, v := range y {
			variance += (v - m) * (v - m)
		}
		df += float64(len(y) - 1)
	}
	return variance / df, df
}
