package mining

import (
	"math"
	"slices"
)

// failing is the share of pairs of a check and a run that was left out that may fail.
const failing = 1.0 / 500

// fewLong is how many subjects a relative margin is learned from at least.
const fewLong = 20

// margin is what runs that were not seen may have beyond those that were.
type margin struct {
	absolute float64
	relative float64 // of what was seen
}

// of is the margin of what was seen at most.
func (m margin) of(seen float64) float64 { return max(m.absolute, m.relative*seen) }

// learn learns a margin from values of many subjects, a value of each run: how far the greatest of them exceeds the others.
func learn(values [][]float64) margin {
	if len(values) == 0 || len(values[0]) < 2 {
		return margin{relative: 1}
	}
	runs := float64(len(values[0]))
	var excess, greatest []float64
	for _, v := range values {
		first, second := math.Inf(-1), math.Inf(-1)
		for _, x := range v {
			if x > first {
				first, second = x, first
			} else {
				second = max(second, x)
			}
		}
		excess, greatest = append(excess, first-second), append(greatest, first)
	}
	// One of the runs is the greatest, so a share of the subjects is so many times the share of pairs.
	m := margin{absolute: quantile(excess, 1-failing*runs)}
	var relative []float64
	for i, x := range excess {
		if greatest[i] > 2*m.absolute {
			relative = append(relative, x/(greatest[i]-x))
		}
	}
	if len(relative) > 0 {
		share := 1 - failing*runs
		if len(relative) < fewLong {
			share = 1
		}
		m.relative = quantile(relative, share)
	}
	return m
}

// quantile is the smallest value that a share of the values does not exceed.
func quantile(values []float64, share float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	at := int(math.Ceil(share*float64(len(sorted)))) - 1
	return sorted[min(max(at, 0), len(sorted)-1)]
}

// learnSmallest learns a margin of values whose sign was turned, so that the greatest is the smallest: its relative part is of what
// was seen, too.
func learnSmallest(values [][]float64) margin {
	if len(values) == 0 || len(values[0]) < 2 {
		return margin{relative: 0.5}
	}
	var relative []float64
	for _, v := range values {
		sorted := slices.Sorted(slices.Values(v))
		first, second := -sorted[len(sorted)-1], -sorted[len(sorted)-2]
		relative = append(relative, (second-first)/second)
	}
	share := 1 - failing*float64(len(values[0]))
	if len(values) < fewLong {
		share = 1
	}
	return margin{relative: quantile(relative, share)}
}
