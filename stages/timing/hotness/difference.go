package hotness

import "math"

// Side is what components did within a time. As a window cuts executions at its borders, and each counts, the sides that are compared are windows of
// one length, or sums over such.
type Side struct {
	Loads    []Load // by their numbers
	LengthNs int64
}

// leastDifference is the share of the greatest number of the baseline that a difference has at least which is 100: where nothing changed, the
// greatest of all small differences is none to be seen.
const leastDifference = 0.25

// Difference is the hotness of the difference to a baseline, from -100 to 100 for every component of it: the greatest difference is 100 where the
// number grew, -100 where it shrank, and the others are linear between that and 0. Numbers that grow with the time are taken by second. A component that
// one of the sides lacks counts there as 0 by a number that grows with the time, and is not compared by any other; of critical paths, where a side has some,
// it has none of the time.
func (m Metric) Difference(now, baseline Side, real bool) []int {
	changes := make([]float64, max(len(now.Loads), len(baseline.Loads)))
	most := 0.0
	for i := range changes {
		a, has := m.side(now, i, real)
		b, had := m.side(baseline, i, real)
		most = max(most, leastDifference*b)
		if m.Grows && (has || had) || has && had {
			changes[i] = a - b
			most = max(most, math.Abs(a-b))
		}
	}
	hot := make([]int, len(changes))
	for i, d := range changes {
		if most > 0 {
			hot[i] = int(math.Round(100 * d / most))
		}
	}
	return hot
}

// side is the number of a component on a side, and whether it has one there.
func (m Metric) side(s Side, i int, real bool) (v float64, is bool) {
	if i >= len(s.Loads) || !m.has(s.Loads[i]) || s.LengthNs <= 0 || m.Lacks != nil && m.Lacks(s.Loads[i]) {
		return 0, false
	}
	v = m.Of(s.Loads[i], real)
	if m.Grows {
		v *= 1e9 / float64(s.LengthNs)
	}
	return v, true
}
