package etf

import (
	"math/bits"
	"strconv"
)

// appendTime writes a time as a decimal number of units, which is exact for units of decimals of a second. Minutes and hours have
// twelve decimals, the last rounded away from the nanosecond below: readers round down, and find the same nanosecond.
func appendTime(to []byte, ns, unitNs int64) []byte {
	if ns < 0 {
		to = append(to, '-')
	}
	// The magnitude is unsigned, since the smallest int64 has no positive twin.
	n, unit := uint64(max(ns, -ns)), uint64(unitNs)
	if ns == -1<<63 {
		n = 1 << 63
	}
	// Nine decimals are exact for units up to a second; minutes and hours have no finite decimals.
	whole, rest := n/unit, n%unit
	digits, tens := 9, uint64(1e9)
	if 1e9%unit != 0 {
		digits, tens = 12, 1e12
	}
	// The rest in units of the last decimal, rounded away from what lies below where it is not exact.
	high, low := bits.Mul64(rest, tens)
	fraction, left := bits.Div64(high, low, unit)
	if left > 0 && ns > 0 {
		if fraction++; fraction == tens {
			whole, fraction = whole+1, 0
		}
	}
	to = strconv.AppendUint(to, whole, 10)
	if fraction == 0 {
		return to
	}
	to = append(to, '.')
	start := len(to)
	// Zeros between the point and the first digit, and none behind the last.
	for text := strconv.FormatUint(fraction, 10); len(to)-start < digits-len(text); {
		to = append(to, '0')
	}
	to = strconv.AppendUint(to, fraction, 10)
	for to[len(to)-1] == '0' {
		to = to[:len(to)-1]
	}
	return to
}
