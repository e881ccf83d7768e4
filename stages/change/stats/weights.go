package stats

import "sync"

// mostCells is how many weights an Estimator keeps in each of two generations: 4 MB. A sample of 10,000 has about 4,000 weights for its
// deciles and one of a million 40,000. Of sizes from one to 100,000, each met some times in a row, a sixteenth of the weights takes no more time.
const mostCells = 1 << 19

// Estimator gives the estimates of HarrellDavis and Deciles, to the bit, for many samples. It keeps the weights, which
// take nearly all of the time and depend on the size of a sample only. The zero value is ready to use; an Estimator may be
// used by several goroutines, and gives most where all that summarise samples of a run share one.
//
// When there are too many weights, those that were not asked for since there were too many the last time are forgotten: sizes
// that are met often stay.
type Estimator struct {
	mu    sync.Mutex
	young map[quantileOf]*weights // asked for since they replaced old
	old   map[quantileOf]*weights // of the generation before
	cells int                     // of young
}

// quantileOf is a quantile of a sample of a size.
type quantileOf struct {
	n int
	p float64
}

// weights are those of the order statistics that carry weight. They are not changed once they are made.
type weights struct {
	centre   int       // the greatest, or next to it
	up, down []float64 // of number centre, centre+1, ... and of centre-1, centre-2, ...
	total    float64
}

// weigh returns the weights of n order statistics under b. Number i has the probability of the cell [i/n, (i+1)/n].
func weigh(n int, b beta) weights {
	w := weights{centre: min(int(b.mode*float64(n)), n-1)}
	add := func(to *[]float64, i int) bool {
		mass := b.mass(float64(i)/float64(n), float64(i+1)/float64(n))
		*to = append(*to, mass)
		w.total += mass
		return mass > w.total*negligible
	}
	for i := w.centre; i < n && add(&w.up, i); i++ {
	}
	for i := w.centre - 1; i >= 0 && add(&w.down, i); i-- {
	}
	return w
}

// mean returns the mean of a sorted sample, and its mean under the mirrored weights, which belong to the quantile 1-p.
// It is taken about a middle value, so equal values give exactly that value.
func mean[T Number](sorted []T, w *weights) (mean, mirrored float64) {
	last := len(sorted) - 1
	base, mirrorBase := sorted[w.centre], sorted[last-w.centre]
	var sum, mirrorSum float64
	for k, mass := range w.up {
		i := w.centre + k
		sum += mass * float64(sorted[i]-base)
		mirrorSum += mass * float64(sorted[last-i]-mirrorBase)
	}
	for k, mass := range w.down {
		i := w.centre - 1 - k
		sum += mass * float64(sorted[i]-base)
		mirrorSum += mass * float64(sorted[last-i]-mirrorBase)
	}
	return float64(base) + sum/w.total, float64(mirrorBase) + mirrorSum/w.total
}

// of returns the weights for a quantile. Two goroutines that ask for the same new ones at a time both make them, and get
// the same bits.
func (e *Estimator) of(n int, p float64) *weights {
	key := quantileOf{n, p}
	if w := e.find(key); w != nil {
		return w
	}
	w := weigh(n, quantileBeta(n, p))
	e.mu.Lock()
	defer e.mu.Unlock()
	e.keep(key, &w)
	return &w
}

// find returns weights that are kept, or nil.
func (e *Estimator) find(key quantileOf) *weights {
	e.mu.Lock()
	defer e.mu.Unlock()
	if w := e.young[key]; w != nil {
		return w
	}
	w := e.old[key]
	if w != nil {
		e.keep(key, w)
	}
	return w
}

// keep puts weights among the young ones, which become the old ones when they are too many.
func (e *Estimator) keep(key quantileOf, w *weights) {
	cells := len(w.up) + len(w.down)
	if e.cells+cells > mostCells || e.young == nil {
		e.young, e.old, e.cells = make(map[quantileOf]*weights), e.young, 0
	}
	e.young[key] = w
	e.cells += cells
}

// HarrellDavis is the function of that name.
func (e *Estimator) HarrellDavis(sorted []int64, p float64) float64 {
	if len(sorted) < 2 || !(p > 0 && p < 1) {
		return extreme(sorted, p)
	}
	q, _ := mean(sorted, e.of(len(sorted), p))
	return q
}

// Deciles is the function of that name.
func (e *Estimator) Deciles(sorted []int64) (q [9]float64) {
	for i := range 5 {
		q[i], q[8-i] = e.decilesAt(sorted, i)
	}
	return q
}

// decilesAt returns decile number i, from 0 to 4, and the one as far from the other end, which has the mirrored weights.
func (e *Estimator) decilesAt(sorted []int64, i int) (low, high float64) {
	switch {
	case len(sorted) < 2:
		q := extreme(sorted, 0.5)
		return q, q
	case i == 4:
		q := e.HarrellDavis(sorted, 0.5)
		return q, q
	}
	return mean(sorted, e.of(len(sorted), float64(i+1)/10))
}

// Quartiles returns the estimates of HarrellDavis for 1/4, 1/2 and 3/4, the last one to rounding.
func (e *Estimator) Quartiles(sorted []int64) (lower, median, upper float64) {
	lower, upper = extreme(sorted, 0.5), extreme(sorted, 0.5)
	if len(sorted) > 1 {
		lower, upper = mean(sorted, e.of(len(sorted), 0.25))
	}
	return lower, e.HarrellDavis(sorted, 0.5), upper
}

// Shift reports whether every decile of the right sample is at least as great as that of the left one, and whether every one is at most as
// great. The median comes first, whose weights Quartiles makes too, and then the outer deciles, which depend on each other least: where
// they deny both, the others and their weights are not made.
func (e *Estimator) Shift(left, right []int64) (up, down bool) {
	up, down = true, true
	for _, i := range [...]int{4, 0, 1, 2, 3} {
		low, high := e.decilesAt(left, i)
		lowRight, highRight := e.decilesAt(right, i)
		up = up && low <= lowRight && high <= highRight
		down = down && low >= lowRight && high >= highRight
		if !up && !down {
			break
		}
	}
	return up, down
}
