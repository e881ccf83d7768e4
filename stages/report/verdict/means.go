package verdict

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// The means that the run times of a fragment may be of, as words for programs. Which one it is follows from the test that decided
// (functionchanges.JudgeWhole): the plain totals of the runs, or their logarithms.
const (
	meanPlain     = "mean"         // of all executions of a side
	meanOfRuns    = "mean_of_runs" // the mean of the runs' means, which differs from the first where runs have unlike numbers of executions
	meanGeometric = "geometric_mean_of_runs"
)

// meanTexts name the means before their figures.
var meanTexts = map[string]string{meanPlain: "mean", meanOfRuns: "mean of the runs", meanGeometric: "geometric mean of the runs"}

// meanOf returns which mean the costs of a fragment are, "" where a side has none. A geometric mean that no printed digit tells from the plain
// mean is that, too. Any other is geometric unless its interval lies evenly around the effect, as that of plain totals does; a fragment that is
// shown to be unchanged beside all others has its figures from logarithms, whatever its interval (verdicts.Judgement).
func meanOf(c *schema.Change) string {
	base, cand, known := plainMeans(c)
	if !known || c.CostBaseNs == nil || c.CostCandNs == nil {
		return ""
	}
	const rounding = 2 // ns, of effect and bounds together
	switch {
	case texttab.Duration(base) == texttab.Duration(*c.CostBaseNs) && texttab.Duration(cand) == texttab.Duration(*c.CostCandNs):
		return meanPlain
	case c.Verdict != schema.Unchanged && c.EffectLoNs != nil && c.EffectHiNs != nil && c.EffectNs != nil &&
		magnitude(*c.EffectLoNs+*c.EffectHiNs-2**c.EffectNs) <= rounding:
		return meanOfRuns
	}
	return meanGeometric
}

// plainMeans returns the mean run times of all executions of a fragment on both sides, in ns; they are not known where a side has none.
func plainMeans(c *schema.Change) (base, cand int64, known bool) {
	if c.RunsBase == 0 || c.RunsCand == 0 || c.NBase == 0 || c.NCand == 0 {
		return 0, 0, false
	}
	return c.TotalBaseNs / c.NBase, c.TotalCandNs / c.NCand, true
}

// meansText reconciles the run time in the headline with the account of means where these are of different kinds; "" where they are not.
//
//	The run time in the headline is the geometric mean of the runs, which one long run moves less; the mean that the sum belongs to is 33.1 ms ->
//	33.3 ms.
func (r *Report) meansText() string {
	if len(r.roots) == 0 {
		return ""
	}
	c := &r.roots[0]
	base, cand, _ := plainMeans(c)
	why := map[string]string{
		meanOfRuns:    "which counts every run alike, however many executions it has",
		meanGeometric: "which a single long run or scenario moves less",
	}[meanOf(c)]
	if why == "" {
		return ""
	}
	return fmt.Sprintf("The run time in the first sentence is the %s, %s; the mean of all its executions is %s.", meanTexts[meanOf(c)], why,
		fromTo(texttab.Duration(base), texttab.Duration(cand)))
}

// figuresText says what the figures of findings are. A function as a whole is told by the mean of the baseline's runs and what the effect makes of
// it, and so is what one side alone has; single steps and fragments are told by geometric means (verdicts.Judgement).
func (r *Report) figuresText(shown []schema.Finding) string {
	text, steps := "effects those of the typical run", 0
	for i := range shown {
		if r.ofSteps[shown[i].Finding] {
			steps++
		}
	}
	if steps < len(shown) {
		text += ", base -> cand the mean of the baseline and what the effect makes of it"
	}
	switch {
	case steps == len(shown) && steps > 0:
		text += ", base -> cand geometric means of the runs"
	case steps > 0:
		text += ", of single steps geometric means"
	}
	return text
}

// findingsOfSteps returns the numbers of the findings whose figures are not those of a function as a whole: no function has their cost.
func findingsOfSteps(findings []schema.Finding, changes []schema.Change) map[int64]bool {
	type cost struct {
		component, function string
		ns                  int64
	}
	of, steps := make(map[cost][]int64), make(map[int64]bool)
	for i := range findings {
		if f := &findings[i]; f.Level != schema.LevelFunction && !isOneSided(f) {
			key := cost{f.Component, f.Function, f.BaseNs}
			of[key], steps[f.Finding] = append(of[key], f.Finding), true
		}
	}
	for i := range changes {
		if c := &changes[i]; c.Level == schema.LevelFunction && c.CostBaseNs != nil {
			for _, n := range of[cost{c.Component, c.Function, *c.CostBaseNs}] {
				delete(steps, n)
			}
		}
	}
	return steps
}

// meansJSON says for programs which mean the figures of a report are.
type meansJSON struct {
	Roots    string `json:"root_executions"` // of the first fragment there: mean, mean_of_runs or geometric_mean_of_runs; "" where a side has none
	Findings string `json:"findings"`        // "typical_run": the effect is that of the typical run, base is the mean of the baseline's runs, cand what the effect makes of it
	Account  string `json:"account"`         // "mean_of_runs"
	Paths    string `json:"path_account"`    // "mean", of all root executions
}

// means says which mean the figures are.
func (r *Report) means() meansJSON {
	m := meansJSON{Findings: "typical_run", Account: meanOfRuns, Paths: meanPlain}
	if len(r.roots) > 0 {
		m.Roots = meanOf(&r.roots[0])
	}
	return m
}
