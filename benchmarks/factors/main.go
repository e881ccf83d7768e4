// Command factors draws what all functions of a run have in common, and what is left of the differences between runs once it is taken
// out. Its input is a table in CSV: run, function, calls and the sum of the own times in ns, as the test data of
// stages/change/functionchanges; its output is an SVG picture.
//
//	go run ./benchmarks/factors < stages/change/functionchanges/testdata/compressor.csv > stages/change/factors.svg
package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"

	"github.com/tracelake/tracelake/stages/change/functionchanges"
	"github.com/tracelake/tracelake/stages/report/canvas"
)

func main() {
	if err := draw(os.Stdout, os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "factors:", err)
		os.Exit(1)
	}
}

// table is the costs of functions: a row for each, with a cost for every run.
type table struct {
	runs  []string                 // names, in order
	costs [][]functionchanges.Cost // by function, then by run; a run that lacks the function has 0
}

// readTable reads the CSV, whose first row is the header. Runs and functions are sorted by name, so that the picture does not depend
// on the order of the rows.
func readTable(in io.Reader) (t table, err error) {
	// The CSV must have as many columns in every row as in the header.
	rows, err := csv.NewReader(in).ReadAll()
	if err != nil || len(rows) < 2 {
		return t, errors.Join(err, errors.New("no rows of run, function, calls, sum"))
	}
	runs, functions := make(map[string]int), make(map[string][]functionchanges.Cost)
	// 1. Runs first, since each function needs a place for every one of them.
	for _, row := range rows[1:] {
		runs[row[0]] = 0
	}
	// Positions of runs, by name.
	t.runs = slices.Sorted(maps.Keys(runs))
	for i, run := range t.runs {
		runs[run] = i
	}
	// 2. A row is the cost of a function in a run.
	for _, row := range rows[1:] {
		if functions[row[1]] == nil {
			functions[row[1]] = make([]functionchanges.Cost, len(t.runs))
		}
		c := &functions[row[1]][runs[row[0]]]                          // the place of the row: a function and a run name one cost
		if c.Calls, err = strconv.ParseFloat(row[2], 64); err != nil { // how often the function ran
			return t, err
		}
		if c.TotalNs, err = strconv.ParseFloat(row[3], 64); err != nil { // own time of all its executions, ns
			return t, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		t.costs = append(t.costs, functions[name])
	}
	return t, nil
}

// costly is the mean cost of a run in ns below which a function is not drawn: the clock decides what it shows.
const costly = 20_000

// deviations returns, by function and run, the logarithm of the cost less its mean over the runs, of functions that all runs have.
// Logarithms, since a run that is slower as a whole is slower by a factor, which then is the same shift for every function.
func (t *table) deviations() (all [][]float64) {
	for _, row := range t.costs {
		logs, mean, total := make([]float64, len(row)), 0.0, 0.0
		for i := range row {
			logs[i] = math.Log(row[i].TotalNs)
			mean += logs[i] / float64(len(row))
			total += row[i].TotalNs / float64(len(row))
		}
		// A function that a run lacks has a logarithm of minus infinity there, and so has its mean.
		if math.IsInf(mean, -1) || total < costly {
			continue
		}
		for i := range logs {
			logs[i] -= mean // now 0 in the mean of the runs
		}
		all = append(all, logs)
	}
	return all
}

// Sizes of the picture.
const (
	width, height = 860, 300
	left, top     = 60, 40
	panel, bottom = 370, 250 // width of a panel; where the runs are named
	most          = .45      // natural logarithm at the upper and lower edge: +57 % and -36 %
)

// draw writes both panels: costs as they are with the factors of the runs upon them, and costs less those factors. It is an error
// if too few functions vote on a factor.
func draw(out io.Writer, in io.Reader) error {
	t, err := readTable(in)
	if err != nil {
		return err
	}
	factors := functionchanges.CommonMode(t.costs, functionchanges.Defaults())
	if factors.Voters == 0 {
		// Without voters the factors are all 0, and both panels would be the same.
		return errors.New("too few functions to tell what all of them share")
	}
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprintf(out, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	// The picture shows all costly functions that all runs have, whether they vote on the factors or not.
	deviations := t.deviations()
	// drawPanel changes nothing; the loop below takes the factors out for the second panel.
	drawPanel(out, left, "Own time of every function in every run, against its mean", &t, deviations, factors.Log)
	for _, row := range deviations {
		for j := range row {
			row[j] -= factors.Log[j]
		}
	}
	drawPanel(out, left+panel+30, "The same without what all functions of a run share", &t, deviations, nil)
	_, err = fmt.Fprintln(out, "</svg>")
	return err
}

// drawPanel draws a dot for every function and run, and the factors of the runs as a line.
func drawPanel(out io.Writer, at int, title string, t *table, deviations [][]float64, factors []float64) {
	// x is the middle of a run's column, y the height of a logarithm; what lies beyond the edge is drawn at the edge.
	x := func(run int) float64 { return float64(at) + (float64(run)+.5)*float64(panel)/float64(len(t.runs)) }
	y := func(log float64) float64 {
		return float64(top) + (most-max(-most, min(most, log)))/(2*most)*float64(bottom-top)
	}
	fmt.Fprintf(out, `<text x="%d" y="%d" font-weight="bold">%s</text>`+"\n", at, top-16, canvas.Escape(title))
	// Lines at round percents, which are not round logarithms; only the left panel names them.
	for _, percent := range []float64{-30, -20, -10, 0, 10, 20, 30, 50} {
		level := y(math.Log1p(percent / 100))
		fmt.Fprintf(out, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/>`+"\n", at, at+panel, level, level)
		if at == left {
			fmt.Fprintf(out, `<text x="%d" y="%.1f" text-anchor="end">%+.0f %%</text>`+"\n", at-6, level+4, percent)
		}
	}
	// Dots of a run stand in one column; a run that differs as a whole shows as a shift of all.
	for run := range t.runs {
		for _, row := range deviations {
			fmt.Fprintf(out, `<circle cx="%.1f" cy="%.1f" r="2" fill="#4878a8" fill-opacity=".6"/>`+"\n", x(run), y(row[run]))
		}
		fmt.Fprintf(out, `<text transform="translate(%.1f %d) rotate(-60)" text-anchor="end" font-size="8">%s</text>`+"\n", x(run)+3, bottom+10, canvas.Escape(t.runs[run]))
	}
	for run, log := range factors {
		// A short red line: the factor of a run.
		fmt.Fprintf(out, `<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" stroke="#c03030" stroke-width="2.5"/>`+"\n", x(run)-5, x(run)+5, y(log), y(log))
	}
}
