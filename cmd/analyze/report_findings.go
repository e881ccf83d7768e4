package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// detailed is how many findings a report for people explains; of the others it has the row of the table.
const detailed = 3

// writeFindings prints the findings, and explains the first of them.
func (o *outcome) writeFindings(out io.Writer, top int) error {
	if len(o.findings) == 0 {
		return nil
	}
	if o.enough {
		fmt.Fprintf(out, "Root causes, what is slower first, then the greatest effect; times are per root execution:\n")
	} else {
		fmt.Fprintf(out, "%s\n", texttab.Wrap("What stands out, the greatest effect first; times are per root execution. The noise is "+o.noiseFloor()+".", reportWidth, ""))
	}
	g := texttab.New("rlrrrrr")
	g.Row("", "verdict", "effect", "95 % interval", "base -> cand", "share", "q", "where")
	told := major(o.told)
	for i := range told[:min(top, len(told))] {
		f := &told[i]
		g.Row(fmt.Sprint(f.Finding), verdictWords(f.Verdict), texttab.Change(f.EffectNs), texttab.Interval(f.EffectLoNs, f.EffectHiNs),
			pair(texttab.Duration(f.BaseNs), texttab.Duration(f.CandNs)), shareOf(f), chance(f.Q), suspect(f)+kindWords[f.Kind])
	}
	g.DropEmptyColumns()
	if err := g.Write(out); err != nil {
		return err
	}
	if more := len(told) - top; more > 0 {
		fmt.Fprintf(out, "... and %s more: %s query \"FROM findings WHERE comparison = '%s'\"\n", texttab.Count(more), o.command(), o.job.ID)
	}
	for i := range told[:min(top, detailed, len(told))] {
		o.explain(out, &told[i])
	}
	o.writeMinor(out, o.told[len(told):])
	fmt.Fprintln(out)
	return nil
}

// writeMinor sums up the findings that are small beside the greatest one.
func (o *outcome) writeMinor(out io.Writer, list []schema.Finding) {
	if len(list) == 0 {
		return
	}
	sum := int64(0)
	for i := range list {
		sum += list[i].EffectNs
	}
	fmt.Fprintln(out, texttab.Wrap(fmt.Sprintf("Beside them %s below 1 %% of the greatest, %s in all, first of all %s (%s).",
		texttab.Plural(len(list), "finding"), texttab.Change(sum), suspect(&list[0]), texttab.Change(list[0].EffectNs)), reportWidth, ""))
}

// explain says which step a finding is, why it changed, and what follows from it.
func (o *outcome) explain(out io.Writer, f *schema.Finding) {
	const indent = "   "
	fmt.Fprintf(out, "%s\n", texttab.Wrap(fmt.Sprintf("%d: %s", f.Finding, stepText(f)), reportWidth, indent))
	fmt.Fprintf(out, "%s%s\n", indent, texttab.Wrap(strings.Join([]string{reason(f), onCriticalPaths(f)}, "; "), reportWidth-len(indent), indent))
	if f.Inherited > 0 || f.InheritedAt != "" {
		fmt.Fprintf(out, "%s%s\n", indent, texttab.Wrap(inheritedText(f), reportWidth-len(indent), indent))
	}
}

// kindWords tell of findings that are not about the own time of a step.
var kindWords = map[string]string{
	schema.KindTransit: ", messages on their way", schema.KindLateness: ", readiness", schema.KindDiffuse: ", many steps", schema.KindShape: ", distribution",
}

// verdictWords is a verdict in words.
func verdictWords(verdict string) string { return strings.ReplaceAll(verdict, "_", " ") }

// stepText is the step of a finding with its fragment.
func stepText(f *schema.Finding) string {
	if f.Fragment == "" || f.Fragment == f.Subject {
		return f.Subject
	}
	return f.Subject + " in " + f.Fragment
}

// reason says in numbers what a difference comes from.
func reason(f *schema.Finding) string {
	switch {
	case f.Verdict == schema.MovedCost && f.EffectNs > 0:
		return "moved here from " + f.MovedFrom + ": their caller is unchanged"
	case f.Verdict == schema.MovedCost:
		return "moved from here to " + f.MovedFrom + ": their caller is unchanged"
	case f.Verdict == schema.Appeared:
		return "only the candidate does it, " + timesText(f.CountCand)
	case f.Verdict == schema.Vanished:
		return "only the baseline does it, " + timesText(f.CountBase)
	}
	switch f.Kind {
	case schema.KindShape:
		return "its distribution changed and its level did not"
	case schema.KindTransit:
		return "time of messages on their way: " + account(f)
	case schema.KindLateness:
		return "the receiver is ready " + later(f.EffectNs) + ", by its own doing: " + account(f)
	case schema.KindDiffuse:
		return "the fragment as a whole, by many steps of which none is shown to have changed"
	}
	if f.MovedFrom != "" {
		return account(f) + ", in the place of " + f.MovedFrom
	}
	return account(f)
}

// account splits a difference into calls that take longer and more of them; what is less than a hundredth is left out.
func account(f *schema.Finding) string {
	least := max(size(f.SlowerNs), size(f.CalledNs)) / 100
	var parts []string
	if size(f.SlowerNs) > least {
		word := "slower each"
		if f.SlowerNs < 0 {
			word = "faster each"
		}
		parts = append(parts, texttab.Change(f.SlowerNs)+" "+word)
	}
	if size(f.CalledNs) > least {
		word := "called more"
		if f.CalledNs < 0 {
			word = "called less"
		}
		parts = append(parts, texttab.Change(f.CalledNs)+" "+word)
	}
	if len(parts) > 0 {
		parts[len(parts)-1] += " (" + callsText(f.CountBase, f.CountCand) + ")"
	}
	return strings.Join(parts, ", ")
}

// numberOf is how often something happens per root execution.
func numberOf(n float64) string {
	if n == float64(int64(n)) {
		return texttab.Count(int64(n))
	}
	return fmt.Sprintf("%.3g", n)
}

// callsText is how many calls a root execution makes on either side.
func callsText(base, cand float64) string {
	text := pair(numberOf(base), numberOf(cand))
	if text == "1" {
		return "1 call"
	}
	return text + " calls"
}

// timesText is how often something happens per root execution, in words.
func timesText(n float64) string {
	if n == 1 {
		return "once"
	}
	return numberOf(n) + " times"
}

func later(ns int64) string {
	if ns < 0 {
		return "earlier"
	}
	return "later"
}

// onCriticalPaths says how much time the function of a finding spends on critical paths of initial fragments.
func onCriticalPaths(f *schema.Finding) string {
	switch {
	case f.CriticalBaseNs == nil && f.CriticalCandNs == nil:
		return "whether it is on critical paths is unknown"
	case value(f.CriticalBaseNs) == 0 && value(f.CriticalCandNs) == 0:
		return "never on a critical path"
	}
	base, cand := onPath(f.CriticalBaseNs), onPath(f.CriticalCandNs)
	if f.CriticalCandNs == nil || *f.CriticalCandNs == 0 {
		return "on critical paths " + base + " a run -> " + cand
	}
	return "on critical paths " + pair(base, cand) + " a run"
}

// inheritedText says how many changes follow from a finding, and where they are. The chain of callers begins with the
// fragment of the finding itself.
func inheritedText(f *schema.Finding) string {
	_, above, called := strings.Cut(f.InheritedAt, " < ")
	text := texttab.Plural(f.Inherited, "change") + " follow from it"
	switch f.Inherited {
	case 0:
		text = "no other change follows from it"
		if called {
			text += "; called by"
		}
	case 1:
		text = "1 change follows from it"
	}
	if !called {
		return text
	}
	return strings.Replace(text+": ", "by: ", "by ", 1) + chainText(above)
}

// chainText shortens a chain of callers to those nearest to either end.
func chainText(chain string) string {
	const nearest = 2
	names := strings.Split(chain, " < ")
	if last := len(names) - 1; last > nearest {
		end := names[last]
		if names = append(names[:nearest:nearest], "..."); end != "..." {
			names = append(names, end)
		}
	}
	return strings.Join(names, " < ")
}

// shareOf is the share of the whole difference that a finding explains, in percent, "" where that is not known.
func shareOf(f *schema.Finding) string {
	if f.Share == nil {
		return ""
	}
	if x := 100 * *f.Share; x < 1 && x > -1 {
		return "<1 %"
	}
	return fmt.Sprintf("%.0f %%", 100**f.Share)
}

// chance is an adjusted p.
func chance(q *float64) string {
	switch {
	case q == nil:
		return ""
	case *q < .001:
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", *q)
}
