package timeline

import (
	"bufio"
	"fmt"
	"io"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/canvas"
)

// Font sizes.
const (
	titleSize = 15 * px
	textSize  = 11 * px
	nameSize  = 12 * px
	labelSize = Length(10.5 * 100)
)

// Names wider than this are shortened; labels keep off the edges of their boxes.
const (
	mostNameWidth = 240 * px
	labelPadding  = 4 * px
)

// nameWidth is the width of the column of names.
func (c *Chart) nameWidth() (w Length) {
	for i := range c.Lanes {
		w = max(w, canvas.TextWidth(c.Lanes[i].Name, nameSize))
	}
	return min(w, mostNameWidth)
}

// WriteSVG writes the picture as SVG 1.1 without scripts and without anything from outside. What is written later lies
// on top: lanes, boxes, arrows, the path, and the labels of boxes, which nothing strikes through.
func (c *Chart) WriteSVG(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="%v" height="%v" viewBox="0 0 %v %v" `+
		`font-family="Helvetica, Arial, 'Liberation Sans', sans-serif" font-size="%v" fill="%s">`+"\n",
		c.Width, c.Height, c.Width, c.Height, textSize, ink)
	fmt.Fprintf(w, "<title>%s</title>\n", canvas.Escape(c.title()))
	c.writeDefinitions(w)
	fmt.Fprintf(w, `<rect width="%v" height="%v" fill="#fff"/>`+"\n", c.Width, c.Height)
	c.writeHead(w)
	c.writeAxis(w)
	c.writeLanes(w)
	c.writeBoxes(w)
	c.writeArrows(w)
	c.writePath(w)
	c.writeLabels(w)
	c.writeFoot(w)
	fmt.Fprintln(w, "</svg>")
	return w.Flush()
}

// writeDefinitions writes the fills, the hatching and the heads of arrows.
func (c *Chart) writeDefinitions(w *bufio.Writer) {
	fmt.Fprintln(w, "<defs>\n<style type=\"text/css\">")
	for i, fill := range palette {
		fmt.Fprintf(w, ".tl%d{fill:%s}", i, fill)
	}
	fmt.Fprintln(w, ".tlh{fill:url(#tl-hatch)}.tln{fill:#77838f}.tlm{fill-opacity:.38;stroke-opacity:.45}\n</style>")
	fmt.Fprintf(w, `<pattern id="tl-hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">`+
		`<rect width="4" height="4" fill="#e9edf1"/><rect width="1.6" height="4" fill="#8b98a5"/></pattern>`+"\n")
	for _, head := range []struct {
		name, fill string
		size       int
	}{{"tl-head", arrowInk, 6}, {"tl-redhead", red, 8}} {
		fmt.Fprintf(w, `<marker id="%s" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="%d" markerHeight="%d" markerUnits="userSpaceOnUse" orient="auto">`+
			`<path d="M0 1L8 4L0 7Z" fill="%s"/></marker>`+"\n", head.name, head.size, head.size, head.fill)
	}
	fmt.Fprintln(w, "</defs>")
}

// writeHead writes the title and, below it, how much is in the window.
func (c *Chart) writeHead(w *bufio.Writer) {
	fmt.Fprintf(w, `<text x="%v" y="26" font-size="%v" font-weight="bold">%s</text>`+"\n", margin, titleSize, canvas.Escape(c.title()))
	fmt.Fprintf(w, `<text x="%v" y="44" fill="%s">%s</text>`+"\n", margin, paleInk, canvas.Escape(c.counts()))
}

// writeAxis writes the marks above the lanes and, at the labelled ones, lines through them.
func (c *Chart) writeAxis(w *bufio.Writer) {
	a := c.axis()
	bottom, y := c.bottom(), headHeight
	fmt.Fprintf(w, `<text x="%v" y="%v" text-anchor="end" fill="%s">%s</text>`+"\n", c.Width-margin, 44*px, paleInk, canvas.Escape(a.title))
	fmt.Fprintf(w, `<g text-anchor="middle" fill="%s" stroke="none">`+"\n", paleInk)
	for _, t := range a.ticks {
		if t.label == "" {
			continue
		}
		x := min(max(t.at, c.scale.left), c.scale.right-canvas.TextWidth(t.label, textSize)/2)
		fmt.Fprintf(w, `<text x="%v" y="%v">%s</text>`+"\n", x, y-10*px, t.label)
	}
	fmt.Fprintln(w, "</g>")
	fmt.Fprintf(w, `<g stroke="%s" stroke-width="1">`+"\n", "#b8c1ca")
	for _, t := range a.ticks {
		length := 3 * px
		if t.label != "" {
			length = 6 * px
		}
		fmt.Fprintf(w, `<path d="M%v %vV%v"/>`+"\n", t.at, y-length, y)
	}
	fmt.Fprintf(w, "<path d=\"M%v %vH%v\"/>\n</g>\n", c.scale.left, y, c.scale.right)
	c.writeBands(w)
	fmt.Fprintf(w, `<g stroke="%s" stroke-width="1">`+"\n", grid)
	for _, t := range a.ticks {
		if t.label != "" {
			fmt.Fprintf(w, `<path d="M%v %vV%v"/>`+"\n", t.at, y, bottom)
		}
	}
	fmt.Fprintln(w, "</g>")
}

// writeBands shades every other lane.
func (c *Chart) writeBands(w *bufio.Writer) {
	for i := range c.Lanes {
		if l := &c.Lanes[i]; i%2 == 0 {
			fmt.Fprintf(w, `<rect x="0" y="%v" width="%v" height="%v" fill="%s"/>`+"\n", l.Top, c.Width, l.Bottom-l.Top, band)
		}
	}
}

// writeLanes writes the names and the line on which the boxes of a lane stand.
func (c *Chart) writeLanes(w *bufio.Writer) {
	fmt.Fprintf(w, `<g font-size="%v" text-anchor="end">`+"\n", nameSize)
	right := c.scale.left - gap
	for i := range c.Lanes {
		l := &c.Lanes[i]
		name := fit(l.Name, nameSize, right-margin)
		fmt.Fprintf(w, `<g><title>%s</title><text x="%v" y="%v">%s</text></g>`+"\n",
			canvas.Escape(l.Name), right, l.Bottom-lanePadding-rowHeight/2+4*px, canvas.Escape(name))
	}
	fmt.Fprintf(w, "</g>\n<g stroke=\"%s\" stroke-width=\"1\">\n", "#cbd2d9")
	for i := range c.Lanes {
		fmt.Fprintf(w, `<path d="M%v %vH%v"/>`+"\n", c.scale.left, c.edge(i, 0), c.scale.right)
	}
	fmt.Fprintln(w, "</g>")
}

// writeBoxes writes the executions; beside a critical path those off it are pale.
func (c *Chart) writeBoxes(w *bufio.Writer) {
	fmt.Fprintf(w, `<g stroke="%s" stroke-width=".6">`+"\n", line)
	for i := range c.Boxes {
		b := &c.Boxes[i]
		pale := ""
		if len(c.Path) > 0 && !b.OnPath {
			pale = " tlm"
		}
		class := "tlh" + pale
		if !b.hatched() {
			class = fmt.Sprintf("tl%d%s", colour(c.window.names().Functions.Name(b.Function)), pale)
		}
		stroke := ""
		if b.Right-b.Left < 2*px {
			class, stroke = "tln"+pale, ` stroke="none"`
		}
		fmt.Fprintf(w, `<rect class="%s" x="%v" y="%v" width="%v" height="%v"%s><title>%s</title></rect>`+"\n",
			class, b.Left, c.edge(b.Lane, b.Level+1), b.Right-b.Left, rowHeight, stroke, canvas.Escape(c.tip(b)))
	}
	fmt.Fprintln(w, "</g>")
}

// writeLabels writes the names of functions into the boxes in which they fit, each clipped by a viewport of its own.
func (c *Chart) writeLabels(w *bufio.Writer) {
	fmt.Fprintf(w, `<g font-size="%v" pointer-events="none">`+"\n", labelSize)
	for i := range c.Boxes {
		b := &c.Boxes[i]
		width := b.Right - b.Left
		if b.hatched() || b.Function == schema.NoCode || width < 4*labelPadding {
			continue
		}
		label := fit(c.window.names().Functions.Name(b.Function), labelSize, width-2*labelPadding)
		if label == "" {
			continue
		}
		pale := ""
		if len(c.Path) > 0 && !b.OnPath {
			pale = fmt.Sprintf(` fill="%s"`, paleInk)
		}
		fmt.Fprintf(w, `<svg x="%v" y="%v" width="%v" height="%v"><text x="%v" y="12.3"%s>%s</text></svg>`+"\n",
			b.Left, c.edge(b.Lane, b.Level+1), width, rowHeight, labelPadding, pale, canvas.Escape(label))
	}
	fmt.Fprintln(w, "</g>")
}
