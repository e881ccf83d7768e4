package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// JUnit XML as dashboards of build servers read it: a suite for the whole and one for every component. A case is the
// whole, a finding, or a fragment. What --fail-on names fails (without it, what regressed); what is undetermined, or
// follows from a finding, is skipped with the reason; all else passes. The time of a case is that of the candidate in
// seconds per root execution. Names have no numbers that change from one comparison to the next.
type (
	junitSuites struct {
		XMLName  xml.Name      `xml:"testsuites"`
		Name     string        `xml:"name,attr"`
		Tests    int           `xml:"tests,attr"`
		Failures int           `xml:"failures,attr"`
		Skipped  int           `xml:"skipped,attr"`
		Suites   []*junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string     `xml:"classname,attr"`
		Name    string     `xml:"name,attr"`
		Time    string     `xml:"time,attr"`
		Failure *junitNote `xml:"failure"`
		Skipped *junitNote `xml:"skipped"`
		Output  string     `xml:"system-out,omitempty"`
	}
	junitNote struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes the outcome as JUnit XML.
func (o *outcome) writeJUnit(out io.Writer) error {
	all := junitSuites{Name: "analyze compare " + o.job.ID}
	all.add(o.wholeSuite())
	suites := make(map[string]*junitSuite)
	suite := func(component string) *junitSuite {
		if suites[component] == nil {
			suites[component] = &junitSuite{Name: component}
		}
		return suites[component]
	}
	for i := range o.findings {
		s := suite(o.findings[i].Component)
		s.add(o.findingCase(&o.findings[i]))
	}
	for i := range o.changes {
		if c := &o.changes[i]; c.Level == schema.LevelFragment {
			s := suite(c.Component)
			s.add(o.fragmentCase(c))
		}
	}
	for _, component := range slices.Sorted(maps.Keys(suites)) {
		suites[component].unique()
		all.add(suites[component])
	}
	if _, err := io.WriteString(out, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(out)
	e.Indent("", " ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

func (all *junitSuites) add(s *junitSuite) {
	all.Tests, all.Failures, all.Skipped = all.Tests+s.Tests, all.Failures+s.Failures, all.Skipped+s.Skipped
	all.Suites = append(all.Suites, s)
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	} else if c.Skipped != nil {
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

// unique numbers the cases that have the name of one before them.
func (s *junitSuite) unique() {
	taken := make(map[string]int)
	for i := range s.Cases {
		name := s.Cases[i].Name
		if taken[name]++; taken[name] > 1 {
			s.Cases[i].Name = fmt.Sprintf("%s (%d)", name, taken[name])
		}
	}
}

// wholeSuite has one case, the comparison: it fails if the command does.
func (o *outcome) wholeSuite() *junitSuite {
	s := &junitSuite{Name: "comparison"}
	c := junitCase{Class: "comparison", Name: o.job.ID, Time: "0", Output: o.word + ": " + o.sentence + "\n" + rulesText(o.job) + "\n"}
	switch {
	case len(o.tripped) > 0:
		c.Failure = &junitNote{Message: o.word + ": " + o.sentence, Type: o.tripped[0].Word, Text: o.exitLine()}
	case !o.enough || o.word == wholeUndetermined:
		c.Skipped = &junitNote{Message: o.word + ": " + o.sentence}
	}
	s.add(c)
	return s
}

// fails says whether the words of --fail-on mean a verdict; without words, regressed is meant.
func (o *outcome) fails(verdict string) bool {
	words := o.failOn
	if len(words) == 0 {
		words = []string{gateRegressed}
	}
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(gateVerdicts[word], verdict) })
}

// findingCase is a finding: where it is, and what happens there.
func (o *outcome) findingCase(f *schema.Finding) junitCase {
	c := junitCase{Class: f.Component, Name: suspect(f) + " " + stepText(f), Time: seconds(f.CandNs)}
	text := findingMessage(f)
	details := strings.Join([]string{stepText(f), reason(f) + "; " + onCriticalPaths(f), inheritedText(f)}, "\n") + "\n"
	switch {
	case o.fails(f.Verdict), o.slower(f) && o.fails(schema.Regressed), o.faster(f) && o.fails(schema.Improved):
		c.Failure = &junitNote{text, f.Verdict, details + strings.Join(o.closer(f), "\n") + "\n"}
	case f.Verdict == schema.Candidate:
		c.Skipped = &junitNote{Message: text + "; too few runs for a verdict"}
	default:
		c.Output = text + "\n" + details
	}
	return c
}

// findingMessage is a finding in a line.
func findingMessage(f *schema.Finding) string {
	text := fmt.Sprintf("%s: %s %s (%s, 95 %% interval %s)", suspect(f), verdictWords(f.Verdict), texttab.Change(f.EffectNs),
		pair(texttab.Duration(f.BaseNs), texttab.Duration(f.CandNs)), texttab.Interval(f.EffectLoNs, f.EffectHiNs))
	if f.Q != nil {
		text += ", q " + chance(f.Q)
	}
	return text
}

// fragmentCase is the run time of a fragment.
func (o *outcome) fragmentCase(change *schema.Change) junitCase {
	c := junitCase{Class: change.Component, Name: change.Subject, Time: seconds(value(change.CostCandNs))}
	text := verdictWords(change.Verdict) + ", " + rootFigures(change)
	switch {
	case change.Verdict == schema.Undetermined && initial(change) && slices.Contains(o.failOn, gateUndetermined):
		c.Failure = &junitNote{Message: text, Type: change.Verdict}
	case change.Verdict == schema.Undetermined && o.enough:
		c.Skipped = &junitNote{Message: text + neededOf(change)}
	case change.Verdict == schema.Undetermined, change.Verdict == schema.Candidate && change.Finding == nil:
		c.Skipped = &junitNote{Message: text + "; too few runs for a verdict"}
	case change.Verdict != schema.Unchanged && change.Finding != nil:
		c.Skipped = &junitNote{Message: fmt.Sprintf("%s; see finding %s", text, findingMessage(&o.findings[*change.Finding-1]))}
	case o.fails(change.Verdict):
		c.Failure = &junitNote{Message: text, Type: change.Verdict}
	case change.Verdict != schema.Unchanged:
		c.Output = text
	}
	return c
}

func seconds(ns int64) string { return fmt.Sprintf("%.9f", float64(ns)/1e9) }
