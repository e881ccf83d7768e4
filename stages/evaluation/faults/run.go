package faults

import (
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Columns describe the events of a run, in trace order. Codes of subjects and functions are small
// numbers, and mean the same in all runs.
type Columns struct {
	Subject     []uint32      // what the event's time is a sample of; schema.NoCode for none
	Function    []uint32      // of a component; schema.NoCode for none
	Kind        []schema.Kind // faults of functions move their exits
	SinceCallNs []int64       // of an exit, since the enter of its call; schema.NoValue where that is not known
	Candidate   []bool        // events that may get a fault; nil: all
}

// Run is a run as faults see it. A candidate is an event that may get a fault and has a subject; all others only
// move as a consequence. It keeps the columns and takes about 4 bytes more for an event.
type Run struct {
	Number uint64 // distinguishes runs: the noise of each is its own

	columns  Columns
	subjects index // candidates by subject
	exits    index // by function: candidates that are exits whose time since the call is known
}

// NewRun indexes a run. Its number must differ from those of all other runs.
func NewRun(number uint64, c Columns) (*Run, error) {
	n := len(c.Subject)
	if len(c.Function) != n || len(c.Kind) != n || len(c.SinceCallNs) != n || c.Candidate != nil && len(c.Candidate) != n {
		return nil, fmt.Errorf("faults: run %d: columns of %d subjects, %d functions, %d kinds, %d times and %d candidates",
			number, n, len(c.Function), len(c.Kind), len(c.SinceCallNs), len(c.Candidate))
	}
	r := &Run{Number: number, columns: c}
	r.subjects = indexed(n, func(e int) uint32 {
		if !r.candidate(e) {
			return schema.NoCode
		}
		return c.Subject[e]
	})
	r.exits = indexed(n, func(e int) uint32 {
		if !r.candidate(e) || c.Kind[e] != schema.Exit || c.SinceCallNs[e] == schema.NoValue {
			return schema.NoCode
		}
		return c.Function[e]
	})
	return r, nil
}

// candidate says whether an event may get a fault.
func (r *Run) candidate(event int) bool {
	return r.columns.Subject[event] != schema.NoCode && (r.columns.Candidate == nil || r.columns.Candidate[event])
}

// takes says whether a function takes time in the run: a factor makes no difference to one that never does.
func (r *Run) takes(function uint32) bool {
	return slices.ContainsFunc(r.exits.of(function), func(e int32) bool { return r.columns.SinceCallNs[e] > 0 })
}

// Subjects returns the subjects that have an event with a fault, ascending: T of section 4.2.2, where precision is
// |T ∩ P| / |P \ C| and recall |T ∩ P| / |T| for the detected subjects P and the subjects C that only move as a
// consequence. A subject in T counts for T even if other events of it move as a consequence: in C as well it would count
// for T ∩ P and not for P \ C, and precision could exceed 1.
func (r *Run) Subjects(injections []Injection) []uint32 {
	subjects := make([]uint32, len(injections))
	for i, in := range injections {
		subjects[i] = r.columns.Subject[in.Event]
	}
	slices.Sort(subjects)
	return slices.Compact(subjects)
}

// index lists events by code, in the order of the trace.
type index struct {
	first  []int32 // by code: the position of its first event; one more element than codes
	events []int32
}

// indexed makes the index of n events by counting; those with NoCode are left out.
func indexed(n int, code func(event int) uint32) index {
	var x index
	// (1) Count the events of every code, one place ahead.
	for e := range n {
		if c := code(e); c != schema.NoCode {
			if more := int(c) + 2 - len(x.first); more > 0 {
				x.first = append(x.first, make([]int32, more)...)
			}
			x.first[c+1]++
		}
	}
	// (2) Sum up: where the events of every code start.
	for i := 1; i < len(x.first); i++ {
		x.first[i] += x.first[i-1]
	}
	if len(x.first) == 0 {
		return x
	}
	// (3) Put every event in the next free place of its code.
	x.events = make([]int32, x.first[len(x.first)-1])
	free := append([]int32(nil), x.first...)
	for e := range n {
		if c := code(e); c != schema.NoCode {
			x.events[free[c]] = int32(e)
			free[c]++
		}
	}
	return x
}

// codes is one more than the greatest code.
func (x *index) codes() uint32 { return uint32(max(len(x.first), 1) - 1) }

// of are the events of a code; there are none of a code that the index does not know.
func (x *index) of(code uint32) []int32 {
	if code >= x.codes() {
		return nil
	}
	return x.events[x.first[code]:x.first[code+1]]
}
