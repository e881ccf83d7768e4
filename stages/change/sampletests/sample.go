package sampletests

import (
	"slices"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// Sample is a time sample made ready for comparisons: sort it once, compare it often.
type Sample struct {
	sorted []int64
	sum    Sum
}

// NewSample copies and sorts values, which are nanoseconds in any order.
func NewSample(values []int64) Sample { return TakeSample(slices.Clone(values)) }

// TakeSample is NewSample without the copy: it sorts values where they are and keeps them.
func TakeSample(values []int64) Sample {
	stats.SortInts(values)
	return Sample{sorted: values, sum: SumOf(values)}
}

// PerRun returns the sample of several runs with the sum of one run on average, so that ABS and REL compare
// runs with runs. The paper compares one with one.
func (s Sample) PerRun(runs int) Sample {
	if runs > 1 {
		s.sum = s.sum.over(uint64(runs))
	}
	return s
}

// N returns the number of values.
func (s Sample) N() int { return len(s.sorted) }

// Sum returns the exact sum of the values, of one run on average after PerRun.
func (s Sample) Sum() Sum { return s.sum }

// Sorted returns the values in ascending order. The caller must not change them.
func (s Sample) Sorted() []int64 { return s.sorted }
