package stats

import "math"

// Moderated is an estimated difference of a row, candidate minus baseline, with the standard error from
// its squeezed variance. On a log scale it is a log fold change. All its answers are numbers: without a
// finite estimate, a standard error and degrees of freedom nothing is known, so p is 1 and the interval
// unbounded. A standard error of 0 makes the estimate the truth.
type Moderated struct {
	Estimate float64
	SE       float64 // sqrt(posterior variance (1/n + 1/m))
	DF       float64 // total degrees of freedom; +Inf is the normal distribution
}

func (m Moderated) known() bool {
	return !math.IsNaN(m.Estimate-m.Estimate) && m.SE >= 0 && !math.IsInf(m.SE, 1) && m.DF > 0
}

// beyond returns P(T > distance/SE).
func (m Moderated) beyond(distance float64) float64 {
	switch {
	case m.SE > 0:
		return studentUpper(distance/m.SE, m.DF)
	case distance > 0:
		return 0
	case distance < 0:
		return 1
	}
	return 0.5
}

// T returns the moderated t (Smyth 2004, equation 3): 0 if nothing is known, infinite at SE 0.
func (m Moderated) T() float64 {
	if !m.known() || m.Estimate == 0 {
		return 0
	}
	return m.Estimate / m.SE
}

// P returns the two-sided p-value of the hypothesis that the difference is 0.
func (m Moderated) P() float64 { return m.Treat(0) }

// Interval returns the interval that holds the difference with probability level, from 0 to 1.
func (m Moderated) Interval(level float64) (lo, hi float64) {
	if !m.known() || !(level < 1) {
		return math.Inf(-1), math.Inf(1)
	}
	half := 0.0
	if m.SE > 0 {
		half = m.SE * studentCritical((1-max(0, level))/2, m.DF)
	}
	return m.Estimate - half, m.Estimate + half
}

// Treat returns the p-value of the hypothesis that the difference is at most margin either way
// (McCarthy and Smyth 2009, Bioinformatics 25, 765-771, as in limma's treat). It grows with margin.
func (m Moderated) Treat(margin float64) float64 {
	margin = max(0, margin)
	if !m.known() || math.IsNaN(margin) {
		return 1
	}
	d := math.Abs(m.Estimate)
	return clampP(m.beyond(d-margin) + m.beyond(d+margin))
}

// TreatUp returns the one-sided p-value of the hypothesis that the difference is at most margin.
func (m Moderated) TreatUp(margin float64) float64 {
	margin = max(0, margin)
	if !m.known() || math.IsNaN(margin) {
		return 1
	}
	return m.beyond(m.Estimate - margin)
}

// TreatDown returns the one-sided p-value of the hypothesis that the difference is at least -margin.
func (m Moderated) TreatDown(margin float64) float64 {
	m.Estimate = -m.Estimate
	return m.TreatUp(margin)
}

// Equivalence returns the p-value of the hypothesis that the difference is at least margin either way: the
// greater of two one-sided tests (Schuirmann 1987, Journal of Pharmacokinetics and Biopharmaceutics 15,
// 657-680). Treat and Equivalence of one margin add up to 1 or more, so both are never small.
func (m Moderated) Equivalence(margin float64) float64 {
	margin = max(0, margin)
	if !m.known() || math.IsNaN(margin) {
		return 1
	}
	return m.beyond(margin - math.Abs(m.Estimate))
}
