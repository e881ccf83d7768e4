package checks

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/requirements"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Gate says which outcomes stop a release.
type Gate struct {
	Regressed bool // answers that come later than in the release before stop it, too

	words  []string // those that stop a release by the outcome of a run, as they were written
	share  float64  // a margin below this share of its bound breaks; 0: none
	atMost int64    // a margin below this time in ns breaks; 0: none
}

// DefaultGate is what stops a release where nothing else is said.
const DefaultGate = "bad,still_false"

// ParseGate reads words with commas between: bad, still_false, vacuous, regressed, and margin<5% or margin<10ms. An error names the
// word that is none of these, and lists them; of several margins of one kind the last one counts.
func ParseGate(text string) (g Gate, err error) {
	for _, w := range strings.Split(text, ",") {
		limit, margin := strings.CutPrefix(w, "margin<")
		switch {
		case w == "bad" || w == "still_false" || w == "vacuous":
		case w == "regressed":
			// It is judged over releases and never by one outcome, so it is no word of breaks.
			g.Regressed = true
			continue
		case margin && strings.HasSuffix(limit, "%"):
			if g.share, err = texttab.ParseShare(limit); err != nil {
				return g, err
			}
		case margin:
			d, err := time.ParseDuration(limit)
			if err != nil || d <= 0 {
				return g, fmt.Errorf("%q: a margin is a share as in margin<5%%, or a time as in margin<10ms", w)
			}
			g.atMost = d.Nanoseconds()
		default:
			return g, fmt.Errorf("%q: words are bad, still_false, vacuous, regressed, and margin<5%% or margin<10ms", w)
		}
		g.words = append(g.words, w)
	}
	return g, nil
}

// breaks lists the words of the gate that an outcome breaks, in the order in which they were written.
func (g Gate) breaks(o *requirements.Outcome) (broken []string) {
	for _, w := range g.words {
		is := false
		switch w {
		case "bad":
			is = o.Verdict == mtl.Bad
		case "still_false":
			is = o.Verdict == mtl.StillFalse
		case "vacuous":
			is = o.Vacuous()
		default:
			// What is left is a margin. An outcome without one, as of a check without a bound, breaks none.
			is = o.MarginNs != schema.NoValue && (strings.HasSuffix(w, "%") && float64(o.MarginNs) < g.share*float64(o.BoundNs) || !strings.HasSuffix(w, "%") && o.MarginNs < g.atMost)
		}
		if is {
			broken = append(broken, w)
		}
	}
	return broken
}

// Formats are those that a report can be written in.
var Formats = []string{"text", "json", "markdown", "junit"}

// Writer returns what writes the report in a format of Formats; any other word gives text.
func (r *Requirements) Writer(format string) func(io.Writer) error {
	switch format {
	case "json":
		return r.WriteJSON
	case "markdown":
		return r.writeMarkdown
	case "junit":
		return r.writeJUnit
	}
	return r.WriteText
}

// writeMarkdown writes a table, with what stops the gate first.
func (r *Requirements) writeMarkdown(out io.Writer) error {
	fmt.Fprintf(out, "# Checks of %s\n\n", texttab.Printable(r.Spec.File))
	fmt.Fprintln(out, "| run | check | verdict | asked | failed | open | margin | stops the gate |")
	fmt.Fprintln(out, "|---|---|---|---|---|---|---|---|")
	// A pipe would end the cell, and a line break the table.
	cell := strings.NewReplacer("|", "\\|", "\n", " ")
	for _, g := range r.sorted() {
		o := g.worst
		// Cells stay empty for what a check does not have: "if A" to ask, or a bound to keep.
		asked, margin := "", ""
		if o.Triggers != schema.NoValue {
			asked = texttab.Count(o.Triggers)
		}
		if o.MarginNs != schema.NoValue {
			margin = texttab.Duration(o.MarginNs)
		}
		name := o.Check
		if o.Value != "" {
			name += " (" + o.Value + ")"
		}
		if _, err := fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", cell.Replace(g.run.Run), cell.Replace(name), r.Semantics.Word(o.Verdict),
			asked, texttab.Count(o.Failures), texttab.Count(o.Open), margin, strings.Join(g.breaks, ", ")); err != nil {
			return err
		}
	}
	return nil
}

// junitSuite is a run as JUnit has it: its test cases are checks.
type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`             // of the run
	Tests    int         `xml:"tests,attr"`            // checks, one for each name
	Failures int         `xml:"failures,attr"`         // those that stop the gate
	Errors   int         `xml:"errors,attr,omitempty"` // those that are undefined, and end the command with an error
	Cases    []junitCase `xml:"testcase"`
}

// junitCase is a check.
type junitCase struct {
	Name    string        `xml:"name,attr"`            // of the check
	Class   string        `xml:"classname,attr"`       // file of the specification
	Failure *junitFailure `xml:"failure,omitempty"`    // missing where the gate lets it pass
	Error   *junitFailure `xml:"error,omitempty"`      // of a check that is undefined
	Output  string        `xml:"system-out,omitempty"` // the line of the report, where it passes
}

// junitFailure says what stopped the gate.
type junitFailure struct {
	Message string `xml:"message,attr"` // the line of the report
	Type    string `xml:"type,attr"`    // the verdict
}

// writeJUnit writes a suite for each run. What the gate stops is a failure, whatever its verdict, and what is undefined an error.
func (r *Requirements) writeJUnit(out io.Writer) error {
	type suites struct {
		XMLName xml.Name `xml:"testsuites"`
		Suites  []junitSuite
	}
	var all suites
	for i := range r.Runs {
		s := junitSuite{Name: r.Runs[i].Run}
		for _, g := range r.groups(&r.Runs[i]) {
			word := r.Semantics.Word(g.worst.Verdict)
			// A viewer shows Output of tests that passed, and Message of those that failed: the line stands in one of them.
			c := junitCase{Name: g.worst.Check, Class: r.Spec.File, Output: word + "  " + r.line(&g)}
			if s.Tests++; len(g.breaks) > 0 {
				s.Failures++
				c.Failure, c.Output = &junitFailure{word + "  " + r.line(&g), word}, ""
			} else if slices.ContainsFunc(g.outcomes, func(o requirements.Outcome) bool { return o.Verdict == mtl.Undefined }) {
				s.Errors++
				c.Error, c.Output = &junitFailure{word + "  " + r.line(&g), word}, ""
			}
			s.Cases = append(s.Cases, c)
		}
		all.Suites = append(all.Suites, s)
	}
	if _, err := io.WriteString(out, xml.Header); err != nil {
		return err
	}
	text, err := xml.MarshalIndent(&all, "", "  ")
	if err != nil {
		return err
	}
	// Names in a trace may hold control characters, which no reader of the file should meet.
	_, err = out.Write(append(texttab.AppendPrintable(nil, text, "\n\t"), '\n'))
	return err
}
