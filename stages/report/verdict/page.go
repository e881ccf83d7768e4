package verdict

import (
	"cmp"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Sentences are what the text of a report says, part by part and with all findings, for a page that shows the same beside pictures. Its
// figures are rounded as those of the text. Empty sentences have nothing to say.
type Sentences struct {
	Verdict       string `json:"verdict"`  // on the whole, such as "REGRESSED"
	Summary       string `json:"summary"`  // the same in a sentence
	Common        string `json:"common"`   // what all functions have in common
	Together      string `json:"together"` // why functions were not told apart
	Elapsed       string `json:"elapsed"`  // how the run time relates to the sum of own times
	FindingsTitle string `json:"findings_title"`
	Minor         string `json:"minor"`  // sums up the minor findings
	Counts        string `json:"counts"` // what more runs would decide

	Sides    []Named            `json:"sides"`    // what was compared, by which rules
	Findings []FindingSentences `json:"findings"` // in the order of the text; minor ones last
	Account  []AccountLine      `json:"account"`  // parts of the difference of own times; the last one is their sum
	Paths    []AccountLine      `json:"paths"`    // the same along critical paths
	Levels   map[string]string  `json:"levels"`   // what the subjects of a level are called, in the plural
}

// Named is a sentence with a word before it.
type Named struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// FindingSentences say what a finding is.
type FindingSentences struct {
	Finding   int64  `json:"finding"`
	Minor     bool   `json:"minor"`
	Where     string `json:"where"`     // the function to look at first
	Kind      string `json:"kind"`      // of what the finding is, where not of own time
	Effect    string `json:"effect"`    // per root execution, as the typical run has it
	Interval  string `json:"interval"`  // its 95 % interval
	FromTo    string `json:"from_to"`   // cost, baseline -> candidate
	Means     string `json:"means"`     // which means these are
	Share     string `json:"share"`     // of the difference of all root executions
	Q         string `json:"q"`         // adjusted p
	Happening string `json:"happening"` // the step
	Reason    string `json:"reason"`    // in which way it changed
	Critical  string `json:"critical"`  // time on critical paths
	Inherited string `json:"inherited"` // what follows from it
	Example   string `json:"example"`   // the trace that shows it most; empty where runs have no ids of traces
}

// AccountLine is a term of a sum.
type AccountLine struct {
	Effect string `json:"effect"`
	Text   string `json:"text"`
}

// Document returns the report for programs as it is written in JSON, with at most so many changes.
func (r *Report) Document(top int) any { return r.document(top) }

// Sentences returns what the text of the report says.
func (r *Report) Sentences() *Sentences {
	s := &Sentences{
		Verdict: r.whole, Summary: r.summary, Common: strings.TrimSpace(r.careText() + " " + r.commonText()), Together: r.togetherText(),
		FindingsTitle: r.findingsTitle(withoutMinor(r.ordered)), Minor: r.minorText(), Counts: r.runsNeededText(), Sides: r.sides(),
		Account: []AccountLine{}, Paths: []AccountLine{}, Findings: []FindingSentences{}, Levels: make(map[string]string),
	}
	for i := range r.ordered {
		s.Findings = append(s.Findings, r.sentencesOf(&r.ordered[i]))
	}
	if r.account != nil {
		s.Account, s.Elapsed = accountLines(r.account.lines(r.Common)), r.elapsedText()
	}
	if r.paths != nil {
		s.Paths = accountLines(r.paths.lines(r.enough))
	}
	for _, l := range countedLevels {
		if r.subjects(l.level) > 0 {
			s.Levels[l.level] = l.subjects
		}
	}
	return s
}

// sentencesOf says what a finding is.
func (r *Report) sentencesOf(f *schema.Finding) FindingSentences {
	s := FindingSentences{
		Finding: f.Finding, Minor: f.Minor, Where: place(f), Kind: strings.TrimPrefix(kindWords[f.Kind], ", "), Effect: texttab.Change(f.EffectNs),
		Interval: cmp.Or(r.intervalText(f.EffectLoNs, f.EffectHiNs), "unknown from one run a side"), FromTo: fromTo(texttab.Duration(f.BaseNs), texttab.Duration(f.CandNs)),
		Means: r.figuresText([]schema.Finding{*f}),
		Share: shareText(f), Q: qText(f.Q), Happening: r.happening(f), Reason: r.reason(f), Critical: criticalText(f), Example: r.exampleText(f),
	}
	if f.Inherited > 0 || f.InheritedAt != "" {
		s.Inherited = inheritedText(f)
	}
	return s
}

// accountLines puts the terms of a sum together.
func accountLines(effects, texts []string) []AccountLine {
	lines := make([]AccountLine, len(effects))
	for i := range effects {
		lines[i] = AccountLine{effects[i], texts[i]}
	}
	return lines
}

// sides says what was compared, by which rules, and what is to be known about the runs.
func (r *Report) sides() []Named {
	all := []Named{{"baseline", r.sideText(r.Base)}, {"candidate", r.sideText(r.Cand)}}
	add := func(name, text string) {
		if text != "" {
			all = append(all, Named{name, text})
		}
	}
	if len(r.Noise) > 0 {
		add("noise", r.sideText(r.Noise))
	}
	add("strata", r.strataText())
	add("rules", r.rulesText())
	add("own rules", strings.Join(r.Thresholds, "; "))
	add("trust", r.exchangedText())
	for _, text := range r.Strata.Warnings {
		add("note", text)
	}
	return all
}
