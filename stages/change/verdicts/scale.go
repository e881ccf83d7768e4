package verdicts

import "math"

// ResolutionNs is added to every time before its logarithm is taken. Below it a clock, and what it takes to read it,
// decide what is measured, so a change from 40 to 80 ns is no doubling. It also keeps 0 finite.
const ResolutionNs = 1000

// countOffset does the same for counts.
const countOffset = .5

// quantity is one of the values of a subject that are compared between runs.
type quantity struct {
	name     string  // a schema.Quantity constant
	quantile int     // of a shape: its position in Quantiles
	offset   float64 // what is added before the logarithm
}

// back turns a logarithm into nanoseconds, or into a number of a count, without the offset. Rounding never makes it negative.
func (q *quantity) back(y float64) float64 { return math.Max(math.Exp(y)-q.offset, 0) }

// logMargin is the change on the logarithmic scale that does not matter: the relative margin, or the change of the
// value by the absolute amount, whichever is more. For values that lie symmetrically around the mean y, e^(d/2) and
// e^(-d/2) times their geometric mean g, the difference is 2 g sinh(d/2); so both sides have the same say, and swapping
// them changes nothing.
func logMargin(relative, absolute, y float64) float64 {
	m := math.Log1p(relative)
	if absolute > 0 {
		m = math.Max(m, 2*math.Asinh(absolute/(2*math.Exp(y))))
	}
	return m
}
