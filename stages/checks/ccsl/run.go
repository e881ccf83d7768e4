package ccsl

import (
	"iter"
	"strings"
)

// Run is a recorded run.
type Run struct {
	Names []string // of its clocks, as Spec.Find finds them
	// Steps are its steps in order: the positions in Names of the clocks that tick. The slice is reused. An error is
	// the last pair.
	Steps iter.Seq2[[]int32, error]
}

// Result is what a specification says of a run.
type Result struct {
	Verdicts []Verdict // of Spec.Constraints
	Steps    int64
	Unknown  []string // names of the run that are no clocks of the specification
}

// Check checks a run against a specification. The error is that of the run; the result is then that of the steps
// before it.
func Check(spec *Spec, run Run) (Result, error) {
	var result Result
	d := newDirectory(spec)
	ids := make([]ClockID, len(run.Names))
	var observed []ClockID
	for i, name := range run.Names {
		id, found := d.find(name)
		if ids[i] = id; !found {
			result.Unknown = append(result.Unknown, name)
			continue
		}
		observed = append(observed, id)
	}
	c := NewChecker(spec, observed)
	var ticks []ClockID
	var err error
	for step, bad := range run.Steps {
		if err = bad; err != nil {
			break
		}
		ticks = ticks[:0]
		for _, i := range step {
			ticks = append(ticks, ids[i])
		}
		c.Step(ticks)
	}
	result.Verdicts, result.Steps = c.Verdicts(), c.Steps()
	return result, err
}

// alias undoes the way in which TimeSquare writes paths where "::" is not allowed.
func alias(name string) string { return strings.ReplaceAll(name, "__", "::") }
