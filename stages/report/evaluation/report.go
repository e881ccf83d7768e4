// Package evaluation reports how far verdicts on runs can be trusted. It takes the results of an evaluation and writes them as
// text or Markdown for people, as JSON, as tables in CSV and as figures in SVG:
//
//	report.go  A/A: false alarms on runs that are repetitions of the same
//	trials.go  scores on injected faults, and the settings in which release verdicts are not the best
//	power.go   power, and false discoveries among true ones
//	tables.go  the same for programs
//	figures.go figures 4.5 to 4.7 of Hilbig 2023, and power curves
package evaluation

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/tracelake/tracelake/stages/evaluation/results"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Report is an evaluation with what it was made of.
type Report struct {
	*results.Result        // what was evaluated; parts without rows were not
	Seeds           int    // faults of every kind and magnitude
	Command         string // that makes the same again
}

// chapter is a table for people with sentences that explain it.
type chapter struct {
	title, note string     // the title, and sentences on what the columns mean
	left        int        // leading columns of text; all others are numbers
	rows        [][]string // the header first
}

// WriteText writes the summary for people.
func (r *Report) WriteText(out io.Writer) error {
	return r.writeChapters(out, func(out io.Writer, c *chapter) error {
		fmt.Fprintf(out, "%s\n%s\n\n", c.title, c.note)
		table := texttab.New(strings.Repeat("l", c.left) + strings.Repeat("r", len(c.rows[0])-c.left))
		for _, row := range c.rows {
			table.Row(row...)
		}
		return table.Write(out)
	})
}

// WriteMarkdown writes the summary as a document of its own.
func (r *Report) WriteMarkdown(out io.Writer) error {
	fmt.Fprintf(out, "# Evaluation\n\nMade by `%s`.\n\n", r.Command)
	return r.writeChapters(out, func(out io.Writer, c *chapter) error {
		fmt.Fprintf(out, "## %s\n\n%s\n\n", c.title, c.note)
		for i, row := range c.rows {
			fmt.Fprintf(out, "| %s |\n", strings.Join(row, " | "))
			if i == 0 { // the columns are aligned as in the text
				fmt.Fprintf(out, "|%s%s\n", strings.Repeat("---|", min(c.left, len(row))), strings.Repeat("--:|", max(0, len(row)-c.left)))
			}
		}
		return nil
	})
}

// WriteJSON writes the tables of csvTables as lists of objects, by their names, in one line.
func (r *Report) WriteJSON(out io.Writer) error {
	document := make(map[string]any)
	for _, t := range r.csvTables() {
		document[t.name] = t.jsonRows()
	}
	return json.NewEncoder(out).Encode(document)
}

// writeChapters writes all chapters in one form, with an empty line between two of them.
// Faults of the writer surface at the end, in Flush.
func (r *Report) writeChapters(out io.Writer, write func(io.Writer, *chapter) error) error {
	w := bufio.NewWriter(out)
	for i, c := range r.chapters() {
		if i > 0 {
			// c is the loop's own variable, so its address is that of this chapter.
			fmt.Fprintln(w)
		}
		if err := write(w, &c); err != nil {
			return err
		}
	}
	return w.Flush()
}

// chapters returns the summary without the parts that were not evaluated. That release verdicts are the best everywhere is
// worth a chapter without rows.
func (r *Report) chapters() (all []chapter) {
	for _, c := range []chapter{r.aaChapter(), r.ablationChapter(), r.faultChapter(), r.lossChapter(), r.powerChapter(), r.fdrChapter()} {
		// A chapter of one row has the header alone.
		if len(c.rows) > 1 || c.title == lossTitle && len(r.Trials) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// rateText writes a share in percent with one decimal.
// Of no subjects there is no share.
func rateText(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*x)
}

// fineRate writes a share in percent with three decimals, for alarms that are rare.
func fineRate(x float64) string { return fmt.Sprintf("%.3f %%", 100*x) }

// scoreText writes a number from 0 to 1.
func scoreText(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf("%.2f", x)
}

// runsText writes how many runs each side has.
func runsText(runs int) string { return fmt.Sprintf("%d v %d", runs, runs) }

// aaChapter reports the verdicts on runs that are repetitions of the same: every verdict of a change is a false alarm there. Rates of
// whole comparisons have one decimal; those of subjects are much smaller and have three.
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
	for _, by := range results.Together(r.Ablation) {
		c.rows = append(c.rows, []string{runsText(by.Runs), by.Method, texttab.Count(by.Alarmed.Of), rateText(by.Alarmed.Rate()), fineRate(by.Alarms.Rate())})
	}
	return c
}
