package checks

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// The outcomes of an assertion.
const (
	Holds     = "holds"     // no event of the run contradicts the constraint
	Violated  = "violated"  // the run contradicts it at a step or event that is named
	Unchecked = "unchecked" // the run lacks a clock that the constraint needs
)

// Assertion is what became of a constraint. Its fields are the keys of its JSON.
type Assertion struct {
	Name    string `json:"name"`              // of the constraint in its specification
	Word    string `json:"word"`              // the relation or expression that it is, such as Precedes
	At      string `json:"at"`                // its place in the specification
	Outcome string `json:"outcome"`           // Holds, Violated or Unchecked
	Step    *int64 `json:"step,omitempty"`    // of a recorded run: the first step that violates it, from 0
	Seq     *int64 `json:"seq,omitempty"`     // of a run: the number of the first event that violates it
	TimeNs  *int64 `json:"time_ns,omitempty"` // the time of that event
	Reason  string `json:"reason,omitempty"`  // why it does not hold
}

// AnyViolated reports whether a run violates one of the constraints. Unchecked ones do not count: a specification may
// speak of clocks that only some runs have.
func AnyViolated(all []Assertion) bool {
	return slices.ContainsFunc(all, func(a Assertion) bool { return a.Outcome == Violated })
}

// WriteAssertionsJSON writes an object a line for every constraint, in the order of the specification.
func WriteAssertionsJSON(out io.Writer, all []Assertion) error {
	lines := json.NewEncoder(out)
	for i := range all {
		if err := lines.Encode(&all[i]); err != nil {
			return err
		}
	}
	return nil
}

// WriteAssertions writes a line for every constraint that does not hold, and how many have which outcome. startNs is the
// start of the run in ns, from which times are counted.
func WriteAssertions(out io.Writer, all []Assertion, startNs int64) error {
	counts := make(map[string]int)
	for i := range all {
		a := &all[i]
		counts[a.Outcome]++
		if a.Outcome != Holds {
			fmt.Fprintf(out, "%s: %s%s: %s\n", a.Outcome, constraintName(a.Name, a.Word, a.At), a.place(startNs), a.Reason)
		}
	}
	_, err := fmt.Fprintf(out, "%s: %d hold, %d violated, %d unchecked\n", texttab.Plural(len(all), "constraint"), counts[Holds], counts[Violated], counts[Unchecked])
	return err
}

// place says where an assertion is violated first; "" if it is not.
func (a *Assertion) place(startNs int64) string {
	switch {
	// Steps are known for recorded runs of a simulation, events for runs of the lake; JSON has the one that applies.
	case a.Step != nil:
		return fmt.Sprintf(", step %d", *a.Step)
	case a.Seq != nil:
		return fmt.Sprintf(", event %d at %s", *a.Seq, texttab.Exact(*a.TimeNs-startNs))
	}
	return ""
}

// constraintName names a constraint with what it says and where it stands. Constraints that no specification contains,
// such as that of messages, have no place.
func constraintName(name, word, at string) string {
	if at == "" {
		return name
	}
	return fmt.Sprintf("%s [%s] at %s", name, word, at)
}
