package history

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// A line of a terminal holds that many values of releases, and that many bars.
const (
	mostColumns = 12 // of a table, at about 8 characters each
	mostBars    = 40 // of a spark line, at one character each
)

// releasesPerBar is how many releases share a bar, so that a long history fits on its line.
func (r *Report) releasesPerBar() int { return (len(r.Releases) + mostBars - 1) / mostBars } // rounded up, so that the last bar may be of fewer

// sparkBars are the bars of a spark line by height.
// Eight heights: differences below an eighth of the scale are not seen.
var sparkBars = []rune("▁▂▃▄▅▆▇█")

// sparkLine draws the values of a subject, a bar for each release or, in a long history, for the highest of several. The scale starts at
// 0, or at the minimum where that is more than half of the maximum: else small changes of large values would not show.
func (r *Report) sparkLine(series int64) string {
	lo, hi := int64(math.MaxInt64), int64(0) // the scale of the whole line, in ns
	for _, v := range r.values[series] {
		lo, hi = min(lo, v.ValueNs), max(hi, v.ValueNs)
	}
	// An unknown cost is a large negative number, so that it draws the lowest bar.
	if lo <= hi/2 {
		lo = 0
	}
	var line strings.Builder
	for values := range slices.Chunk(r.values[series], r.releasesPerBar()) {
		height := 0 // of the highest of the releases that share the bar
		for _, v := range values {
			if hi > lo {
				// A line whose values are all equal stays at the lowest bar.
				height = max(height, int(float64(v.ValueNs-lo)/float64(hi-lo)*float64(len(sparkBars)-1)))
			}
		}
		line.WriteRune(sparkBars[height])
	}
	return line.String()
}

// writeValues writes the values of subjects, one column per release. Of a long history, releases that are like their neighbours in all
// printed subjects are left out, and what remains stands in several tables below each other.
// The list has the series of the subjects that are printed.
func (r *Report) writeValues(out io.Writer) error {
	list := r.printedSubjects()
	if len(list) == 0 {
		return nil
	}
	note := ""
	// Only where something stands alone does the heading explain the parentheses.
	if slices.ContainsFunc(list, func(k int64) bool {
		return slices.ContainsFunc(r.values[k], func(v schema.ReleaseValue) bool { return v.Outlier })
	}) {
		note = "; (in parentheses) what stands alone"
	}
	columns := r.shownReleases(list) // positions of releases
	if left := len(r.Releases) - len(columns); left > 0 {
		note += fmt.Sprintf("; %s on the level of their neighbours not printed", texttab.Plural(left, "release"))
	}
	fmt.Fprintln(out, "\nCost per root execution, median of the runs of a release; | where the level changes"+note)
	first := true
	// Each table repeats its subjects, so that it can be read without the one above.
	for part := range slices.Chunk(columns, mostColumns) {
		if !first {
			fmt.Fprintln(out)
		}
		first = false
		if err := r.writeColumns(out, list, part); err != nil {
			return err
		}
	}
	if more := len(r.subjects) - len(list); r.Subject != "" && more > 0 {
		fmt.Fprintf(out, "%s with this name not printed\n", texttab.Plural(more, "subject"))
	}
	return nil
}

// shownReleases returns the positions of the releases whose values are printed: all of a short history; of a long one the first and the
// last, those on either side of a change of level, and outliers.
func (r *Report) shownReleases(list []int64) (positions []int) {
	n := len(r.Releases)
	for i := range n {
		shown := n <= mostColumns || i == 0 || i == n-1 || slices.ContainsFunc(list, func(k int64) bool {
			of := r.values[k]
			// At i = 0 and n-1, which have only one neighbour, the condition before this one holds already.
			return of[i].Outlier || of[i].Segment != of[i-1].Segment || of[i].Segment != of[i+1].Segment
		})
		if shown {
			positions = append(positions, i)
		}
	}
	return positions
}

// writeColumns writes the values of subjects in some releases. The mark of a change of level stands at the release that has the new one.
func (r *Report) writeColumns(out io.Writer, list []int64, positions []int) error {
	table := texttab.New(strings.Repeat("r", len(positions)))
	// Two spaces set a column apart from the mark of a change of level in the next one.
	var head []string
	for _, i := range positions {
		head = append(head, "  "+r.Releases[i].Name)
	}
	table.Row(append(head, "component", "where")...)
	for _, k := range list {
		values := r.values[k]
		var cells []string
		for _, i := range positions {
			mark := ""
			if i > 0 && values[i].Segment != values[i-1].Segment {
				mark = "| "
			}
			cost := costText(values[i].ValueNs)
			if values[i].Outlier {
				cost = "(" + cost + ")"
			}
			cells = append(cells, mark+cost)
		}
		table.Row(append(cells, values[0].Component, withFragment(values[0].Fragment, values[0].Subject))...)
	}
	return table.Write(out)
}
