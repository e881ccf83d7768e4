package checks

import (
	"encoding/xml"
	"fmt"
	"io"
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

	words  []string
	share  float64 // a margin below this share of its bound breaks; 0: none
	atMost int64   // a margin below this time in ns breaks; 0: none
}

// DefaultGate is what stops a release where nothing else is said.
const DefaultGate = "bad,still_false"

// ParseGate reads words with commas between: bad, still_false, vacuous, regressed, and margin<5% or margin<10ms.
func ParseGate(text string) (g Gate, err error) {
	for _, w := range strings.Split(text, ",") {
		limit, margin := strings.CutPrefix(w, "margin<")
		switch {
		case w == "bad" || w == "still_false" || w == "vacuous":
		case w == "regressed":
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

// breaks lists the words that an outcome breaks.
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

// Writer returns what writes the report in a format of Formats.
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
	cell := strings.NewReplacer("|", "\\|", "\n", " ")
	for _, g := range r.sorted() {
		o := g.worst
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
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Cases    []junitCase `xml:"testcase"`
}

// junitCase is a check.
type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitFailure `xml:"failure,omitempty"`
	Output  string        `xml:"system-out,omitempty"`
}

// junitFailure says what stopped the gate.
type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
}

// writeJUnit writes a suite for each run. What the gate stops is a failure, whatever its verdict.
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
			c := junitCase{Name: g.worst.Check, Class: r.Spec.File, Output: word + "  " + r.line(&g)}
			if s.Tests++; len(g.breaks) > 0 {
				s.Failures++
				c.Failure, c.Output = &junitFailure{word + "  " + r.line(&g), word}, ""
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
	_, err = out.Write(append(texttab.AppendPrintable(nil, text, "\n\t"), '\n'))
	return err
}
