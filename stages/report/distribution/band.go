package distribution

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// confidence of the band around the shift function, at each quantile by itself.
const confidence = .95

// leftOut are the samples of a side without one of its runs, sorted, for each run that has samples.
func leftOut(runs []Run) (sides [][]int64) {
	all := sorted(runs)
	for _, r := range runs {
		if len(r.SamplesNs) == 0 {
			continue
		}
		// The samples of the run are taken out of those of all runs, both ascending.
		out := sorted([]Run{r})
		rest := make([]int64, 0, len(all)-len(out))
		for _, ns := range all {
			if len(out) > 0 && out[0] == ns {
				out = out[1:]
				continue
			}
			rest = append(rest, ns)
		}
		sides = append(sides, rest)
	}
	return sides
}

// variance is the jackknife estimate of the variance of a quantile (Harrell and Davis 1982, section 3), with whole runs left out instead of
// single samples: those of a run depend on each other. It is NaN for fewer than two runs.
func variance(leftOut [][]int64, p float64) float64 {
	n := float64(len(leftOut))
	quantiles := make([]float64, len(leftOut))
	sum := 0.0
	for i, side := range leftOut {
		quantiles[i] = stats.HarrellDavis(side, p)
		sum += quantiles[i]
	}
	squares := 0.0
	for _, q := range quantiles {
		squares += (q - sum/n) * (q - sum/n)
	}
	if n < 2 {
		return math.NaN()
	}
	return squares * (n - 1) / n
}

// addBand gives every point of a shift function the interval in which the shift of all runs, recorded or not, lies with 95 % confidence:
// Student's t with the degrees of freedom of Welch and Satterthwaite. A side of fewer than two runs has none.
func addBand(shift []Shift, base, cand []Run) {
	b, c := leftOut(base), leftOut(cand)
	if len(b) < 2 || len(c) < 2 {
		return
	}
	for i := range shift {
		vb, vc := variance(b, shift[i].P), variance(c, shift[i].P)
		half := 0.0 // where all runs agree
		if v := vb + vc; v > 0 {
			df := v * v / (vb*vb/float64(len(b)-1) + vc*vc/float64(len(c)-1))
			half = math.Sqrt(v) * distuv.StudentsT{Sigma: 1, Nu: df}.Quantile((1+confidence)/2)
		}
		lo, hi := int64(math.Floor(float64(shift[i].Ns)-half)), int64(math.Ceil(float64(shift[i].Ns)+half))
		shift[i].LoNs, shift[i].HiNs = &lo, &hi
	}
}
