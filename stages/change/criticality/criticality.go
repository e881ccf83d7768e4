// Package criticality compares how often functions are on critical paths, in the runs of two sides. The share of the occurrences of an
// execution on whose critical path a function executes is the probability that it is critical: a delay of it would have delayed the
// occurrence. The same is said of those occurrences that were late, and of those beside whose path it executes with little to spare.
//
// The unit is the run: occurrences of one run depend on each other. A side's share is the mean of its runs, and sides are compared by
// Student's t test on the shares of runs, with the variance that both have in common, which is at least what independent occurrences
// would have: p (1-p) / n, with p = (k+1)/(n+2) over all runs (Laplace's rule), so that shares that are alike in all runs, such as 0
// and 1, are no proof of a difference by themselves. False discoveries among all functions are held to 5 % (Benjamini and Hochberg
// 1995). A function is unchanged where the 95 % interval of the difference
// lies within the margin.
package criticality

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// The verdicts on a function.
const (
	More         = "more critical"
	Less         = "less critical"
	Unchanged    = "unchanged"
	Undetermined = "undetermined"
)

// Rate is the share of false discoveries that is allowed, and Margin the difference of shares that counts as none.
const (
	Rate   = 0.05
	Margin = 0.05
)

// FewestRuns is the number of runs a side below which there are no verdicts.
const FewestRuns = 3

// Count is in how many occurrences of a run a function is critical.
type Count struct {
	Critical int64 // on the path
	Late     int64 // on the path, where the occurrence was late
	Near     int64 // not on the path, but with little spare time beside it
}

// Run is the occurrences of a run.
type Run struct {
	Occurrences, Late int64
	Functions         map[string]Count // by COMPONENT.FUNCTION; a function that is not there is never critical
}

// Share is a share of occurrences as the runs of a side have it.
type Share struct {
	Mean, Lo, Hi float64 // of the runs, and its 95 % interval; NaN, 0 and 1 without runs
	Runs         int     // that have occurrences
}

// Side is what one side of a comparison says of a function.
type Side struct{ Critical, Late, Near Share }

// Function is the comparison of a function.
type Function struct {
	Name               string
	Base, Cand         Side
	Difference, Lo, Hi float64 // of the shares in which it is critical, candidate less baseline, with its 95 % interval
	P, Q               float64 // of no difference; adjusted for all functions
	Verdict            string
}

// Compare compares all functions that are critical in any occurrence of either side. What became more or less critical comes first, the
// greatest difference before others, then what is critical most often.
func Compare(base, cand []Run) []Function {
	names := make(map[string]bool)
	for _, run := range slices.Concat(base, cand) {
		for name, n := range run.Functions {
			if n.Critical > 0 {
				names[name] = true
			}
		}
	}
	out := make([]Function, 0, len(names))
	for name := range names {
		out = append(out, compareOne(name, base, cand))
	}
	slices.SortFunc(out, func(a, b Function) int { return cmp.Compare(a.Name, b.Name) })
	p := make([]float64, len(out))
	for i := range out {
		p[i] = out[i].P
	}
	decided := enough(base) >= FewestRuns && enough(cand) >= FewestRuns
	for i, q := range stats.BenjaminiHochberg(p) {
		out[i].Q = q
		if decided {
			out[i].decide()
		}
	}
	slices.SortStableFunc(out, func(a, b Function) int {
		return cmp.Or(cmp.Compare(b.changed(), a.changed()), cmp.Compare(b.Cand.often()+b.Base.often(), a.Cand.often()+a.Base.often()))
	})
	return out
}

// enough counts the runs that have occurrences.
func enough(runs []Run) (n int) {
	for _, run := range runs {
		if run.Occurrences > 0 {
			n++
		}
	}
	return n
}

// often is the share of occurrences in which a function is critical, 0 where nothing is known.
func (s Side) often() float64 {
	if math.IsNaN(s.Critical.Mean) {
		return 0
	}
	return s.Critical.Mean
}

// changed is by how much a function is shown to have changed.
func (f Function) changed() float64 {
	if f.Verdict == More || f.Verdict == Less {
		return math.Abs(f.Difference)
	}
	return 0
}

// compareOne compares a function, without the verdict.
func compareOne(name string, base, cand []Run) Function {
	f := Function{Name: name, Base: sideOf(name, base), Cand: sideOf(name, cand), Verdict: Undetermined}
	m := difference(criticalOf(name, base), criticalOf(name, cand))
	f.Difference, f.P = m.Estimate, m.P()
	lo, hi := m.Interval(0.95)
	f.Lo, f.Hi = max(lo, -1), min(hi, 1)
	return f
}

// decide sets the verdict from q and the interval.
func (f *Function) decide() {
	switch {
	case f.Q <= Rate && f.Difference > 0:
		f.Verdict = More
	case f.Q <= Rate && f.Difference < 0:
		f.Verdict = Less
	case f.Lo >= -Margin && f.Hi <= Margin:
		f.Verdict = Unchanged
	}
}

// sample is a count of each run of a side.
type sample struct{ some, of []int64 }

// criticalOf counts the occurrences of each run in which a function is critical.
func criticalOf(name string, runs []Run) (s sample) {
	for _, run := range runs {
		s.add(run.Functions[name].Critical, run.Occurrences)
	}
	return s
}

// add adds a run, unless it has no occurrence.
func (s *sample) add(some, of int64) {
	if of > 0 {
		s.some, s.of = append(s.some, some), append(s.of, of)
	}
}

// sideOf returns the shares of one side.
func sideOf(name string, runs []Run) Side {
	var critical, late, near sample
	for _, run := range runs {
		n := run.Functions[name]
		critical.add(n.Critical, run.Occurrences)
		late.add(n.Late, run.Late)
		near.add(n.Near, run.Occurrences)
	}
	return Side{critical.share(), late.share(), near.share()}
}

// share is the mean of the shares of runs with its interval; of one run, that of independent occurrences.
func (s sample) share() Share {
	n := len(s.of)
	if n == 0 {
		return Share{math.NaN(), 0, 1, 0}
	}
	mean, squares := s.moments()
	variance, df := s.binomial(s), math.Inf(1)
	if n > 1 {
		variance, df = max(variance, squares/float64(n-1)), float64(n-1)
	}
	m := stats.Moderated{Estimate: mean, SE: math.Sqrt(variance / float64(n)), DF: df}
	lo, hi := m.Interval(0.95)
	return Share{mean, max(lo, 0), min(hi, 1), n}
}

// moments returns the mean of the shares, and the sum of the squares of what they differ from it.
func (s sample) moments() (mean, squares float64) {
	for i, n := range s.of {
		mean += float64(s.some[i]) / float64(n) / float64(len(s.of))
	}
	for i, n := range s.of {
		d := float64(s.some[i])/float64(n) - mean
		squares += d * d
	}
	return mean, squares
}

// binomial is the variance of the share of a run whose occurrences are independent, each critical as often as in both samples together.
func (s sample) binomial(other sample) float64 {
	some, of, inverse := int64(0), int64(0), 0.0
	for _, one := range []sample{s, other} {
		for i, n := range one.of {
			some += one.some[i]
			of += n
			inverse += 1 / float64(n) / float64(len(s.of)+len(other.of))
		}
	}
	p := float64(some+1) / float64(of+2)
	return p * (1 - p) * inverse
}

// difference estimates the difference of the means of two sides.
func difference(base, cand sample) stats.Moderated {
	n, m := float64(len(base.of)), float64(len(cand.of))
	if n == 0 || m == 0 {
		return stats.Moderated{Estimate: math.NaN()}
	}
	before, a := base.moments()
	after, b := cand.moments()
	variance, df := base.binomial(cand), math.Inf(1)
	if n+m > 2 {
		variance, df = max(variance, (a+b)/(n+m-2)), n+m-2
	}
	return stats.Moderated{Estimate: after - before, SE: math.Sqrt(variance * (1/n + 1/m)), DF: df}
}
