package sql

import (
	"fmt"
	"io"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// sampledRows is how many rows the column widths are taken from. Later rows are written as they arrive, and wider cells
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
	sample, err := sampleRows(r, columns, cellRunes)
	if err != nil {
		return err
	}
	if err := columns.WriteRow(out, header); err != nil {
		return err
	}
	if err := columns.WriteRow(out, columns.Rule()); err != nil {
		return err
	}
	for _, row := range sample {
		if err := columns.WriteRow(out, row); err != nil {
			return err
		}
	}
	n, err := writeRest(out, r, columns, len(sample), cellRunes)
	if err != nil {
		return err
	}
	unit := "rows"
	if n == 1 {
		unit = "row"
	}
	_, err = fmt.Fprintf(out, "(%d %s)\n", n, unit)
	return err
}

// sampleRows reads the first rows and widens the columns for them.
func sampleRows(r *result, columns *texttab.Columns, cellRunes int) ([][]string, error) {
	var rows [][]string
	for len(rows) < sampledRows {
		more, err := r.next()
		if err != nil || !more {
			return rows, err
		}
		rows = append(rows, cells(r, cellRunes))
		columns.Fit(rows[len(rows)-1])
	}
	return rows, nil
}

// writeRest writes the rows behind the first n and returns how many there are in all.
func writeRest(out io.Writer, r *result, columns *texttab.Columns, n, cellRunes int) (int, error) {
	for {
		more, err := r.next()
		if err != nil || !more {
			return n, err
		}
		if err := columns.WriteRow(out, cells(r, cellRunes)); err != nil {
			return n, err
		}
		n++
	}
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
	for {
		more, err := r.next()
		if err != nil || !more {
			return err
		}
		if _, err := fmt.Fprintf(out, "%v\n", r.values[len(r.values)-1]); err != nil {
			return err
		}
	}
}
