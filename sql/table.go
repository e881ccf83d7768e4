package sql

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// sampledRows is the number of rows from which the widths of columns are taken. Later rows are written as they arrive, and wider cells
// shift the rest of their lines: a result is never held whole.
const sampledRows = 4096

// tableLook says how a table shows its cells.
type tableLook struct {
	cellRunes int  // letters to which cells are cut; 0 leaves them whole
	units     bool // columns whose names end in _ns have times with a unit, and names without the ending
}

// instants are the columns that say when and not how long. They keep all digits.
var instants = []string{"time_ns", "start_ns", "finish_ns", "send_ns", "receive_ns", "at_ns"}

// header returns the name of a column as the table shows it.
func (l tableLook) header(c column) string {
	if l.isTime(c) {
		return texttab.Printable(strings.TrimSuffix(c.name, "_ns"))
	}
	return texttab.Printable(c.name)
}

// isTime reports whether the values of a column are nanoseconds that are shown with a unit.
func (l tableLook) isTime(c column) bool {
	return l.units && strings.HasSuffix(c.name, "_ns") && c.numeric()
}

// cell returns a value as the table shows it.
func (l tableLook) cell(v any, c column) string {
	if l.isTime(c) {
		switch ns := v.(type) {
		case float64:
			return texttab.Duration(int64(math.Round(ns)))
		case int64:
			if slices.Contains(instants, c.name) {
				return texttab.Exact(ns)
			}
			return texttab.Duration(ns)
		}
	}
	return cut(texttab.Printable(string(appendText(nil, v, c.kind))), l.cellRunes)
}

// writeTable writes a result with aligned columns, a header and the number of rows.
func writeTable(out io.Writer, r *result, look tableLook) error {
	if isPlan(r) {
		return writePlan(out, r)
	}
	header, right := make([]string, len(r.columns)), make([]bool, len(r.columns))
	for i, c := range r.columns {
		header[i], right[i] = look.header(c), c.numeric()
	}
	columns := texttab.NewColumns(right)
	columns.Fit(header)
	// 1. The first rows decide how wide the columns are.
	var sample [][]string
	for len(sample) < sampledRows && r.next() {
		row := look.cells(r)
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
		if err := columns.WriteRow(out, look.cells(r)); err != nil {
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

// cells returns the values of the current row as text.
func (l tableLook) cells(r *result) []string {
	out := make([]string, len(r.values))
	for i, v := range r.values {
		out[i] = l.cell(v, r.columns[i])
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

// cut shortens a text to a number of runes, the last one an ellipsis; 0 leaves it whole.
func cut(s string, runes int) string {
	if runes <= 0 || utf8.RuneCountInString(s) <= runes {
		return s
	}
	r := []rune(s)
	return string(r[:runes-1]) + "…"
}
