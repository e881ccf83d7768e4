package evaluation

import (
	"github.com/tracelake/tracelake/stages/evaluation/results"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// aaChapter reports the verdicts on runs that are repetitions of the same.
func (r *Report) aaChapter() chapter {
	c := chapter{
		title: "A/A: nothing changed", left: 1,
		note: "Any alarm: comparisons with a subject called regressed or improved; of transitions: counting these alone. Later: transitions called later or sooner. Wrong: called unchanged where the cost differs by the margin.",
		rows: [][]string{{"runs", "comparisons", "any alarm", "of transitions", "alarms", "shape", "count", "later", "unchanged", "undetermined", "coverage", "wrong"}},
	}
	for _, a := range results.Together(r.AA) {
		c.rows = append(c.rows, []string{
			runsText(a.Runs), texttab.Count(a.Splits), rateText(a.Alarmed.Rate()), rateText(a.AlarmedSteps.Rate()), fineRate(a.Alarms.Rate()),
			fineRate(a.Shape.Rate()), fineRate(a.Count.Rate()), fineRate(a.Displaced.Rate()),
			rateText(a.Unchanged.Rate()), rateText(a.Undetermined.Rate()), rateText(a.Covered.Rate()), rateText(a.Wrong.Rate()),
		})
	}
	return c
}

// ablationChapter reports the false alarms of all methods on the transitions of such runs.
func (r *Report) ablationChapter() chapter {
	c := chapter{
		title: "A/A by method, transitions", left: 2,
		note: "ABS to MWU, BH judge pooled times since the start of the fragment, the others costs of runs.",
		rows: [][]string{{"runs", "method", "comparisons", "any alarm", "alarms"}},
	}
	for _, by := range results.RivalsTogether(r.Ablation) {
		c.rows = append(c.rows, []string{runsText(by.Runs), by.Method, texttab.Count(by.Alarmed.Of), rateText(by.Alarmed.Rate()), fineRate(by.Alarms.Rate())})
	}
	return c
}
