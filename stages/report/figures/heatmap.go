package figures

import (
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
