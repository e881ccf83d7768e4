package main

import (
	"fmt"

	"github.com/tracelake/tracelake/pipeline/evaluate"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

func (e *evaluated) aaChapter() chapter {
	c := chapter{
		title: "A/A: nothing changed", left: 1,
		note: "Any alarm: comparisons with a subject called regressed or improved; of transitions: counting these alone. Later: transitions called later or sooner. Wrong: called unchanged where the cost differs by the margin.",
		rows: [][]string{{"runs", "comparisons", "any alarm", "of transitions", "alarms", "shape", "count", "later", "unchanged", "undetermined", "coverage", "wrong"}},
	}
	for _, a := range evaluate.Together(e.AA) {
		c.rows = append(c.rows, []string{
			versus(a.Runs), texttab.Count(a.Splits), rate(a.Alarmed.Rate()), rate(a.AlarmedSteps.Rate()), fmt.Sprintf("%.3f %%", 100*a.Alarms.Rate()),
			fmt.Sprintf("%.3f %%", 100*a.Shape.Rate()), fmt.Sprintf("%.3f %%", 100*a.Count.Rate()), fmt.Sprintf("%.3f %%", 100*a.Displaced.Rate()),
			rate(a.Unchanged.Rate()), rate(a.Undetermined.Rate()), rate(a.Covered.Rate()), rate(a.Wrong.Rate()),
		})
	}
	return c
}

func (e *evaluated) ablationChapter() chapter {
	c := chapter{
		title: "A/A by method, transitions", left: 2,
		note: "ABS to MWU, BH judge pooled times since the start of the fragment, the others costs of runs.",
		rows: [][]string{{"runs", "method", "comparisons", "any alarm", "alarms"}},
	}
	for _, r := range evaluate.RivalsTogether(e.Ablation) {
		c.rows = append(c.rows, []string{versus(r.Runs), r.Method, texttab.Count(r.Alarmed.Of), rate(r.Alarmed.Rate()), fmt.Sprintf("%.3f %%", 100*r.Alarms.Rate())})
	}
	return c
}
