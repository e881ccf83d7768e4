package stats

import "math"

// Cauchy returns the p-value of the mean of the p-values' Cauchy quantiles (Liu and Xie 2020, Journal of the American
// Statistical Association 115, 393-402). Small results hold under any dependence between the tests, which is why several
// estimates of one change can be combined by it. Values closer to 0 or 1 than 1e-15 count as 1e-15 away.
func Cauchy(p ...float64) float64 {
	sum := 0.0
	for _, v := range proper(p) {
		sum += cauchyQuantile(v)
	}
	return 0.5 - math.Atan(sum/float64(len(p)))/math.Pi
}

// WeightedCauchy is Cauchy with a mean by weights, which are positive and add up to 1. It holds for weights that are chosen without looking
// at p. All values must be known. Of n values those above 1 - 1/n count as that, so that a test that cannot see anything, with a p of 1,
// does not outweigh the others. A single value is its own combination.
func WeightedCauchy(p, weights []float64) float64 {
	if len(p) == 1 {
		return p[0]
	}
	sum, most := 0.0, 1-1/float64(len(p))
	for i, v := range p {
		sum += weights[i] * cauchyQuantile(min(v, most))
	}
	return 0.5 - math.Atan(sum)/math.Pi
}

func cauchyQuantile(p float64) float64 {
	return math.Tan((0.5 - min(max(p, 1e-15), 1-1e-15)) * math.Pi)
}

// WeightedBenjaminiHochberg is BenjaminiHochberg of p/w, with the weights scaled to a mean of 1: the false discovery rate
// holds for weights that are chosen without looking at p (Genovese, Roeder and Wasserman 2006, Biometrika 93, 509-524).
func WeightedBenjaminiHochberg(p, weights []float64) []float64 {
	mean := 0.0
	for _, w := range weights {
		mean += w / float64(len(weights))
	}
	weighted := make([]float64, len(p))
	for i := range p {
		weighted[i] = 1
		if weights[i] > 0 {
			weighted[i] = min(1, p[i]*mean/weights[i])
		}
	}
	return BenjaminiHochberg(weighted)
}
