package figures

import (
	"bufio"
	"fmt"
	"io"

	"github.com/tracelake/tracelake/stages/report/canvas"
)

// writeSVG writes the page of a heat map.
func (h *heatmap) writeSVG(out io.Writer) error {
	f := frame{title: h.Title, description: h.describe(), caption: h.Caption, legend: h.legend(), width: h.width()}
	f.height = h.bottom + h.nameHeight + axisLabel + 6*px
	return f.write(out, func(w *bufio.Writer, top Length) {
		h.writeColumns(w, top)
		h.writeRows(w, top)
		writeTurned(w, margin+8*px, top+(h.ys[0]+h.bottom)/2, canvas.Shorten(h.RowLabel, textSize, h.bottom))
	})
}

// writeColumns writes the headings above the columns, their names below them, and what they are.
func (h *heatmap) writeColumns(w *bufio.Writer, top Length) {
	// at is the position of the column over all groups.
	at := 0
	for _, g := range h.Columns {
		if len(g.Names) == 0 {
			continue
		}
		left, right := h.xs[at], h.xs[at+len(g.Names)-1]+cellWidth
		if g.Heading != "" {
			heading := canvas.Shorten(g.Heading, textSize, (right-left)*10/11)
			canvas.WriteText(w, (left+right)/2, top+13*px, textSize, heading, ` text-anchor="middle" font-weight="bold"`)
			fmt.Fprintln(w)
		}
		for _, name := range g.Names {
			h.writeColumnName(w, h.xs[at]+cellWidth/2, top+h.bottom, name)
			at++
		}
	}
	middle := (h.xs[0] + h.right) / 2
	label := canvas.Shorten(h.ColumnLabel, textSize, 2*min(middle-margin, h.right+margin-middle))
	canvas.WriteText(w, middle, top+h.bottom+h.nameHeight+12*px, textSize, label, ` text-anchor="middle" fill="`+paleInk+`"`)
	fmt.Fprintln(w)
}

// writeColumnName writes the name of a column, slanted where the names have no room side by side.
func (h *heatmap) writeColumnName(w *bufio.Writer, x, bottom Length, name string) {
	if h.slant {
		writeSlanted(w, x+3*px, bottom+11*px, canvas.Shorten(name, smallSize, mostSlanted))
		return
	}
	canvas.WriteText(w, x, bottom+14*px, smallSize, name, ` text-anchor="middle"`)
	fmt.Fprintln(w)
}

// writeSlanted writes text that rises to its end.
func writeSlanted(w *bufio.Writer, x, y Length, text string) {
	fmt.Fprintf(w, `<text transform="translate(%v %v) rotate(-45)" text-anchor="end" font-size="%v">%s</text>`+"\n",
		x, y, smallSize, canvas.Escape(text))
}

// writeRows writes the groups of rows with their headings, names and cells.
// from and to are positions of rows over all groups.
func (h *heatmap) writeRows(w *bufio.Writer, top Length) {
	from := 0
	for _, g := range h.Rows {
		to := from + len(g.Names)
		if g.Heading != "" && to > from {
			heading := canvas.Shorten(g.Heading, textSize, (h.width()-margin-h.xs[0])*10/11)
			canvas.WriteText(w, h.xs[0], top+h.ys[from]-7*px, textSize, heading, ` font-weight="bold"`)
			fmt.Fprintln(w)
		}
		for i, name := range g.Names {
			y := top + h.ys[from+i]
			canvas.WriteText(w, h.xs[0]-nameGap, y+cellHeight/2+4*px, textSize, canvas.Shorten(name, textSize, mostRowName), ` text-anchor="end"`)
			fmt.Fprintln(w)
			h.writeCells(w, y, from, to, i, name)
		}
		from = to
	}
}

// writeCells writes row i of the group of rows between two, that of a method.
func (h *heatmap) writeCells(w *bufio.Writer, y Length, from, to, i int, method string) {
	column := 0
	for _, g := range h.Columns {
		for _, name := range g.Names {
			value := hundredths(h.Cells[from+i][column])
			c := cell{x: h.xs[column], y: y, value: value, best: value == h.best(column, from, to)}
			fmt.Fprintf(w, `<g class="cell"><title>%s</title>`, canvas.Escape(c.tip(method, g.Heading, name)))
			c.write(w, decimal(value))
			fmt.Fprintln(w, "</g>")
			column++
		}
	}
}
