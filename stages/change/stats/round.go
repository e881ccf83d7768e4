package stats

import "math"

// RoundNs rounds a number of nanoseconds, halves away from zero. What leaves the range of int64, such as the end of an interval
// that is unbounded, stops at its ends.
func RoundNs(ns float64) int64 {
	switch {
	case ns <= math.MinInt64:
		return math.MinInt64
	case ns >= math.MaxInt64:
		return math.MaxInt64
	}
	return int64(math.Round(ns))
}

// OptionalNs rounds a number of nanoseconds that may be unknown: NaN becomes nil, which tables have as NULL.
func OptionalNs(ns float64) *int64 {
	if math.IsNaN(ns) {
		return nil
	}
	n := RoundNs(ns)
	return &n
}
