package verdict

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/report/jsonrows"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Pooled is the report on a test of pooled samples (Hilbig 2023, section 3.5). It has no verdict on the whole: such tests
// take every sample for an independent one, so they show that two sets of traces differ, and not that a release does.
type Pooled struct {
	Comparison

	judged []schema.Change // by rank: all but messages, which these tests do not judge, and parts of critical paths
	parts  []schema.Change // parts of critical paths, by rank

	// The judged changes that are not unchanged, by what a reader does with them; each by rank.
	own       []schema.Change // steps that changed by their own time
	inherited []schema.Change // steps that wait for another component, or are behind another step
	behind    []schema.Change // steps right behind one that only one side takes
	oneSided  []schema.Change // steps and metrics that only one side has, of fragments that both have
	appeared  []schema.Change // fragments that only the candidate has
	vanished  []schema.Change // fragments that only the baseline has
	moved     []schema.Change // fragments that have another name in the candidate
	steps     int             // steps that were compared
}

// NewPooled prepares a report. changes are ordered by rank, as the table has them; the report copies what it needs.
func NewPooled(c Comparison, changes []schema.Change) *Pooled {
	p := &Pooled{Comparison: c}
	// Changes keep the order of their rank in every list.
	for _, change := range changes {
		switch change.Level {
		case schema.LevelCriticalPath:
			p.parts = append(p.parts, change)
		case schema.LevelMessage:
		default:
			p.judged = append(p.judged, change)
			p.classify(change)
		}
	}
	return p
}

// classify puts a change into the list of what a reader does with it. Metrics that both sides have stand in no list.
func (p *Pooled) classify(c schema.Change) {
	if c.Level == schema.LevelTransition {
		p.steps++
	}
	// The order of the cases matters: a fragment that only one side has is no step that only one side takes.
	switch {
	case c.Verdict == schema.Unchanged:
	case c.Verdict == schema.Appeared && c.Level == schema.LevelFragment:
		p.appeared = append(p.appeared, c)
	case c.Verdict == schema.Vanished && c.Level == schema.LevelFragment:
		p.vanished = append(p.vanished, c)
	case c.Verdict == schema.Moved && c.Level == schema.LevelFragment:
		p.moved = append(p.moved, c)
	case c.Verdict == schema.Moved: // with the fragment, which says it
	case c.Verdict == schema.Appeared || c.Verdict == schema.Vanished:
		p.oneSided = append(p.oneSided, c)
	case c.Level == schema.LevelMetric:
	case c.RootCause == samplechanges.OwnTime:
		p.own = append(p.own, c)
	case c.RootCause == samplechanges.OtherSteps:
		p.behind = append(p.behind, c)
	case c.RootCause != "":
		p.inherited = append(p.inherited, c)
	}
}

// Failed reports whether a judged change has a verdict that a word of the gate means. Parts of critical paths do not
// count: they show where a change arrives.
func (p *Pooled) Failed() bool {
	// Any one suffices: the gate of pooled tests weighs no causes.
	return slices.ContainsFunc(p.judged, func(c schema.Change) bool {
		return slices.ContainsFunc(p.Gate.Words, func(word string) bool {
			verdicts, _ := GateVerdicts(word, p.Method)
			return slices.Contains(verdicts, c.Verdict)
		})
	})
}

// pooledJSON is a Pooled for programs. Rows have the names of the columns of the table changes.
type pooledJSON struct {
	Comparison string         `json:"comparison"`     // its name
	Base       []string       `json:"base"`           // names of the baseline's runs
	Cand       []string       `json:"cand"`           // names of the candidate's runs
	Method     string         `json:"method"`         // the test that decided
	Compared   int            `json:"compared"`       // subjects beside messages and the parts of critical paths
	Counts     map[string]int `json:"verdicts"`       // numbers of these subjects
	Changes    []jsonrows.Row `json:"changes"`        // by rank, at most as many as asked for
	Paths      []*pathChange  `json:"critical_paths"` // of the first fragments
}

// Write writes the report as Text or JSON. top limits the changes that are printed.
func (p *Pooled) Write(out io.Writer, format string, top int) error {
	if format == JSON {
		return p.writeJSON(out, top)
	}
	return p.writeText(out, top)
}

// writeJSON writes the report for programs, in a line.
func (p *Pooled) writeJSON(out io.Writer, top int) error {
	counts := make(map[string]int)
	var changed []schema.Change
	// Counts are of all judged subjects, also of those that are not printed.
	for i := range p.judged {
		c := &p.judged[i]
		counts[c.Verdict]++
		if c.Verdict != schema.Unchanged && len(changed) < top {
			changed = append(changed, *c)
		}
	}
	return json.NewEncoder(out).Encode(pooledJSON{p.ID, p.Base, p.Cand, p.Method, len(p.judged), counts, jsonrows.ByColumn(changed), pathRowsOf(p.parts, top)})
}

// writeText writes the report for a person: own changes first, then what follows from them, then what only one side has.
func (p *Pooled) writeText(out io.Writer, top int) error {
	fmt.Fprintf(out, "%s\n", p.header())
	if err := p.writeOwn(out, top); err != nil {
		return err
	}
	if err := cmp.Or(p.writeDefined(out, p.judged), writePaths(out, p.parts, top)); err != nil {
		return err
	}
	// What follows from steps above, then what only one side has.
	p.writeInherited(out)
	p.writeOneSided(out)
	p.writeMoved(out)
	writeFragments(out, "only in the candidate", p.appeared, candidateTime)
	writeFragments(out, "only in the baseline", p.vanished, baselineTime)
	if len(p.Base) == 1 || len(p.Cand) == 1 {
		fmt.Fprintf(out, "One run per side cannot separate a change of the release from differences between runs: record more runs to be sure of small changes.\n")
	}
	return nil
}

// The totals of a change are sums over all runs of a side. baselineTime and candidateTime return the time of a subject per run of a side, in nanoseconds.
func baselineTime(c *schema.Change) int64  { return c.TotalBaseNs / max(c.RunsBase, 1) }
func candidateTime(c *schema.Change) int64 { return c.TotalCandNs / max(c.RunsCand, 1) }

// writeOwn writes the steps that changed by their own time, by rank, which is that of the time that a run gains or loses.
//
//	     change        time per run       critical path  component  step         times  in service fragment
//	1  +19.2 ms  4.30 ms -> 23.5 ms  4.30 ms -> 23.5 ms  server     exit search  10     search from client
func (p *Pooled) writeOwn(out io.Writer, top int) error {
	switch len(p.own) {
	case 0:
		fmt.Fprintf(out, "No step of any service fragment changed its own time.\n\n")
		return nil
	case 1:
		fmt.Fprintf(out, "Where time was gained or lost: one step changed its own time\n")
	default:
		fmt.Fprintf(out, "Where time was gained or lost: %s steps changed their own time, the greatest change first\n", texttab.Count(len(p.own)))
	}
	table := texttab.New("rrrrllrl")
	table.Row("", "change", "time per run", "critical path", "component", "step", "times", "in service fragment")
	for i := range p.own[:min(top, len(p.own))] {
		c := &p.own[i]
		table.Row(fmt.Sprint(i+1), texttab.Change(c.ImpactNs), fromTo(optional(c.StepBaseNs), optional(c.StepCandNs)), criticalTimes(c), c.Component, c.Subject,
			fromTo(perRun(c.NBase, c.RunsBase), perRun(c.NCand, c.RunsCand)), strings.TrimPrefix(c.Fragment, c.Component+"."))
	}
	if len(p.own) > top {
		table.Row("", "...")
	}
	err := p.writeTable(out, table, 7, "critical path", "times", "time per run")
	fmt.Fprintln(out)
	return err
}

// perRun writes how often a run does something on average: n is the number in all runs of a side.
func perRun(n, runs int64) string {
	if runs > 1 && n%runs != 0 {
		return fmt.Sprintf("%.1f", float64(n)/float64(runs))
	}
	return texttab.Count(n / max(runs, 1))
}

// writeInherited says how much else changed because of the steps above, and names the longest waits. Changes behind an
// earlier step are only counted: each is that step's change again.
func (p *Pooled) writeInherited(out io.Writer) {
	if len(p.inherited) == 0 {
		return
	}
	// Changes behind an earlier step of their fragment are that step's own change again.
	waits := slices.DeleteFunc(slices.Clone(p.inherited), func(c schema.Change) bool { return c.RootCause == samplechanges.EarlierStep })
	fmt.Fprintf(out, "Of %s compared steps, %d more changed by waiting for another component and %d because of an earlier step of\ntheir fragment.",
		texttab.Count(p.steps), len(waits), len(p.inherited)-len(waits))
	if len(waits) > 0 {
		fmt.Fprint(out, " The longest waits:")
	}
	fmt.Fprintln(out)
	slices.SortStableFunc(waits, func(x, y schema.Change) int {
		return cmp.Compare(magnitude(stepChange(&y)), magnitude(stepChange(&x)))
	})
	const most = 5
	for i := range waits[:min(most, len(waits))] {
		c := &waits[i]
		fmt.Fprintf(out, "  %s  %s %s\n", texttab.PadLeft(texttab.Change(stepChange(c)), timeWidth), c.Component, c.RootCause)
	}
	fmt.Fprintln(out)
}

// timeWidth holds every duration of three digits with its sign and unit, in columns.
const timeWidth = 9

// stepChange returns how much longer the time before a step is, in nanoseconds per run.
func stepChange(c *schema.Change) int64 { return value(c.StepCandNs) - value(c.StepBaseNs) }

// writeOneSided writes the steps and metrics that only one side has, and the steps right behind them, whose time these
// change; the greatest change first. The time of a step is that since the step before it: where a step is inserted, the
// next one seems to be faster, although it is not.
func (p *Pooled) writeOneSided(out io.Writer) {
	if len(p.oneSided) == 0 {
		return
	}
	fmt.Fprintf(out, "Steps that only one side takes: %s\n", texttab.Count(len(p.oneSided)))
	list := slices.Concat(p.oneSided, p.behind)
	slices.SortStableFunc(list, func(a, b schema.Change) int { return cmp.Compare(magnitude(b.ImpactNs), magnitude(a.ImpactNs)) })
	const most = 5
	for _, c := range list[:min(most, len(list))] {
		what := c.Verdict
		if c.RootCause == samplechanges.OtherSteps {
			what = "right behind such a step"
		}
		fmt.Fprintf(out, "  %s per run  %s %s (%s)\n", texttab.PadLeft(texttab.Change(c.ImpactNs), timeWidth), c.Component, c.Subject, what)
	}
	writeEllipsis(out, len(list) > most)
}

// mostFragments is how many fragments a list names. Their rank is that of their impact, so the others matter less.
const mostFragments = 3

// writeMoved writes the fragments that have another name in the candidate: their steps were compared in spite of that,
// so any change of their times stands above.
func (p *Pooled) writeMoved(out io.Writer) {
	if len(p.moved) == 0 {
		return
	}
	fmt.Fprintf(out, "Service fragments that moved, with the same steps under another name: %d\n", len(p.moved))
	for i := range p.moved[:min(mostFragments, len(p.moved))] {
		c := &p.moved[i]
		fmt.Fprintf(out, "  %s per run  moved: %s\n", fromTo(texttab.Duration(baselineTime(c)), texttab.Duration(candidateTime(c))), c.Subject)
	}
	writeEllipsis(out, len(p.moved) > mostFragments)
}

// writeFragments writes the fragments that only one side has, with their time per run. where says the side.
func writeFragments(out io.Writer, where string, list []schema.Change, timePerRun func(*schema.Change) int64) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(out, "Service fragments %s: %d\n", where, len(list))
	for i := range list[:min(mostFragments, len(list))] {
		fmt.Fprintf(out, "  %s per run  %s\n", texttab.PadLeft(texttab.Duration(timePerRun(&list[i])), timeWidth), list[i].Fragment)
	}
	writeEllipsis(out, len(list) > mostFragments)
}

// writeEllipsis ends a list with an empty line, and before it says that the list has more.
func writeEllipsis(out io.Writer, more bool) {
	if more {
		fmt.Fprintf(out, "  ...\n")
	}
	fmt.Fprintln(out)
}
