package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/tracelake/tracelake/pipeline/evaluate"
	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/stages/report/figures"
)

// picture is a figure of an evaluation.
type picture struct {
	name  string
	write func(io.Writer) error
}

// pictures are figures 4.5 to 4.7 of Hilbig 2023 with settings that it does not have, and power.
func (e *evaluated) pictures() (all []picture) {
	if len(e.Trials) > 0 {
		noise := e.matrix("Gaussian noise", "recall", "standard deviation", faults.Noise)
		noise.Best = figures.Unmarked
		all = append(all, picture{"gaussian", noise.WriteSVG},
			picture{"spikes", e.matrix("Late events", "F1", "delay", faults.Spikes, faults.Chain).WriteSVG},
			picture{"functions", e.matrix("Changed function timing", "F1", "factor", faults.Delay, faults.Alternate).WriteSVG})
	}
	if len(e.Power) > 0 {
		all = append(all, picture{"power", e.powerCurves().WriteSVG})
	}
	return all
}

// matrix is the heat map of some kinds of faults.
func (e *evaluated) matrix(title, measure, columns string, of ...faults.Kind) figures.Matrix {
	m := figures.Matrix{Title: title, Measure: measure, RowLabel: "method", ColumnLabel: columns, Caption: e.command}
	for _, kind := range of {
		g := figures.Group{Names: magnitudes(kind)}
		if len(of) > 1 {
			g.Heading = string(kind)
		}
		m.Columns = append(m.Columns, g)
	}
	for _, setting := range e.settings() {
		m.Rows = append(m.Rows, figures.Group{Heading: setting, Names: evaluate.Methods()})
		for _, method := range evaluate.Methods() {
			var row []float64
			for i := range e.Trials {
				t := &e.Trials[i]
				if t.Setting == setting && t.Method == method && slices.Contains(of, t.Fault.Fault.Kind) {
					row = append(row, measured(t))
				}
			}
			m.Cells = append(m.Cells, row)
		}
	}
	return m
}

func magnitudes(kind faults.Kind) (names []string) {
	for _, m := range evaluate.Kinds() {
		if m.Fault.Kind == kind {
			names = append(names, m.Name)
		}
	}
	return names
}

// powerCurves are the curves of the classes of subjects, a panel for every number of runs.
func (e *evaluated) powerCurves() figures.Curves {
	c := figures.Curves{Title: "Power of release verdicts", XLabel: "change of the cost, %", YLabel: "detected", Guide: .8, Caption: e.command}
	for _, l := range e.powerLines() {
		heading := fmt.Sprintf("%s runs", versus(l.runs))
		if n := len(c.Panels); n == 0 || c.Panels[n-1].Heading != heading {
			c.Panels = append(c.Panels, figures.Panel{Heading: heading})
		}
		line := figures.Line{Name: l.class}
		for i, p := range l.power {
			line.Points = append(line.Points, figures.Point{X: 100 * evaluate.Effects[i], Y: p})
		}
		last := &c.Panels[len(c.Panels)-1]
		last.Lines = append(last.Lines, line)
	}
	return c
}
