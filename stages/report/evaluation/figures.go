package evaluation

import (
	"fmt"
	"io"
	"slices"

	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/stages/evaluation/results"
	"github.com/tracelake/tracelake/stages/report/figures"
)

// Document is a file that belongs to a report.
type Document struct {
	Name  string                // of the file
	Write func(io.Writer) error // writes the file's content
}

// figures returns figures 4.5 to 4.7 of Hilbig 2023, with settings that it does not have, and the power curves.
func (r *Report) figures() (all []Document) {
	if len(r.Trials) > 0 {
		// Recall of noise is no merit: noise is no change that a verdict should report, so that no method is marked as the best.
		noise := r.matrix("Gaussian noise", "recall", "standard deviation", faults.Noise)
		noise.Best = figures.Unmarked
		all = append(all, Document{"gaussian.svg", noise.WriteSVG},
			Document{"spikes.svg", r.matrix("Late events", "F1", "delay", faults.Spikes, faults.Chain).WriteSVG},
			Document{"functions.svg", r.matrix("Changed function timing", "F1", "factor", faults.Delay, faults.Alternate).WriteSVG})
	}
	if len(r.Power) > 0 {
		all = append(all, Document{"power.svg", r.powerFigure().WriteSVG})
	}
	return all
}

// matrix returns the heat map of some kinds of faults: a row for each method and setting, a column for each size of fault, and in
// its cells what figureValue returns.
func (r *Report) matrix(title, measure, columns string, of ...faults.Kind) figures.Matrix {
	m := figures.Matrix{Title: title, Measure: measure, RowLabel: "method", ColumnLabel: columns, Caption: r.Command}
	for _, kind := range of {
		g := figures.Group{Names: magnitudes(kind)}
		if len(of) > 1 {
			// A single kind is named by the title already.
			g.Heading = string(kind)
		}
		m.Columns = append(m.Columns, g)
	}
	for _, setting := range r.settings() {
		m.Rows = append(m.Rows, figures.Group{Heading: setting, Names: results.Methods()})
		for _, method := range results.Methods() {
			var row []float64
			// Cells are in the order of the trials, which is that of the columns.
			for i := range r.Trials {
				t := &r.Trials[i]
				if t.Setting == setting && t.Method == method && slices.Contains(of, t.Fault.Fault.Kind) {
					row = append(row, figureValue(t))
				}
			}
			m.Cells = append(m.Cells, row)
		}
	}
	return m
}

// magnitudes returns the names of the sizes of a kind of fault.
func magnitudes(kind faults.Kind) (names []string) {
	for _, m := range results.Kinds() {
		if m.Fault.Kind == kind {
			names = append(names, m.Name)
		}
	}
	return names
}

// powerFigure returns the power over the change, a line for each class of subjects and a panel for each number of runs.
// Power of 0.8, the guide, is what studies are usually planned for.
func (r *Report) powerFigure() figures.Curves {
	c := figures.Curves{Title: "Power of release verdicts", XLabel: "change of the cost, %", YLabel: "detected", Guide: .8, Caption: r.Command}
	for _, l := range r.powerCurves() {
		heading := fmt.Sprintf("%s runs", runsText(l.runs))
		if n := len(c.Panels); n == 0 || c.Panels[n-1].Heading != heading {
			c.Panels = append(c.Panels, figures.Panel{Heading: heading})
		}
		line := figures.Line{Name: l.class}
		for i, p := range l.power {
			// Effects are shares; the axis has percents.
			line.Points = append(line.Points, figures.Point{X: 100 * results.Effects[i], Y: p})
		}
		last := &c.Panels[len(c.Panels)-1]
		last.Lines = append(last.Lines, line)
	}
	return c
}

// Documents returns all files of a report: the tables as CSV, the figures as SVG, and the summary. Parts that were not evaluated
// have no file. Nothing is written before Write is called.
func (r *Report) Documents() (all []Document) {
	for _, t := range r.csvTables() {
		all = append(all, Document{t.name + ".csv", t.writeCSV})
	}
	all = append(all, r.figures()...)
	return append(all, Document{"summary.md", r.WriteMarkdown})
}
