// Package controlchart says between which limits the mean of some times is expected, given the times of a run that is compared with: the chart of
// means of Shewhart (Economic Control of Quality of Manufactured Product, 1931), whose limits lie three standard deviations around the centre.
//
// Times of a program that follow one another are alike, and one in a thousand is long. So the deviation of the mean of n times is not that of a time
// divided by the root of n, as Shewhart has it, but that of the means of n times in a row in the baseline (batch means, Conway 1963, Management
// Science 10(1), 47-61), which has both in it. Means of 1, 2, 4, 8 … times in a row are kept, all while the times come, each by its
// number, mean and sum of squared deviations (Welford 1962, Technometrics 4(3), 419-420).
//
// Where a mean lies outside of its limits, something is unlike the baseline, which may be the hour, the load or the machine. It is no verdict.
package controlchart

import "math"

const (
	// Sigmas is how many deviations the limits of a chart lie around its centre.
	Sigmas = 3
	// Striking is how many it takes to be a candidate: of a thousand functions some lie beyond three by chance.
	Striking = 5
	// fewestMeans are the fewest means from which a deviation is taken.
	fewestMeans = 16
	// leastShare is the share of the centre that a difference has at least which counts, where the baseline does not vary at all.
	leastShare = 0.01
)

// Baseline is what is known of the times of one kind. The zero value has seen none.
type Baseline struct {
	levels []level // i has the means of 2^i times in a row
}

// level is what is known of means.
type level struct {
	n          int64
	mean, m2   float64
	waiting    float64 // a mean of which the next level takes two
	hasWaiting bool
}

// Add takes the next time.
func (b *Baseline) Add(ns int64) {
	mean := float64(ns)
	for i := 0; ; i++ {
		if i == len(b.levels) {
			b.levels = append(b.levels, level{})
		}
		l := &b.levels[i]
		l.n++
		d := mean - l.mean
		l.mean += d / float64(l.n)
		l.m2 += d * (mean - l.mean)
		if !l.hasWaiting {
			l.waiting, l.hasWaiting = mean, true
			return
		}
		mean, l.hasWaiting = (l.waiting+mean)/2, false
	}
}

// Count is how many times it has.
func (b *Baseline) Count() int64 {
	if len(b.levels) == 0 {
		return 0
	}
	return b.levels[0].n
}

// MeanNs is the mean of all times.
func (b *Baseline) MeanNs() float64 {
	if len(b.levels) == 0 {
		return 0
	}
	return b.levels[0].mean
}

// Limits returns the limits of the mean of n times. There are none where the baseline has too few.
func (b *Baseline) Limits(n int64) (lowerNs, upperNs float64, are bool) {
	d, are := b.deviation(n)
	return b.MeanNs() - Sigmas*d, b.MeanNs() + Sigmas*d, are
}

// Strikes reports whether the mean of n times is that far from the baseline that it strikes.
func (b *Baseline) Strikes(meanNs float64, n int64) bool {
	d, are := b.deviation(n)
	off := math.Abs(meanNs - b.MeanNs())
	return are && off > Striking*d && off > leastShare*b.MeanNs()
}

// deviation is the standard deviation of the mean of n times. It is that of a number of times which is a power of two, not above n, and of which
// there are enough means: a mean of fewer times varies more, and the limits are wider rather than narrower.
func (b *Baseline) deviation(n int64) (ns float64, is bool) {
	for i := 0; i < len(b.levels) && n>>i > 0 && b.levels[i].n >= fewestMeans; i++ {
		l := b.levels[i]
		ns, is = math.Sqrt(l.m2/float64(l.n-1)), true
	}
	return ns, is
}
