package main

import (
	"fmt"
	"math"

	"github.com/tracelake/tracelake/pipeline/evaluate"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

// rivalry is release verdicts against other methods in all settings.
type rivalry struct {
	of   []scores.Trial
	lost map[string]scores.Loss // by setting
	won  int                    // best, or as good as the best
	held int                    // settings in which release verdicts have a score
}

// against compares release verdicts with some methods.
func (e *evaluated) against(thesis bool, f1 func(*evaluate.Trial) float64) rivalry {
	r := rivalry{lost: make(map[string]scores.Loss)}
	r.of = evaluate.Comparison(e.Trials, func(m string) bool {
		return m != evaluate.OwnTime && (!thesis || m == evaluate.Runs || evaluate.OfThesis(m))
	}, f1)
	for _, l := range scores.Beaten(evaluate.Runs, r.of) {
		r.lost[l.Setting] = l
	}
	for _, t := range r.of {
		if !math.IsNaN(t.Score[evaluate.Runs]) {
			r.held++
		}
	}
	r.won = r.held - len(r.lost)
	return r
}

// cells are the best method and its score in a setting, beside that of release verdicts.
func (r *rivalry) cells(setting string, own float64) []string {
	switch l, lost := r.lost[setting]; {
	case lost:
		return []string{l.Best, score(l.BestsScore)}
	case math.IsNaN(own):
		return []string{"-", "-"}
	}
	return []string{evaluate.Runs, score(own)}
}

func (r *rivalry) text() string { return fmt.Sprintf("%d of %d", r.won, r.held) }

// plainF1 is F1 of a trial; materialF1 where only faults that change the cost by the margin or more count.
func plainF1(t *evaluate.Trial) float64    { return t.Score.F1 }
func materialF1(t *evaluate.Trial) float64 { return t.Material.F1 }

const lossTitle = "Where RUNS is not the best"

// lossChapter lists the settings with a baseline of three runs or more in which another method has a higher F1.
func (e *evaluated) lossChapter() chapter {
	thesis, all := e.against(true, plainF1), e.against(false, plainF1)
	thesisMaterial, allMaterial := e.against(true, materialF1), e.against(false, materialF1)
	c := chapter{
		title: lossTitle, left: 1,
		note: fmt.Sprintf("Independent runs and a baseline of 3 or more, without noise. RUNS has the best F1, or an equal one, against the methods of the thesis in %s experiments, "+
			"against all in %s. Of faults that change the cost by the margin or more: %s and %s. Visible: subjects with a fault of which a time that RUNS judges changed; "+
			"matters: of which the cost changed by the margin or more.", thesis.text(), all.text(), thesisMaterial.text(), allMaterial.text()),
		rows: [][]string{{
			"experiment", "RUNS", "best of the thesis", "F1", "best of all", "F1", "visible", "matters", "RUNS where it matters", "best of the thesis", "F1", "best of all", "F1", "why",
		}},
	}
	for _, t := range all.of {
		if _, lost := all.lost[t.Setting]; !lost {
			if _, lost = allMaterial.lost[t.Setting]; !lost {
				continue
			}
		}
		own := e.trial(t.Setting)
		row := append([]string{t.Setting, score(own.Score.F1)}, thesis.cells(t.Setting, own.Score.F1)...)
		row = append(row, all.cells(t.Setting, own.Score.F1)...)
		row = append(row, rate(own.Visible), rate(own.Matters), score(own.Material.F1))
		row = append(row, thesisMaterial.cells(t.Setting, own.Material.F1)...)
		row = append(row, allMaterial.cells(t.Setting, own.Material.F1)...)
		_, lost := allMaterial.lost[t.Setting]
		c.rows = append(c.rows, append(row, shortfall(own, lost)))
	}
	return c
}

// shortfall says what release verdicts lack where another method is better.
func shortfall(own *evaluate.Trial, whereItMatters bool) string {
	switch {
	case !whereItMatters:
		return "changes of less than the margin"
	case own.Runs < verdicts.MinRuns:
		return "one candidate run"
	}
	return "changes about as great as the margin"
}

// trial is that of release verdicts in a setting.
func (e *evaluated) trial(name string) *evaluate.Trial {
	for i := range e.Trials {
		if t := &e.Trials[i]; t.Method == evaluate.Runs && t.Name() == name {
			return t
		}
	}
	return nil
}
