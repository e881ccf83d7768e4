package criticalpath

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/findings"
)

// WriteComposed writes what the paths towards many occurrences spend their time on.
func (r *Report) WriteComposed(out io.Writer, c *findings.Composed) error {
	return (&textReport{r, out}).writeComposed(c)
}

// writeComposed writes the number of paths, the distribution of their spans, and what they consist of.
func (r *textReport) writeComposed(c *findings.Composed) error {
	// 1. The question, and what was left out of the answer.
	sums, spans := largestFirst(c), r.spans(c)
	fmt.Fprintf(r.out, "critical paths towards %s in run %s: %s occurrences%s\n", r.targetText(), r.Run, texttab.Count(len(spans)), r.fromText())
	r.writeLeftOut()
	// 2. The distribution of spans, and how much of them the paths account for; 1 % may be missing without a word.
	s := quantilesOf(spans)
	fmt.Fprintf(r.out, "span: minimum %s, median %s, 95 %% up to %s, maximum %s\n\n", texttab.Duration(s.Min), texttab.Duration(s.Median), texttab.Duration(s.P95), texttab.Duration(s.Max))
	r.writeClocks()
	if shown, whole := totalNs(sums), sumOf(spans); shown < whole-whole/100 {
		fmt.Fprintf(r.out, "The paths show %s of that: what held up the rest is not in the trace, as where a sender was not traced.\n\n", texttab.Percent(shown, whole))
	}
	if len(sums) == 0 {
		return nil
	}
	// 3. The parts.
	return r.writeSums(c, sums, len(spans))
}

// WriteComposedJSON writes what the paths towards many occurrences spend their time on, with all parts.
func (r *Report) WriteComposedJSON(out io.Writer, c *findings.Composed) error {
	spans := r.spans(c)
	return writeJSON(out, composedDocument{r.Run, r.To, r.From, len(spans), quantilesOf(spans), newSums(c, largestFirst(c)), r.EarlyReceipts})
}

// spans returns the span of every occurrence in nanoseconds: that of its path where the path begins as far back as it leads.
func (r *Report) spans(c *findings.Composed) []int64 {
	spans := make([]int64, len(r.Occurrences))
	for i := range r.Occurrences {
		o := &r.Occurrences[i]
		// Starts has where each path begins, which lies before the occurrence.
		if spans[i] = o.SpanNs(); o.From == criticalpath.Start {
			spans[i] = o.ToNs - c.Starts[i]
		}
	}
	return spans
}

// sumOf adds up spans in nanoseconds.
func sumOf(spans []int64) (ns int64) {
	for _, span := range spans {
		ns += span
	}
	return ns
}

// largestFirst returns the sums of a composition, the largest total first.
func largestFirst(c *findings.Composed) []criticalpath.Sum {
	sums := c.Sums.Sums(0, c.Names, c.Parts)
	slices.SortStableFunc(sums, func(a, b criticalpath.Sum) int { return cmp.Compare(b.TotalNs, a.TotalNs) })
	return sums
}

// writeSums writes the parts of the paths towards some occurrences, the largest first. Of a single path it writes the number of
// steps; of several, the mean and the maximum of a path and how many paths have the part.
func (r *textReport) writeSums(c *findings.Composed, sums []criticalpath.Sum, occurrences int) error {
	// The columns differ: of one path there is no mean, and no other path that could lack the part.
	total := r.writeCategories(sums)
	g := texttab.New("rrrrr")
	if occurrences == 1 {
		g = texttab.New("rrr")
		g.Row("share", "time", "steps", "", "where")
	} else {
		g.Row("share", "time", "a path", "most", "paths", "", "where")
	}
	// Top bounds the rows; what is cut is summed up, so that the shares add up to 100 %.
	n := r.printed(len(sums))
	for _, s := range sums[:n] {
		row := []string{texttab.Percent(s.TotalNs, total), texttab.Duration(s.TotalNs)}
		if occurrences == 1 {
			row = append(row, texttab.Count(s.Steps))
		} else {
			row = append(row, texttab.Duration(s.TotalNs/int64(occurrences)), texttab.Duration(s.MaxNs), texttab.Count(s.Occurrences))
		}
		g.Row(append(row, schema.CategoryWords[s.Category], placeText(c.Names, c.Parts, s.Key))...)
	}
	rest := sums[n:]
	words := fmt.Sprintf("%s smaller parts, %s in all", texttab.Count(len(rest)), texttab.Percent(totalNs(rest), total))
	return writeCut(r.out, g, len(rest), words)
}

// writeCategories writes the share of every category of Jonk et al. 2019, section III-C, and returns the time of all in
// nanoseconds.
func (r *textReport) writeCategories(sums []criticalpath.Sum) (total int64) {
	// Categories without time are left out: a trace without messages has no communication to report.
	total = totalNs(sums)
	kinds := make([]int64, len(schema.CategoryWords))
	for _, s := range sums {
		kinds[s.Category] += s.TotalNs
	}
	var words []string
	for k, ns := range kinds {
		if ns > 0 {
			words = append(words, texttab.Percent(ns, total)+" "+schema.CategoryWords[k])
		}
	}
	if len(words) > 0 {
		fmt.Fprintf(r.out, "%s\n\n", strings.Join(words, ", "))
	}
	return total
}

// totalNs adds up the time of parts in nanoseconds.
func totalNs(sums []criticalpath.Sum) (ns int64) {
	for _, s := range sums {
		ns += s.TotalNs
	}
	return ns
}
