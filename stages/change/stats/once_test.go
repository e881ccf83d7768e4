package stats

// Tests of one pair of samples, of any numbers, as tests ask for them: nothing is kept from one pair to the next.

// KolmogorovSmirnov is RankTests.KolmogorovSmirnov of one pair.
func KolmogorovSmirnov[T Number](x, y []T) KS { return kolmogorovSmirnov(new(RankTests), x, y) }

// MannWhitney is RankTests.MannWhitney of one pair.
func MannWhitney[T Number](x, y []T) MWU { return mannWhitney(new(RankTests), x, y) }

// KolmogorovSmirnovD returns max |F_x - F_y|, 0 of an empty sample.
func KolmogorovSmirnovD[T Number](x, y []T) float64 { return KolmogorovSmirnov(x, y).D }

// KolmogorovSmirnovExact returns the exact p, however large the samples are.
func KolmogorovSmirnovExact[T Number](x, y []T) float64 {
	d, _ := ksScaled(x, y)
	return ksExact(new(RankTests), x, y, d)
}
