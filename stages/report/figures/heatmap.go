package figures

import (
	"bufio"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/stages/report/canvas"
)

// Sizes of a heat map.
const (
	cellWidth     = 44 * px  // of a column
	cellHeight    = 26 * px  // of a row
	groupGap      = 16 * px  // between two groups
	headingHeight = 22 * px  // of a group of rows or columns
	mostHeading   = 600 * px // wider headings do not make the figure wider
	mostRowName   = 180 * px
	mostSlanted   = 120 * px // of the names of columns, where they do not fit above each other
	axisLabel     = 20 * px  // the room of the label of an axis
	nameGap       = 8 * px   // between names and cells
)

// heatmap is a matrix and where its parts stand: xs and ys are the left and upper edges of its columns and rows,
// from the upper left corner of the page and of the body.
type heatmap struct {
	*Matrix
	xs, ys        []Length // by column and by row
	right, bottom Length   // of the last column and row
	slant         bool     // the names of columns are slanted
	nameHeight    Length   // of the names of columns
}

// layout measures the names, and places the cells.
func (m *Matrix) layout() *heatmap {
	// 1. Names of columns stand side by side, or slanted where one does not fit its cell; slanted names need room at the left.
	h := &heatmap{Matrix: m}
	h.slant = widest(names(m.Columns), smallSize, mostSlanted) > cellWidth-4*px
	h.nameHeight = 18 * px
	left := margin + axisLabel + widest(names(m.Rows), textSize, mostRowName) + nameGap
	if h.slant {
		h.nameHeight = slanted(widest(names(m.Columns), smallSize, mostSlanted)) + 16*px
		left = max(left, margin+h.overhang())
	}
	// 2. Columns, then rows; a heading takes the place of a part of the gap between groups.
	top := Length(0)
	if headed(m.Columns) {
		top = headingHeight
	}
	h.xs, h.right = edges(m.Columns, left, cellWidth, groupGap, 0)
	heading, gap := Length(0), groupGap
	if headed(m.Rows) {
		heading, gap = headingHeight, groupGap/2 // a heading sets groups apart as well
	}
	h.ys, h.bottom = edges(m.Rows, top, cellHeight, gap, heading)
	return h
}

// edges are the places of the names of groups, one after the other; before each group is room for its heading.
func edges(groups []Group, at, size, gap, heading Length) (places []Length, end Length) {
	for _, g := range groups {
		if len(g.Names) == 0 {
			continue
		}
		if len(places) > 0 {
			at += gap
		}
		at += heading
		for range g.Names {
			places = append(places, at)
			at += size
		}
	}
	return places, at
}

// overhang is how far slanted names reach to the left of the cells.
func (h *heatmap) overhang() (w Length) {
	for i, name := range names(h.Columns) {
		w = max(w, slanted(widest([]string{name}, smallSize, mostSlanted))-cellWidth/2-Length(i)*cellWidth)
	}
	return w
}

// names are those of all groups.
func names(groups []Group) (all []string) {
	for _, g := range groups {
		all = append(all, g.Names...)
	}
	return all
}

// headed says whether any group has a heading.
func headed(groups []Group) bool {
	return slices.ContainsFunc(groups, func(g Group) bool { return g.Heading != "" && len(g.Names) > 0 })
}

// width is the width of the page that is needed, for long headings too.
func (h *heatmap) width() Length {
	width := h.right
	for _, g := range h.Rows {
		width = max(width, h.xs[0]+min(canvas.TextWidth(g.Heading, textSize)*11/10, mostHeading))
	}
	return width + margin
}

// cell is a number of a heat map, in hundredths, and where it stands. The best is bold and has a line around it. Where
// nothing is known, best does not matter.
type cell struct {
	x, y  Length // of its upper left corner
	value int    // in hundredths; none where nothing is known
	best  bool   // the best of its column in its group
}

// write writes the cell with a text in it. Half a pixel at each side stays free.
func (c cell) write(w *bufio.Writer, text string) {
	const gap = px / 2
	x, y := c.x+gap, c.y+gap
	// A cell without a number is empty with an outline, so that it is not taken for 0.
	if c.value == none {
		fmt.Fprintf(w, `<rect x="%v" y="%v" width="%v" height="%v" fill="#ffffff" stroke="%s" stroke-width="1"/>`,
			x+px/2, y+px/2, cellWidth-2*gap-px, cellHeight-2*gap-px, grid)
		canvas.WriteText(w, c.x+cellWidth/2, c.y+cellHeight/2+4*px, textSize, text, ` text-anchor="middle" fill="`+paleInk+`"`)
		return
	}
	fmt.Fprintf(w, `<rect x="%v" y="%v" width="%v" height="%v" fill="%s"/>`,
		x, y, cellWidth-2*gap, cellHeight-2*gap, hex(shade(c.value)))
	attributes := ""
	// The mark of the best is a line inside the cell, in a colour that its fill lets see.
	if c.best {
		fmt.Fprintf(w, `<rect x="%v" y="%v" width="%v" height="%v" fill="none" stroke="%s" stroke-width="1.4"/>`,
			x+2*px, y+2*px, cellWidth-2*gap-4*px, cellHeight-2*gap-4*px, inkOn(c.value))
		attributes = ` font-weight="bold"`
	}
	attributes += ` text-anchor="middle" fill="` + inkOn(c.value) + `"`
	canvas.WriteText(w, c.x+cellWidth/2, c.y+cellHeight/2+4*px, textSize, text, attributes)
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
	keyStep   = 4       // hundredths
	keyWidth  = 5 * px  // of one step of the key
	keyHeight = 10 * px // of the key's bar
)

// legend is the colour key, and what the line around a cell means.
func (h *heatmap) legend() legend {
	zero, one := 12*px, 12*px // the room of the numbers at the ends
	// The bar runs from 0 to 1 in steps of keyStep hundredths, both ends included.
	bar := (100/keyStep + 1) * keyWidth
	key := entry{name: h.Measure, sample: zero + bar + one, draw: func(w *bufio.Writer, x, y Length) {
		canvas.WriteText(w, x, y+350, smallSize, "0", ` fill="`+paleInk+`"`)
		canvas.WriteText(w, x+zero+bar+5*px, y+350, smallSize, "1", ` fill="`+paleInk+`"`)
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
	// With several groups of rows, methods compete within a group.
	if len(h.Rows) > 1 {
		name += " in its group"
	}
	return legend{key, {name: name, sample: 20 * px, draw: func(w *bufio.Writer, x, y Length) {
		fmt.Fprintf(w, `<rect x="%v" y="%v" width="%v" height="%v" fill="none" stroke="%s" stroke-width="1.4"/>`,
			x, y-5*px, 20*px, 10*px, ink)
	}}}
}
