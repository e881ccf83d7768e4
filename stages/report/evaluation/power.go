package evaluation

import (
	"fmt"
	"math"
	"slices"

	"github.com/tracelake/tracelake/stages/evaluation/results"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// powerChapter reports how often a change of a given size is detected, one row for each number of runs and class of subjects.
func (r *Report) powerChapter() chapter {
	c := chapter{
		title: "Power", left: 2,
		note: "Share of changed subjects that are detected, by the cost per root execution, or by the values of a run; and the change that is detected in 80 %.",
		rows: [][]string{{"runs", "subjects", "changed"}},
	}
	for _, effect := range results.Effects {
		c.rows[0] = append(c.rows[0], fmt.Sprintf("+%g %%", 100*effect))
	}
	c.rows[0] = append(c.rows[0], "80 % at")
	for _, l := range r.powerCurves() {
		row := []string{runsText(l.runs), l.class, texttab.Count(l.changed)}
		for _, p := range l.power {
			row = append(row, rateText(p))
		}
		at := "-"
		// No effect that was tried reaches 80 %: a dash, since a number beyond the last one would be a guess.
		if minimum := scores.Detectable(results.Effects, l.power, .8); !math.IsInf(minimum, 1) {
			at = fmt.Sprintf("+%.1f %%", 100*minimum)
		}
		c.rows = append(c.rows, append(row, at))
	}
	return c
}

// powerCurve is the power of one class of subjects at all effects.
type powerCurve struct {
	runs    int       // of each side
	changed int       // subjects that were changed, at one effect
	class   string    // of subjects, by their cost or by their values per run
	power   []float64 // by effect: the share of changed subjects that is detected
}

// powerCurves returns the curves by number of runs and class, in the order of the results. The results of all cells are added up
// before: a power is a share of all their subjects and no mean of shares.
func (r *Report) powerCurves() (lines []powerCurve) {
	all := results.Together(r.Power)
	for _, p := range all {
		at := slices.IndexFunc(lines, func(l powerCurve) bool { return l.runs == p.Runs && l.class == p.Class })
		if at < 0 {
			// The number of changed subjects is that of the first effect.
			lines, at = append(lines, powerCurve{runs: p.Runs, class: p.Class, changed: p.Detected.Of}), len(lines)
		}
		lines[at].power = append(lines[at].power, p.Detected.Rate())
	}
	return lines
}

// fdrChapter reports which share of the verdicts is false where some subjects change. Share is that of all verdicts together, FDR
// the mean of the comparisons' shares, which is what Benjamini and Hochberg's procedure bounds.
func (r *Report) fdrChapter() chapter {
	c := chapter{
		title: "False discoveries among true ones", left: 2,
		note: "20 % of the subjects that cost 20 us or more change. FDR: the mean over comparisons of the share of verdicts regressed or improved that are on unchanged subjects.",
		rows: [][]string{{"runs", "change", "verdicts", "false", "share", "FDR", "found"}},
	}
	for _, f := range results.Together(r.FDR) {
		c.rows = append(c.rows, []string{
			runsText(f.Runs), f.Change, texttab.Count(f.False.Of), texttab.Count(f.False.Hits), rateText(f.False.Rate()), rateText(f.Expected), rateText(f.Found.Rate()),
		})
	}
	return c
}
