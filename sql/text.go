package sql

import (
	"encoding/csv"
	"errors"
	"io"
	"strconv"
)

// writeCSV writes CSV as RFC 4180 has it, with a header. NULL is an empty field, as is an empty text.
func writeCSV(out io.Writer, r *result) error {
	w := csv.NewWriter(out)
	record := make([]string, len(r.columns))
	for i, c := range r.columns {
		record[i] = c.name
	}
	err := w.Write(record)
	for err == nil && r.next() {
		for i, v := range r.values {
			record[i] = string(appendText(nil, v, r.columns[i].kind))
		}
		err = w.Write(record)
	}
	w.Flush() // what came before a fault is written as well
	return errors.Join(r.err, w.Error())
}

// writeJSON writes an array with an object a row, one row a line, so that a diff and a line editor are of use. The line is
// built in memory that the next row uses again.
func writeJSON(out io.Writer, r *result) error {
	names := uniqueNames(r.columns)
	line := []byte("[")
	for n := 0; r.next(); n++ {
		line = append(comma(line, n), "\n{"...)
		for i, v := range r.values {
			line = append(append(comma(line, i), names[i]...), ':')
			line = appendJSON(line, v, r.columns[i].kind)
		}
		if _, err := out.Write(append(line, '}')); err != nil {
			return err
		}
		line = line[:0]
	}
	if r.err != nil {
		return r.err
	}
	_, err := out.Write(append(line, "\n]\n"...))
	return err
}

// uniqueNames are the columns' names in quotes. A repeated one gets a number, as DuckDB does in files,
// because objects keep one value a name.
func uniqueNames(columns []column) []string {
	seen := map[string]bool{}
	var out []string
	for _, c := range columns {
		name := c.name
		for n := 1; seen[name]; n++ {
			name = c.name + "_" + strconv.Itoa(n)
		}
		seen[name] = true
		out = append(out, string(appendString(nil, name)))
	}
	return out
}
