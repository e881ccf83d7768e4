package checks

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/requirements"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Requirements is what runs say of the checks of a specification.
type Requirements struct {
	Spec      *spec.Spec
	Semantics requirements.Semantics
	Runs      []RunOutcomes
	Gate      Gate
	Top       int // failing states of each check that text prints
}

// RunOutcomes is what one run says, in the order of the specification and of the values of each forall.
type RunOutcomes struct {
	Run      string
	StartNs  int64 // from which text counts times
	Outcomes []requirements.Outcome
}

// group is a check on a run: its outcomes for all values of its foralls.
type group struct {
	run      *RunOutcomes
	outcomes []requirements.Outcome
	worst    *requirements.Outcome // the worst verdict; among equals the smallest margin, then the first
	breaks   []string              // the words of the gate that it breaks
}

// groups returns the checks of a run.
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

// worse reports whether an outcome is worse than another one.
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

// WriteText writes a line for each check and run, the failing states, and how many checks have which verdict.
func (r *Requirements) WriteText(out io.Writer) error {
	counts := make(map[string]int)
	checks := 0
	failing := texttab.New("lllllrr")
	failing.Row("failing", "value", "time", "where", "event", "delay", "outside by")
	rows := 0
	for i := range r.Runs {
		run := &r.Runs[i]
		for _, g := range r.groups(run) {
			checks++
			counts[r.Semantics.Word(g.worst.Verdict)]++
			fmt.Fprintf(out, "%-*s  %s\n", r.wordWidth(), r.Semantics.Word(g.worst.Verdict), r.line(&g))
			rows += r.addFailing(failing, &g)
		}
	}
	if rows > 0 {
		fmt.Fprintln(out)
		if err := failing.Write(out); err != nil {
			return err
		}
	}
	var sums []string
	for _, v := range []mtl.Verdict{mtl.Bad, mtl.StillFalse, mtl.StillTrue, mtl.Good, mtl.Undefined} {
		if w := r.Semantics.Word(v); counts[w] > 0 {
			sums = append(sums, fmt.Sprintf("%d %s", counts[w], w))
			delete(counts, w)
		}
	}
	_, err := fmt.Fprintf(out, "%s: %s\n", texttab.Plural(checks, "check"), strings.Join(sums, ", "))
	return err
}

// wordWidth is the width of the longest verdict.
func (r *Requirements) wordWidth() int {
	if r.Semantics == requirements.Three {
		return len("NON-INFORMATIVE")
	}
	return len("STILL_FALSE")
}

// name names the check of a group, with the run where there are several.
func (r *Requirements) name(g *group) string {
	if len(r.Runs) > 1 {
		return g.run.Run + " " + g.worst.Check
	}
	return g.worst.Check
}

// line says what became of a check, on one line that fits a log.
func (r *Requirements) line(g *group) string {
	var parts []string
	o := g.worst
	if n := len(g.outcomes); n > 1 || o.Value != "" {
		same := 0
		for i := range g.outcomes {
			if g.outcomes[i].Verdict == o.Verdict {
				same++
			}
		}
		parts = append(parts, fmt.Sprintf("%s of %s", texttab.Count(same), texttab.Plural(n, "value")), "worst "+o.Value)
	}
	parts = append(parts, r.counts(o)...)
	if o.MarginNs != schema.NoValue {
		parts = append(parts, fmt.Sprintf("margin %s at bound %s", texttab.Duration(o.MarginNs), texttab.Duration(o.BoundNs)))
	}
	if !math.IsNaN(o.Robustness) {
		parts = append(parts, fmt.Sprintf("robustness %.4g", o.Robustness))
	}
	if o.Threshold {
		parts = append(parts, "exactly at the threshold")
	}
	if o.LargestGapNs != schema.NoValue {
		parts = append(parts, "states at most "+texttab.Duration(o.LargestGapNs)+" apart")
	}
	if len(o.Failing) > 0 {
		f := &o.Failing[0]
		parts = append(parts, fmt.Sprintf("first at %s in %s.%s", texttab.Exact(f.TimeNs-g.run.StartNs), f.Component, f.Function))
	}
	if len(g.breaks) > 0 {
		parts = append(parts, "stops the gate: "+strings.Join(g.breaks, ", "))
	}
	if len(parts) == 0 {
		return r.name(g)
	}
	return r.name(g) + ": " + strings.Join(parts, ", ")
}

// counts says how often a check was asked, and how often it failed.
func (r *Requirements) counts(o *requirements.Outcome) []string {
	switch {
	case o.Verdict == mtl.Undefined:
		return []string{"the run has no state to ask"}
	case o.Triggers == schema.NoValue && o.Failures > 0 && o.Formula.Op == spec.Globally:
		return []string{"failed at " + texttab.Plural(o.Failures, "state")}
	case o.Triggers == schema.NoValue:
		return nil
	case o.Vacuous():
		return []string{"vacuous, never asked"}
	}
	parts := []string{"asked " + texttab.Plural(o.Triggers, "time")}
	if o.Failures > 0 {
		parts = append(parts, "failed "+texttab.Count(o.Failures))
	}
	if o.Open > 0 {
		parts = append(parts, "open "+texttab.Count(o.Open))
	}
	return parts
}

// addFailing adds the first failing states of a check to a table, and returns how many.
func (r *Requirements) addFailing(t *texttab.Table, g *group) (rows int) {
	for i := range g.outcomes {
		o := &g.outcomes[i]
		for j := range o.Failing {
			if rows == r.Top {
				return rows
			}
			f := &o.Failing[j]
			delay, excess := "", ""
			if f.ExcessNs != schema.NoValue {
				if delay, excess = "none came", "at least "+texttab.Duration(f.ExcessNs); f.DelayNs != schema.NoValue {
					delay, excess = texttab.Duration(f.DelayNs), texttab.Duration(f.ExcessNs)
				}
			}
			t.Row(r.name(g), o.Value, texttab.Exact(f.TimeNs-g.run.StartNs), f.Component+"."+f.Function, fmt.Sprint(f.Seq), delay, excess)
			rows++
		}
	}
	return rows
}

// requirementJSON is an outcome as JSON has it. Times are the trace's own in nanoseconds.
type requirementJSON struct {
	Run      string   `json:"run"`
	Check    string   `json:"check"`
	Value    string   `json:"value,omitempty"` // the values of the foralls, with commas between
	Verdict  string   `json:"verdict"`
	Finite   bool     `json:"finite"`             // the truth on the run as it is
	Triggers *int64   `json:"triggers,omitempty"` // how often "if A" was asked
	Failures int64    `json:"failures"`
	Open     int64    `json:"open"` // triggers whose answer may still come
	Vacuous  bool     `json:"vacuous"`
	MarginNs *int64   `json:"margin_ns,omitempty"` // smallest distance of an answer to its bound
	BoundNs  *int64   `json:"bound_ns,omitempty"`
	Breaks   []string `json:"breaks,omitempty"` // words of the gate

	Robustness   *float64 `json:"robustness,omitempty"`     // of a formula of signals only, at its start
	Threshold    bool     `json:"threshold,omitempty"`      // a robustness was exactly 0, and the comparisons told
	LargestGapNs *int64   `json:"largest_gap_ns,omitempty"` // between states of a formula with signals

	Formula string        `json:"formula"`
	Failing []failingJSON `json:"failing,omitempty"` // the first failing states
}

// failingJSON is a failing state.
type failingJSON struct {
	Seq       int64  `json:"seq"`
	TimeNs    int64  `json:"time_ns"`
	Component string `json:"component"`
	Function  string `json:"function"`
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
			if !math.IsNaN(o.Robustness) && !math.IsInf(o.Robustness, 0) {
				row.Robustness = &o.Robustness
			}
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
