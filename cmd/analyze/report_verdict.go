package main

import (
	"fmt"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// The verdicts on a whole comparison.
const (
	wholeRegressed    = "REGRESSED"
	wholeImproved     = "IMPROVED"
	wholeMixed        = "MIXED"   // some of it regressed and some improved
	wholeChanged      = "CHANGED" // in what it does, or in a distribution, and not in how long it takes
	wholeUnchanged    = "UNCHANGED"
	wholeUndetermined = "UNDETERMINED" // nothing is shown to have changed, and too little to be unchanged
	wholeNone         = "NO VERDICT"   // too few runs
)

// verdict finds the verdict on the whole and its sentence.
func (o *outcome) verdict() (word, sentence string) {
	slower, faster := major(o.with(o.slower)), major(o.with(o.faster))
	up := len(slower) > 0 || o.gateOn(schema.Regressed, "") != ""
	down := len(faster) > 0 || len(slower) == 0 && o.gateOn(schema.Improved, "") != ""
	switch {
	case !o.enough:
		return wholeNone, o.candidateSentence()
	case up && down:
		return wholeMixed, o.rootSentence() + "; " + o.causes(slower, schema.Regressed, "slower") + "; " + o.causes(faster, schema.Improved, "faster") + o.restSentence()
	case up:
		return wholeRegressed, o.timeSentence(slower, schema.Regressed, "slower")
	case down:
		return wholeImproved, o.timeSentence(faster, schema.Improved, "faster")
	case o.other() != "":
		return wholeChanged, o.other() + "; " + o.rootSentence()
	case o.open():
		return wholeUndetermined, "nothing is shown to have changed, but " + o.openSentence()
	}
	return wholeUnchanged, o.stepsSentence() + "; " + o.rootSentence()
}

// timeSentence says how much slower or faster root executions are, and because of what.
func (o *outcome) timeSentence(causes []schema.Finding, verdict, how string) string {
	if len(o.roots) == 0 || o.roots[0].Verdict != verdict || len(causes) == 0 {
		return o.causes(causes, verdict, how) + "; " + o.rootSentence()
	}
	number, verb := "one root cause", "makes"
	if len(causes) > 1 {
		number, verb = texttab.Count(len(causes))+" root causes", "make"
	}
	more := ""
	if others := o.rootsWith(verdict) - 1; others > 0 {
		more = fmt.Sprintf(" and %s %s", texttab.Plural(others, "more initial fragment"), how)
	}
	return fmt.Sprintf("%s %s %s %s %s (%s)%s%s", number, verb, o.rootName(), texttab.Duration(size(value(o.roots[0].EffectNs))), how, rootFigures(&o.roots[0]), more, firstOf(causes))
}

// causes counts the findings of one direction and names the first; without findings, what else has the verdict.
func (o *outcome) causes(list []schema.Finding, verdict, how string) string {
	switch len(list) {
	case 0:
		return o.gateOn(verdict, "is "+how)
	case 1:
		return fmt.Sprintf("one root cause makes it %s %s%s", texttab.Duration(size(list[0].EffectNs)), how, firstOf(list))
	}
	sum := int64(0)
	for _, f := range list {
		sum += f.EffectNs
	}
	return fmt.Sprintf("%d root causes make it %s %s in all%s", len(list), texttab.Duration(size(sum)), how, firstOf(list))
}

// restSentence sums up what appeared or vanished without making anything that contains it slower or faster.
func (o *outcome) restSentence() string {
	sum := int64(0)
	rest := o.with(func(f *schema.Finding) bool { return functional(f) && !o.slower(f) && !o.faster(f) })
	for i := range rest {
		sum += rest[i].EffectNs
	}
	if len(rest) == 0 {
		return ""
	}
	return fmt.Sprintf("; %s that appeared or vanished come to %s", texttab.Plural(len(rest), "other"), texttab.Change(sum))
}

// firstOf names the function of the only finding of a list, or of the first with its effect.
func firstOf(list []schema.Finding) string {
	if len(list) == 1 {
		return ": " + suspect(&list[0])
	}
	return fmt.Sprintf(", first of all %s (%s)", suspect(&list[0]), texttab.Change(list[0].EffectNs))
}

// rootName is what the figures of whole executions are about.
func (o *outcome) rootName() string {
	if len(o.roots) == 1 {
		return "a root execution"
	}
	return o.roots[0].Fragment
}

// rootFigures are the times of the executions of an initial fragment and their difference.
func rootFigures(c *schema.Change) string {
	text := pair(optional(c.CostBaseNs), optional(c.CostCandNs))
	if c.EffectNs == nil || value(c.CostBaseNs) == 0 {
		return text
	}
	return fmt.Sprintf("%s, %s; 95 %% interval %s", text, texttab.Relative(float64(*c.EffectNs)/float64(*c.CostBaseNs)), texttab.Interval(value(c.EffectLoNs), value(c.EffectHiNs)))
}

// rootSentence says what became of whole root executions.
func (o *outcome) rootSentence() string {
	if len(o.roots) == 0 {
		return "no initial fragment is on both sides"
	}
	if n := o.rootsWith(schema.Unchanged); n > 1 && n == len(o.roots) {
		return fmt.Sprintf("all %d initial fragments are shown to be unchanged", n)
	}
	c := &o.roots[0]
	figures := rootFigures(c)
	switch c.Verdict {
	case schema.Regressed:
		return fmt.Sprintf("%s is %s slower (%s)", o.rootName(), texttab.Duration(size(value(c.EffectNs))), figures)
	case schema.Improved:
		return fmt.Sprintf("%s is %s faster (%s)", o.rootName(), texttab.Duration(size(value(c.EffectNs))), figures)
	case schema.Unchanged:
		return fmt.Sprintf("%s is shown to be unchanged (%s)", o.rootName(), figures)
	case schema.Undetermined:
		return fmt.Sprintf("whether %s changed is undetermined (%s)", o.rootName(), figures)
	}
	return fmt.Sprintf("%s %s (%s)", o.rootName(), strings.ReplaceAll(c.Verdict, "_", " "), figures)
}

// rootsWith is how many initial fragments have a verdict.
func (o *outcome) rootsWith(verdict string) (n int) {
	for i := range o.roots {
		if o.roots[i].Verdict == verdict {
			n++
		}
	}
	return n
}
