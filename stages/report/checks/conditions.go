package checks

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Conditions says which of the six conditions of a chart a run holds. Its fields are the keys of its JSON.
type Conditions struct {
	Run        string      `json:"run"`        // name of the run
	Holds      bool        `json:"holds"`      // the run holds all conditions
	Conditions []condition `json:"conditions"` // all six, by number
	startNs    int64       // the start of the run, from which text counts times
}

// condition is one condition with what breaks it.
type condition struct {
	Condition  int      `json:"condition"`  // its number in the paper, from 1
	Meaning    string   `json:"meaning"`    // a sentence, from schema.Conditions
	Violations int64    `json:"violations"` // how often it is broken
	Breaches   []breach `json:"breaches"`   // by name
}

// breach is one way in which a condition is broken, with the first event that breaks it.
type breach struct {
	Name      string `json:"name"`               // as the table violations names it
	Meaning   string `json:"meaning"`            // a sentence
	Count     int64  `json:"count"`              // events that break it in this way
	FirstSeq  int64  `json:"first_seq"`          // number of the event in the trace
	FirstNs   *int64 `json:"first_ns"`           // its time; null where the breach is not one of a single event
	Component string `json:"component"`          // of the first event
	Lifeline  string `json:"lifeline,omitempty"` // of the first event; empty where the breach is not one of a single event
	Function  string `json:"function,omitempty"` // of the first event; empty where the breach is not one of a single event
}

// NewConditions sums up the rows of the table violations of a run. A run without rows holds all conditions.
func NewConditions(run string, startNs int64, violations []schema.Violation) *Conditions {
	c := &Conditions{Run: run, Holds: len(violations) == 0, startNs: startNs}
	// All six are listed, also those that hold; Breaches is empty and not nil, so that JSON has [] and not null.
	for i, meaning := range schema.Conditions {
		c.Conditions = append(c.Conditions, condition{Condition: i + 1, Meaning: meaning, Breaches: []breach{}})
	}
	// Conditions are numbered from 1 in the table and in the paper.
	for i := range violations {
		c.Conditions[violations[i].Condition-1].add(&violations[i])
	}
	// By name, so that the order of the table's rows does not decide.
	for _, one := range c.Conditions {
		slices.SortFunc(one.Breaches, func(x, y breach) int { return strings.Compare(x.Name, y.Name) })
	}
	return c
}

// add counts a row. The table has a row for every function that breaks a condition; a breach is the sum of those of one
// name, and has the first of their events.
func (c *condition) add(row *schema.Violation) {
	c.Violations += row.Count
	added := breach{row.Name, row.Meaning, row.Count, row.FirstSeq, row.FirstNs, row.Component, row.Lifeline, row.Function}
	i := slices.IndexFunc(c.Breaches, func(b breach) bool { return b.Name == row.Name })
	if i < 0 {
		c.Breaches = append(c.Breaches, added)
		return
	}
	// Of two rows of one name, the one whose event comes first stays, with the count of both.
	added.Count += c.Breaches[i].Count
	if c.Breaches[i].FirstSeq <= added.FirstSeq {
		c.Breaches[i].Count = added.Count
		return
	}
	c.Breaches[i] = added
}

// WriteJSON writes the conditions in a line.
func (c *Conditions) WriteJSON(out io.Writer) error { return json.NewEncoder(out).Encode(c) }

// WriteText writes a table of the conditions, and below it what the names of the breaches mean.
func (c *Conditions) WriteText(out io.Writer) error {
	fmt.Fprintf(out, "run %s: %s\n", c.Run, c.sentence())
	table := texttab.New("llr")
	header := []string{"condition", "of the chart", "violations"}
	// Names and first events are columns only where a condition is broken: they would be empty for all.
	if !c.Holds {
		header = append(header, "named", "first")
	}
	table.Row(header...)
	for _, one := range c.Conditions {
		number, meaning := fmt.Sprint(one.Condition), one.Meaning
		if len(one.Breaches) == 0 {
			table.Row(number, meaning, "none")
		}
		for i := range one.Breaches {
			b := &one.Breaches[i]
			table.Row(number, meaning, texttab.Count(b.Count), b.Name, c.firstEvent(b))
			number, meaning = "", "" // stand in the first row of a condition only
		}
	}
	// A run that holds all conditions has no names to explain.
	if err := table.Write(out); err != nil || c.Holds {
		return err
	}
	return c.writeMeanings(out)
}

// sentence says how many conditions are violated. A chart is one only if it holds all of them, so their number matters
// less than whether there is any.
func (c *Conditions) sentence() string {
	if c.Holds {
		return "all conditions hold"
	}
	violated := 0
	for _, one := range c.Conditions {
		if one.Violations > 0 {
			violated++
		}
	}
	return fmt.Sprintf("%d of %d conditions are violated", violated, len(c.Conditions))
}

// firstEvent says where a breach happened first, so that a reader can look it up in the table events.
func (c *Conditions) firstEvent(b *breach) string {
	if b.FirstNs == nil {
		return fmt.Sprintf("event %d, on %s", b.FirstSeq, b.Component)
	}
	return fmt.Sprintf("event %d at %s on %s.%s", b.FirstSeq, texttab.Duration(*b.FirstNs-c.startNs), b.Lifeline, b.Function)
}

// writeMeanings explains the names of the breaches.
func (c *Conditions) writeMeanings(out io.Writer) error {
	fmt.Fprintln(out)
	table := texttab.New("ll")
	for _, one := range c.Conditions {
		for _, b := range one.Breaches {
			table.Row(b.Name, b.Meaning)
		}
	}
	return table.Write(out)
}
