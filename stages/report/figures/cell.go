package figures

import (
	"bufio"
	"fmt"
)

// cell is a number of a heat map, in hundredths, and where it stands. The best is bold and has a line around it. Where
// nothing is known, best does not matter.
type cell struct {
	x, y  Length
	value int
	best  bool
}

// write writes the cell with a text in it. Half a pixel at each side stays free.
func (c cell) write(w *bufio.Writer, text string) {
	const gap = px / 2
	x, y := c.x+gap, c.y+gap
	if c.value == none {
		fmt.Fprintf(w, `<rect x="%v" y="%v" width="%v" height="%v" fill="#ffffff" stroke="%s" stroke-width="1"/>`,
			x+px/2, y+px/2, cellWidth-2*gap-px, cellHeight-2*gap-px, grid)
		writeText(w, c.x+cellWidth/2, c.y+cellHeight/2+4*px, textSize, text, ` text-anchor="middle" fill="`+paleInk+`"`)
		return
	}
	fmt.Fprintf(w, `<rect x="%v" y="%v" width="%v" height="%v" fill="%s"/>`,
		x, y, cellWidth-2*gap, cellHeight-2*gap, hex(shade(c.value)))
	attributes := ""
	if c.best {
		fmt.Fprintf(w, `<rect x="%v" y="%v" width="%v" height="%v" fill="none" stroke="%s" stroke-width="1.4"/>`,
			x+2*px, y+2*px, cellWidth-2*gap-4*px, cellHeight-2*gap-4*px, inkOn(c.value))
		attributes = ` font-weight="bold"`
	}
	attributes += ` text-anchor="middle" fill="` + inkOn(c.value) + `"`
	writeText(w, c.x+cellWidth/2, c.y+cellHeight/2+4*px, textSize, text, attributes)
}

// tip is a cell in words, for those who point at it.
func (c cell) tip(row, heading, column string) string {
	if heading != "" {
		column = heading + " " + column
	}
	text := row + ", " + column + ": " + decimal(c.value)
	switch {
	case c.value == none:
		return row + ", " + column + ": not known"
	case c.best:
		text += ", the best"
	}
	return text
}

// Sizes of the colour key.
const (
	keyStep   = 4 // hundredths
	keyWidth  = 5 * px
	keyHeight = 10 * px
)

// legend is the colour key, and what the line around a cell means.
func (h *heatmap) legend() legend {
	zero, one := 12*px, 12*px // the room of the numbers at the ends
	bar := (100/keyStep + 1) * keyWidth
	key := entry{name: h.Measure, sample: zero + bar + one, draw: func(w *bufio.Writer, x, y Length) {
		writeText(w, x, y+350, smallSize, "0", ` fill="`+paleInk+`"`)
		writeText(w, x+zero+bar+5*px, y+350, smallSize, "1", ` fill="`+paleInk+`"`)
		for i := range Length(100/keyStep + 1) {
			fmt.Fprintf(w, `<rect x="%v" y="%v" width="%v" height="%v" fill="%s" shape-rendering="crispEdges"/>`,
				x+zero+i*keyWidth, y-keyHeight/2, keyWidth, keyHeight, hex(shade(int(i)*keyStep)))
		}
	}}
	if h.Best == Unmarked {
		return legend{key}
	}
	name := "highest of its column"
	if h.Best == Lowest {
		name = "lowest of its column"
	}
	if len(h.Rows) > 1 {
		name += " in its group"
	}
	return legend{key, {name: name, sample: 20 * px, draw: func(w *bufio.Writer, x, y Length) {
		fmt.Fprintf(w, `<rect x="%v" y="%v" width="%v" height="%v" fill="none" stroke="%s" stroke-width="1.4"/>`,
			x, y-5*px, 20*px, 10*px, ink)
	}}}
}
