package checks

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/requirements"
	"github.com/tracelake/tracelake/stages/checks/spec"
)

// Requirements is what runs say of the checks of a specification.
type Requirements struct {
	Spec      *spec.Spec             // the specification that was asked
	Semantics requirements.Semantics // decides the words of verdicts: finite, three or four of them
	Runs      []RunOutcomes          // in the order in which they were named
	Gate      Gate                   // what stops a release
	Top       int                    // failing states of each check that text prints
}

// RunOutcomes is what one run says, in the order of the specification and of the values of each forall.
type RunOutcomes struct {
	Run      string // name of the run
	StartNs  int64  // from which text counts times
	Outcomes []requirements.Outcome
}

// group is a check on a run: its outcomes for all values of its foralls.
type group struct {
	run      *RunOutcomes           // of which the outcomes are
	outcomes []requirements.Outcome // one for each combination of values, at least one
	worst    *requirements.Outcome  // the worst verdict; among equals the smallest margin, then the first
	breaks   []string               // the words of the gate that it breaks
}

// groups returns the checks of a run. Outcomes of one check stand together, since a run has them in the order of the specification.
func (r *Requirements) groups(run *RunOutcomes) (all []group) {
	for rest := run.Outcomes; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Check == rest[0].Check {
			n++
		}
		g := group{run: run, outcomes: rest[:n]}
		for i := range g.outcomes {
			o := &g.outcomes[i]
			if g.worst == nil || worse(o, g.worst) {
				g.worst = o
			}
			for _, w := range r.Gate.breaks(o) {
				if !slices.Contains(g.breaks, w) {
					g.breaks = append(g.breaks, w)
				}
			}
		}
		all = append(all, g)
		rest = rest[n:]
	}
	return all
}

// overRuns is a check on all runs.
type overRuns struct {
	groups []group  // one for each run that has it, in their order
	worst  *group   // the one with the worst outcome
	alike  int      // how many have its verdict
	breaks []string // the words of the gate that any of them breaks
}

// checksOverRuns returns the checks, in the order of the specification.
func (r *Requirements) checksOverRuns() (all []overRuns) {
	// 1. The groups of each check, run by run.
	at := make(map[string]int) // by name of the check, in all
	for i := range r.Runs {
		for _, g := range r.groups(&r.Runs[i]) {
			k, ok := at[g.worst.Check]
			if !ok {
				k = len(all)
				at[g.worst.Check] = k
				all = append(all, overRuns{})
			}
			all[k].groups = append(all[k].groups, g)
		}
	}
	// 2. Which run is the worst, which words of the gate are broken, and how many runs have the worst verdict.
	for k := range all {
		c := &all[k]
		for i := range c.groups {
			g := &c.groups[i]
			if c.worst == nil || worse(g.worst, c.worst.worst) {
				c.worst = g
			}
			for _, w := range g.breaks {
				if !slices.Contains(c.breaks, w) {
					c.breaks = append(c.breaks, w)
				}
			}
		}
		for i := range c.groups {
			if c.groups[i].worst.Verdict == c.worst.worst.Verdict {
				c.alike++
			}
		}
	}
	return all
}

// worse reports whether an outcome is worse than another one: by its verdict, whose numbers ascend from Undefined and
// BAD to GOOD, then by the smaller margin; any margin is worse than none.
func worse(a, b *requirements.Outcome) bool {
	if a.Verdict != b.Verdict {
		return a.Verdict < b.Verdict
	}
	return a.MarginNs != schema.NoValue && (b.MarginNs == schema.NoValue || a.MarginNs < b.MarginNs)
}

// Broken reports whether the gate stops any run.
func (r *Requirements) Broken() bool {
	return r.any(func(g *group) bool { return len(g.breaks) > 0 })
}

// Undefined reports whether a check had no state to ask.
func (r *Requirements) Undefined() bool {
	return r.any(func(g *group) bool { return g.worst.Verdict == mtl.Undefined })
}

// any reports whether a group of some run has a property.
func (r *Requirements) any(is func(g *group) bool) bool {
	for i := range r.Runs {
		for _, g := range r.groups(&r.Runs[i]) {
			if is(&g) {
				return true
			}
		}
	}
	return false
}

// WriteList writes each check of a specification as a sentence.
func WriteList(out io.Writer, s *spec.Spec) error {
	for i := range s.Checks {
		if _, err := fmt.Fprintln(out, s.Sentence(&s.Checks[i])); err != nil {
			return err
		}
	}
	return nil
}

// requirementJSON is an outcome as JSON has it. Times are the trace's own in nanoseconds.
type requirementJSON struct {
	Run      string   `json:"run"`                 // name of the run
	Check    string   `json:"check"`               // of the check
	Value    string   `json:"value,omitempty"`     // the values of the foralls, with commas between
	Verdict  string   `json:"verdict"`             // in the words of the semantics
	Finite   bool     `json:"finite"`              // the truth on the run as it is
	Triggers *int64   `json:"triggers,omitempty"`  // how often "if A" was asked
	Failures int64    `json:"failures"`            // states at which the answer failed
	Open     int64    `json:"open"`                // triggers whose answer may still come
	Vacuous  bool     `json:"vacuous"`             // it was never asked, so that it holds for no reason
	MarginNs *int64   `json:"margin_ns,omitempty"` // smallest distance of an answer to its bound
	BoundNs  *int64   `json:"bound_ns,omitempty"`
	Breaks   []string `json:"breaks,omitempty"` // words of the gate

	Robustness   *float64 `json:"robustness,omitempty"`     // of a formula of signals only, at its start
	Threshold    bool     `json:"threshold,omitempty"`      // a robustness was exactly 0, and the comparisons told
	LargestGapNs *int64   `json:"largest_gap_ns,omitempty"` // between states of a formula with signals

	Formula string        `json:"formula"`           // in the words of the specification
	Failing []failingJSON `json:"failing,omitempty"` // the first failing states
}

// failingJSON is a failing state.
type failingJSON struct {
	Seq       int64  `json:"seq"`                 // number of the event
	TimeNs    int64  `json:"time_ns"`             // in ns, of the trace's own clock
	Component string `json:"component,omitempty"` // of the event; none between events
	Function  string `json:"function,omitempty"`  // of the event
	DelayNs   *int64 `json:"delay_ns,omitempty"`  // until the answer; none came if it is missing
	ExcessNs  *int64 `json:"excess_ns,omitempty"` // how far outside of the bound it came, or at least so far
}

// known is a value, or nil for schema.NoValue.
func known(v int64) *int64 {
	if v == schema.NoValue {
		return nil
	}
	return &v
}

// WriteJSON writes an object a line for each check, value and run.
func (r *Requirements) WriteJSON(out io.Writer) error {
	lines := json.NewEncoder(out)
	for i := range r.Runs {
		run := &r.Runs[i]
		for k := range run.Outcomes {
			o := &run.Outcomes[k]
			row := requirementJSON{
				Run: run.Run, Check: o.Check, Value: o.Value, Verdict: r.Semantics.Word(o.Verdict), Finite: o.Finite, Triggers: known(o.Triggers),
				Failures: o.Failures, Open: o.Open, Vacuous: o.Vacuous(), MarginNs: known(o.MarginNs), BoundNs: known(o.BoundNs),
				Breaks: r.Gate.breaks(o), Formula: r.Spec.Words(o.Formula),
			}
			row.Threshold, row.LargestGapNs = o.Threshold, known(o.LargestGapNs)
			row.Robustness = finite(o.Robustness)
			for _, f := range o.Failing {
				row.Failing = append(row.Failing, failingJSON{f.Seq, f.TimeNs, f.Component, f.Function, known(f.DelayNs), known(f.ExcessNs)})
			}
			if err := lines.Encode(&row); err != nil {
				return err
			}
		}
	}
	return nil
}

// sorted returns the groups of all runs, those that the gate stops first, for documents.
func (r *Requirements) sorted() (all []group) {
	for i := range r.Runs {
		all = append(all, r.groups(&r.Runs[i])...)
	}
	slices.SortStableFunc(all, func(a, b group) int { return cmp.Compare(min(len(b.breaks), 1), min(len(a.breaks), 1)) })
	return all
}
