package figures

import (
	"math"
	"strconv"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// timeScale turns times into shares of an axis. Its ends are multiples of the step, which is 1, 2 or 5 times a power
// of ten.
type timeScale struct {
	fromNs, toNs, stepNs int64
	unit                 texttab.Unit
	decimals             int // that the step needs in the unit
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

// roundStep is the smallest of 1, 2 and 5 times a power of ten of which no more than mostSteps fit into a span.
func roundStep(spanNs int64) int64 {
	for step := int64(1); ; step *= 10 {
		for _, f := range []int64{1, 2, 5} {
			if spanNs/(step*f) <= mostSteps {
				return step * f
			}
		}
	}
}

// share is where a time stands between the ends.
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

// ticks are the times with a mark.
func (s timeScale) ticks() (ns []int64) {
	for at := s.fromNs; at <= s.toNs; at += s.stepNs {
		ns = append(ns, at)
	}
	return ns
}
