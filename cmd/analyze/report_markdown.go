package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// writeMarkdown writes the outcome as a comment on a pull request: GitHub and GitLab flavour.
func (o *outcome) writeMarkdown(out io.Writer, top int) error {
	fmt.Fprintf(out, "**%s**: %s\n\n", o.word, escaped(o.sentence))
	if len(o.findings) > 0 {
		if !o.enough {
			fmt.Fprintf(out, "The noise is %s.\n\n", o.noiseFloor())
		}
		o.markdownFindings(out, top)
	}
	fmt.Fprintf(out, "<details><summary>%s against %s</summary>\n\n", texttab.Plural(len(o.job.Cand), "candidate run"), texttab.Plural(len(o.job.Base), "baseline run"))
	fmt.Fprintf(out, "Comparison %s; %s.\n\n", escaped(o.job.ID), rulesText(o.job))
	for i := range o.told[:min(top, len(o.told))] {
		f := &o.told[i]
		fmt.Fprintf(out, "- %d: %s: %s; %s; %s\n", f.Finding, code(stepText(f)), escaped(reason(f)), onCriticalPaths(f), escaped(inheritedText(f)))
	}
	if len(o.findings) > 0 {
		fmt.Fprintln(out)
	}
	o.markdownFunctional(out)
	if err := o.countsTable().WriteMarkdown(out); err != nil {
		return err
	}
	fmt.Fprintln(out)
	if text := o.neededText(); text != "" {
		fmt.Fprintf(out, "%s\n\n", text)
	}
	for _, line := range o.next() {
		fmt.Fprintf(out, "    %s\n", oneLine(line))
	}
	fmt.Fprintf(out, "\n</details>\n")
	if line := o.exitLine(); line != "" {
		fmt.Fprintf(out, "\n%s\n", escaped(line))
	}
	return nil
}

// markdownFindings writes the table of findings.
func (o *outcome) markdownFindings(out io.Writer, top int) {
	g := texttab.New("")
	g.Row("", "verdict", "where", "effect", "95 % interval", "base -> cand", "share", "q")
	for i := range o.told[:min(top, len(o.told))] {
		f := &o.told[i]
		g.Row(
			fmt.Sprint(f.Finding), verdictWords(f.Verdict), code(suspect(f)), texttab.Change(f.EffectNs), texttab.Interval(f.EffectLoNs, f.EffectHiNs),
			escaped(pair(texttab.Duration(f.BaseNs), texttab.Duration(f.CandNs))), escaped(shareOf(f)), escaped(chance(f.Q)),
		)
	}
	g.DropEmptyColumns()
	g.WriteMarkdown(out)
	fmt.Fprintln(out)
	if more := len(o.findings) - top; more > 0 {
		fmt.Fprintf(out, "and %s more\n\n", texttab.Count(more))
	}
}

// markdownFunctional lists what is done otherwise.
func (o *outcome) markdownFunctional(out io.Writer) {
	list := o.functional()
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(out, "Done otherwise: %s; the most costly by their own time:\n\n", escaped(o.otherDone()))
	for i := range list[:min(functionalRows, len(list))] {
		c := &list[i]
		fmt.Fprintf(out, "- %s %s: %s\n", texttab.Change(costChange(c)), verdictWords(c.Verdict), code(subjectText(c)))
	}
	fmt.Fprintln(out)
}

// code sets a name in the type of code, where neither markup nor mentions are looked for.
func code(name string) string { return "<code>" + escaped(name) + "</code>" }

// markup are the characters that mean something to Markdown or HTML, and what stands for them. A backslash before a
// vertical bar holds in tables, too.
var markup = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", `\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "~", `\~`, "@", "&#64;",
)

// escaped is a text that Markdown shows as it is, in one line.
func escaped(text string) string { return markup.Replace(oneLine(text)) }

// oneLine puts spaces for what breaks a line.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '\u0085' || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text)
}
