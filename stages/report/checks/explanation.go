package checks

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/requirements"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Explanation is why a check came out as it did at one state of a run.
type Explanation struct {
	Spec      *spec.Spec             // in whose words the formula is written
	Semantics requirements.Semantics // decides the words of verdicts: finite, three or four of them
	Run       string                 // name of the run
	StartNs   int64                  // from which text counts times
	*requirements.Explained
}

// WriteText writes the formula as a tree: each part with what it is worth where it is asked, and what decided it.
//
//	in_time of shop, failing state 1 of 1: event 0 at 0 s, start of client.ask
//	BAD          if there is a start with name ask, then within 50 ms from then there is a start with name answer
//	GOOD         . asked: there is a start with name ask
//	BAD          . within 50 ms from then there is a start with name answer
//	                 the first comes 60.0 ms later, 10.0 ms too late: event 4 at 60 ms, start of server.answer
//	GOOD         . . answered: there is a start with name answer
func (e *Explanation) WriteText(out io.Writer) error {
	// The head says which state of the run is explained and why it was chosen; a check on forall values names its values.
	name := e.Check
	if e.Value != "" {
		name += " (" + e.Value + ")"
	}
	where := e.place(&e.Root.At)
	switch {
	// The cases go from a failing state of many, over a formula that is asked once and fails, to one that does not fail.
	case e.Number > 0 && e.Failures > 1:
		fmt.Fprintf(out, "%s of %s, failing state %s of %s: %s\n", name, e.Run, texttab.Count(e.Number), texttab.Count(e.Failures), where)
	case e.Number > 0:
		fmt.Fprintf(out, "%s of %s fails at %s\n", name, e.Run, where)
	case e.Root.Verdict <= mtl.StillFalse:
		fmt.Fprintf(out, "%s of %s is %s; asked at %s\n", name, e.Run, e.Semantics.Word(e.Root.Verdict), where)
	case e.Always:
		fmt.Fprintf(out, "%s of %s does not fail; the state with the smallest margin is %s\n", name, e.Run, where)
	default:
		fmt.Fprintf(out, "%s of %s does not fail; asked at %s\n", name, e.Run, where)
	}
	return e.writePart(out, e.Root, "")
}

// writePart writes a part and, deeper, its parts. The column of verdicts is as wide as its longest word but NON-INFORMATIVE.
func (e *Explanation) writePart(out io.Writer, p *requirements.Part, indent string) error {
	meaning := ""
	if p.Formula.Meaning != "" {
		meaning = p.Formula.Meaning + ": "
	}
	fmt.Fprintf(out, "%-11s  %s%s%s\n", e.Semantics.Word(p.Verdict), indent, meaning, e.Spec.Words(p.Formula))
	for _, line := range e.decided(p) {
		fmt.Fprintf(out, "%-11s  %*s    %s\n", "", len(indent), "", line)
	}
	for _, part := range p.Parts {
		if err := e.writePart(out, part, indent+". "); err != nil {
			return err
		}
	}
	return nil
}

// decided says what decided a part: the value of its signal, the state that broke it, or how far away its answer was, each on a line.
func (e *Explanation) decided(p *requirements.Part) (lines []string) {
	// NaN stands for a part that compares no signal, and for one without robustness.
	if !math.IsNaN(p.Value) {
		lines = append(lines, fmt.Sprintf("the signal is %.6g at %s", p.Value, e.time(p.At.TimeNs)))
	} else if !math.IsNaN(p.Robustness) {
		lines = append(lines, fmt.Sprintf("robustness %.6g", p.Robustness))
	}
	if p.Broken != nil {
		lines = append(lines, "what must hold until then does not hold at "+e.place(p.Broken))
	}
	f := p.Formula
	// States and boolean connectives are decided by their parts, which follow; only temporal operators look at other states.
	if !f.Temporal() {
		return lines
	}
	// No state decided it: none breaks a globally, and none fulfils a finally or until.
	if p.Deciding == nil {
		if !math.IsNaN(p.Robustness) {
			return lines
		}
		return append(lines, map[spec.Op]string{spec.Globally: "no state breaks it", spec.Finally: "no state of the run does it from then on", spec.Until: "it does not come in the run"}[f.Op])
	}
	after := texttab.Duration(p.Deciding.TimeNs - p.At.TimeNs)
	where := e.place(p.Deciding)
	switch {
	case !math.IsNaN(p.Robustness):
		lines = append(lines, "decided at "+where)
	// Late means that the state lies behind the bound: that is good for a globally and bad for a finally.
	case f.Op == spec.Globally && p.Late:
		lines = append(lines, fmt.Sprintf("no state within the bound breaks it; the first one comes %s later: %s", after, where))
	case f.Op == spec.Globally:
		lines = append(lines, fmt.Sprintf("the first state that breaks it comes %s later: %s", after, where))
	case p.Late:
		// The end of the bound counts from the state at which the part is asked.
		over := texttab.Duration(p.Deciding.TimeNs - p.At.TimeNs - f.Within.ToNs)
		lines = append(lines, fmt.Sprintf("the first comes %s later, %s too late: %s", after, over, where))
	default:
		lines = append(lines, fmt.Sprintf("the first comes %s later: %s", after, where))
	}
	return lines
}

// time is a time as text counts it.
func (e *Explanation) time(ns int64) string { return texttab.Exact(ns - e.StartNs) }

// place names a state, or an instant between states, at which signals are asked too. Only enters and exits are called start and end.
func (e *Explanation) place(p *requirements.Place) string {
	if p.Seq == schema.NoValue {
		return e.time(p.TimeNs)
	}
	what := [...]string{schema.Enter: "start of ", schema.Exit: "end of "}
	kind := ""
	if int(p.Kind) < len(what) {
		kind = what[p.Kind]
	}
	return fmt.Sprintf("event %d at %s, %s%s.%s", p.Seq, e.time(p.TimeNs), kind, p.Component, p.Function)
}

// explanationJSON is an explanation as JSON has it. Times are the trace's own in nanoseconds.
type explanationJSON struct {
	Run      string   `json:"run"`             // name of the run
	Check    string   `json:"check"`           // of the check
	Value    string   `json:"value,omitempty"` // the values of its foralls, with commas between
	Number   int64    `json:"number"`          // of the failing state, from 1; 0 where the check does not fail
	Failures int64    `json:"failures"`        // failing states of the check in the run
	Always   bool     `json:"always"`          // the formula is asked at every state, of which this is one
	Formula  partJSON `json:"formula"`         // as a tree, the whole formula first
}

// partJSON is a part of a formula.
type partJSON struct {
	Formula    string     `json:"formula"`              // as text writes it
	Meaning    string     `json:"meaning,omitempty"`    // the definition that it is the meaning of
	Verdict    string     `json:"verdict"`              // in the words of the semantics
	At         placeJSON  `json:"at"`                   // where the part is asked
	Deciding   *placeJSON `json:"deciding,omitempty"`   // the state that decided it; missing where none did
	Late       bool       `json:"late,omitempty"`       // deciding lies beyond the bound
	Broken     *placeJSON `json:"broken,omitempty"`     // of an until: the first state without what must hold until then
	Robustness *float64   `json:"robustness,omitempty"` // missing where the part has none, or where it is infinite
	Value      *float64   `json:"value,omitempty"`      // of the signal that is compared
	Parts      []partJSON `json:"parts,omitempty"`      // in the order of the formula
}

// placeJSON is a state, or an instant, which has a time only.
type placeJSON struct {
	TimeNs    int64  `json:"time_ns"`             // in ns, of the trace's own clock
	Seq       *int64 `json:"seq,omitempty"`       // number of the event; missing for an instant between states
	Component string `json:"component,omitempty"` // of the event
	Function  string `json:"function,omitempty"`  // of the event
}

// WriteJSON writes the explanation as one object.
func (e *Explanation) WriteJSON(out io.Writer) error {
	return json.NewEncoder(out).Encode(explanationJSON{e.Run, e.Check, e.Value, e.Number, e.Failures, e.Always, e.partJSON(e.Root)})
}

// partJSON converts a part and all its parts. An infinite or missing number is left out, since JSON cannot write it.
func (e *Explanation) partJSON(p *requirements.Part) partJSON {
	o := partJSON{
		Formula: e.Spec.Words(p.Formula), Meaning: p.Formula.Meaning, Verdict: e.Semantics.Word(p.Verdict), At: *newPlaceJSON(&p.At),
		Deciding: newPlaceJSON(p.Deciding), Late: p.Late, Broken: newPlaceJSON(p.Broken), Robustness: finite(p.Robustness), Value: finite(p.Value),
	}
	for _, part := range p.Parts {
		o.Parts = append(o.Parts, e.partJSON(part))
	}
	return o
}

// newPlaceJSON returns a place as JSON has it, or nil for none.
func newPlaceJSON(p *requirements.Place) *placeJSON {
	if p == nil {
		return nil
	}
	return &placeJSON{p.TimeNs, known(p.Seq), p.Component, p.Function}
}

// finite is a number that JSON can write, or nil.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// Response returns the part of an explanation at which an answer came too late, the first one in the order of the formula, or nil.
// At is its trigger and Deciding its answer: the command explains what happened between the two.
func Response(p *requirements.Part) (late *requirements.Part) {
	if p.Late && p.Formula.Op == spec.Finally && p.At.Seq != schema.NoValue && p.Verdict <= mtl.StillFalse {
		return p
	}
	// A finally that is asked at an instant between states has no trigger whose path could be shown.
	for _, part := range p.Parts {
		if late := Response(part); late != nil {
			return late
		}
	}
	return nil
}
