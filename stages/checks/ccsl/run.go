package ccsl

import (
	"iter"
	"strings"
)

// Run is a recorded run.
type Run struct {
	Names []string // names of its clocks, as Spec.Find finds them
	// Steps are its steps in order: the positions in Names of the clocks that tick. The slice is reused. An error is
	// the last pair.
	Steps iter.Seq2[[]int32, error]
}

// Result is the answer of a specification about a run.
type Result struct {
	Verdicts []Verdict // in the order of Spec.Constraints
	Steps    int64     // number of steps checked
	Unknown  []string  // names in the run that are no clocks of the specification
}

// Check checks a run against a specification. The error is that of the run; the result is then that of the steps
// before it.
func Check(spec *Spec, run Run) (Result, error) {
	var result Result
	// 1. Map the names of the run to clocks; those that the specification lacks are reported and ignored.
	d := newClockDirectory(spec)
	ids := make([]ClockID, len(run.Names))
	var observed []ClockID
	for i, name := range run.Names {
		id, found := d.findClock(name)
		if ids[i] = id; !found {
			result.Unknown = append(result.Unknown, name)
			continue
		}
		observed = append(observed, id)
	}
	// 2. Check step by step, in constant memory.
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

// unescapePath undoes the way in which TimeSquare writes paths where "::" is not allowed.
func unescapePath(name string) string { return strings.ReplaceAll(name, "__", "::") }

// clockDirectory finds clocks by their names in O(1).
type clockDirectory struct {
	spec      *Spec
	exact     map[string]ClockID // by path
	byPathEnd map[string]ClockID // by the last part of the path; NoClock where several clocks share it
}

// newClockDirectory indexes the clocks of a specification that are not hidden.
func newClockDirectory(s *Spec) clockDirectory {
	d := clockDirectory{s, make(map[string]ClockID, len(s.Clocks)), make(map[string]ClockID, len(s.Clocks))}
	for i := range s.Clocks {
		c := &s.Clocks[i]
		if c.Hidden {
			continue
		}
		if _, twice := d.exact[c.Name]; !twice {
			d.exact[c.Name] = ClockID(i)
		}
		end := c.Name[strings.LastIndex(c.Name, ":")+1:]
		if _, twice := d.byPathEnd[end]; twice {
			d.byPathEnd[end] = NoClock
		} else {
			d.byPathEnd[end] = ClockID(i)
		}
	}
	return d
}

// findClock is Spec.Find without building the tables anew.
func (d clockDirectory) findClock(name string) (ClockID, bool) {
	// From the most to the least specific reading.
	if id, ok := d.exact[name]; ok {
		return id, true
	}
	if rest, ok := strings.CutPrefix(name, d.spec.Name+"::"); ok {
		if id, ok := d.exact[rest]; ok {
			return id, true
		}
	}
	if id, ok := d.byPathEnd[name]; ok && id != NoClock {
		return id, true
	}
	return NoClock, false
}
