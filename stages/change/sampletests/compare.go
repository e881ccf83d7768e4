package sampletests

import (
	"math"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// Result is what Compare found. Left is the reference, right the changed trace. If a sample has no
// values nothing is tested: p-values are 1, estimates NaN, and nothing is detected.
type Result struct {
	LeftN, RightN     int       // numbers of values
	LeftSum, RightSum Sum       // of the values, in ns
	AbsNs             int64     // |difference of the sums|, at most the greatest int64
	Ratio             float64   // the greater of the two ratios of the sums; +Inf if one sum is 0, 1 if both are
	KS                stats.KS  // exact conditional on ties for small samples
	MWU               stats.MWU // likewise; U is that of the left sample
	ShiftUp           bool      // every decile, a Harrell-Davis estimate, is at least as great on the right
	ShiftDown         bool      // every decile is at most as great on the right
	ShiftNs           float64   // Hodges-Lehmann: how much later the right sample is
	Delta             float64   // Cliff's delta of right against left, -1 to 1
	Fired             Fired     // by method
}

// Fired says which methods detect a change, on their own, as printed in the paper.
type Fired struct{ ABS, REL, KS, MWU, SHIFT, DYN bool } // the six methods of the paper

// Detected says whether a method detects a change; an unknown method does not.
func (r Result) Detected(m Method) bool {
	switch m {
	case ABS:
		return r.Fired.ABS
	case REL:
		return r.Fired.REL
	case KS:
		return r.Fired.KS
	case MWU:
		return r.Fired.MWU
	case SHIFT:
		return r.Fired.SHIFT
	}
	return m == DYN && r.Fired.DYN
}

// Detector compares many pairs of time samples with the same thresholds. It is not safe for concurrent use.
type Detector struct {
	Options Options          // thresholds of all comparisons
	Weights *stats.Estimator // of deciles: those of samples of one size are the same; detectors may share it, and one without it makes its own
	ranks   stats.RankTests  // likewise of samples without ties
}

// Compare compares two time samples by all methods.
func Compare(left, right Sample, o Options) Result {
	return (&Detector{Options: o}).Compare(left, right)
}

// Quartiles returns the Harrell-Davis estimates of a sample's quartiles in ns, NaN of no values.
func (d *Detector) Quartiles(s Sample) (lower, median, upper float64) {
	return d.estimator().Quartiles(s.sorted)
}

func (d *Detector) estimator() *stats.Estimator {
	if d.Weights == nil {
		d.Weights = new(stats.Estimator)
	}
	return d.Weights
}

// Compare compares two time samples by all methods.
func (d *Detector) Compare(left, right Sample) Result {
	r := sums(left, right)
	if left.N() == 0 || right.N() == 0 {
		return r
	}
	x, y := left.sorted, right.sorted
	r.KS, r.MWU = d.ranks.KolmogorovSmirnov(x, y), d.ranks.MannWhitney(x, y)
	r.ShiftUp, r.ShiftDown = d.estimator().Shift(x, y)
	r.ShiftNs = stats.HodgesLehmann(x, y)
	pairs := float64(len(x)) * float64(len(y))
	r.Delta = (pairs - 2*r.MWU.U) / pairs
	r.Fired = judge(r, d.Options)
	return r
}

// sums fills in what needs no test.
func sums(left, right Sample) Result {
	return Result{
		LeftN: left.N(), RightN: right.N(), LeftSum: left.sum, RightSum: right.sum,
		AbsNs: left.sum.minus(right.sum).abs(), Ratio: ratio(left.sum.Float64(), right.sum.Float64()),
		KS: stats.KS{P: 1}, MWU: stats.MWU{P: 1}, ShiftNs: math.NaN(), Delta: math.NaN(),
	}
}

// ratio returns max(a/b, b/a) of section 3.5.2, with the limits at 0.
func ratio(a, b float64) float64 {
	switch {
	case a == b:
		return 1
	case a == 0 || b == 0:
		return math.Inf(1)
	}
	return max(a/b, b/a)
}

// judge applies sections 3.5.2 to 3.5.5. SHIFT as printed holds in both directions when all deciles are
// equal, as of identical samples. On its own it needs one unambiguous direction; within DYN the guard
// on the sums stops identical samples, so there it is taken as printed.
func judge(r Result, o Options) Fired {
	f := Fired{
		ABS:   r.AbsNs > o.AbsNs,
		REL:   r.Ratio > o.Rel,
		KS:    r.KS.P < o.P,
		MWU:   r.MWU.P < o.P,
		SHIFT: r.ShiftUp != r.ShiftDown,
	}
	tested := f.KS || f.MWU || r.ShiftUp || r.ShiftDown
	f.DYN = tested && r.AbsNs >= o.GuardNs || r.AbsNs >= o.AbsNs
	return f
}
