package figures

import (
	"bufio"
	"fmt"
	"math"
	"slices"
)

// plot is the rectangle of two axes on the page.
type plot struct{ left, right, top, bottom Length }

// writeLevel writes a line across the plot.
func (p plot) writeLevel(w *bufio.Writer, y Length) {
	fmt.Fprintf(w, `<path fill="none" stroke="%s" d="M%v %vH%v"/>`+"\n", grid, p.left, y, p.right)
}

// writeFrame writes the edges of the plot.
func (p plot) writeFrame(w *bufio.Writer) {
	fmt.Fprintf(w, `<rect x="%v" y="%v" width="%v" height="%v" fill="none" stroke="%s"/>`+"\n",
		p.left, p.top, p.right-p.left, p.bottom-p.top, edge)
}

// way is the corners of a line; a corner that is not known is a gap.
type way []corner

type corner struct {
	x, y  Length
	known bool
}

// add adds a corner at a height; NaN is not known.
func (p *way) add(at plot, x Length, height float64) {
	c := corner{x: x, known: !math.IsNaN(height)}
	if c.known {
		c.y = along(height, at.bottom, at.top)
	}
	*p = append(*p, c)
}

// write writes the line, if any corner is known.
func (p way) write(w *bufio.Writer, attributes string) {
	if !slices.ContainsFunc(p, func(c corner) bool { return c.known }) {
		return
	}
	fmt.Fprintf(w, `<path%s d="`, attributes)
	for i, c := range p {
		switch {
		case !c.known:
		case i == 0 || !p[i-1].known:
			fmt.Fprintf(w, "M%v %v", c.x, c.y)
		default:
			fmt.Fprintf(w, "L%v %v", c.x, c.y)
		}
	}
	fmt.Fprint(w, `"/>`)
}
