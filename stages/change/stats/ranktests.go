package stats

// Bounds of what a RankTests keeps: 8 MB of distributions, and as many p-values as take 4 MB.
const (
	mostKeptCounts = 1 << 20
	mostKeptP      = 1 << 16
)

// RankTests makes the tests of Mann and Whitney and of Kolmogorov and Smirnov for many pairs of samples, to the bit as for each alone. Where no two values are
// equal, the exact distributions depend on the sizes of the samples only, and are kept; the memory of the dynamic programmes serves all
// pairs. The zero value is ready to use; a RankTests is not safe for concurrent use.
type RankTests struct {
	counts [][]float64 // of rankSums, as long as the longest so far
	ranks  []int
	mass   []float64 // of ksChain

	untied map[sizes][]float64  // rankSums of samples without ties
	cells  int                  // of untied
	apart  map[distance]float64 // exact p of Kolmogorov-Smirnov of samples without ties
}

// sizes are those of the smaller sample and of both together.
type sizes struct{ k, n int }

// distance is a distance of two samples without ties.
type distance struct{ n, m, d int64 }

// MannWhitney tests whether x or y tends to be greater; see mannWhitney.
func (t *RankTests) MannWhitney(x, y []int64) MWU { return mannWhitney(t, x, y) }

// KolmogorovSmirnov tests whether x and y come from one distribution; see kolmogorovSmirnov.
func (t *RankTests) KolmogorovSmirnov(x, y []int64) KS { return kolmogorovSmirnov(t, x, y) }

// untiedSums returns rankSums of n ranks without ties, from 0.
func (t *RankTests) untiedSums(ranks []int, k int) []float64 {
	key := sizes{k, len(ranks)}
	counts, known := t.untied[key]
	if !known {
		counts = append([]float64(nil), t.rankSums(ranks, k)...)
		if t.untied == nil || t.cells+len(counts) > mostKeptCounts {
			t.untied, t.cells = make(map[sizes][]float64), 0
		}
		t.untied[key] = counts
		t.cells += len(counts)
	}
	return counts
}

// keepP keeps the exact p of a distance.
func (t *RankTests) keepP(key distance, p float64) {
	if t.apart == nil || len(t.apart) >= mostKeptP {
		t.apart = make(map[distance]float64)
	}
	t.apart[key] = p
}
