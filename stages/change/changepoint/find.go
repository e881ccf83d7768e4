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
	MinSegment   int     // releases between change points
	Level        float64 // at which a series is cut
	Margin       float64 // change of the level that does not matter, in units of the values; 0 keeps all breaks
	Permutations int     // orders of the releases drawn for RankP
	Seed         uint64  // of these
}

// Defaults are the options whose rates are measured.
func Defaults() Options { return Options{MinSegment: 2, Level: .05, Permutations: 1999, Seed: 1} }

// Shape is what Find finds in a series.
type Shape struct {
	Breaks   []Break // in order
	Trends   []Trend // in order: segments between breaks on which the level rises or falls steadily
	Outliers []int   // positions of releases that stand alone: they move neither breaks nor trends
}

// Break is a place where a series is cut.
type Break struct {
	At     int     // position of the first release after it
	Change float64 // mean of the segment after it less that of the segment before, outliers apart
	P      float64 // of no change, the choice of the place allowed for
	RankP  float64 // of the rank scan of the two segments, by permutation of the releases; of this series only
	Q      float64 // P after Benjamini-Hochberg over all breaks, series without any counting as one of P 1
}

// Trend is a segment that is a slope and not a level.
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
			inflations[i] = o.shape(cleaned[i], &found[i])
		}
	}
	o.test(cleaned, inflations, found)
	adjust(found)
	return found
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

// shape finds the breaks and trends of a series without outliers, and returns by how much its variance is inflated.
func (o Options) shape(values []float64, found *Shape) (inflation float64) {
	c := cutter{o, float64(o.places(len(values))), 1}
	if len(values) >= shortest {
		// The correlation is that around whatever describes the series best, a stair or a line, so that steps do not pass for it.
		line, stair := fitLine(values, 1), c.stair(values)
		residuals, parameters := stair.residuals(values)
		parameters += len(stair.Breaks)
		if describesBetter(line, residuals, parameters) {
			residuals, parameters = line.residuals(values), 2
		}
		c.inflation = inflate(residuals, parameters)
	}
	for _, at := range c.cut(nil, values, 0, true) {
		found.Breaks = append(found.Breaks, Break{At: at})
	}
	o.mergeSmall(values, found)
	bounds := Segments(found.Breaks, len(values))
	for k := range len(bounds) - 1 {
		if part := values[bounds[k]:bounds[k+1]]; len(part) >= shortest {
			if line := fitLine(part, c.inflation); line.p <= o.Level && math.Abs(line.change()) > o.Margin {
				found.Trends = append(found.Trends, Trend{From: bounds[k], To: bounds[k+1], First: line.at(0), Change: line.change(), P: line.p})
			}
		}
	}
	return c.inflation
}

// places is how many places a series of n releases can be cut at.
func (o Options) places(n int) int { return n - 2*o.MinSegment + 1 }

// cutter cuts one series.
type cutter struct {
	Options
	places    float64 // that the series can be cut at
	inflation float64 // of its variance, by correlation
}

// cut appends the positions at which part of a series is cut; it begins at position from of the series. With slopes, a part that
// a line describes better than steps do is a slope: it is cut only where a step stands out from the line, and not into a stair.
func (c *cutter) cut(found []int, part []float64, from int, slopes bool) []int {
	if len(part) < 2*c.MinSegment {
		return found
	}
	step := fitStep(part, c.MinSegment, false, c.inflation)
	if slopes && len(part) >= shortest {
		if line := fitLine(part, c.inflation); line.p <= c.Level && line.squares < step.squares {
			stair := c.stair(part)
			if residuals, levels := stair.residuals(part); describesBetter(line, residuals, levels+len(stair.Breaks)) {
				step = fitStep(part, c.MinSegment, true, c.inflation)
			}
		}
	}
	if step.at == 0 || c.places*step.p > c.Level {
		return found
	}
	found = c.cut(found, part[:step.at], from, slopes)
	found = append(found, from+step.at)
	return c.cut(found, part[step.at:], from+step.at, slopes)
}

// stair is a part as it is cut where no slope is thought of.
func (c *cutter) stair(part []float64) (s Shape) {
	for _, at := range c.cut(nil, part, 0, false) {
		s.Breaks = append(s.Breaks, Break{At: at})
	}
	return s
}

// describesBetter reports whether a line describes values better than a stair does, given the residuals and parameters of the
// stair, by the criterion of Schwarz (1978, Annals of Statistics 6): the logarithm of the squares, and a price for each
// parameter.
func describesBetter(l line, residuals []float64, parameters int) bool {
	n := float64(len(residuals))
	return l.squares <= 0 || n*math.Log(l.squares)+2*math.Log(n) <= n*math.Log(sumOfSquares(residuals))+float64(parameters)*math.Log(n)
}

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
// neighbouring releases resemble each other.
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
		breaks := found[i].Breaks
		bounds := Segments(breaks, n)
		for k := range breaks {
			v, at := values[i][bounds[k]:bounds[k+2]], bounds[k+1]-bounds[k]
			t := compareMeans(v[:at], v[at:], variance, total)
			breaks[k].Change, breaks[k].P = t.Estimate, math.Min(1, places*t.P())
			breaks[k].RankP = stats.RankScan(v, o.MinSegment, o.Permutations, o.Seed)
		}
	}
}

// residuals returns what the levels and slopes of a series leave of its values, and how many levels and slopes there are. The
// places of breaks are parameters beside them.
func (s *Shape) residuals(values []float64) (residuals []float64, coefficients int) {
	bounds := Segments(s.Breaks, len(values))
	for k := range len(bounds) - 1 {
		part := values[bounds[k]:bounds[k+1]]
		line := line{n: len(part), mean: stats.Mean(part)}
		if slices.ContainsFunc(s.Trends, func(t Trend) bool { return t.From == bounds[k] }) {
			line = fitLine(part, 1)
		}
		residuals = append(residuals, line.residuals(part)...)
	}
	return residuals, 1 + len(s.Breaks) + len(s.Trends)
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
