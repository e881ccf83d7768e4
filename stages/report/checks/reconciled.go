package checks

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Reconciled is what came of bringing the runs of several units into one order. Its fields are the keys of its JSON.
type Reconciled struct {
	Run         string              `json:"run"`                   // name of the run that it made
	Events      int64               `json:"events"`                // of that run
	Units       int                 `json:"-"`                     // how many units the run has
	Bounds      []schema.ClockBound `json:"clock_bounds"`          // how far offset and drift of each clock are certain
	Alone       []string            `json:"alone"`                 // units that nothing connects with the reference
	Constraints []Ordering          `json:"constraints"`           // those of the specification and those of messages
	Unresolved  []Unresolved        `json:"unresolved"`            // those that the traces leave open
	Asserted    []Judged            `json:"asserted,omitempty"`    // relations that order nothing
	Ambiguous   int64               `json:"ambiguous_identifiers"` // message identifiers that more than two units use
}

// Ordering is a constraint with the number of relations between events that follow from it.
type Ordering struct {
	Name      string `json:"name"`           // of the constraint; of messages, that of their series
	Word      string `json:"word,omitempty"` // the relation or expression that it is
	At        string `json:"at,omitempty"`   // its place in the specification; "" for messages
	Relations int64  `json:"relations"`      // between two events each
	Missing   int64  `json:"missing"`        // effects whose cause is in no trace
	First     string `json:"-"`              // the first of these effects
}

// Unresolved is a constraint that the traces alone do not decide.
type Unresolved struct {
	Name string `json:"name"` // of the constraint
	Word string `json:"word"` // the relation or expression that it is
	At   string `json:"at"`   // its place in the specification
	Why  string `json:"why"`  // a sentence
}

// Judged is a relation that orders nothing, with what the order that the others leave makes of it.
type Judged struct {
	Name   string `json:"name"`   // of the relation
	Word   string `json:"word"`   // what the specification calls it
	At     string `json:"at"`     // its place in the specification
	Extent string `json:"extent"` // of the orders that the others leave, it holds in all, some or none; or it is undecided
	Why    string `json:"why"`    // a sentence; "" where it holds in all
}

// WriteJSON writes the outcome, indented.
// Indented, since the document is one object of some dozen lines that people read as well.
func (r *Reconciled) WriteJSON(out io.Writer) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteText writes a table of the clocks, then what ordered the events and what could not.
//
//	unit   to     forth  back    offset         possible  drift ppm  possible  moved  farthest
//	robot  base       4     4  1,250 ns  900 to 1,600 ns       12.5       any      0      0 ns
func (r *Reconciled) WriteText(out io.Writer) error {
	// 1. The clocks: how they were shifted and stretched.
	fmt.Fprintf(out, "run %s: %s of %s in one order\n\n", r.Run, texttab.Plural(r.Events, "event"), texttab.Plural(r.Units, "unit"))
	if err := clockTable(r.Bounds).Write(out); err != nil {
		return err
	}
	// 2. What the clocks do not say: units on their own, and orders that no clock fits.
	for _, unit := range r.Alone {
		fmt.Fprintf(out, "%s: nothing connects it with the reference; it keeps its own time\n", unit)
	}
	for _, sentence := range r.contradictions() {
		fmt.Fprintln(out, sentence)
	}
	fmt.Fprintln(out)
	// 3. What ordered the events, what is open, and what was only asked.
	for _, c := range r.Constraints {
		fmt.Fprintf(out, "%s: %s relations", constraintName(c.Name, c.Word, c.At), texttab.Count(c.Relations))
		if c.Missing > 0 {
			fmt.Fprintf(out, "; %s occurrences without a cause in any trace, first %s", texttab.Count(c.Missing), c.First)
		}
		fmt.Fprintln(out)
	}
	for _, u := range r.Unresolved {
		fmt.Fprintf(out, "unresolved: %s: %s\n", constraintName(u.Name, u.Word, u.At), u.Why)
	}
	for _, j := range r.Asserted {
		fmt.Fprintf(out, "asserted: %s: %s", constraintName(j.Name, j.Word, j.At), extentWords[j.Extent])
		if j.Why != "" {
			fmt.Fprintf(out, ": %s", j.Why)
		}
		fmt.Fprintln(out)
	}
	if r.Ambiguous > 0 {
		fmt.Fprintf(out, "%s message identifiers are used by more than two units and order nothing\n", texttab.Count(r.Ambiguous))
	}
	return nil
}

// extentWords say in how many orders an asserted relation holds.
var extentWords = map[string]string{
	"all": "holds in every order that the rest leaves open", "some": "holds in some of the orders that the rest leaves open",
	"none": "holds in no order that the rest leaves open", "undecided": "undecided",
}

// AnyImpossible reports whether some asserted relation holds in no order.
func (r *Reconciled) AnyImpossible() bool {
	return slices.ContainsFunc(r.Asserted, func(j Judged) bool { return j.Extent == "none" })
}

// clockTable has a row for every unit but the reference, whose clock is that of the run: the numbers of messages in both
// directions, the offset and drift that were chosen with the intervals that the messages allow, and the corrections. A clock of
// several lines has one row: with the offset of the first, and the least and the greatest drift.
func clockTable(bounds []schema.ClockBound) *texttab.Table {
	table := texttab.New("llrrrrrrrr")
	table.Row("unit", "to", "forth", "back", "offset", "possible", "drift ppm", "possible", "moved", "farthest")
	// i goes from unit to unit: a bent clock has a row of the table for each of its lines.
	for i := 0; i < len(bounds); {
		b, lines := &bounds[i], linesOf(bounds[i:])
		i += len(lines)
		if b.Unit == b.Reference {
			continue
		}
		drift, offsets, drifts := ppm(b.DriftPpm), interval(b.OffsetLeastNs, b.OffsetMostNs, nanoseconds), interval(b.DriftLeastPpm, b.DriftMostPpm, ppm)
		switch {
		// A bent clock has no single drift: its row has the range, and how many lines there are in place of the interval.
		case len(lines) > 1:
			least, most := b.DriftPpm, b.DriftPpm
			for _, l := range lines {
				least, most = min(least, l.DriftPpm), max(most, l.DriftPpm)
			}
			drift, drifts = ppm(least)+" to "+ppm(most), texttab.Count(int64(len(lines)))+" lines"
		case !b.Possible:
			offsets, drifts = "no even clock", "no even clock"
		}
		table.Row(b.Unit, b.Reference, texttab.Count(b.Forth), texttab.Count(b.Back), nanoseconds(b.OffsetNs), offsets, drift, drifts,
			texttab.Count(b.Moved), texttab.Duration(b.FarthestNs))
	}
	return table
}

// linesOf returns the rows of the first unit's clock: more than one if it does not run evenly.
func linesOf(bounds []schema.ClockBound) []schema.ClockBound {
	n := 1
	for n < len(bounds) && bounds[0].Used && bounds[n].Used && bounds[n].Unit == bounds[0].Unit {
		n++
	}
	return bounds[:n]
}

// contradictions are the sentences about clocks that no curve fits, and about the reference, whose events are moved with theirs.
func (r *Reconciled) contradictions() (list []string) {
	// Bounds of one unit stand in sequence; a sentence is written at the first of them.
	for i := range r.Bounds {
		b := &r.Bounds[i]
		switch {
		case b.Unit == b.Reference && b.Moved > 0:
			list = append(list, fmt.Sprintf("%s: %s of the reference moved, by %s at most", b.Unit, texttab.Plural(b.Moved, "event"), texttab.Duration(b.FarthestNs)))
		case b.Used && !b.Possible && len(linesOf(r.Bounds[i:])) == 1 && b.GapNs != nil && *b.GapNs < 0 && (i == 0 || r.Bounds[i-1].Unit != b.Unit):
			list = append(list, fmt.Sprintf("%s: what orders its events fits no even clock, and no bent one: it contradicts itself by %s", b.Unit, texttab.Duration(-*b.GapNs)))
		}
	}
	return list
}

// nanoseconds writes an offset with all its digits: clocks are compared to the nanosecond.
func nanoseconds(ns int64) string { return texttab.Count(ns) + " ns" }

// ppm writes a drift in parts per million, without decimals from 1,000 on. Quartz clocks drift by tens of them; thousands
// mean that a clock was set while it was recorded.
func ppm(x float64) string {
	if math.Abs(x) >= 1000 {
		return texttab.Count(int64(x))
	}
	return fmt.Sprintf("%.4g", x)
}

// interval writes an interval, either of whose ends may be unbounded.
func interval[T any](low, high *T, write func(T) string) string {
	switch {
	case low == nil && high == nil:
		return "any"
	case low == nil:
		return "up to " + write(*high)
	case high == nil:
		return "from " + write(*low)
	}
	return write(*low) + " to " + write(*high)
}
