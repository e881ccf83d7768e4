package verdict

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

// JUnit XML as dashboards of build servers read it: a suite for the whole comparison and one for every component. A
// case is the whole, a finding, or a fragment. What the gate means fails (without a gate, what regressed); what is
// undetermined or follows from a finding is skipped with the reason; all else passes. The time of a case is that of the
// candidate in seconds per root execution. Names hold no numbers that change from one comparison to the next, because
// dashboards follow a case by its name.
type (
	// junitSuites is the document. Dashboards show its sums without reading the cases.
	junitSuites struct {
		XMLName  xml.Name      `xml:"testsuites"`    // of the document
		Name     string        `xml:"name,attr"`     // names the comparison
		Tests    int           `xml:"tests,attr"`    // cases of all suites
		Failures int           `xml:"failures,attr"` // those that fail
		Skipped  int           `xml:"skipped,attr"`  // those that are skipped
		Suites   []*junitSuite `xml:"testsuite"`     // the whole first, then components by name
	}
	// junitSuite is the whole comparison, or one component. Errors is always 0: a comparison
	// that cannot be made writes no report. Some dashboards expect the attribute.
	junitSuite struct {
		Name       string           `xml:"name,attr"`     // of the component, or comparison
		Tests      int              `xml:"tests,attr"`    // cases of the suite
		Failures   int              `xml:"failures,attr"` // those that fail
		Errors     int              `xml:"errors,attr"`   // always 0
		Skipped    int              `xml:"skipped,attr"`  // those that are skipped
		Properties *junitProperties `xml:"properties"`    // of the whole comparison
		Cases      []junitCase      `xml:"testcase"`      // in the order of findings, then of fragments
	}
	// junitProperties are words for programs.
	junitProperties struct {
		List []junitProperty `xml:"property"`
	}
	// junitProperty is one of them.
	junitProperty struct {
		Name  string `xml:"name,attr"`  // what it is called
		Value string `xml:"value,attr"` // its value
	}
	// junitCase passes unless it has a Failure or is Skipped.
	junitCase struct {
		Class   string     `xml:"classname,attr"`       // the component, which build servers show as a package
		Name    string     `xml:"name,attr"`            // unique within the suite
		Time    string     `xml:"time,attr"`            // seconds per root execution of the candidate
		Failure *junitNote `xml:"failure"`              // nil unless it failed
		Skipped *junitNote `xml:"skipped"`              // nil unless it was skipped
		Output  string     `xml:"system-out,omitempty"` // details of a case that passed
	}
	// junitNote says why a case failed or was skipped.
	junitNote struct {
		Message string `xml:"message,attr"`        // one line, as lists of failures show it
		Type    string `xml:"type,attr,omitempty"` // the verdict, or for the whole the word of the gate
		Text    string `xml:",chardata"`           // details and the commands that look closer
	}
)

// writeJUnit writes the report as JUnit XML, its suites in the order of their components' names.
func (r *Report) writeJUnit(out io.Writer) error {
	all := junitSuites{Name: "analyze compare " + r.ID}
	// 1. The whole comparison, which fails exactly if the command does.
	all.add(r.wholeSuite())
	suites := make(map[string]*junitSuite)
	suite := func(component string) *junitSuite {
		if suites[component] == nil {
			suites[component] = &junitSuite{Name: component}
		}
		return suites[component]
	}
	// 2. Findings and fragments, in the suites of their components.
	for i := range r.findings {
		s := suite(r.findings[i].Component)
		s.add(r.findingCase(&r.findings[i]))
	}
	for i := range r.changes {
		if c := &r.changes[i]; slices.Contains([]string{schema.LevelFragment, schema.LevelDefined, schema.LevelLifetime}, c.Level) {
			s := suite(c.Component)
			s.add(r.fragmentCase(c))
		}
	}
	// 3. Names are made unique within a suite before it is counted.
	for _, component := range slices.Sorted(maps.Keys(suites)) {
		suites[component].makeUnique()
		all.add(suites[component])
	}
	if _, err := io.WriteString(out, xml.Header); err != nil {
		return err
	}
	text, err := xml.MarshalIndent(all, "", " ")
	if err != nil {
		return err
	}
	// XML may not have control characters, which names of a trace may hold.
	_, err = out.Write(append(texttab.AppendPrintable(nil, text, "\n\t"), '\n'))
	return err
}

// add appends a suite and its numbers of cases.
func (all *junitSuites) add(s *junitSuite) {
	all.Tests, all.Failures, all.Skipped = all.Tests+s.Tests, all.Failures+s.Failures, all.Skipped+s.Skipped
	all.Suites = append(all.Suites, s)
}

// add appends a case and counts it.
func (s *junitSuite) add(c junitCase) {
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	} else if c.Skipped != nil {
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

// makeUnique numbers the cases that have the name of one before them: dashboards merge cases of one name.
func (s *junitSuite) makeUnique() {
	taken := make(map[string]int)
	for i := range s.Cases {
		name := s.Cases[i].Name
		if taken[name]++; taken[name] > 1 {
			s.Cases[i].Name = fmt.Sprintf("%s (%d)", name, taken[name])
		}
	}
}

// wholeSuite has one case, the comparison, which fails if the command does and is skipped if nothing is decided.
func (r *Report) wholeSuite() *junitSuite {
	judged := junitProperty{"times_judged", fmt.Sprint(r.enough)} // as in JSON
	means := r.means()
	s := &junitSuite{Name: "comparison", Properties: &junitProperties{[]junitProperty{
		judged, {"root_executions_are", means.Roots}, {"findings_are", means.Findings},
	}}}
	c := junitCase{Class: "comparison", Name: r.ID, Time: "0", Output: strings.Join(slices.Concat(r.headLines(), r.Strata.Warnings), "\n") + "\n"}
	// Without a gate the whole never fails: its findings do.
	switch {
	case len(r.hits) > 0:
		c.Failure = &junitNote{Message: r.whole + ": " + r.summary, Type: r.hits[0].Word, Text: r.ExitLine()}
	case !r.enough || r.whole == wholeUndetermined:
		c.Skipped = &junitNote{Message: r.whole + ": " + r.summary}
	}
	s.add(c)
	return s
}

// headLines are the verdict, what makes it doubtful, and the rules.
func (r *Report) headLines() []string {
	lines := []string{r.whole + ": " + r.summary}
	if text := r.careText(); text != "" {
		lines = append(lines, text)
	}
	return append(lines, r.rulesText())
}

// findingCase is a finding: its name says where it is, its text what changed there.
//
//	<testcase classname="server" name="server.search exit search in server.search from client" time="0.002050000">
//	 <failure message="server.search: regressed +1.63 ms (...)" type="regressed">...</failure>
//	</testcase>
func (r *Report) findingCase(f *schema.Finding) junitCase {
	c := junitCase{Class: f.Component, Name: place(f) + " " + stepText(r.asWhole(f)), Time: seconds(f.CandNs)}
	text := r.message(f)
	// The text has what the text report says of the finding, for a reader who only sees this case.
	lines := []string{r.happening(f), r.reason(f) + "; " + criticalText(f), inheritedText(f)}
	if example := r.exampleText(f); example != "" {
		lines = append(lines, example)
	}
	details := strings.Join(lines, "\n") + "\n"
	switch {
	case r.meansFailure(f.Verdict), r.makesSlower(f) && r.meansFailure(schema.Regressed), r.makesFaster(f) && r.meansFailure(schema.Improved):
		c.Failure = &junitNote{text, f.Verdict, details + strings.Join(r.inspectCommands(f), "\n") + "\n"}
	case f.Verdict == schema.Candidate:
		c.Skipped = &junitNote{Message: text + "; too few runs for a verdict"}
	default:
		c.Output = text + "\n" + details
	}
	return c
}

// fragmentCase is the run time of a fragment. If a finding explains its change, the finding fails and not the fragment.
func (r *Report) fragmentCase(change *schema.Change) junitCase {
	c := junitCase{Class: change.Component, Name: change.Subject, Time: seconds(value(change.CostCandNs))}
	if change.Level == schema.LevelLifetime {
		c.Name += " (lifetime)"
	}
	text := Words(change.Verdict) + ", " + r.rootFigures(change)
	switch {
	// The gate comes first: it also holds where there are too few runs.
	case change.Verdict == schema.Undetermined && isInitial(change) && slices.Contains(r.Gate.Words, gateUndetermined):
		c.Failure = &junitNote{Message: text, Type: change.Verdict}
	case change.Verdict == schema.Undetermined && r.enough:
		c.Skipped = &junitNote{Message: text + runsNeededFor(change)}
	case change.Verdict == schema.Undetermined, change.Verdict == schema.Candidate && change.Finding == nil:
		c.Skipped = &junitNote{Message: text + "; too few runs for a verdict"}
	case change.Verdict != schema.Unchanged && change.Finding != nil:
		c.Skipped = &junitNote{Message: fmt.Sprintf("%s; see finding %s", text, r.message(&r.findings[*change.Finding-1]))}
	case r.meansFailure(change.Verdict):
		c.Failure = &junitNote{Message: text, Type: change.Verdict}
	case change.Verdict != schema.Unchanged:
		c.Output = text
	}
	return c
}

// seconds writes a duration as the attribute time has it.
func seconds(ns int64) string { return fmt.Sprintf("%.9f", float64(ns)/1e9) }
