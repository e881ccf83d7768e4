package verdict

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// The verdicts on a whole comparison. Their order here is not that of severity: judgeWhole tries the worst first.
const (
	wholeRegressed    = "REGRESSED"
	wholeImproved     = "IMPROVED"
	wholeMixed        = "MIXED"        // some of it regressed and some improved, or what is new or gone outweighs what did
	wholeChanged      = "CHANGED"      // it does something else or its times are distributed differently, and it takes as long as before
	wholeUnchanged    = "UNCHANGED"    // at least half of the steps and all initial fragments are shown to be unchanged
	wholeUndetermined = "UNDETERMINED" // nothing is shown to have changed, and too little to be unchanged
	wholeNone         = "NO VERDICT"   // there are too few runs
)

// judgeWhole returns the verdict on the whole comparison and its sentence. Major findings decide; changes that no finding
// explains count as well, but improved ones only where nothing major is slower: what waits less for a slower component
// often looks faster.
func (r *Report) judgeWhole() (word, sentence string) {
	slower, faster := delaying(withoutMinor(r.causesOf(schema.Regressed))), delaying(withoutMinor(r.causesOf(schema.Improved)))
	regressed := len(slower) > 0 || r.rootsWith(schema.Regressed) > 0 || r.evidence(schema.Regressed, "") != ""
	improved := len(faster) > 0 || r.rootsWith(schema.Improved) > 0 || len(slower) == 0 && r.evidence(schema.Improved, "") != ""
	calls, leftOut := r.callsLess()
	switch {
	case !r.enough && r.Totals.same() && len(r.findings) == 0: // counts are no matter of chance
		return wholeUnchanged, r.sameCallsSentence() + r.errorSentence()
	case !r.enough: // whatever stands out may be noise
		return wholeNone, r.tooFewRunsSentence() + r.errorSentence()
	case calls != "" && !regressed && leftOut <= totalEffect(faster):
		if len(faster) > 0 {
			calls += "; beside that, " + r.causesSentence(faster, schema.Improved, "faster")
		}
		return wholeChanged, calls + "; " + r.rootSentence() + r.errorSentence()
	case improved && !regressed && r.failing(schema.FailsMore) != "": // who ends early with an error is fast
		return wholeMixed, r.timeSentence(faster, schema.Improved, "faster") + "; " + r.failing(schema.FailsMore)
	case r.account != nil && (regressed && improved || regressed && r.outweighs(schema.Regressed) || improved && r.outweighs(schema.Improved)):
		return wholeMixed, r.rootSentence() + "; " + r.account.sentence() + r.besideFunctions(slower, faster)
	case regressed && improved:
		return wholeMixed, r.rootSentence() + "; " + r.causesSentence(slower, schema.Regressed, "slower") + "; " +
			r.causesSentence(faster, schema.Improved, "faster") + r.oneSidedSentence()
	case regressed:
		return wholeRegressed, r.timeSentence(slower, schema.Regressed, "slower") + r.errorSentence()
	case improved:
		return wholeImproved, r.timeSentence(faster, schema.Improved, "faster")
	case r.otherChanges() != "":
		return wholeChanged, r.otherChanges() + "; " + r.rootSentence() + r.errorSentence()
	case r.failing(schema.FailsMore)+r.failing(schema.FailsLess) != "":
		return wholeChanged, cmp.Or(r.failing(schema.FailsMore), r.failing(schema.FailsLess)) + "; " + r.rootSentence()
	case r.isUndecided():
		return wholeUndetermined, "nothing is shown to have changed, but " + r.undecidedSentence()
	}
	return wholeUnchanged, r.stepsSentence() + "; " + r.rootSentence()
}

// callsLess says which caller calls less, "" where none does, and what all that do leave out, in ns. That makes nothing faster.
func (r *Report) callsLess() (text string, ns int64) {
	for i := range r.findings {
		f := &r.findings[i]
		if !callsOtherwise(f) || f.EffectNs >= 0 || f.Minor {
			continue
		}
		if text == "" {
			text = place(f) + " makes fewer " + f.Subject
		}
		ns += f.EffectNs
	}
	return text, ns
}

// outweighs reports whether what is new or gone outweighs the functions that became slower or faster, so that their verdict is not that
// of the whole. Where root executions themselves show the verdict, it is.
func (r *Report) outweighs(verdict string) bool {
	if r.rootsWith(verdict) > 0 {
		return false
	}
	if verdict == schema.Regressed {
		return r.account.shownNs() < 0
	}
	return r.account.shownNs() > 0
}

// isUndecided reports whether too little is decided: the run time of an initial fragment, or more than half of the steps.
func (r *Report) isUndecided() bool {
	return r.rootsWith(schema.Undetermined) > 0 ||
		2*r.countOf(schema.Unchanged, schema.LevelTransition) < r.subjects(schema.LevelTransition)
}

// timeSentence says how much slower or faster root executions are, and because of what. The figures are those of the
// first root; where its run time does not show the change, the effects of the causes are given instead.
//
//	2 root causes make a root execution 500 us slower (1.00 ms -> 1.50 ms, +50.0 %; ...), led by lib.f (+300 us)
func (r *Report) timeSentence(causes []schema.Finding, verdict, direction string) string {
	if len(r.roots) > 0 && r.roots[0].Verdict == verdict && len(causes) == 0 {
		return r.rootSentence() + r.carrierSentence()
	}
	if len(r.roots) == 0 || r.roots[0].Verdict != verdict || len(causes) == 0 {
		return r.causesSentence(causes, verdict, direction) + "; " + r.rootSentence()
	}
	number, verb := "one root cause", "makes"
	if len(causes) > 1 {
		number, verb = texttab.Count(len(causes))+" root causes", "make"
	}
	more := ""
	if others := r.rootsWith(verdict) - 1; others > 0 {
		more = fmt.Sprintf(" and %s %s", texttab.Plural(others, "more initial fragment"), direction)
	}
	return fmt.Sprintf("%s %s %s %s %s (%s)%s%s", number, verb, r.rootName(), effectText(&r.roots[0]), direction,
		r.rootFigures(&r.roots[0]), more, led(causes))
}

// causesSentence counts the findings of one direction and names the first. Without findings it names what else has the verdict.
func (r *Report) causesSentence(causes []schema.Finding, verdict, direction string) string {
	switch len(causes) {
	case 0:
		return r.evidence(verdict, "is "+direction)
	case 1:
		return fmt.Sprintf("one root cause %s%s", spent(causes, direction, "costs", "saves"), led(causes))
	}
	return fmt.Sprintf("%d root causes %s in total%s", len(causes), spent(causes, direction, "cost", "save"), led(causes))
}

// spent says what causes do to a root execution whose run time need not be shown to differ: "costs a root execution 726 us more".
func spent(causes []schema.Finding, direction, costs, saves string) string {
	ns := texttab.Duration(magnitude(totalEffect(causes)))
	if direction == "slower" {
		return costs + " a root execution " + ns + " more"
	}
	return saves + " a root execution " + ns
}

// oneSidedSentence belongs to a mixed verdict, whose sums would not add up without it: it sums up what appeared or vanished without making anything that contains it slower or faster.
func (r *Report) oneSidedSentence() string {
	rest := r.findingsWhere(func(f *schema.Finding) bool { return isOneSided(f) && !r.makesSlower(f) && !r.makesFaster(f) })
	if len(rest) == 0 {
		return ""
	}
	return fmt.Sprintf("; all else that appeared or vanished (%s) adds up to %s", texttab.Plural(len(rest), "finding"), texttab.Change(totalEffect(rest)))
}

// totalEffect returns the sum of the effects of findings, in nanoseconds per root execution. It is what they do together
// only as far as root executions do not run them in parallel.
func totalEffect(list []schema.Finding) (ns int64) {
	for i := range list {
		ns += list[i].EffectNs
	}
	return ns
}

// led names the only finding of a list, or the first of several with its effect.
func led(list []schema.Finding) string {
	if len(list) == 1 {
		return ": " + place(&list[0])
	}
	return fmt.Sprintf(", led by %s (%s)", place(&list[0]), texttab.Change(list[0].EffectNs))
}

// rootName names the subject of the figures of whole executions, the first of the roots. Where there is only one, its
// name would say nothing that a reader does not know.
func (r *Report) rootName() string {
	if len(r.roots) == 1 {
		return "a root execution"
	}
	return r.roots[0].Fragment
}

// rootFigures writes the run times of a fragment on both sides, their relative difference and its interval. Roots are decided at a
// stricter rate than that of their intervals, so that q is said where an interval without 0 decides nothing.
//
//	mean 1.00 ms -> 1.50 ms, +50.0 %; 95 % interval +495 to +505 us
//	mean 1.00 ms -> 1.50 ms, +50.0 %; 95 % interval +20.0 to +980 us, but q is 0.042
//	geometric mean of the runs 21.7 ms -> 22.3 ms, +2.51 %; 95 % interval -953 us to +2.15 ms
func (r *Report) rootFigures(c *schema.Change) string {
	text := fromTo(optional(c.CostBaseNs), optional(c.CostCandNs))
	if mean := meanOf(c); mean != "" {
		text = meanTexts[mean] + " " + text
	}
	if c.EffectNs == nil || value(c.CostBaseNs) == 0 {
		return text
	}
	text += ", " + texttab.Relative(float64(*c.EffectNs)/float64(*c.CostBaseNs))
	if interval := r.intervalText(value(c.EffectLoNs), value(c.EffectHiNs)); interval != "" {
		text += "; 95 % interval " + interval
		if c.Verdict == schema.Undetermined && c.Q != nil && (value(c.EffectLoNs) > 0 || value(c.EffectHiNs) < 0) {
			text += ", but q is " + qText(c.Q)
		}
	}
	return text
}

// effectText writes how much the run time of a fragment changed, without a sign: the word slower or faster follows.
func effectText(c *schema.Change) string { return texttab.Duration(magnitude(value(c.EffectNs))) }

// rootSentence says whether whole root executions changed. It describes the first of the roots: the one that changed most,
// if any did.
func (r *Report) rootSentence() string {
	if len(r.roots) == 0 {
		return "no initial fragment is on both sides"
	}
	if n := r.rootsWith(schema.Unchanged); n > 1 && n == len(r.roots) {
		return fmt.Sprintf("all %d initial fragments are shown to be unchanged", n)
	}
	c, name := &r.roots[0], r.rootName()
	figures := r.rootFigures(c)
	switch c.Verdict {
	case schema.Regressed:
		return fmt.Sprintf("%s is %s slower (%s)", name, effectText(c), figures)
	case schema.Improved:
		return fmt.Sprintf("%s is %s faster (%s)", name, effectText(c), figures)
	case schema.Unchanged:
		return fmt.Sprintf("%s is shown to be unchanged (%s)", name, figures)
	case schema.Undetermined:
		return fmt.Sprintf("whether %s changed is undetermined (%s)", name, figures)
	}
	return fmt.Sprintf("%s %s (%s)", name, Words(c.Verdict), figures)
}

// Words writes a verdict of a change or a finding in words: "count changed" for count_changed.
func Words(verdict string) string { return strings.ReplaceAll(verdict, "_", " ") }

// carrierSentence names the function that carries most of the difference of the root executions where no function is shown to
// have changed by itself; "" where there is none.
func (r *Report) carrierSentence() string {
	list := r.candidates()
	if len(list) == 0 {
		return "; no function is shown to have changed by itself"
	}
	return "; most of it is in " + place(&list[0]) + ", which is not shown to have changed by itself"
}
