package figures

import (
	"math"
	"strconv"
	"strings"
)

// logBits is how many binary digits a logarithm has behind its point.
const logBits = 20

// log is the binary logarithm of a positive number, rounded down to 2^-20. It squares the mantissa and takes a digit
// where that reaches 2 (Knuth, TAOCP 1, 1.2.2, exercise 25): products only, which are the same on every machine.
func log(x float64) int64 {
	mantissa, exponent := math.Frexp(x) // in [.5, 1)
	mantissa, exponent = mantissa*2, exponent-1
	result := int64(exponent)
	for range logBits {
		mantissa *= mantissa
		result <<= 1
		if mantissa >= 2 {
			mantissa /= 2
			result |= 1
		}
	}
	return result
}

// logScale turns positive numbers into places.
type logScale struct {
	from, to    int64 // logarithms of the ends
	left, right Length
}

// logPadding is what the axis has beyond the least and the greatest number at least: a factor of 2^(1/8).
const logPadding = 1 << logBits / 8

func newLogScale(least, greatest float64, left, right Length) logScale {
	from, to := log(least), log(greatest)
	padding := max(logPadding, (to-from)/24)
	if from == to {
		padding = 1 << logBits
	}
	return logScale{from - padding, to + padding, left, right}
}

// at is the place of a number.
func (s logScale) at(x float64) Length {
	return along(float64(log(x)-s.from)/float64(s.to-s.from), s.left, s.right)
}

// logTick is a mark on a logarithmic axis.
type logTick struct {
	at    Length
	label string
}

// ticks are at 1, 2 and 5 times powers of ten where there is room for them, or at every n-th power of ten.
func (s logScale) ticks() (ticks []logTick) {
	const perOctave, room = 1 << logBits, 36 * px
	decade := Length((s.right - s.left) * 332 / 100 * perOctave / Length(s.to-s.from)) // the length of a decade
	digits, every := []int{1, 2, 5}, 1
	if decade < 3*room {
		digits = []int{1}
		every = int(room/max(decade, 1)) + 1
	}
	for exponent := -323; exponent <= 308; exponent++ {
		for _, digit := range digits {
			label := power(digit, exponent)
			x, err := strconv.ParseFloat(strconv.Itoa(digit)+"e"+strconv.Itoa(exponent), 64)
			if err != nil || exponent%every != 0 || log(x) < s.from || log(x) > s.to {
				continue
			}
			ticks = append(ticks, logTick{s.at(x), label})
		}
	}
	return ticks
}

// power writes a digit times a power of ten.
func power(digit, exponent int) string {
	switch d := strconv.Itoa(digit); {
	case exponent > 5 || exponent < -5:
		return d + "e" + strconv.Itoa(exponent)
	case exponent >= 0:
		return d + strings.Repeat("0", exponent)
	default:
		return "0." + strings.Repeat("0", -exponent-1) + d
	}
}
