package sql

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// sampledRows is how many rows the column widths are taken from. Later rows are written as they come,
// and wider cells push theirs out of line: a result is never held whole.
const sampledRows = 4096

// grid writes rows of cells in aligned columns.
type grid struct {
	out    io.Writer
	right  []bool
	widths []int
	line   []byte
}

func writeTable(out io.Writer, r *result, cellRunes int) error {
	if isPlan(r) {
		return writePlan(out, r)
	}
	g := &grid{out: out}
	header := make([]string, len(r.columns))
	for i, c := range r.columns {
		header[i] = printable(c.name)
		g.right = append(g.right, c.numeric())
	}
	sample, err := g.sample(r, header, cellRunes)
	if err != nil {
		return err
	}
	if err := g.writeHead(header); err != nil {
		return err
	}
	for _, cells := range sample {
		if err := g.write(cells); err != nil {
			return err
		}
	}
	n, err := g.writeRest(r, len(sample), cellRunes)
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

// sample reads the first rows and fits the widths to them.
func (g *grid) sample(r *result, header []string, cellRunes int) ([][]string, error) {
	g.widths = make([]int, len(header))
	g.fit(header)
	var rows [][]string
	for len(rows) < sampledRows {
		more, err := r.next()
		if err != nil || !more {
			return rows, err
		}
		rows = append(rows, cells(r, cellRunes))
		g.fit(rows[len(rows)-1])
	}
	return rows, nil
}

func (g *grid) fit(cells []string) {
	for i, c := range cells {
		g.widths[i] = max(g.widths[i], width(c))
	}
}

func (g *grid) writeHead(header []string) error {
	if err := g.write(header); err != nil {
		return err
	}
	rules := make([]string, len(header))
	for i, w := range g.widths {
		rules[i] = strings.Repeat("-", w)
	}
	return g.write(rules)
}

func (g *grid) writeRest(r *result, n, cellRunes int) (int, error) {
	for {
		more, err := r.next()
		if err != nil || !more {
			return n, err
		}
		if err := g.write(cells(r, cellRunes)); err != nil {
			return n, err
		}
		n++
	}
}

func (g *grid) write(cells []string) error {
	line := g.line[:0]
	for i, c := range cells {
		if i > 0 {
			line = append(line, "  "...)
		}
		gap := max(0, g.widths[i]-width(c))
		if g.right[i] {
			line = append(pad(line, gap), c...)
			continue
		}
		line = pad(append(line, c...), gap)
	}
	g.line = append(bytes.TrimRight(line, " "), '\n')
	_, err := g.out.Write(g.line)
	return err
}

func pad(line []byte, n int) []byte {
	for range n {
		line = append(line, ' ')
	}
	return line
}

// cells are the values of the current row, cut to so many runes where that is more than 0.
func cells(r *result, cellRunes int) []string {
	out := make([]string, len(r.values))
	for i, v := range r.values {
		out[i] = cut(printable(string(appendText(nil, v, r.columns[i].kind))), cellRunes)
	}
	return out
}

// isPlan tells whether the result is that of EXPLAIN: drawings of several lines.
func isPlan(r *result) bool { return r.columns[0].name == "explain_key" }

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
