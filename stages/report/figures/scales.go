package figures

import (
	"math"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// logBits is the number of binary digits of a logarithm behind its point: finer than a hundredth of a pixel on any page.
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

// logScale maps positive numbers to places on an axis.
type logScale struct {
	from, to    int64  // logarithms of the ends
	left, right Length // the ends of the axis
}

// logPadding is the minimum that the axis extends beyond its numbers, as a logarithm: a factor of 2^(1/8).
const logPadding = 1 << logBits / 8

// newLogScale makes an axis for numbers between two. Where both are equal, it spans a factor of two on either side.
func newLogScale(least, greatest float64, left, right Length) logScale {
	from, to := log(least), log(greatest)
	padding := max(logPadding, (to-from)/24)
	if from == to {
		padding = 1 << logBits
	}
	return logScale{from - padding, to + padding, left, right}
}

// at returns the place of a number.
func (s logScale) at(x float64) Length {
	return along(float64(log(x)-s.from)/float64(s.to-s.from), s.left, s.right)
}

// logTick is a mark on a logarithmic axis.
type logTick struct {
	at    Length // on the axis
	label string // in full, or with an exponent where zeros would be counted
}

// ticks returns marks at 1, 2 and 5 times powers of ten where there is room for them, else at every n-th power of ten.
func (s logScale) ticks() (ticks []logTick) {
	const perOctave, room = 1 << logBits, 36 * px
	decade := Length((s.right - s.left) * 332 / 100 * perOctave / Length(s.to-s.from)) // the length of a decade
	digits, every := []int{1, 2, 5}, 1
	if decade < 3*room {
		digits = []int{1}
		every = int(room/max(decade, 1)) + 1
	}
	decadeOf := func(log int64) int { return int(log * 100 / (332 * perOctave)) } // or its neighbour
	for exponent := max(-323, decadeOf(s.from)-2); exponent <= min(308, decadeOf(s.to)+2); exponent++ {
		for _, digit := range digits {
			x, err := strconv.ParseFloat(strconv.Itoa(digit)+"e"+strconv.Itoa(exponent), 64)
			if err != nil || exponent%every != 0 || log(x) < s.from || log(x) > s.to {
				continue
			}
			ticks = append(ticks, logTick{s.at(x), power(digit, exponent)})
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

// timeScale maps times to shares of an axis. Its ends are multiples of the step, which is 1, 2 or 5 times a power of ten, so
// that all labels are round.
type timeScale struct {
	fromNs, toNs, stepNs int64
	unit                 texttab.Unit // of all labels: that of the greatest time
	decimals             int          // that the step needs in the unit
}

// Limits of a time axis.
const (
	longestNs   = 1 << 53 // 104 days: up to there a float is every nanosecond; what is longer is drawn at the end
	mostSteps   = 5
	leastShare  = .4 // of the greatest time: an axis for times that begin below it begins at 0
	levelMargin = .1 // of the time, around times that are all the same
)

// newTimeScale makes an axis for times between two.
func newTimeScale(lowNs, highNs float64) timeScale {
	low, high := min(max(lowNs, -longestNs), longestNs), min(max(highNs, -longestNs), longestNs)
	if low >= 0 && low <= leastShare*high {
		low = 0
	}
	if high-low < 2 {
		room := max(math.Abs(high)*levelMargin, 2)
		low, high = low-room, high+room
	}
	step := roundStep(int64(high - low))
	s := timeScale{stepNs: step}
	s.fromNs, s.toNs = int64(math.Floor(low/float64(step)))*step, int64(math.Ceil(high/float64(step)))*step
	s.unit = texttab.UnitOf(max(s.fromNs, -s.fromNs, s.toNs, -s.toNs))
	for place := s.unit.Ns; step%place != 0; place /= 10 {
		s.decimals++
	}
	return s
}

// roundStep returns the smallest of 1, 2 and 5 times a power of ten nanoseconds that fits into a span at most mostSteps times.
func roundStep(spanNs int64) int64 {
	for step := int64(1); ; step *= 10 {
		for _, f := range []int64{1, 2, 5} {
			if spanNs/(step*f) <= mostSteps {
				return step * f
			}
		}
	}
}

// share returns where a time stands between the ends, from 0 to 1. Times beyond an end stand at the end.
func (s timeScale) share(ns float64) float64 {
	return (min(max(ns, float64(s.fromNs)), float64(s.toNs)) - float64(s.fromNs)) / float64(s.toNs-s.fromNs)
}

// label writes a mark without its unit; all marks have the same decimals.
func (s timeScale) label(ns int64) string {
	sign := ""
	if ns < 0 {
		sign, ns = "−", -ns
	}
	text := sign + strconv.FormatInt(ns/s.unit.Ns, 10)
	if s.decimals > 0 {
		text += "." + strconv.FormatInt(s.unit.Ns+ns%s.unit.Ns, 10)[1:1+s.decimals]
	}
	return text
}

// ticks returns the times with a mark, in nanoseconds.
func (s timeScale) ticks() (ns []int64) {
	for at := s.fromNs; at <= s.toNs; at += s.stepNs {
		ns = append(ns, at)
	}
	return ns
}
