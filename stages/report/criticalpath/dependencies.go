package criticalpath

import (
	"fmt"
	"io"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/timing/findings"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Dependence is the question how one event of a run depends on another.
type Dependence struct {
	Run      string              // name of the run
	StartNs  int64               // the start of the run, from which text counts times
	From, To string              // the events, as they were asked for
	Between  findings.Occurrence // the span between them
	Critical bool                // only critical constraints count
	Top      int                 // rows of a table that text has; 0 for all
}

// WriteText writes how the second event depends on the first: the components on the paths between them, then the constraints.
// The second is independent of the first where no path of constraints leads from one to the other.
func (q *Dependence) WriteText(out io.Writer, d *findings.Dependencies) error {
	o, kind := q.Between, "constraint"
	if q.Critical {
		kind = "critical constraint"
	}
	fmt.Fprintf(out, "from event %d (%s) to event %d (%s) in run %s: %s to %s, %s\n", o.From, q.From, o.To, q.To, q.Run,
		sinceStart(q.StartNs, o.FromNs), sinceStart(q.StartNs, o.ToNs), texttab.Duration(o.SpanNs()))
	if !d.Linked {
		fmt.Fprintf(out, "the second does not depend on the first: no path of %ss leads from the first to it\n", kind)
		return nil
	}
	// 1. How many constraints, events and components take part.
	events := int64(0)
	for _, c := range d.Involved {
		events += c.Events
	}
	fmt.Fprintf(out, "the second depends on the first: %s over %s events of %s lie on paths between them\n\n",
		texttab.Plural(d.Count, kind), texttab.Count(events), texttab.Plural(len(d.Involved), "component"))
	// 2. Which components, then which constraints, in time order.
	if err := q.writeComponents(out, d.Involved); err != nil {
		return err
	}
	fmt.Fprintln(out)
	if err := writeConstraints(out, q.StartNs, d.Names, d.Parts, d.Constraints); err != nil {
		return err
	}
	writeMoreConstraints(out, d.Count-int64(len(d.Constraints)))
	return nil
}

// writeComponents writes how many events on the paths each component has, and how many messages it receives on them.
func (q *Dependence) writeComponents(out io.Writer, components []findings.Involved) error {
	table := texttab.New("rr")
	table.Row("events", "messages in", "component")
	n := rowsPrinted(q.Top, len(components))
	for _, c := range components[:n] {
		table.Row(texttab.Count(c.Events), texttab.Count(c.Messages), c.Component)
	}
	rest := len(components) - n
	return writeCut(out, table, rest, texttab.Plural(rest, "more component"))
}

// writeConstraints writes constraints in the order of their targets. The span from the first source to the last target decides
// how many digits their times have. There must be at least one.
func writeConstraints(out io.Writer, startNs int64, names *schema.Names, parts []window.Part, list []findings.Constraint) error {
	// The list is sorted by target, so its last target is the last event of all.
	lastNs := list[len(list)-1].TargetNs
	at := newClock(startNs, lastNs, lastNs-list[0].SourceNs())
	table := texttab.New("rrrr")
	table.Row("from", "to", "at", "took", "", "", "where")
	for _, c := range list {
		critical := ""
		if c.Flags&window.Critical != 0 {
			critical = "critical"
		}
		table.Row(fmt.Sprintf("@%d", c.Source), fmt.Sprintf("@%d", c.Target), at.text(c.SourceNs()),
			texttab.Duration(c.DurationNs), kindText(parts[c.Part]), critical, placeText(names, parts, keyOf(c.Part)))
	}
	return table.Write(out)
}

// writeMoreConstraints says how many constraints are not printed.
func writeMoreConstraints(out io.Writer, n int64) {
	if n > 0 {
		fmt.Fprintf(out, "... and %s (--top 0 prints them)\n", texttab.Plural(n, "more constraint"))
	}
}

// involvedObject is a component with what it has on paths between the events.
type involvedObject struct {
	Component string `json:"component"`   // name of the component
	Events    int64  `json:"events"`      // of it that lie on paths
	Messages  int64  `json:"messages_in"` // that it receives on paths
}

// dependenciesDocument is the JSON of how one event depends on another.
type dependenciesDocument struct {
	Run         string             `json:"run"`         // name of the run
	From        string             `json:"from"`        // as it was asked for
	To          string             `json:"to"`          // as it was asked for
	FromSeq     int64              `json:"from_seq"`    // number of the event in the trace
	ToSeq       int64              `json:"to_seq"`      // number of the event in the trace
	FromNs      int64              `json:"from_ns"`     // time of the event
	ToNs        int64              `json:"to_ns"`       // time of the event
	Linked      bool               `json:"linked"`      // a path leads from the first event to the second
	Components  []involvedObject   `json:"components"`  // those with events on paths
	Constraints []constraintObject `json:"constraints"` // those on paths, by target
}

// WriteJSON writes how the second event depends on the first, with all constraints that d holds.
func (q *Dependence) WriteJSON(out io.Writer, d *findings.Dependencies) error {
	o := q.Between
	document := dependenciesDocument{q.Run, q.From, q.To, o.From, o.To, o.FromNs, o.ToNs, d.Linked, []involvedObject{},
		newConstraints(d.Names, d.Parts, slices.All(d.Constraints))}
	for _, c := range d.Involved {
		document.Components = append(document.Components, involvedObject(c))
	}
	return writeJSON(out, document)
}
