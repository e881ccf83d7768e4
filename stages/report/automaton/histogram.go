package automaton

import (
	"math/bits"
	"slices"
)

// bins is how many bars a histogram has.
// 24 bars of 3.5 px fill the 84 px that a caption has for them.
const bins = 24

// Histogram counts the samples of both sides in bins on one time axis. The axis goes from the minimum to the maximum
// sample. It is logarithmic where the maximum is more than 20 times the minimum: then bin widths grow by a constant factor.
type Histogram struct {
	FromNs, ToNs int64       // ends of the axis: the least and the greatest sample
	Base, Cand   [bins]int64 // numbers of samples by bin
}

// NewHistogram counts samples; it is nil without any.
func NewHistogram(baseNs, candNs []int64) *Histogram {
	if len(baseNs)+len(candNs) == 0 {
		return nil
	}
	all := slices.Concat(baseNs, candNs)
	h := &Histogram{FromNs: slices.Min(all), ToNs: slices.Max(all)}
	for _, ns := range baseNs {
		h.Base[h.bin(ns)]++
	}
	for _, ns := range candNs {
		h.Cand[h.bin(ns)]++
	}
	return h
}

// bin is where a time falls.
func (h *Histogram) bin(ns int64) int {
	from, at, to := h.FromNs, ns, h.ToNs
	if h.logarithmic() {
		from, at, to = log(from), log(at), log(to)
	}
	// All samples are equal: the bar stands in the middle of an axis without length.
	if to == from {
		return bins / 2
	}
	// The product needs 128 bits; in integers the bin is the same on every machine.
	high, low := bits.Mul64(uint64(at-from), bins)
	quotient, _ := bits.Div64(high, low, uint64(to-from))
	// The maximum sample would begin a bin of its own; it belongs to the last one.
	return min(int(quotient), bins-1)
}

// logarithmic reports whether the axis is logarithmic: where the greatest time is more than 20 times the smallest.
func (h *Histogram) logarithmic() bool { return h.ToNs/20 > max(h.FromNs, 1) }

// log is the binary logarithm of a time in 1/65536, by straight lines between the powers of two: the same everywhere.
func log(ns int64) int64 {
	n := max(ns, 1)
	// n is power bits long and its rest is the fraction: n / 2^power lies from 1 up to 2, here in 1/65536.
	power := bits.Len64(uint64(n)) - 1
	fraction := n << 16 >> power
	// Shifting left first would lose the upper bits of a time beyond 2^47 ns, which is 39 hours.
	if power > 46 {
		fraction = n >> (power - 16)
	}
	return int64(power)<<16 + fraction - 1<<16
}

// flat is all that is seen of a histogram, to compare.
func (h *Histogram) flat() []int64 {
	if h == nil {
		return nil
	}
	return slices.Concat([]int64{h.FromNs, h.ToNs}, h.Base[:], h.Cand[:])
}

// histogram is what a transition shows of its samples.
func (t *Transition) histogram() *Histogram {
	if t.Histogram == nil {
		return NewHistogram(t.Base.SamplesNs, t.Cand.SamplesNs)
	}
	return t.Histogram
}
