package scores

import "math"

// Detectable is the minimum effect that is detected with a power: between two effects that were tried, by a straight line
// over their logarithms. Effects ascend and are above 0. It is +Inf if none is detected so often, and the first effect if
// even that is.
func Detectable(effects, power []float64, wanted float64) float64 {
	for i, e := range effects {
		if !(power[i] >= wanted) {
			continue
		}
		if i == 0 {
			return e
		}
		part := (wanted - power[i-1]) / (power[i] - power[i-1])
		return effects[i-1] * math.Pow(e/effects[i-1], part)
	}
	return math.Inf(1)
}
