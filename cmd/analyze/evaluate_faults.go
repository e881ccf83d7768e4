package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/tracelake/tracelake/pipeline/evaluate"
	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// kinds are the kinds of faults in the order of the figures.
var kinds = []faults.Kind{faults.Noise, faults.Spikes, faults.Chain, faults.Delay, faults.Alternate}

func (e *evaluated) faultChapter() chapter {
	c := chapter{
		title: "Injected faults", left: 2,
		note: fmt.Sprintf("Mean over magnitudes and %s: recall of noise, F1 of all others; then F1 of faults that change the cost by the margin or more.", texttab.Plural(e.job.Seeds, "seed")),
		rows: [][]string{{"setting", "method", "noise", "spikes", "chain", "delay", "alternate", "spikes", "chain", "delay", "alternate"}},
	}
	for _, setting := range e.settings() {
		for _, method := range evaluate.Methods() {
			row := []string{setting, method}
			for _, kind := range kinds {
				row = append(row, score(e.over(setting, method, kind, func(t *evaluate.Trial) float64 { return measured(t) })))
			}
			for _, kind := range kinds[1:] {
				row = append(row, score(e.over(setting, method, kind, func(t *evaluate.Trial) float64 { return t.Material.F1 })))
			}
			c.rows = append(c.rows, row)
		}
	}
	return c
}

// measured is the number that the figures of the paper show.
func measured(t *evaluate.Trial) float64 {
	if t.Fault.Fault.Kind == faults.Noise {
		return t.Score.Recall
	}
	return t.Score.F1
}

// settings are those of the trials, in their order.
func (e *evaluated) settings() (all []string) {
	for _, t := range e.Trials {
		if !slices.Contains(all, t.Setting) {
			all = append(all, t.Setting)
		}
	}
	return all
}

// over is the mean of a number over the magnitudes of a kind, where it is known.
func (e *evaluated) over(setting, method string, kind faults.Kind, of func(*evaluate.Trial) float64) float64 {
	sum, n := 0.0, 0
	for i := range e.Trials {
		t := &e.Trials[i]
		if t.Setting != setting || t.Method != method || t.Fault.Fault.Kind != kind || t.Seeds == 0 {
			continue
		}
		if v := of(t); !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	return sum / float64(n)
}
