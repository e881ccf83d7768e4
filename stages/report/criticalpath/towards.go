package criticalpath

import (
	"fmt"
	"io"

	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/timing/findings"
)

// Towards is the question how much longer steps could take before an event would move.
type Towards struct {
	Run     string              // name of the run
	StartNs int64               // the start of the run, from which text counts times
	To      string              // the event, as it was asked for
	Of      findings.Occurrence // the span up to it
	Top     int                 // rows of a table that text has; 0 for all
}

// WriteText writes the kinds of steps, that with the least to spare first.
func (q *Towards) WriteText(out io.Writer, t *findings.Towards) error {
	o := q.Of
	fmt.Fprintf(out, "slack towards event %d (%s) in run %s: %s to %s, %s\n", o.To, q.To, q.Run,
		sinceStart(q.StartNs, o.FromNs), sinceStart(q.StartNs, o.ToNs), texttab.Duration(o.SpanNs()))
	if len(t.Spares) == 0 {
		fmt.Fprintln(out, "no timing constraint with a bound leads to it")
		return nil
	}
	fmt.Fprintf(out, "by how much a step of each kind could take longer before the event would be later, the least of its steps\n\n")
	table := texttab.New("rrrrr")
	table.Row("slack", "steps", "critical", "time", "at", "", "where")
	n := rowsPrinted(q.Top, len(t.Spares))
	for _, s := range t.Spares[:n] {
		table.Row(texttab.Duration(s.LeastNs), texttab.Count(s.Steps), texttab.Count(s.Critical), texttab.Duration(s.TotalNs),
			fmt.Sprintf("@%d", s.At), kindText(t.Parts[s.Part]), placeText(t.Names, t.Parts, keyOf(s.Part)))
	}
	rest := len(t.Spares) - n
	return writeCut(out, table, rest, texttab.Plural(rest, "more kind")+" of steps")
}

// spareObject is the JSON of a kind of step.
type spareObject struct {
	Kind string `json:"kind"` // on a lifeline, by message or another coupling
	part
	SlackNs  int64 `json:"slack_ns"` // of the step with the least
	AtSeq    int64 `json:"at_seq"`   // the event that this step leads to
	Steps    int64 `json:"steps"`    // on ways to the event
	Critical int64 `json:"critical"` // those without slack
	TotalNs  int64 `json:"total_ns"` // their durations
}

// towardsDocument is the JSON of slacks towards an event.
type towardsDocument struct {
	Run     string        `json:"run"`
	To      string        `json:"to"`
	FromSeq int64         `json:"from_seq"`
	ToSeq   int64         `json:"to_seq"`
	FromNs  int64         `json:"from_ns"`
	ToNs    int64         `json:"to_ns"`
	Steps   []spareObject `json:"steps"` // kinds of steps, that with the least slack first
}

// WriteJSON writes all kinds of steps.
func (q *Towards) WriteJSON(out io.Writer, t *findings.Towards) error {
	o := q.Of
	document := towardsDocument{q.Run, q.To, o.From, o.To, o.FromNs, o.ToNs, []spareObject{}}
	for _, s := range t.Spares {
		p := t.Parts[s.Part]
		document.Steps = append(document.Steps, spareObject{kindText(p), newPart(t.Names, p), s.LeastNs, s.At, s.Steps, s.Critical, s.TotalNs})
	}
	return writeJSON(out, document)
}
