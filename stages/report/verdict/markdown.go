package verdict

import (
	"fmt"
	"io"
	"strings"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// writeMarkdown writes the report as a comment on a pull request, in the flavours of GitHub and GitLab. The verdict and
// its causes are visible; the rest unfolds.
//
//	**REGRESSED**: one root cause makes a root execution 1.63 ms slower (...): server.search
//
//	|  | verdict | where | effect | ...
//
//	<details><summary>3 candidate runs against 3 baseline runs</summary> ... </details>
//
//	exit code 3: --fail-on regressed: finding 1, server.search, regressed
func (r *Report) writeMarkdown(out io.Writer, top int) error {
	// 1. What is always seen: the verdict, the findings, own metrics, failing functions, and what adds up to the difference.
	fmt.Fprintf(out, "**%s**: %s\n\n", r.whole, escape(r.summary))
	for _, text := range []string{r.careText(), r.commonText(), r.togetherText()} {
		if text == "" {
			continue
		}
		fmt.Fprintf(out, "%s\n\n", escape(text))
	}
	if len(r.findings) > 0 {
		fmt.Fprintf(out, "%s\n\n", escape(r.findingsTitle(r.ordered[:min(top, len(r.ordered))])))
		if err := r.writeMarkdownFindings(out, top); err != nil {
			return err
		}
	}
	if table := definedTable(r.changes, escape); table != nil {
		fmt.Fprintf(out, "%s\n\n", definedHeading)
		if err := table.WriteMarkdown(out); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	if table := r.errorTable(top, escape); table != nil {
		fmt.Fprintf(out, "%s\n\n", errorHeading)
		if err := table.WriteMarkdown(out); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	for _, t := range r.besides(top, escape) {
		fmt.Fprintf(out, "%s\n\n", t.heading)
		if err := t.table.WriteMarkdown(out); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	if err := r.writeMarkdownAccounts(out); err != nil {
		return err
	}
	// 2. What unfolds: the rules, labels and warnings, each finding in a sentence, and the numbers of verdicts.
	fmt.Fprintf(out, "<details><summary>%s against %s</summary>\n\n", texttab.Plural(len(r.Cand), "candidate run"), texttab.Plural(len(r.Base), "baseline run"))
	fmt.Fprintf(out, "Comparison %s; %s.\n\n", escape(r.ID), r.rulesText())
	if len(r.Thresholds) > 0 {
		fmt.Fprintf(out, "Own rules: %s.\n\n", escape(strings.Join(r.Thresholds, "; ")))
	}
	if text := r.strataText(); text != "" {
		fmt.Fprintf(out, "Runs are compared %s.\n\n", escape(text))
	}
	for _, text := range r.Strata.Warnings {
		fmt.Fprintf(out, "%s\n\n", escape(text))
	}
	// Numbers are those of the table above.
	for i := range r.ordered[:min(top, len(r.ordered))] {
		f := &r.ordered[i]
		fmt.Fprintf(out, "- %d: %s: %s; %s; %s\n", f.Finding, code(r.happening(f)), escape(r.reason(f)), criticalText(f), escape(inheritedText(f)+r.exampleClause(f)))
	}
	if len(r.findings) > 0 {
		fmt.Fprintln(out)
	}
	r.writeMarkdownFunctional(out)
	if err := r.countsTable().WriteMarkdown(out); err != nil {
		return err
	}
	fmt.Fprintln(out)
	for _, text := range []string{r.runsNeededText(), r.exchangedText()} {
		if text != "" {
			fmt.Fprintf(out, "%s\n\n", text)
		}
	}
	for _, line := range r.nextSteps() {
		fmt.Fprintf(out, "    %s\n", oneLine(line)) // four spaces make it a block of code
	}
	fmt.Fprintf(out, "\n</details>\n")
	// 3. The exit code stands outside of what unfolds, since it is what a pipeline shows.
	if line := r.ExitLine(); line != "" {
		fmt.Fprintf(out, "\n%s\n", escape(line))
	}
	return nil
}

// writeMarkdownAccounts writes what adds up to the difference: along critical paths, and of own times.
func (r *Report) writeMarkdownAccounts(out io.Writer) error {
	// write writes an account under its title, with an empty line behind it.
	write := func(title string, table *texttab.Table) error {
		fmt.Fprintf(out, "%s\n\n", title)
		err := table.WriteMarkdown(out)
		fmt.Fprintln(out)
		return err
	}
	if r.showsPaths() {
		if err := write(pathAccountTitle, markdownSum(r.paths.lines(r.enough))); err != nil {
			return err
		}
	}
	if r.account == nil {
		return nil
	}
	if err := write(accountTitle, markdownSum(r.account.lines(r.Common))); err != nil {
		return err
	}
	if text := r.elapsedText(); text != "" {
		fmt.Fprintf(out, "%s\n\n", escape(text))
	}
	return nil
}

// writeMarkdownFindings writes the table of findings, minor ones included: it unfolds, so its length does not matter.
func (r *Report) writeMarkdownFindings(out io.Writer, top int) error {
	table := texttab.New("")
	table.Row("", "verdict", "where", "effect", "95 % interval", "base -> cand", "share", "q")
	for i := range r.ordered[:min(top, len(r.ordered))] {
		f := &r.ordered[i]
		table.Row(fmt.Sprint(f.Finding), Words(f.Verdict), code(place(f)), texttab.Change(f.EffectNs), r.intervalText(f.EffectLoNs, f.EffectHiNs),
			escape(fromTo(texttab.Duration(f.BaseNs), texttab.Duration(f.CandNs))), escape(shareText(f)), escape(qText(f.Q)))
	}
	table.DropEmptyColumns()
	if err := table.WriteMarkdown(out); err != nil {
		return err
	}
	fmt.Fprintln(out)
	if more := len(r.findings) - top; more > 0 {
		fmt.Fprintf(out, "and %s more\n\n", texttab.Count(more))
	}
	return nil
}

// writeMarkdownFunctional lists the changes of what is done. Unlike the text it names the callers of fragments, because
// lines of a comment wrap.
func (r *Report) writeMarkdownFunctional(out io.Writer) {
	list := r.functionalChanges()
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(out, "%s\n\n", escape(r.functionalHeading()))
	for i := range list[:min(functionalRows, len(list))] {
		b := &list[i]
		fmt.Fprintf(out, "- %s %s: %s\n", texttab.Change(b.ns), Words(b.change.Verdict), b.subject(code(subjectText(b.change))))
	}
	fmt.Fprintln(out)
}

// code marks a name as code. Sites look for mentions of people in all other text, in spite of escapes.
func code(name string) string { return "<code>" + escape(name) + "</code>" }

// markup are the characters that mean something to Markdown or HTML, and what shows them. A backslash before a vertical
// bar works inside tables, too.
var markup = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", `\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "~", `\~`, "@", "&#64;",
)

// escape returns a text that Markdown shows as it is, in one line. Names come from traces and may hold anything. What turns the
// direction of writing stands there in letters, so that no name makes the rest of a line read backwards.
// An arrow between two values stays: behind a blank and a hyphen the sign ends no tag and begins no quotation.
func escape(text string) string {
	return strings.ReplaceAll(markup.Replace(texttab.Printable(oneLine(text))), " -&gt; ", " -> ")
}

// oneLine replaces control characters and line separators with spaces: a line end in a name would end its row.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '\u0085' || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text)
}
