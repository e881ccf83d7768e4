package figures

import (
	"bufio"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/stages/report/canvas"
)

// Sizes of a heat map.
const (
	cellWidth     = 44 * px
	cellHeight    = 26 * px
	groupGap      = 16 * px // between two groups
	headingHeight = 22 * px
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
	xs, ys        []Length
	right, bottom Length // of the last column and row
	slant         bool   // the names of columns are slanted
	nameHeight    Length // of the names of columns
}

// layout measures the names, and places the cells.
func (m *Matrix) layout() *heatmap {
	h := &heatmap{Matrix: m}
	h.slant = widest(names(m.Columns), smallSize, mostSlanted) > cellWidth-4*px
	h.nameHeight = 18 * px
	left := margin + axisLabel + widest(names(m.Rows), textSize, mostRowName) + nameGap
	if h.slant {
		h.nameHeight = slanted(widest(names(m.Columns), smallSize, mostSlanted)) + 16*px
		left = max(left, margin+h.overhang())
	}
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
		canvas.WriteText(w, c.x+cellWidth/2, c.y+cellHeight/2+4*px, textSize, text, ` text-anchor="middle" fill="`+paleInk+`"`)
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
	keyStep   = 4 // hundredths
	keyWidth  = 5 * px
	keyHeight = 10 * px
)

// legend is the colour key, and what the line around a cell means.
func (h *heatmap) legend() legend {
	zero, one := 12*px, 12*px // the room of the numbers at the ends
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
	if len(h.Rows) > 1 {
		name += " in its group"
	}
	return legend{key, {name: name, sample: 20 * px, draw: func(w *bufio.Writer, x, y Length) {
		fmt.Fprintf(w, `<rect x="%v" y="%v" width="%v" height="%v" fill="none" stroke="%s" stroke-width="1.4"/>`,
			x, y-5*px, 20*px, 10*px, ink)
	}}}
}
