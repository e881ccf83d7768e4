package texttab

import (
	"bufio"
	"io"
	"slices"
	"strings"
)

// gap separates two columns. Two spaces keep a column apart from a cell of several words, and let awk split a line at
// runs of two spaces.
const gap = "  "

// Columns aligns rows of cells under each other. Callers that cannot hold all rows call Fit for a sample of them first
// and WriteRow for every row then; a later cell that is wider than its column shifts the rest of its line and no other.
type Columns struct {
	right  []bool // whether a column is aligned to the right; columns beyond the end are aligned to the left
	widths []int  // columns of the terminal, by column of the table
	line   []byte // the buffer of WriteRow, which allocates nothing per row
}

// NewColumns returns columns without width. right says which are aligned to the right, as numbers are.
func NewColumns(right []bool) *Columns { return &Columns{right: right} }

// Fit widens the columns until they hold the cells of a row. It costs one pass over the letters of the row.
func (c *Columns) Fit(cells []string) {
	for i, cell := range cells {
		if i == len(c.widths) {
			c.widths = append(c.widths, 0)
		}
		c.widths[i] = max(c.widths[i], Width(cell))
	}
}

// Rule returns a row of dashes as wide as the columns, to stand between a header and the rows.
func (c *Columns) Rule() []string {
	dashes := make([]string, len(c.widths))
	for i, width := range c.widths {
		dashes[i] = strings.Repeat("-", width)
	}
	return dashes
}

// WriteRow writes the cells of a row and a line feed, without spaces at the end of the line.
func (c *Columns) WriteRow(out io.Writer, cells []string) error {
	line := c.line[:0]
	for i, cell := range cells {
		if i > 0 {
			line = append(line, gap...)
		}
		spaces := 0
		if i < len(c.widths) {
			spaces = c.widths[i] - Width(cell)
		}
		if i < len(c.right) && c.right[i] {
			line = append(appendSpaces(line, spaces), cell...)
		} else {
			line = appendSpaces(append(line, cell...), spaces)
		}
	}
	for len(line) > 0 && line[len(line)-1] == ' ' {
		line = line[:len(line)-1]
	}
	c.line = append(line, '\n')
	_, err := out.Write(c.line)
	return err
}

// appendSpaces appends n spaces; none for a negative n, which a cell wider than its column has.
func appendSpaces(line []byte, n int) []byte {
	for range n {
		line = append(line, ' ')
	}
	return line
}

// Table is a table that is written once all of its rows are known. Its rows may have different numbers of cells.
type Table struct {
	right []bool
	rows  [][]string
}

// New returns an empty table. The letters of align stand for its columns: 'r' aligns one to the right, as numbers are,
// any other letter to the left. Columns without a letter are aligned to the left.
func New(align string) *Table {
	t := new(Table)
	for _, letter := range align {
		t.right = append(t.right, letter == 'r')
	}
	return t
}

// Row adds a row. The table keeps the slice. The first row is the header, where a table has one. A cell is one line, whatever
// the names in it hold.
func (t *Table) Row(cells ...string) {
	for i := range cells {
		cells[i] = Printable(cells[i])
	}
	t.rows = append(t.rows, cells)
}

// DropEmptyColumns removes the columns that have no text below the first row, which is their header.
func (t *Table) DropEmptyColumns() {
	if len(t.rows) == 0 {
		return
	}
	for i := len(t.rows[0]) - 1; i >= 0; i-- {
		if slices.ContainsFunc(t.rows[1:], func(row []string) bool { return row[i] != "" }) {
			continue
		}
		t.dropColumn(i)
	}
}

// dropColumn removes a column, of rows that have it.
func (t *Table) dropColumn(i int) {
	for r := range t.rows {
		if i < len(t.rows[r]) {
			t.rows[r] = slices.Delete(t.rows[r], i, i+1)
		}
	}
	if i < len(t.right) {
		t.right = slices.Delete(t.right, i, i+1)
	}
}

// Write writes the rows with aligned columns, as wide as their widest cell. Nothing is cut, unless FitInto did so for a terminal: names of functions
// and fragments must be copied from a report into the next command.
func (t *Table) Write(out io.Writer) error {
	columns := NewColumns(t.right)
	for _, row := range t.rows {
		columns.Fit(row)
	}
	w := bufio.NewWriter(out)
	for _, row := range t.rows {
		columns.WriteRow(w, row) // the buffer keeps its first error, which Flush returns
	}
	return w.Flush()
}

// WriteMarkdown writes the rows as a table of GitHub Flavored Markdown, the first as its header. Numeric columns are not
// marked: sites that show these tables align them by themselves. Cells must be escaped already.
func (t *Table) WriteMarkdown(out io.Writer) error {
	w := bufio.NewWriter(out)
	for i, row := range t.rows {
		w.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			w.WriteString("|" + strings.Repeat(" --- |", len(row)) + "\n")
		}
	}
	return w.Flush()
}
