package sql

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// sampledRows is the number of rows from which the widths of columns are taken. Later rows are written as they arrive, and wider cells
// shift the rest of their lines: a result is never held whole.
const sampledRows = 4096

// writeTable writes a result with aligned columns, a header and the number of rows. Cells are cut to cellRunes letters
// unless that is 0.
func writeTable(out io.Writer, r *result, cellRunes int) error {
	if isPlan(r) {
		return writePlan(out, r)
	}
	header, right := make([]string, len(r.columns)), make([]bool, len(r.columns))
	for i, c := range r.columns {
		header[i], right[i] = printable(c.name), c.numeric()
	}
	columns := texttab.NewColumns(right)
	columns.Fit(header)
	// 1. The first rows decide how wide the columns are.
	var sample [][]string
	for len(sample) < sampledRows && r.next() {
		row := cells(r, cellRunes)
		columns.Fit(row)
		sample = append(sample, row)
	}
	if r.err != nil {
		return r.err
	}
	// 2. The header and these rows.
	for _, row := range slices.Concat([][]string{header, columns.Rule()}, sample) {
		if err := columns.WriteRow(out, row); err != nil {
			return err
		}
	}
	// 3. All other rows as they arrive; after the last one, next returns false again.
	n := len(sample)
	for ; r.next(); n++ {
		if err := columns.WriteRow(out, cells(r, cellRunes)); err != nil {
			return err
		}
	}
	if r.err != nil {
		return r.err
	}
	unit := "rows"
	if n == 1 {
		unit = "row"
	}
	_, err := fmt.Fprintf(out, "(%d %s)\n", n, unit)
	return err
}

// cells returns the values of the current row as text, cut to cellRunes letters unless that is 0.
func cells(r *result, cellRunes int) []string {
	out := make([]string, len(r.values))
	for i, v := range r.values {
		out[i] = cut(printable(string(appendText(nil, v, r.columns[i].kind))), cellRunes)
	}
	return out
}

// isPlan reports whether the result is that of EXPLAIN: drawings of several lines.
func isPlan(r *result) bool { return r.columns[0].name == "explain_key" }

// writePlan writes the drawings as they are: aligning them as cells would break them.
func writePlan(out io.Writer, r *result) error {
	for r.next() {
		if _, err := fmt.Fprintf(out, "%v\n", r.values[len(r.values)-1]); err != nil {
			return err
		}
	}
	return r.err
}

// printable escapes line ends and control characters, which would break the lines of a table or
// command a terminal.
func printable(s string) string {
	if plain(s) || strings.IndexFunc(s, unicode.IsControl) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsControl(r) {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// cut shortens a text to a number of runes, the last one an ellipsis; 0 leaves it whole.
func cut(s string, runes int) string {
	if runes <= 0 || utf8.RuneCountInString(s) <= runes {
		return s
	}
	r := []rune(s)
	return string(r[:runes-1]) + "…"
}
