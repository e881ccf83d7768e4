package changepoint

import (
	"math"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// MinReleases is how many releases a scan takes: with fewer, no place of a change is unlikely enough.
const MinReleases = 8

// Options are how to look.
type Options struct {
	MinSegment   int     // releases between change points
	Level        float64 // at which a series is cut
	Permutations int     // orders of the releases drawn for RankP
	Seed         uint64  // of these
}

// Defaults are the options whose rates are measured.
func Defaults() Options { return Options{MinSegment: 2, Level: .05, Permutations: 1999, Seed: 1} }

// Break is a place where a series is cut.
type Break struct {
	At     int     // position of the first release after it
	Change float64 // mean of the segment after it less that of the segment before
	P      float64 // of no change, the choice of the place allowed for
	RankP  float64 // of the rank scan of the two segments, by permutation of the releases; of this series only
	Q      float64 // P after Benjamini-Hochberg over all breaks, series without any counting as one of P 1
}

// Find returns the breaks of every series, in order. All series are as long as the first; one with a value that is not
// finite has none. With fewer than MinReleases there are none at all.
func Find(values [][]float64, o Options) [][]Break {
	found := make([][]Break, len(values))
	if len(values) == 0 || len(values[0]) < MinReleases {
		return found
	}
	for i, v := range values {
		found[i] = o.scan(v)
	}
	o.test(values, found)
	adjust(found)
	return found
}

// Segments are the bounds of the segments between breaks, of a series of n releases: the first release of each, and n.
func Segments(breaks []Break, n int) []int {
	bounds := []int{0}
	for _, b := range breaks {
		bounds = append(bounds, b.At)
	}
	return append(bounds, n)
}

// scan finds the breaks of one series.
func (o Options) scan(values []float64) (found []Break) {
	places := float64(o.places(len(values)))
	for _, s := range stats.Segments(values, o.Level, func(part []float64) stats.Split { return o.meanScan(part, places) }) {
		found = append(found, Break{At: s.At})
	}
	return found
}

// places is how many places a series of n releases can be cut at.
func (o Options) places(n int) int { return n - 2*o.MinSegment + 1 }

// meanScan cuts where the t of the means of the two sides is greatest. Its p is that of Student's t, times the places.
func (o Options) meanScan(values []float64, places float64) stats.Split {
	best, n := stats.Split{P: 1}, len(values)
	for at := o.MinSegment; at <= n-o.MinSegment; at++ {
		df := float64(n - 2)
		t := compareMeans(values[:at], values[at:], within(values, []int{0, at, n})/df, df)
		if p := places * t.P(); p < best.P {
			best = stats.Split{At: at, Statistic: t.T(), P: p}
		}
	}
	return best
}

// compareMeans is the difference of the means of two segments, with the variance of a release.
func compareMeans(before, after []float64, variance, df float64) stats.Moderated {
	return stats.Moderated{
		Estimate: stats.Mean(after) - stats.Mean(before), DF: df,
		SE: math.Sqrt(variance * (1/float64(len(before)) + 1/float64(len(after)))),
	}
}

// test fills in the change and P of all breaks.
func (o Options) test(values [][]float64, found [][]Break) {
	n := len(values[0])
	variances, df := make([]float64, len(values)), make([]float64, len(values))
	for i, v := range values {
		bounds := Segments(found[i], n)
		df[i] = float64(n - (len(bounds) - 1))
		variances[i] = within(v, bounds) / df[i]
	}
	prior, places := stats.FitPrior(variances, df), float64(o.places(n))
	for i, breaks := range found {
		variance, total := prior.Squeeze(variances[i], df[i])
		bounds := Segments(breaks, n)
		for k := range breaks {
			v, at := values[i][bounds[k]:bounds[k+2]], bounds[k+1]-bounds[k]
			t := compareMeans(v[:at], v[at:], variance, total)
			breaks[k].Change, breaks[k].P = t.Estimate, math.Min(1, places*t.P())
			breaks[k].RankP = stats.RankScan(v, o.MinSegment, o.Permutations, o.Seed).P
		}
	}
}

// within is the sum of the squared distances from the means of the segments.
func within(values []float64, bounds []int) (sum float64) {
	for k := range len(bounds) - 1 {
		segment := values[bounds[k]:bounds[k+1]]
		m := stats.Mean(segment)
		for _, v := range segment {
			sum += (v - m) * (v - m)
		}
	}
	return sum
}

// adjust fills in Q.
func adjust(found [][]Break) {
	var p []float64
	for _, breaks := range found {
		for _, b := range breaks {
			p = append(p, b.P)
		}
		if len(breaks) == 0 {
			p = append(p, 1)
		}
	}
	q, next := stats.BenjaminiHochberg(p), 0
	for _, breaks := range found {
		for k := range breaks {
			breaks[k].Q = q[next+k]
		}
		next += max(len(breaks), 1)
	}
}
