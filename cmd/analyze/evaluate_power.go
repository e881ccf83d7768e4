package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/tracelake/tracelake/pipeline/evaluate"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

func (e *evaluated) powerChapter() chapter {
	c := chapter{
		title: "Power", left: 2,
		note: "Share of changed subjects that are detected, by the cost per root execution, or by the values of a run; and the change that is detected in 80 %.",
		rows: [][]string{{"runs", "subjects", "changed"}},
	}
	for _, effect := range evaluate.Effects {
		c.rows[0] = append(c.rows[0], fmt.Sprintf("+%g %%", 100*effect))
	}
	c.rows[0] = append(c.rows[0], "80 % at")
	for _, l := range e.powerLines() {
		row := []string{versus(l.runs), l.class, texttab.Count(l.changed)}
		for _, p := range l.power {
			row = append(row, rate(p))
		}
		at := "-"
		if least := scores.Detectable(evaluate.Effects, l.power, .8); !math.IsInf(least, 1) {
			at = fmt.Sprintf("+%.1f %%", 100*least)
		}
		c.rows = append(c.rows, append(row, at))
	}
	return c
}

// powerLine is power over all effects.
type powerLine struct {
	runs, changed int
	class         string
	power         []float64
}

func (e *evaluated) powerLines() (lines []powerLine) {
	all := evaluate.PowerOverall(e.Power)
	for _, p := range all {
		at := slices.IndexFunc(lines, func(l powerLine) bool { return l.runs == p.Runs && l.class == p.Class })
		if at < 0 {
			lines, at = append(lines, powerLine{runs: p.Runs, class: p.Class, changed: p.Detected.Of}), len(lines)
		}
		lines[at].power = append(lines[at].power, p.Detected.Rate())
	}
	return lines
}

func (e *evaluated) fdrChapter() chapter {
	c := chapter{
		title: "False discoveries among true ones", left: 2,
		note: "20 % of the subjects that cost 20 us or more change. FDR: the mean over comparisons of the share of verdicts regressed or improved that are on unchanged subjects.",
		rows: [][]string{{"runs", "change", "verdicts", "false", "share", "FDR", "found"}},
	}
	for _, f := range evaluate.FDROverall(e.FDR) {
		c.rows = append(c.rows, []string{
			versus(f.Runs), f.Change, texttab.Count(f.False.Of), texttab.Count(f.False.Hits), rate(f.False.Rate()), rate(f.Expected), rate(f.Found.Rate()),
		})
	}
	return c
}
