package verdict

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// plainShare is the part of a function's time by which its plain means may contradict its finding without a word.
const plainShare = .02

// reason is the reason of a finding with what its figures leave out.
func (r *Report) reason(f *schema.Finding) string {
	return reason(r.asWhole(f)) + r.plainText(f) + r.longestText(f)
}

// plainText names the plain means of a function that changed, and what of their difference its effect leaves out: who adds up the times of
// the runs finds these. "" where they say the same as the finding, or where a finding is of something else than a function as a whole.
//
//	; plain means are 22.7 us -> 45.2 us, +22.5 us: +4.01 us of it all functions share, +1.40 us is of single runs
func (r *Report) plainText(f *schema.Finding) string {
	c := r.contributionOf(f)
	if c == nil {
		return ""
	}
	all := c.CandNs - c.BaseNs
	left := all - f.EffectNs
	if float64(magnitude(left)) <= plainShare*float64(max(c.BaseNs, c.CandNs)) {
		return ""
	}
	text := fmt.Sprintf("; plain means are %s, %s", fromTo(texttab.Duration(c.BaseNs), texttab.Duration(c.CandNs)), texttab.Change(all))
	sep := ": "
	for _, part := range []struct {
		ns   int64
		what string
	}{{c.CommonNs, "of it all functions share"}, {left - c.CommonNs, "is of single runs"}} {
		const negligible = 20 // parts of what is left out
		if negligible*magnitude(part.ns) >= magnitude(left) {
			text += sep + texttab.Change(part.ns) + " " + part.what
			sep = ", "
		}
	}
	return text
}

// The rules of what is said of the longest call of each run.
const (
	severalCalls = 4  // below which one of them is a large part anyway
	mostOfIt     = .5 // share of the difference
)

// longestText says that one call of each run makes most of the difference of a function that is called several times: as where something else executes in
// between, or where one call does other work than all others. "" where it does not.
//
//	; one call a run, the longest, makes +31.1 us of it
func (r *Report) longestText(f *schema.Finding) string {
	c := r.wholeContribution(f)
	if c == nil || max(c.CallsBase, c.CallsCand) < severalCalls {
		return ""
	}
	longest, all := c.LongestCandNs-c.LongestBaseNs, c.CandNs-c.BaseNs
	if (longest > 0) != (all > 0) || float64(magnitude(longest)) < mostOfIt*float64(magnitude(all)) || float64(magnitude(longest)) < mostOfIt*float64(magnitude(f.EffectNs)) {
		return ""
	}
	return "; one call a run, the longest, makes " + texttab.Change(longest) + " of it"
}

// contributionOf returns what the function of a finding contributes to the difference, where the finding is that this function changed as a
// whole; else nil.
func (r *Report) contributionOf(f *schema.Finding) *schema.Contribution {
	if f.Verdict != schema.Regressed && f.Verdict != schema.Improved {
		return nil
	}
	return r.wholeContribution(f)
}

// wholeContribution returns what the function of a finding contributes to the difference, where the finding is that this function changed as a whole, or that only one side
// has it; else nil.
func (r *Report) wholeContribution(f *schema.Finding) *schema.Contribution {
	if f.Kind == schema.KindDivided {
		return nil
	}
	for i := range r.Contributions {
		c := &r.Contributions[i]
		if c.Component == f.Component && c.Function == f.Function && c.Verdict == f.Verdict && c.Finding != nil && *c.Finding == f.Finding {
			return c
		}
	}
	return nil
}
