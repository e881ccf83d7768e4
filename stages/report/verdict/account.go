package verdict

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// account divides the difference of the own times of all functions into parts that add up to it exactly. Findings say what the
// typical run shows, totals are means of the runs; the difference of the two is a part with a name, so that nothing is left over.
type account struct {
	BaseNs int64         `json:"base_ns"` // own time of all functions per root execution, mean of the baseline's runs
	CandNs int64         `json:"cand_ns"` // the same of the candidate's runs
	Parts  []accountPart `json:"parts"`   // in the order of accountParts; they add up to CandNs - BaseNs

	whole map[judged]bool // functions that changed as a whole
}

// judged is a function, component.function, with a verdict. A step may be slower in a function that is faster, or that is not shown to have changed, and is a
// finding of its own then.
type judged struct{ function, verdict string }

// judgedBy is the function of a finding with the verdict of that.
func judgedBy(f *schema.Finding) judged { return judged{place(f), f.Verdict} }

// accountPart is one part of the difference.
type accountPart struct {
	Part      string `json:"part"`      // a word for programs, as in partTexts
	EffectNs  int64  `json:"effect_ns"` // per root execution
	Functions int    `json:"functions"` // how many it is of
	Findings  int    `json:"findings"`  // how many of these stand in findings
	FoundNs   int64  `json:"found_ns"`  // the part of EffectNs that these are
	Led       string `json:"led"`       // the one that contributes most in the direction of EffectNs, component.function; "" for parts of all functions
	LedNs     int64  `json:"led_ns"`    // what it contributes

	most [2]contributor // that take longer, and that take less
}

// contributor is a function and what it contributes to a part, in ns per root execution.
type contributor struct {
	function string
	ns       int64
}

// The parts of an account, in the order in which they are written.
const (
	partSlower   = "slower"            // shown to be slower
	partFaster   = "faster"            // shown to be faster
	partNew      = "new"               // only the candidate has them
	partGone     = "gone"              // only the baseline has them
	partDivided  = "divided"           // told apart on one side only, and their net is shown to differ
	partUnsure   = "divided_not_shown" // told apart on one side only, and their net may be nothing
	partCommon   = "common"            // what all functions share
	partOthers   = "not_shown"         // every other function
	partOutliers = "single_runs"       // means less typical runs, of what is shown to have changed
)

// accountParts are all parts in their order.
var accountParts = []string{partSlower, partFaster, partNew, partGone, partDivided, partUnsure, partCommon, partOthers, partOutliers}

// partTexts say what a part is, after the number of functions.
var partTexts = map[string]string{
	partSlower: "slower", partFaster: "faster", partNew: "new", partGone: "gone", partDivided: "told apart on one side only",
	partUnsure: "told apart on one side only, not shown to differ together", partOthers: "not shown to have changed",
}

// accountOf adds up contributions by what became of the functions. Functions that are shown to have changed count with the effect that
// the report shows for them, which is that of the typical run; what their means differ by beyond that is the last part. What only one side
// has, or tells apart, counts with all that it takes, as findings say it: there is nothing to share a factor with.
func accountOf(contributions []schema.Contribution, findings []schema.Finding) *account {
	if len(contributions) == 0 {
		return nil
	}
	// 1. What findings show of each function: their effect is that of the typical run.
	parts := make(map[string]*accountPart)
	for _, name := range accountParts {
		parts[name] = &accountPart{Part: name}
	}
	shown := make(map[judged]int64) // effects
	inSteps := make(map[string]bool)
	for i := range findings {
		f := &findings[i]
		of := judgedBy(f)
		inSteps[of.function] = inSteps[of.function] || f.Verdict == schema.Regressed || f.Verdict == schema.Improved
		if _, known := shown[of]; !known && (f.Verdict == schema.Regressed || f.Verdict == schema.Improved) {
			shown[of] = f.EffectNs
		}
	}
	// 2. Each function goes into one part; what all share, and what its mean has beyond the typical run, into two others.
	divided := dividedNames(findings)
	a := &account{whole: make(map[judged]bool)}
	for i := range contributions {
		c := &contributions[i]
		a.whole[judged{c.Component + "." + c.Function, c.Verdict}] = true
		a.BaseNs, a.CandNs = a.BaseNs+c.BaseNs, a.CandNs+c.CandNs
		name, ns, common := partOthers, c.DifferenceNs, c.CommonNs
		switch verdict := c.Verdict; {
		case partOfAny(divided, c.Component+"."+c.Function, schema.SplitNames(c.MovedFrom)...) != "":
			name, ns, common = partOfAny(divided, c.Component+"."+c.Function, schema.SplitNames(c.MovedFrom)...), c.CandNs-c.BaseNs, 0
		case verdict == schema.Appeared:
			name, ns, common = partNew, c.CandNs-c.BaseNs, 0
		case verdict == schema.Vanished:
			name, ns, common = partGone, c.CandNs-c.BaseNs, 0
		case verdict == schema.Regressed, verdict == schema.Improved:
			if name = partSlower; c.Verdict == schema.Improved {
				name = partFaster
			}
			if effect, known := shown[judged{c.Component + "." + c.Function, verdict}]; known {
				ns = effect
			}
			// An outlier moves a mean and no typical run: the difference is named, so that the account still adds up.
			parts[partOutliers].EffectNs += c.DifferenceNs - ns
		}
		parts[partCommon].EffectNs += common
		parts[name].add(c.Component+"."+c.Function, ns, c.Finding != nil || name == partOthers && inSteps[c.Component+"."+c.Function])
	}
	// 3. Only parts that have something, in their order.
	for _, name := range accountParts {
		if p := parts[name]; p.Functions > 0 || p.EffectNs != 0 {
			p.lead()
			a.Parts = append(a.Parts, *p)
		}
	}
	return a
}

// dividedNames are the functions of findings of the kind divided, by the names of both sides, with the part that they belong to. Their net is one
// part of an account: what one side tells apart is neither new nor faster. Where it is not shown to differ, nothing is said to have changed.
func dividedNames(findings []schema.Finding) map[string]string {
	part := make(map[string]string)
	for i := range findings {
		if f := &findings[i]; f.Kind == schema.KindDivided {
			of := partDivided
			if f.Verdict == schema.MovedCost {
				of = partUnsure
			}
			for _, name := range append(schema.SplitNames(f.MovedFrom), place(f)) {
				part[name] = of
			}
		}
	}
	return part
}

// partOfAny returns the part of the first of some names that has one, "" where none has.
func partOfAny(part map[string]string, name string, names ...string) string {
	for _, n := range append([]string{name}, names...) {
		if part[n] != "" {
			return part[n]
		}
	}
	return ""
}

// add adds a function to a part.
func (p *accountPart) add(function string, ns int64, found bool) {
	p.EffectNs += ns
	p.Functions++
	if found {
		p.Findings++
		p.FoundNs += ns
	}
	less := 0
	if ns < 0 {
		less = 1
	}
	if most := &p.most[less]; magnitude(ns) > magnitude(most.ns) {
		*most = contributor{function, ns}
	}
}

// lead names the function that contributes most in the direction of the whole part: one that goes against it explains nothing.
func (p *accountPart) lead() {
	of := p.most[0]
	if p.EffectNs < 0 || of.function == "" {
		of = p.most[1]
	}
	p.Led, p.LedNs = of.function, of.ns
}

// text says what a part is.
func (p *accountPart) text(common *Common) string {
	switch p.Part {
	case partCommon:
		text := "all functions alike: the machine, the build or drift"
		if common != nil && !(common.P <= commonLevel) {
			text += ", not shown to differ"
		}
		return text + "; effects are without it"
	case partOutliers:
		return "single runs: means differ from what the typical run shows"
	}
	text := texttab.Plural(p.Functions, "function") + " " + partTexts[p.Part] + p.foundText()
	switch {
	case p.Led == "": // none differs
		return text
	case p.Functions == 1:
		return text + ": " + p.Led
	}
	return fmt.Sprintf("%s, most of all %s (%s)", text, p.Led, texttab.Change(p.LedNs))
}

// foundText says how many functions of a part that is shown to have changed stand in findings, where not all do: most are too small for that.
func (p *accountPart) foundText() string {
	switch {
	case p.Part == partOthers && p.Findings == 1:
		return " as a whole, one of them with steps that are findings"
	case p.Part == partOthers && p.Findings > 0:
		return fmt.Sprintf(" as a whole, %s of them with steps that are findings", texttab.Count(p.Findings))
	case p.Findings == p.Functions || p.Part == partUnsure || p.Part == partOthers:
		return ""
	case p.Findings == 0 && p.Functions == 1:
		return ", which is no finding"
	case p.Findings == 0:
		return ", none of them a finding"
	case p.Findings == 1:
		return ", one of them a finding (" + texttab.Change(p.FoundNs) + ")"
	}
	return fmt.Sprintf(", %s of them findings (%s)", texttab.Count(p.Findings), texttab.Change(p.FoundNs))
}

// shownNs is the sum of the effects of the functions that are shown to have changed: slower, faster, new, gone and told apart.
func (a *account) shownNs() (ns int64) {
	for i := range a.Parts {
		switch p := &a.Parts[i]; p.Part {
		case partSlower, partFaster, partNew, partGone, partDivided:
			ns += p.EffectNs
		}
	}
	return ns
}

// sentence counts the functions that changed, and sums up their effects.
//
//	4 functions are slower (+110 us), 10 faster (-352 us), 177 new (+405 us) and 64 gone (-141 us)
func (a *account) sentence() string {
	var parts []string
	for i := range a.Parts {
		p := &a.Parts[i]
		switch p.Part {
		case partSlower, partFaster, partNew, partGone, partDivided:
			// The first part has the noun and the verb, which the others share.
			what := fmt.Sprintf("%s %s", texttab.Count(p.Functions), partTexts[p.Part])
			if len(parts) == 0 {
				verb := "are"
				if p.Functions == 1 {
					verb = "is"
				}
				what = fmt.Sprintf("%s %s %s", texttab.Plural(p.Functions, "function"), verb, partTexts[p.Part])
			}
			parts = append(parts, fmt.Sprintf("%s (%s)", what, texttab.Change(p.EffectNs)))
		}
	}
	if n := len(parts); n > 1 {
		return strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
	return strings.Join(parts, "")
}

// besideFunctions says what the verdict rests on that the sentence of the account does not count: findings that are single steps or messages, and of a
// direction that neither findings nor root executions have, what else has it.
func (r *Report) besideFunctions(slower, faster []schema.Finding) string {
	var parts []string
	for _, of := range []struct {
		causes             []schema.Finding
		verdict, direction string
	}{{slower, schema.Regressed, "slower"}, {faster, schema.Improved, "faster"}} {
		single := slices.DeleteFunc(slices.Clone(of.causes), func(f schema.Finding) bool {
			return f.Verdict != of.verdict || f.Kind == schema.KindDivided || r.account.whole[judgedBy(&f)]
		})
		if len(single) == 0 && (len(of.causes) > 0 || r.rootsWith(of.verdict) > 0) {
			continue
		}
		if text := r.causesSentence(single, of.verdict, of.direction); text != "" {
			parts = append(parts, text)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "; beside whole functions, " + strings.Join(parts, ", and ")
}

// leastPart is the share of the greatest part below which a part has no line of its own.
const leastPart = .005

// lines lists the parts, and what they add up to, with their effects. Small parts share a line, so that the effects still add up.
func (a *account) lines(common *Common) (effects, texts []string) {
	add := func(effect int64, text string) {
		effects, texts = append(effects, texttab.Change(effect)), append(texts, text)
	}
	// The greatest part decides which ones are small; their sum is a line, so that nothing is lost by rounding.
	greatest, small := int64(0), int64(0)
	for i := range a.Parts {
		greatest = max(greatest, magnitude(a.Parts[i].EffectNs))
	}
	for i := range a.Parts {
		if p := &a.Parts[i]; float64(magnitude(p.EffectNs)) < leastPart*float64(greatest) {
			small += p.EffectNs
		} else {
			add(p.EffectNs, p.text(common))
		}
	}
	if small != 0 {
		add(small, "all else")
	}
	add(a.CandNs-a.BaseNs, "own time of all functions: "+fromTo(texttab.Duration(a.BaseNs), texttab.Duration(a.CandNs)))
	return effects, texts
}

// accountTitle heads the account of own times in text and Markdown.
const accountTitle = "What adds up to the difference, per root execution, mean of the runs:"

// writeAccount writes what adds up to the difference of the totals.
//
//	What adds up to the difference, per root execution, mean of the runs:
//	  +18.1 ms  1 function slower: lib.f
//	   -340 us  3 functions faster, most of all lib.g (-210 us)
//	= +17.8 ms  own time of all functions: 6.00 ms -> 23.8 ms
func (r *Report) writeAccount(out io.Writer) error {
	if r.account == nil {
		return nil
	}
	fmt.Fprintln(out, accountTitle)
	if err := r.writeSum(out, sumTable(r.account.lines(r.Common))); err != nil {
		return err
	}
	if text := r.elapsedText(); text != "" {
		fmt.Fprintln(out, texttab.Wrap(text, r.width(), ""))
	}
	fmt.Fprintln(out)
	return nil
}

// unequal is the relative difference from which on run times and own times are told apart.
const unequal = .02 // 2 %

// nearly reports whether a sum of own times is what passes.
func nearly(own, elapsed int64) bool {
	return math.Abs(float64(own-elapsed)) <= unequal*float64(elapsed)
}

// elapsedText says how the run time of the only initial fragment relates to the sum of own times, where they differ, and to that of the
// headline, where that is another mean; "" where all are the same. Functions of several threads run side by side, and a run time holds what
// messages wait.
func (r *Report) elapsedText() string {
	text := r.meansText()
	// With several initial fragments, or a side without executions, there is no one run time to compare with.
	if len(r.roots) != 1 {
		return text
	}
	base, cand, known := plainMeans(&r.roots[0])
	if !known || nearly(r.account.BaseNs, base) && nearly(r.account.CandNs, cand) {
		return text
	}
	return strings.TrimSpace(fmt.Sprintf("The run time of a root execution itself: %s (mean). It differs from the sum where functions run side by side, or messages are waited for. %s",
		fromTo(texttab.Duration(base), texttab.Duration(cand)), text))
}
