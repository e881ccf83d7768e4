package verdict

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// pathAccount divides the difference of the run times of root executions along their critical paths. At every moment of a root
// execution its path is in one place, so parts never count a time twice: who waits has no part, and of executions that overlap only
// that one which the others waited for. Own times can: those of two executions side by side add up to more than what passes.
//
// Times are per root execution, as the mean over all root executions of the runs of a side, so that parts are exact. A root execution
// of the kind f has the mean m and makes up the share w of a side, b or c. Then
//
//	Σ w_c m_c - Σ w_b m_b = Σ (w_b + w_c)/2 (m_c - m_b) + Σ (w_c - w_b) (m_b + m_c)/2
//
// of which the first sum is divided by parts of paths, and the second is the change of the mix. A kind that one side lacks has the
// other side's mean there, so that it belongs to the mix.
type pathAccount struct {
	BaseNs int64      `json:"base_ns"` // run time of a root execution, mean of the baseline's
	CandNs int64      `json:"cand_ns"` // the same of the candidate's
	Parts  []pathTerm `json:"parts"`   // the greatest effect first
	// What paths do not cover: paths that begin behind the start of their root execution, clocks that contradict each other, and less
	// than a nanosecond a part from rounding.
	UncoveredNs int64 `json:"uncovered_ns"`
	MixNs       int64 `json:"mix_ns"` // other shares of the kinds of root executions
}

// pathTerm is what one part of critical paths contributes, over all kinds of root executions.
type pathTerm struct {
	Part      string   `json:"part"`                 // as the table changes names it: category and place
	Category  string   `json:"category"`             // execution, communication, idle, contention
	Component string   `json:"component"`            // of the step's end
	Function  string   `json:"function"`             // empty between root executions
	Peer      string   `json:"peer"`                 // of a message, the sender; of contention, the component waited for
	MovedFrom string   `json:"moved_from,omitempty"` // of a function that has another name or component in the candidate: its names in the baseline
	BaseNs    int64    `json:"base_ns"`              // per root execution, of the baseline
	CandNs    int64    `json:"cand_ns"`              // per root execution, of the candidate
	EffectNs  int64    `json:"effect_ns"`            // what the part contributes
	Shown     bool     `json:"shown"`                // a change is shown, or that there is none: of the part itself, or of the function in it
	Apart     []string `json:"apart,omitempty"`      // further functions, which one side tells apart from it

	base, cand float64 // of BaseNs and CandNs, before they are rounded
}

// rootKind is one kind of root executions: an initial fragment.
type rootKind struct {
	runs  *schema.Change   // the run times
	parts []*schema.Change // of the critical paths
	mean  [2]float64       // run time in ns, of the baseline and the candidate
	share [2]float64       // of the root executions of a side
}

// pathAccountOf adds up the parts of the critical paths of all initial fragments; nil where critical paths are not known of all runs.
func (r *Report) pathAccountOf() *pathAccount {
	kinds := r.rootKinds()
	if kinds == nil {
		return nil
	}
	// Letters as in the type's comment: share is w, mean is m.
	var base, cand, mix float64
	parts := make(map[string]*pathTerm)
	for i := range kinds {
		k := &kinds[i]
		base, cand = base+k.share[0]*k.mean[0], cand+k.share[1]*k.mean[1]
		mix += (k.share[1] - k.share[0]) * (k.mean[0] + k.mean[1]) / 2
		// A kind that one side lacks has no paths to compare: it is in the mix.
		if k.runs.NBase == 0 || k.runs.NCand == 0 {
			continue
		}
		weight := (k.share[0] + k.share[1]) / 2
		for _, c := range k.parts {
			p := parts[c.Subject]
			if p == nil {
				p = &pathTerm{Part: c.Subject, Category: c.Metric, Component: c.Component, Function: c.Function, Peer: c.Peer, MovedFrom: c.MovedFrom}
				parts[c.Subject] = p
			}
			p.Shown = p.Shown || isDecided(c.Verdict)
			p.base += weight * float64(c.TotalBaseNs) / float64(k.runs.NBase)
			p.cand += weight * float64(c.TotalCandNs) / float64(k.runs.NCand)
		}
	}
	for at, byPlace := 0, executing(parts); at < len(r.findings); at++ {
		if p := byPlace[place(&r.findings[at])]; p != nil && isDecided(r.findings[at].Verdict) {
			p.Shown = true
		}
	}
	r.joinMoved(parts)
	r.joinDivided(parts)
	return roundPaths(base, cand, mix, parts)
}

// isDecided reports whether a verdict says for sure that something changed, or that it did not.
func isDecided(verdict string) bool {
	return verdict != schema.Undetermined && verdict != schema.NotAsked && verdict != schema.Candidate
}

// executing lists the parts in which functions execute, by component.function.
func executing(parts map[string]*pathTerm) map[string]*pathTerm {
	byPlace := make(map[string]*pathTerm)
	for _, p := range parts {
		if p.Category == schema.CategoryWords[schema.Executing] {
			byPlace[p.Component+"."+p.Function] = p
		}
	}
	return byPlace
}

// joinMoved puts the time that functions had under another name in the baseline beside what they have in the candidate: a function that
// moved is neither gone nor new. Of functions that have their old name, too, nothing is moved.
func (r *Report) joinMoved(parts map[string]*pathTerm) {
	byPlace := executing(parts)
	for i := range r.changes {
		c := &r.changes[i]
		now := byPlace[c.Component+"."+c.Function]
		if c.Level != schema.LevelFunction || c.MovedFrom == "" || now == nil {
			continue
		}
		for _, name := range c.NamesBefore() {
			if before := byPlace[name]; before != nil && before != now && before.cand == 0 && now.cand > 0 {
				now.base, now.Shown = now.base+before.base, now.Shown || before.Shown
				now.MovedFrom = c.MovedFrom
				delete(parts, before.Part)
			}
		}
	}
}

// joinDivided puts functions together that one side tells apart: each alone seems to be new, or faster, because of how calls are counted.
func (r *Report) joinDivided(parts map[string]*pathTerm) {
	byPlace := executing(parts)
	for i := range r.findings {
		f := &r.findings[i]
		one := byPlace[place(f)]
		if f.Kind != schema.KindDivided || one == nil {
			continue
		}
		of := make(map[string]bool)
		for _, name := range schema.SplitNames(f.MovedFrom) {
			of[name] = true
		}
		for k := range r.changes {
			c := &r.changes[k]
			name := c.Component + "." + c.Function
			isOf := of[name] || slices.ContainsFunc(c.NamesBefore(), func(before string) bool { return of[before] })
			p := byPlace[name]
			if c.Level != schema.LevelFunction || !isOf || p == nil || p == one {
				continue
			}
			one.base, one.cand, one.Shown, one.MovedFrom = one.base+p.base, one.cand+p.cand, one.Shown || p.Shown, ""
			one.Apart = append(one.Apart, name)
			delete(parts, p.Part)
			delete(byPlace, name)
		}
	}
}

// roundPaths rounds an account to nanoseconds. What that leaves over belongs to what paths do not cover.
func roundPaths(base, cand, mix float64, parts map[string]*pathTerm) *pathAccount {
	// The whole is rounded first, and what parts lose by rounding is not covered.
	ns := func(x float64) int64 { return int64(math.Round(x)) }
	a := &pathAccount{BaseNs: ns(base), CandNs: ns(cand), MixNs: ns(mix), Parts: []pathTerm{}}
	a.UncoveredNs = a.CandNs - a.BaseNs - a.MixNs
	for _, p := range parts {
		p.BaseNs, p.CandNs = ns(p.base), ns(p.cand)
		p.EffectNs = p.CandNs - p.BaseNs
		a.UncoveredNs -= p.EffectNs
		a.Parts = append(a.Parts, *p)
	}
	slices.SortFunc(a.Parts, func(a, b pathTerm) int {
		return cmp.Or(cmp.Compare(magnitude(b.EffectNs), magnitude(a.EffectNs)), cmp.Compare(a.Part, b.Part))
	})
	return a
}

// rootKinds gathers the initial fragments with the parts of their critical paths; nil where some run lacks these.
func (r *Report) rootKinds() []rootKind {
	// 1. The kinds, found by the names of both sides, since a fragment may have moved.
	kinds, at := make([]rootKind, 0, len(r.roots)), make(map[string]int)
	var all [2]int64
	for i := range r.roots {
		c := &r.roots[i]
		at[c.Fragment] = len(kinds)
		if c.CandFragment != "" {
			at[c.CandFragment] = len(kinds)
		}
		kinds = append(kinds, rootKind{runs: c})
		all[0], all[1] = all[0]+c.NBase, all[1]+c.NCand
	}
	// 2. Their parts. A part that some run lacks means that the run has no critical paths.
	known := false
	for i := range r.changes {
		c := &r.changes[i]
		if c.Level != schema.LevelCriticalPath {
			continue
		}
		if c.RunsBase != int64(len(r.Base)) || c.RunsCand != int64(len(r.Cand)) {
			return nil
		}
		if k, initial := at[c.Fragment]; initial {
			kinds[k].parts, known = append(kinds[k].parts, c), true
		}
	}
	if !known || all[0] == 0 || all[1] == 0 {
		return nil
	}
	// 3. Means and shares; a kind that one side lacks takes the other's mean, so that its whole difference is mix.
	for i := range kinds {
		k := &kinds[i]
		k.mean = [2]float64{perCall(k.runs.TotalBaseNs, k.runs.NBase), perCall(k.runs.TotalCandNs, k.runs.NCand)}
		switch {
		case k.runs.NBase == 0:
			k.mean[0] = k.mean[1]
		case k.runs.NCand == 0:
			k.mean[1] = k.mean[0]
		}
		k.share = [2]float64{float64(k.runs.NBase) / float64(all[0]), float64(k.runs.NCand) / float64(all[1])}
	}
	return kinds
}

// perCall is a mean, 0 of none.
func perCall(ns, n int64) float64 { return float64(ns) / float64(max(n, 1)) }

// shownPathParts is how many parts of paths have a line of their own.
const shownPathParts = 5

// lines lists the parts that contribute most, the others together, and what they add up to. With marks it is said of which nothing is shown: a part may be of one odd
// run.
func (a *pathAccount) lines(marks bool) (effects, texts []string) {
	add := func(ns int64, text string) {
		effects, texts = append(effects, texttab.Change(ns)), append(texts, text)
	}
	greatest := max(magnitude(a.UncoveredNs), magnitude(a.MixNs))
	if len(a.Parts) > 0 {
		greatest = max(greatest, magnitude(a.Parts[0].EffectNs))
	}
	// Small beside the greatest part, like in the account of own times.
	isSmall := func(ns int64) bool { return float64(magnitude(ns)) < leastPart*float64(greatest) || ns == 0 }
	others, sum := 0, int64(0)
	for i := range a.Parts {
		if p := &a.Parts[i]; i >= shownPathParts || isSmall(p.EffectNs) {
			others, sum = others+1, sum+p.EffectNs
		} else {
			text := fmt.Sprintf("%s (%s)", p.name(), fromTo(texttab.Duration(p.BaseNs), texttab.Duration(p.CandNs)))
			if marks && !p.Shown {
				text += ", not shown to differ"
			}
			add(p.EffectNs, text)
		}
	}
	for _, rest := range []struct {
		ns   int64
		text string
	}{{a.MixNs, "another mix of root executions"}, {a.UncoveredNs, "not covered by critical paths"}} {
		switch {
		case !isSmall(rest.ns):
			add(rest.ns, rest.text)
		case rest.ns != 0:
			others, sum = others+1, sum+rest.ns
		}
	}
	if others > 0 {
		add(sum, texttab.Plural(others, "other part"))
	}
	add(a.CandNs-a.BaseNs, "run time of a root execution: "+fromTo(texttab.Duration(a.BaseNs), texttab.Duration(a.CandNs)))
	return effects, texts
}

// name names a part as a line has it.
func (p *pathTerm) name() string {
	if len(p.Apart) > 0 {
		return p.Part + " with " + schema.JoinNames(p.Apart) + ", told apart on one side only"
	}
	if p.MovedFrom != "" {
		return p.Part + ", before " + p.MovedFrom
	}
	return p.Part
}

// pathAccountTitle heads the account in text and Markdown.
const pathAccountTitle = "What adds up to the difference along critical paths, mean of all root executions:"

// showsPaths reports whether a text has the account along critical paths: where it says something else than that of own times.
func (r *Report) showsPaths() bool {
	return r.paths != nil && (r.Details || r.account == nil || !nearly(r.account.BaseNs, r.paths.BaseNs) || !nearly(r.account.CandNs, r.paths.CandNs))
}

// writePathAccount writes the account along critical paths.
//
//	What adds up to the difference along critical paths, mean of all root executions:
//	   +1.00 s  execution svc.work (10.0 ms -> 1.01 s)
//	   +2.4 us  5 other parts
//	=  +1.00 s  run time of a root execution: 17.0 ms -> 1.02 s
func (r *Report) writePathAccount(out io.Writer) error {
	if !r.showsPaths() {
		return nil
	}
	effects, texts := r.paths.lines(r.enough)
	fmt.Fprintln(out, pathAccountTitle)
	if err := r.writeSum(out, sumTable(effects, texts)); err != nil {
		return err
	}
	fmt.Fprintln(out)
	return nil
}

// sumTable is a table of terms, of which the last one is their sum.
func sumTable(effects, texts []string) *texttab.Table {
	table := texttab.New("lr")
	for i := range effects {
		sign := " "
		if i == len(effects)-1 {
			sign = "="
		}
		table.Row(sign, effects[i], texts[i])
	}
	return table
}

// markdownSum is the same as a table of Markdown.
func markdownSum(effects, texts []string) *texttab.Table {
	table := texttab.New("")
	table.Row("effect", "of")
	for i := range effects {
		table.Row(effects[i], escape(texts[i]))
	}
	return table
}
