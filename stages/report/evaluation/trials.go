package evaluation

import (
	"fmt"
	"math"
	"slices"

	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/stages/evaluation/results"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// faultKinds are the kinds of faults in the order of the figures.
var faultKinds = []faults.Kind{faults.Noise, faults.Spikes, faults.Chain, faults.Delay, faults.Alternate}

// faultChapter reports the scores of all methods in all settings, averaged over the magnitudes of a fault. Scores are from 0 to 1;
// the last four columns count only faults that matter.
func (r *Report) faultChapter() chapter {
	c := chapter{
		title: "Injected faults", left: 2,
		note: fmt.Sprintf("Mean over magnitudes and %s: recall of noise, F1 of all others; then F1 of faults that change the cost by the margin or more.", texttab.Plural(r.Seeds, "seed")),
		rows: [][]string{{"setting", "method", "noise", "spikes", "chain", "delay", "alternate", "spikes", "chain", "delay", "alternate"}},
	}
	for _, setting := range r.settings() {
		for _, method := range results.Methods() {
			row := []string{setting, method}
			for _, kind := range faultKinds {
				row = append(row, scoreText(r.meanOver(setting, method, kind, func(t *results.Trial) float64 { return figureValue(t) })))
			}
			// Noise, the first kind, has no column here.
			for _, kind := range faultKinds[1:] {
				row = append(row, scoreText(r.meanOver(setting, method, kind, func(t *results.Trial) float64 { return t.Material.F1 })))
			}
			c.rows = append(c.rows, row)
		}
	}
	return c
}

// figureValue returns the number that the figures of Hilbig 2023 show: recall of noise, else F1. Noise changes nearly all
// subjects, so that its precision says nothing.
func figureValue(t *results.Trial) float64 {
	if t.Fault.Fault.Kind == faults.Noise {
		return t.Score.Recall
	}
	return t.Score.F1
}

// settings returns the settings of the trials, in their order.
func (r *Report) settings() (all []string) {
	for _, t := range r.Trials {
		if !slices.Contains(all, t.Setting) {
			all = append(all, t.Setting)
		}
	}
	return all
}

// meanOver returns the mean of a number over the magnitudes of a kind of fault, without those where it is not known.
func (r *Report) meanOver(setting, method string, kind faults.Kind, of func(*results.Trial) float64) float64 {
	// Without any known number the result is 0/0, NaN, which is written as a dash.
	sum, n := 0.0, 0
	for i := range r.Trials {
		t := &r.Trials[i]
		// A trial without seeds is a method that cannot judge so few runs.
		if t.Setting != setting || t.Method != method || t.Fault.Fault.Kind != kind || t.Seeds == 0 {
			continue
		}
		if v := of(t); !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	return sum / float64(n)
}

// methodComparison compares release verdicts with other methods in all settings.
type methodComparison struct {
	settings []scores.Trial         // those that are compared, with the score of every method
	lost     map[string]scores.Loss // by setting: a better method
	won      int                    // settings in which release verdicts are the best, or as good as the best
	scored   int                    // settings in which release verdicts have a score
}

// compareWith compares release verdicts with all methods, or with those of Hilbig 2023 alone.
func (r *Report) compareWith(thesisOnly bool, f1 func(*results.Trial) float64) methodComparison {
	c := methodComparison{lost: make(map[string]scores.Loss)}
	// OwnTime is a part of release verdicts and no rival; RUNS stays in both comparisons.
	c.settings = results.Comparison(r.Trials, func(m string) bool {
		return m != results.OwnTime && (!thesisOnly || m == results.Runs || results.OfThesis(m))
	}, f1)
	for _, l := range scores.Beaten(results.Runs, c.settings) {
		c.lost[l.Setting] = l
	}
	for _, t := range c.settings {
		if !math.IsNaN(t.Score[results.Runs]) {
			c.scored++
		}
	}
	c.won = c.scored - len(c.lost)
	return c
}

// cells returns the best method of a setting and its score; own is the score of release verdicts. Dashes stand for a setting in
// which release verdicts have no score to compare.
func (c *methodComparison) cells(setting string, own float64) []string {
	switch l, lost := c.lost[setting]; {
	case lost:
		return []string{l.Best, scoreText(l.BestsScore)}
	case math.IsNaN(own):
		return []string{"-", "-"}
	}
	return []string{results.Runs, scoreText(own)}
}

// text writes in how many of the scored settings no other method is better.
func (c *methodComparison) text() string { return fmt.Sprintf("%d of %d", c.won, c.scored) }

// plainF1 returns F1 over all faults; materialF1 over those that change the cost by the margin or more, which is what release
// verdicts promise to find.
func plainF1(t *results.Trial) float64    { return t.Score.F1 }
func materialF1(t *results.Trial) float64 { return t.Material.F1 }

// lossTitle names the chapter that stands also without rows.
const lossTitle = "Where RUNS is not the best"

// lossChapter lists the settings with a baseline of three runs or more in which another method has a higher F1.
func (r *Report) lossChapter() chapter {
	// Four comparisons: against the thesis or all, by all faults or by those that matter.
	thesis, all := r.compareWith(true, plainF1), r.compareWith(false, plainF1)
	thesisMaterial, allMaterial := r.compareWith(true, materialF1), r.compareWith(false, materialF1)
	c := chapter{
		title: lossTitle, left: 1,
		note: fmt.Sprintf("Independent runs and a baseline of 3 or more, without noise. RUNS has the best F1, or an equal one, against the methods of the thesis in %s experiments, "+
			"against all in %s. Of faults that change the cost by the margin or more: %s and %s. Visible: the share of subjects with a fault in which a time that RUNS judges changed; "+
			"matters: in which the cost changed by the margin or more.", thesis.text(), all.text(), thesisMaterial.text(), allMaterial.text()),
		rows: [][]string{{
			"experiment", "RUNS", "best of the thesis", "F1", "best of all", "F1", "visible", "matters", "RUNS where it matters", "best of the thesis", "F1", "best of all", "F1", "why",
		}},
	}
	// A setting has a row if any other method is better, by all faults or by those that matter.
	for _, t := range all.settings {
		if _, lost := all.lost[t.Setting]; !lost {
			if _, lost = allMaterial.lost[t.Setting]; !lost {
				continue
			}
		}
		own := r.ownTrial(t.Setting)
		row := append([]string{t.Setting, scoreText(own.Score.F1)}, thesis.cells(t.Setting, own.Score.F1)...)
		row = append(row, all.cells(t.Setting, own.Score.F1)...)
		row = append(row, rateText(own.Visible), rateText(own.Matters), scoreText(own.Material.F1))
		row = append(row, thesisMaterial.cells(t.Setting, own.Material.F1)...)
		row = append(row, allMaterial.cells(t.Setting, own.Material.F1)...)
		_, lost := allMaterial.lost[t.Setting]
		c.rows = append(c.rows, append(row, reasonText(own, lost)))
	}
	return c
}

// reasonText says why another method is better than release verdicts: changes that these ignore on purpose, too few runs for
// them, or changes at the limit of what they report.
func reasonText(own *results.Trial, whereItMatters bool) string {
	switch {
	case !whereItMatters:
		return "changes of less than the margin"
	case own.Runs < verdicts.MinRuns:
		return "one candidate run"
	}
	return "changes about as great as the margin"
}

// ownTrial returns the trial of release verdicts in a setting, whose name includes fault and size; nil if there is none.
func (r *Report) ownTrial(name string) *results.Trial {
	for i := range r.Trials {
		if t := &r.Trials[i]; t.Method == results.Runs && t.Name() == name {
			return t
		}
	}
	return nil
}
