package figures

import (
	"bufio"
	"fmt"

	"github.com/tracelake/tracelake/stages/report/canvas"
)

// Sizes of a legend.
const (
	legendLine = 18 * px  // from one line of entries to the next
	sampleLine = 34 * px  // a piece of a line
	sampleGap  = 6 * px   // between a sample and its name
	legendGap  = 20 * px  // between entries
	mostLegend = 260 * px // wider names are shortened
)

// entry is a sample and what it means. The sample begins at x; y is its middle.
type entry struct {
	name   string                             // shown behind the sample
	sample Length                             // its width
	draw   func(w *bufio.Writer, x, y Length) // draws the sample
	x      Length                             // from the left margin
	line   int                                // of the legend, from 1
}

// width returns the width of the sample and the name.
func (e *entry) width() Length {
	return e.sample + sampleGap + widest([]string{e.name}, smallSize, mostLegend)
}

// legend says what is seen in a figure.
type legend []entry

// widest is the width of the legend on one line.
func (l legend) widest() (w Length) {
	for i := range l {
		w += l[i].width() + legendGap
	}
	return w
}

// place puts the entries on lines of a width and returns the number of lines.
func (l legend) place(width Length) int {
	x, line := Length(0), 1
	for i := range l {
		if x > 0 && x+l[i].width() > width {
			x, line = 0, line+1
		}
		l[i].x, l[i].line = x, line
		x += l[i].width() + legendGap
	}
	if len(l) == 0 {
		return 0
	}
	return line
}

// write writes the legend below a height.
func (l legend) write(w *bufio.Writer, top Length) {
	for i := range l {
		e := &l[i]
		x, y := margin+e.x, top+Length(e.line)*legendLine-legendLine/2
		fmt.Fprint(w, `<g class="legend">`)
		e.draw(w, x, y)
		canvas.WriteText(w, x+e.sample+sampleGap, y+350, smallSize, canvas.Shorten(e.name, smallSize, mostLegend), ` fill="`+paleInk+`"`)
		fmt.Fprintln(w, "</g>")
	}
}
