package changepoint

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// MinReleases is how many releases a scan takes: with fewer, no place of a change is unlikely enough.
const MinReleases = 8

// Options are how to look.
type Options struct {
	MinSegment   int       // releases between change points
	Level        float64   // at which a series is cut
	Margin       float64   // change of the level that does not matter, in units of the values; 0 keeps all breaks
	Margins      []float64 `json:"-"` // by series, in place of Margin; nil: all have that
	Permutations int       // orders of the releases drawn for RankP
	Seed         uint64    // of these
}

// Defaults are the options whose rates are measured.
func Defaults() Options { return Options{MinSegment: 2, Level: .05, Permutations: 1999, Seed: 1} }

// Shape is what Find finds in a series.
type Shape struct {
	Breaks   []Break // in order
	Trends   []Trend // in order: where the level rises or falls steadily
	Bends    []int   // in order: where a slope ends and another slope or a level begins, and the values go on without a step
	Outliers []int   // positions of releases that stand alone: they move neither breaks nor trends
}

// Break is a place where a series is cut.
type Break struct {
	At     int     // position of the first release after it
	Change float64 // level after it less that before, outliers apart; of slopes, by how much they are apart where they meet
	P      float64 // of no change, the choice of the place allowed for
	RankP  float64 // of the rank scan of the two segments, by permutation of the releases; of this series only
	Q      float64 // P after Benjamini-Hochberg over all breaks, series without any counting as one of P 1
}

// Trend is what lies between breaks or bends, where it is a slope and not a level.
type Trend struct {
	From, To int     // positions of its first release, and behind its last
	First    float64 // the fitted line in the first release
	Change   float64 // of the line from the first release to the last
	P        float64 // of no slope
	Q        float64 // P after Benjamini-Hochberg over all trends, series without any counting as one of P 1
}

// Find returns the shape of every series. All series are as long as the first; one with a value that is not
// finite has none. With fewer than MinReleases there are none at all.
func Find(values [][]float64, o Options) []Shape {
	found := make([]Shape, len(values))
	if len(values) == 0 || len(values[0]) < MinReleases {
		return found
	}
	cleaned, inflations := make([][]float64, len(values)), make([]float64, len(values))
	for i, v := range values {
		if cleaned[i], inflations[i] = v, 1; finite(v) {
			cleaned[i], found[i].Outliers = withoutOutliers(v)
			inflations[i] = o.of(i).shape(cleaned[i], &found[i])
		}
	}
	o.test(cleaned, inflations, found)
	adjust(found)
	return found
}

// of returns the options for one series.
func (o Options) of(series int) Options {
	if o.Margins != nil {
		o.Margin = o.Margins[series]
	}
	return o
}

func finite(values []float64) bool {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// Segments are the bounds of the segments between breaks, of a series of n releases: the first release of each, and n.
func Segments(breaks []Break, n int) []int {
	bounds := []int{0}
	for _, b := range breaks {
		bounds = append(bounds, b.At)
	}
	return append(bounds, n)
}

// pieces are the bounds of the levels and slopes of a series of n releases: segments, cut at bends.
func (s *Shape) pieces(n int) []int {
	bounds := append(Segments(s.Breaks, n), s.Bends...)
	slices.Sort(bounds)
	return bounds
}

// shape finds the breaks, bends and trends of a series without outliers, and returns by how much its variance is inflated.
func (o Options) shape(values []float64, found *Shape) (inflation float64) {
	c := newCutter(o, values)
	c.cut(found, values, 0, true)
	o.mergeSmall(values, found)
	bounds := found.pieces(len(values))
	for k := range len(bounds) - 1 {
		part, enough := values[bounds[k]:bounds[k+1]], shortest
		if slices.Contains(found.Bends, bounds[k]) || slices.Contains(found.Bends, bounds[k+1]) {
			enough = fewestOnLine
		}
		if len(part) >= enough {
			if line := fitLine(part, c.inflation); line.p <= o.Level && math.Abs(line.change()) > o.Margin {
				found.Trends = append(found.Trends, Trend{From: bounds[k], To: bounds[k+1], First: line.at(0), Change: line.change(), P: line.p})
			}
		}
	}
	return c.inflation
}

// places is how many places a series of n releases can be cut at.
func (o Options) places(n int) int { return n - 2*o.MinSegment + 1 }

// mergeSmall removes breaks at which the level changes by no more than the margin, the smallest first, since what is left of
// its neighbours may matter.
func (o Options) mergeSmall(values []float64, found *Shape) {
	for len(found.Breaks) > 0 {
		bounds := Segments(found.Breaks, len(values))
		least, at := math.Inf(1), 0
		for k := range found.Breaks {
			change := math.Abs(stats.Mean(values[bounds[k+1]:bounds[k+2]]) - stats.Mean(values[bounds[k]:bounds[k+1]]))
			if change < least {
				least, at = change, k
			}
		}
		if least > o.Margin {
			return
		}
		found.Breaks = slices.Delete(found.Breaks, at, at+1)
	}
}

// compareMeans is the difference of the means of two segments, with the variance of a release.
func compareMeans(before, after []float64, variance, df float64) stats.Moderated {
	return stats.Moderated{
		Estimate: stats.Mean(after) - stats.Mean(before), DF: df,
		SE: math.Sqrt(variance * (1/float64(len(before)) + 1/float64(len(after)))),
	}
}

// test fills in the change and P of all breaks. The variance is that around the levels and slopes of the series, inflated where
// neighbouring releases resemble each other. Beside a slope P stays that of the step by which the series was cut.
func (o Options) test(values [][]float64, inflations []float64, found []Shape) {
	n := len(values[0])
	variances, df := make([]float64, len(values)), make([]float64, len(values))
	for i, v := range values {
		residuals, coefficients := found[i].residuals(v)
		df[i] = math.Max(float64(n-coefficients)/inflations[i], 1)
		variances[i] = inflations[i] * sumOfSquares(residuals) / float64(n-coefficients)
	}
	prior, places := stats.FitPrior(variances, df), float64(o.places(n))
	for i := range found {
		variance, total := prior.Squeeze(variances[i], df[i])
		bounds := found[i].pieces(n)
		for k := range found[i].Breaks {
			b := &found[i].Breaks[k]
			at := slices.Index(bounds, b.At)
			before, after := values[i][bounds[at-1]:b.At], values[i][b.At:bounds[at+1]]
			b.RankP = stats.RankScan(values[i][bounds[at-1]:bounds[at+1]], o.MinSegment, o.Permutations, o.Seed)
			if left, right := found[i].slopeFrom(bounds[at-1]), found[i].slopeFrom(b.At); left || right {
				b.Change, b.P = gap(before, after, left, right), math.Min(1, b.P)
				continue
			}
			t := compareMeans(before, after, variance, total)
			b.Change, b.P = t.Estimate, math.Min(1, places*t.P())
		}
	}
}

// slopeFrom reports whether a slope begins at a position.
func (s *Shape) slopeFrom(at int) bool {
	return slices.ContainsFunc(s.Trends, func(t Trend) bool { return t.From == at })
}

// gap is by how much the values jump between two pieces of which one at least is a slope: both are continued to the middle between
// the last release of the one and the first of the other.
func gap(before, after []float64, left, right bool) float64 {
	from, to := fitLine(before, 1), fitLine(after, 1)
	if !left {
		from.slope = 0
	}
	if !right {
		to.slope = 0
	}
	return to.mean - to.slope*float64(to.n)/2 - from.mean - from.slope*float64(from.n)/2
}

// residuals returns what the levels and slopes of a series leave of its values, and how many levels and slopes there are. The
// places of breaks and bends are parameters beside them.
func (s *Shape) residuals(values []float64) (residuals []float64, coefficients int) {
	bounds := s.pieces(len(values))
	for k := range len(bounds) - 1 {
		part := values[bounds[k]:bounds[k+1]]
		line := line{n: len(part), mean: stats.Mean(part)}
		if s.slopeFrom(bounds[k]) {
			line = fitLine(part, 1)
		}
		residuals = append(residuals, line.residuals(part)...)
	}
	return residuals, 1 + len(s.Breaks) + len(s.Bends) + len(s.Trends)
}

// adjust fills in Q of breaks and of trends, which are two families.
func adjust(found []Shape) {
	var breaks, trends [][]*float64
	var p [2][]float64
	for i := range found {
		var b, t []*float64
		for k := range found[i].Breaks {
			b, p[0] = append(b, &found[i].Breaks[k].Q), append(p[0], found[i].Breaks[k].P)
		}
		for k := range found[i].Trends {
			t, p[1] = append(t, &found[i].Trends[k].Q), append(p[1], found[i].Trends[k].P)
		}
		for f, of := range [][]*float64{b, t} {
			if len(of) == 0 {
				p[f] = append(p[f], 1)
			}
		}
		breaks, trends = append(breaks, b), append(trends, t)
	}
	for f, family := range [][][]*float64{breaks, trends} {
		q, next := stats.BenjaminiHochberg(p[f]), 0
		for _, of := range family {
			for k := range of {
				*of[k] = q[next+k]
			}
			next += max(len(of), 1)
		}
	}
}
