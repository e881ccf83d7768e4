// Package criticalpath reports what held up executions of a run: the critical path towards one event (path.go), what the paths
// towards many occurrences consist of (composition.go), why occurrences missed a deadline (missed.go), and how one event
// depends on another (dependencies.go). Each takes a result of package findings and writes it as text for people or as JSON
// for programs. Text counts times from the start of the run; JSON has the times of the trace in nanoseconds.
package criticalpath

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/findings"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Report is a question about critical paths of a run, with the words in which it was asked.
type Report struct {
	Run         string                // name of the run
	StartNs     int64                 // the start of the run, from which text counts times
	To, From    string                // as they were asked for; From is empty, FromTrace, an execution or @SEQ
	Metric      bool                  // the occurrences are instances of the metric that the trace marks
	LeftOut     int                   // instances of the metric without an end behind their start
	Occurrences []findings.Occurrence // those that were asked for, in the order of their starts
	Picked      *findings.Occurrence  // the only one to explain; nil for all
	DeadlineNs  int64                 // the span that no occurrence may exceed; 0 where none was given
	// EarlyReceipts is how many messages of the run were received before they were sent, by clocks that are apart.
	EarlyReceipts int64
	Top           int  // rows of a table that text has; 0 for all
	EveryStep     bool // text has every step of a path, and joins none
	Constraints   bool // text has the critical constraints of all paths as well
}

// FromTrace is the From of paths that begin as far back as constraints lead.
const FromTrace = "trace"

// textReport is a report while it is written for people. Faults of the writer surface where a table is flushed; single lines
// before it need no check of their own.
type textReport struct {
	*Report
	out io.Writer
}

// writeJSON writes a document, indented, and with < and > of names as they are: templates of C++ and Java have them.
func writeJSON(out io.Writer, document any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(document)
}

// targetText names the event or execution that paths lead to.
func (r *Report) targetText() string {
	switch {
	case r.Metric && len(r.Occurrences) == 1:
		return fmt.Sprintf("instance #%d of the metric", r.Occurrences[0].Number)
	case r.Metric:
		return "the metric"
	case strings.HasPrefix(r.To, "@"):
		return "event " + r.To[1:]
	}
	return r.To
}

// fromText says where paths begin, unless they begin where the execution does.
func (r *Report) fromText() string {
	switch {
	case r.From == "":
		return ""
	case r.From == FromTrace:
		return ", as far back as they lead"
	case strings.HasPrefix(r.From, "@"):
		return ", from event " + r.From[1:]
	}
	return ", from the start of " + r.From
}

// writeLeftOut counts the instances of the metric that have no span.
func (r *textReport) writeLeftOut() {
	if r.LeftOut > 0 {
		fmt.Fprintf(r.out, "left out, since the trace marks no end behind their start: %s more\n", texttab.Count(r.LeftOut))
	}
}

// writeClocks says that clocks are apart, where messages of the run show it: what the paths say of other components is doubtful then.
func (r *textReport) writeClocks() {
	// The number alone cannot say which side is wrong: a clock may be ahead at the sender or behind at the receiver.
	if r.EarlyReceipts > 0 {
		fmt.Fprintf(r.out, "Clocks of this run are apart: %s messages were received before they were sent. What the paths show of such messages may be "+
			"wrong; ingest with --clocks or --clock-offset can correct clocks.\n\n", texttab.Count(r.EarlyReceipts))
	}
}

// printed returns how many of n rows text has.
func (r *Report) printed(n int) int { return rowsPrinted(r.Top, n) }

// rowsPrinted returns how many of n rows are printed if most are asked for; 0 asks for all.
func rowsPrinted(most, n int) int {
	if most == 0 {
		return n
	}
	return min(n, most)
}

// writeCut writes a table that was cut and, below it, the rows that it lacks: rest is their number, and words are the
// number with its noun.
func writeCut(out io.Writer, table *texttab.Table, rest int, words string) error {
	if err := table.Write(out); err != nil || rest <= 0 {
		return err
	}
	_, err := fmt.Fprintf(out, "... and %s (--top 0 prints them)\n", words)
	return err
}

// sinceStart writes a time as a duration since the start of the run.
func (r *Report) sinceStart(ns int64) string { return sinceStart(r.StartNs, ns) }

// sinceStart writes a time as a duration since a start; nothing for a time that is not known.
func sinceStart(startNs, ns int64) string {
	if ns == schema.NoValue {
		return ""
	}
	return texttab.Duration(ns - startNs)
}

// clock writes the times of a list, since the start of the run, all in one unit and with as many digits as distinguish the steps of
// a span.
type clock struct {
	startNs int64 // of the run
	unit    texttab.Unit
	digits  int // behind the point
}

// newClock returns the clock of a list whose last time is lastNs and which covers a span.
func newClock(startNs, lastNs, spanNs int64) clock {
	c := clock{startNs: startNs, unit: texttab.UnitOf(lastNs - startNs)}
	for size := c.unit.Ns; size > 1; size /= 10 { // all digits, which are nanoseconds
		c.digits++
	}
	// A span of a thousand units or more is still resolved to a thousandth with one digit less; milliseconds always stay.
	fewest := 0
	if c.unit.Name == "s" {
		fewest = 3
	}
	// A digit goes as long as the others still resolve a thousandth of the span.
	for step := int64(10); c.digits > fewest && step*1000 <= spanNs; step *= 10 {
		c.digits--
	}
	return c
}

// text writes a time: "3.596 ms".
func (c clock) text(ns int64) string {
	return fmt.Sprintf("%.*f %s", c.digits, float64(ns-c.startNs)/float64(c.unit.Ns), c.unit.Name)
}

// placeText says in words where time is spent.
func placeText(names *schema.Names, parts []window.Part, k criticalpath.Key) string {
	// The place is COMPONENT.FUNCTION for work, SENDER -> COMPONENT.FUNCTION for a message on its way.
	p := parts[k.Part]
	at := names.Components.Name(p.Component)
	if p.Function != schema.NoCode {
		at += "." + names.Functions.Name(p.Function)
	}
	switch {
	case p.Message:
		at = names.Components.Name(p.Sender) + " -> " + at
		if label := names.Messages.Name(p.Label); label != "" {
			at += " by " + label
		}
	case p.Function == schema.NoCode:
		at += " between root executions"
	}
	if k.Busy != schema.NoCode {
		at += ", while a message waited for " + names.Components.Name(k.Busy)
	}
	return at
}

// keyOf returns a part of the chart as a key without contention.
func keyOf(part uint32) criticalpath.Key { return criticalpath.Key{Part: part, Busy: schema.NoCode} }

// quantiles are order statistics of spans in nanoseconds.
type quantiles struct {
	Min    int64 `json:"min"`    // the shortest
	Median int64 `json:"median"` // half of the spans are at most this long
	P95    int64 `json:"p95"`    // 95 % of the spans are at most this long
	Max    int64 `json:"max"`    // the longest
}

// quantilesOf returns order statistics in O(n log n), and zeros of no values. A quantile is a value that occurs: the smallest one with that share at or below it.
func quantilesOf(values []int64) quantiles {
	if len(values) == 0 {
		return quantiles{}
	}
	v := slices.Sorted(slices.Values(values))
	at := func(q float64) int64 { return v[min(int(q*float64(len(v))), len(v)-1)] }
	return quantiles{v[0], at(0.5), at(0.95), v[len(v)-1]}
}
