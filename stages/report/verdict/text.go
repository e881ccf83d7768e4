package verdict

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Limits of a text, which must fit into a log.
const (
	textWidth         = 118 // columns, where names allow and no terminal has fewer
	explainedFindings = 5   // findings that are explained; the others have a row of the table only
	functionalRows    = 3   // changes of what is done
	pathRows          = 3   // parts of critical paths
)

// WriteDocument writes the report into a file as Write does, whatever the terminal, and below a text its exit code.
func (r *Report) WriteDocument(out io.Writer, format string, top int) error {
	whole := *r
	whole.Columns = 0
	r = &whole
	if err := r.Write(out, format, top); err != nil || format != Text {
		return err
	}
	_, err := io.WriteString(out, r.Footer())
	return err
}

// Footer returns the exit line as it stands below a text; "" if there is no gate. It is separate so that a command can
// write more in front of it: the exit code must be the last line of a log.
func (r *Report) Footer() string {
	if line := r.ExitLine(); line != "" {
		return "\n" + line + "\n"
	}
	return ""
}

// writeText writes the report for a person, on one page: the verdict, its causes, what adds up to the difference, what was compared,
// and what to do next. Whoever reads only the first screen of a log has read the verdict and its causes. All else stands behind
// --details.
//
//	REGRESSED: one root cause makes a root execution 1.63 ms slower (...): server.search
//
//	Root causes, the greatest sure effect first; ...
//
//	comparison nightly
//	baseline   3 runs (a1, a2, a3): 32 events and 18.1 ms per run
//	candidate  3 runs (b1, b2, b3): 32 events and 24.6 ms per run
//	rules      margin 5 % and 10 us per root execution; false discovery rate 5 %; verdicts need 3 runs per side, ...
func (r *Report) writeText(out io.Writer, top int) error {
	fmt.Fprintf(out, "%s\n\n", texttab.Wrap(r.whole+": "+r.summary, r.width(), ""))
	for _, text := range []string{r.careText(), r.commonText(), r.togetherText()} {
		if text != "" {
			fmt.Fprintf(out, "%s\n\n", texttab.Wrap(text, r.width(), ""))
		}
	}
	if err := r.writeFindings(out, top); err != nil {
		return err
	}
	if err := r.writeDefined(out, r.changes); err != nil {
		return err
	}
	if err := r.writeErrors(out, top); err != nil {
		return err
	}
	if err := r.writeBesides(out, top); err != nil {
		return err
	}
	if err := r.writePathAccount(out); err != nil {
		return err
	}
	if err := r.writeAccount(out); err != nil {
		return err
	}
	if err := r.writeByFunction(out, top); err != nil {
		return err
	}
	if r.Details {
		for _, write := range []func(io.Writer) error{r.writePathChanges, r.writeFunctionalChanges, r.writeCounts} {
			if err := write(out); err != nil {
				return err
			}
		}
		fmt.Fprintln(out)
	}
	r.writeSides(out)
	r.writeNext(out)
	return nil
}

// careText says above all findings what makes them doubtful: runs that are pooled though they differ, sides that were recorded one after
// the other, and runs that differ more than the rule expects. The notes below name the runs, and what to do. It is "" where there is
// nothing of the kind.
//
//	Take care: runs that differ in the label scenario are pooled; see the notes below.
func (r *Report) careText() string {
	parts := slices.Clone(r.Strata.Doubts)
	if r.Exchanges > 0 && r.Claims >= manyClaims {
		parts = append(parts, fmt.Sprintf("with runs exchanged between the sides, the same rule claims %.1f findings", r.Claims))
	}
	if len(parts) == 0 {
		return ""
	}
	return "Take care: " + strings.Join(append(parts, "see the notes below"), "; ") + "."
}

// writeSides writes what was compared, by which rules, and what is to be known about the runs.
func (r *Report) writeSides(out io.Writer) {
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(out, "%-11s%s\n", name, texttab.Wrap(text, r.width()-len("candidate  "), "           "))
		}
	}
	// A line of names and figures is one line for programs, and wrapped for a terminal only.
	whole := func(name, text string) {
		if r.Columns > 0 {
			line(name, text)
		} else {
			fmt.Fprintf(out, "%-11s%s\n", name, text)
		}
	}
	whole("comparison", r.ID)
	whole("baseline", r.sideText(r.Base))
	whole("candidate", r.sideText(r.Cand))
	if len(r.Noise) > 0 {
		whole("noise", r.sideText(r.Noise))
	}
	line("strata", r.strataText())
	whole("rules", r.rulesText())
	line("own rules", strings.Join(r.Thresholds, "; "))
	line("trust", r.exchangedText())
	for _, text := range r.Strata.Warnings {
		line("note", text)
	}
	if !r.Details {
		line("more", "--details adds critical paths, changes of behaviour, and how many subjects have which verdict")
	}
}

// writeFindings writes the table of findings and explains the first of them. Minor ones are summed up. Columns that no
// finding has, such as share in a comparison without an initial fragment on both sides, are left out.
//
//	   verdict      effect      95 % interval     base -> cand  share       q  where
//	1  regressed  +1.63 ms  +1.60 to +1.66 ms  422 us -> 2.05 ms   99 %  <0.001  server.search
//	1: exit search in server.search from client
//	   +1.63 ms slower each (1 call); on critical paths 1.68 ms -> 8.20 ms per run
//	   3 changes follow from it: client.fetch
func (r *Report) writeFindings(out io.Writer, top int) error {
	if len(r.findings) == 0 {
		return nil
	}
	major := withoutMinor(r.ordered)
	fmt.Fprintf(out, "%s\n", texttab.Wrap(r.findingsTitle(major[:min(top, len(major))]), r.width(), ""))
	table := texttab.New("rlrrrrr")
	table.Row("", "verdict", "effect", "95 % interval", "base -> cand", "share", "q", "where")
	for i := range major[:min(top, len(major))] {
		f := &major[i]
		table.Row(fmt.Sprint(f.Finding), Words(f.Verdict), texttab.Change(f.EffectNs), r.intervalText(f.EffectLoNs, f.EffectHiNs),
			fromTo(texttab.Duration(f.BaseNs), texttab.Duration(f.CandNs)), shareText(f), qText(f.Q), place(f)+kindWords[f.Kind]+r.stepText(f))
	}
	table.DropEmptyColumns()
	if err := r.writeTable(out, table, table.Columns()-1, "share", "q", "base -> cand", "95 % interval"); err != nil {
		return err
	}
	if more := len(major) - top; more > 0 {
		fmt.Fprintf(out, "... and %s more: %s query \"FROM findings WHERE comparison = '%s'\"\n", texttab.Count(more), r.command(), r.ID)
	}
	for i := range major[:min(top, explainedFindings, len(major))] {
		r.writeExplanation(out, &major[i])
	}
	r.writeMinor(out)
	fmt.Fprintln(out)
	return nil
}

// stepText says of a step in a function of which another finding says something else that it is one.
func (r *Report) stepText(f *schema.Finding) string {
	if f.Level == schema.LevelTransition && slices.ContainsFunc(r.findings, func(o schema.Finding) bool {
		return o.Finding != f.Finding && o.Level == schema.LevelFunction && place(&o) == place(f)
	}) {
		return ", in one step"
	}
	return ""
}

// findingsTitle says what findings are, and in which order those stand that are shown. With too few runs they are no causes, and only where a candidate is among them does
// anything stand out: what one side alone does has no time to compare with.
func (r *Report) findingsTitle(shown []schema.Finding) string {
	switch {
	case r.enough:
		return "Root causes, " + orderText(shown) + "; times are per root execution, " + r.figuresText(shown) + ":"
	case len(r.candidates()) > 0:
		return "What stands out, the greatest effect first; times are per root execution. The noise is " + r.noiseSource() + "."
	}
	return "What differs in what is done, the greatest effect first; times are per root execution, and none of them stands out from the noise."
}

// orderText says in which order root causes stand. What may be chance comes behind what is less likely to be (rootcause.IsClear), also where more
// of its effect is sure; that is said only where it is so.
func orderText(found []schema.Finding) string {
	for i := range found {
		for k := range found[:i] {
			if earlier, later := &found[k], &found[i]; earlier.Q != nil && later.Q != nil && *earlier.Q < *later.Q && sureNs(earlier) < sureNs(later) {
				return "what is least likely by chance first, and of that the greatest sure effect"
			}
		}
	}
	return "the greatest sure effect first"
}

// sureNs is how much of an effect is sure: the bound of its interval that is nearer to 0, and 0 where the interval holds 0.
func sureNs(f *schema.Finding) int64 { return max(f.EffectLoNs, -f.EffectHiNs, 0) }

// writeMinor writes what minorText says.
func (r *Report) writeMinor(out io.Writer) {
	if text := r.minorText(); text != "" {
		fmt.Fprintln(out, texttab.Wrap(text, r.width(), ""))
	}
}

// minorText sums up the findings that are small beside the greatest one; "" where there are none. Most of them are side effects of it:
// what waits longer finds its caches cold.
func (r *Report) minorText() string {
	list := r.ordered[len(withoutMinor(r.ordered)):]
	if len(list) == 0 {
		return ""
	}
	// They stand in the order of what is sure; what leads a total is its greatest part.
	most := slices.MaxFunc(list, func(a, b schema.Finding) int {
		return cmp.Compare(max(a.EffectNs, -a.EffectNs), max(b.EffectNs, -b.EffectNs))
	})
	return fmt.Sprintf("In addition, %s below 1 %% of the greatest, %s in total, led by %s (%s).",
		texttab.Plural(len(list), "finding"), texttab.Change(totalEffect(list)), place(&most), texttab.Change(most.EffectNs))
}

// writeExplanation says which step a finding is, why it changed, what follows from it, and which request shows it.
func (r *Report) writeExplanation(out io.Writer, f *schema.Finding) {
	const indent = "   "
	line := func(text string) { // every line after the first stands under the number's text
		fmt.Fprintf(out, "%s%s\n", indent, texttab.Wrap(text, r.width()-len(indent), indent))
	}
	fmt.Fprintf(out, "%s\n", texttab.Wrap(fmt.Sprintf("%d: %s", f.Finding, r.happening(f)), r.width(), indent))
	line(r.reason(f) + "; " + criticalText(f))
	if f.Inherited > 0 || f.InheritedAt != "" {
		line(inheritedText(f))
	}
	if text := r.exampleText(f); text != "" {
		line(text)
	}
}

// writePathChanges writes the parts of critical paths that changed and that no finding is about. They matter because a
// path may move to other functions although no function changed its own time.
func (r *Report) writePathChanges(out io.Writer) error {
	list := r.pathChanges()
	if len(list) == 0 {
		return nil
	}
	fmt.Fprintf(out, "Other changes of critical paths:\n")
	table := texttab.New("rlr")
	for i := range list[:min(pathRows, len(list))] {
		c := &list[i]
		table.Row("  "+texttab.Change(costChange(c)), Words(c.Verdict), fromTo(optional(c.CostBaseNs), optional(c.CostCandNs)), shortSubject(c))
	}
	if err := r.writeTable(out, table, 3); err != nil {
		return err
	}
	if more := len(list) - pathRows; more > 0 {
		fmt.Fprintf(out, "  ... and %s: %s query critical-path-change --param comparison=%s\n", texttab.Plural(more, "more part"), r.command(), r.ID)
	}
	fmt.Fprintln(out)
	return nil
}

// writeFunctionalChanges counts the changes of what is done and writes the most costly.
func (r *Report) writeFunctionalChanges(out io.Writer) error {
	list := r.functionalChanges()
	if len(list) == 0 {
		return nil
	}
	fmt.Fprintf(out, "%s\n", texttab.Wrap(r.functionalHeading(), r.width(), ""))
	table := texttab.New("rlr")
	for i := range list[:min(functionalRows, len(list))] {
		b := &list[i]
		c := b.change
		table.Row("  "+texttab.Change(b.ns), Words(c.Verdict), fromTo(optionalRate(c.CountBase), optionalRate(c.CountCand)), b.subject(shortSubject(c)))
	}
	err := r.writeTable(out, table, 3)
	fmt.Fprintln(out)
	return err
}

// functionalHeading counts the changes of what is done: "Changes of behaviour: 2 steps appeared; ...".
func (r *Report) functionalHeading() string {
	return "Changes of behaviour: " + r.functionalText() + "; the most costly, of steps by the net of all steps of their fragment:"
}

// optionalRate writes a nullable rate. Null is none: the side does not do it.
func optionalRate(n *float64) string {
	if n == nil {
		return rate(0)
	}
	return rate(*n)
}

// countedLevels are the rows of the table of counts: a level and the plural of its subjects. Fragments contain steps, so
// they come first; metrics, messages and critical paths follow from steps.
var countedLevels = []struct{ level, subjects string }{
	{schema.LevelFunction, "functions"}, {schema.LevelFragment, "fragments"}, {schema.LevelTransition, "steps"}, {schema.LevelMetric, "metrics"},
	{schema.LevelMessage, "message parts"}, {schema.LevelCriticalPath, "critical path parts"},
	{schema.LevelLifetime, "lifetimes"}, {schema.LevelDefined, "metrics defined"},
}

// countedVerdicts are the columns of the table of counts: changes of time, of behaviour, then what did not change.
var countedVerdicts = []string{
	schema.Regressed, schema.Improved, schema.Longer, schema.Shorter, schema.Candidate, schema.ShapeChanged, schema.CountChanged, schema.Appeared,
	schema.Vanished, schema.Moved, schema.Later, schema.Sooner, schema.Undetermined, schema.Unchanged, schema.NotAsked,
}

// countsTable is the number of subjects by level and verdict. Levels without subjects and verdicts that no subject has
// are left out.
//
//	           regressed  later  unchanged
//	fragments          2      0          1
//	steps              1      2          5
func (r *Report) countsTable() *texttab.Table {
	header, align := []string{""}, "l"
	var verdicts []string
	for _, verdict := range countedVerdicts {
		n := 0
		for _, l := range countedLevels {
			n += r.countOf(verdict, l.level)
		}
		if n > 0 {
			header, verdicts, align = append(header, Words(verdict)), append(verdicts, verdict), align+"r"
		}
	}
	table := texttab.New(align)
	table.Row(header...)
	for _, l := range countedLevels {
		if r.subjects(l.level) == 0 {
			continue
		}
		row := []string{l.subjects}
		for _, verdict := range verdicts {
			row = append(row, texttab.Count(r.counts[l.level][verdict]))
		}
		table.Row(row...)
	}
	return table
}

// writeCounts writes how many subjects have which verdict, and what more runs would decide. Counts come last: how many
// subjects changed depends on how finely the code is traced, and not on how bad a regression is.
func (r *Report) writeCounts(out io.Writer) error {
	if err := r.writeTable(out, r.countsTable(), 0, "not asked", "sooner", "later", "moved", "shorter", "longer"); err != nil {
		return err
	}
	if text := r.runsNeededText(); text != "" {
		fmt.Fprintf(out, "%s\n", texttab.Wrap(text, r.width(), ""))
	}
	return nil
}
