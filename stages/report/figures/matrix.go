package figures

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Best says which number of a column is the best of its group of rows.
type Best uint8

const (
	Highest  Best = iota // as of recall and F1
	Lowest               // as of false alarms
	Unmarked             // none is marked
)

// Matrix is a heat map of numbers from 0 to 1: methods by fault magnitudes.
type Matrix struct {
	Title                 string      // above the map
	Measure               string      // what the numbers are, such as "F1"
	RowLabel, ColumnLabel string      // what the rows and the columns are, such as "method" and "standard deviation"
	Rows, Columns         []Group     // from top to bottom, and from left to right
	Cells                 [][]float64 // by row and by column, over all groups in their order; NaN: unknown
	Best                  Best        // which cells of a column stand out
	Caption               string      // the command that made it
}

// Group is some rows or columns next to each other. An empty heading takes no room if all are empty.
type Group struct {
	Heading string   // above the columns, or beside the rows
	Names   []string // of its rows or columns, in order
}

// WriteSVG draws the matrix. It is an error if there are no cells, or not one for every row and column.
func (m Matrix) WriteSVG(out io.Writer) error {
	if err := m.check(); err != nil {
		return fmt.Errorf("figure %q: %w", m.Title, err)
	}
	return m.layout().writeSVG(out)
}

// check reports cells that do not match the names of rows and columns.
func (m *Matrix) check() error {
	rows, columns := count(m.Rows), count(m.Columns)
	if rows == 0 || columns == 0 {
		return errors.New("a matrix without cells")
	}
	if len(m.Cells) != rows {
		return fmt.Errorf("%d rows of cells for %d names", len(m.Cells), rows)
	}
	for i, row := range m.Cells {
		if len(row) != columns {
			return fmt.Errorf("row %d has %d cells, there are %d columns", i, len(row), columns)
		}
	}
	return nil
}

// count is the number of names of all groups.
func count(groups []Group) (n int) {
	for _, g := range groups {
		n += len(g.Names)
	}
	return n
}

// best is the best number of a column between two rows, in hundredths: what looks equal is equally good. It is none where
// all that is known looks equal.
func (m *Matrix) best(column, from, to int) int {
	low, high := 101, none
	for _, row := range m.Cells[from:to] {
		if h := hundredths(row[column]); h != none {
			low, high = min(low, h), max(high, h)
		}
	}
	switch {
	case low >= high || m.Best == Unmarked:
		return none
	case m.Best == Lowest:
		return low
	default:
		return high
	}
}

// describe is the matrix in words.
func (m *Matrix) describe() string {
	text := fmt.Sprintf("Heat map of %s from 0 to 1: %d rows (%s) by %d columns (%s).",
		m.Measure, count(m.Rows), m.RowLabel, count(m.Columns), m.ColumnLabel)
	for _, g := range m.Rows {
		if g.Heading != "" {
			text += " " + g.Heading + ": " + strings.Join(g.Names, ", ") + "."
		}
	}
	return text
}
