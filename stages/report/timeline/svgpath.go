package timeline

import (
	"bufio"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/stages/report/canvas"
)

// writeArrows writes the messages.
func (c *Chart) writeArrows(w *bufio.Writer) {
	opacity := ".6"
	if len(c.Path) > 0 {
		opacity = ".3"
	}
	fmt.Fprintf(w, `<g fill="none" stroke="%s" stroke-width=".8" opacity="%s">`+"\n", arrowInk, opacity)
	for i := range c.Arrows {
		a := &c.Arrows[i]
		fmt.Fprintf(w, `<path d="M%v %vL%v %v"%s><title>%s</title></path>`+"\n",
			a.Left, a.LeftY, a.Right, a.RightY, a.look(), canvas.Escape(c.arrowTip(a)))
	}
	fmt.Fprintln(w, "</g>")
}

// look is how an arrow is drawn: the more there are in a column, the fainter, and without a head that hides others.
func (a *Arrow) look() string {
	const few, many = 4, 12
	switch {
	case a.Crowd > many:
		return ` stroke-width=".5" stroke-opacity=".25"`
	case a.Crowd > few:
		return ` stroke-width=".5" stroke-opacity=".6"`
	case a.CutAtEnd:
		return ""
	}
	return ` marker-end="url(#tl-head)"`
}

// writePath writes the critical path: steps along boxes first, then messages, all on top of the boxes.
func (c *Chart) writePath(w *bufio.Writer) {
	if len(c.Path) == 0 {
		return
	}
	const many = 100 // steps, of which thick ones would lie on one another
	width := "2"
	if len(c.Path) > many {
		width = "1.3"
	}
	fmt.Fprintf(w, `<g fill="none" stroke="%s" stroke-width="%s" stroke-linejoin="round" stroke-linecap="round">`+"\n", red, width)
	for i := range c.Path {
		g := &c.Path[i]
		extra := ""
		if !g.Critical {
			extra = ` stroke-dasharray="2 4"`
		}
		if g.Message && !g.ToCut {
			extra += ` marker-end="url(#tl-redhead)"`
		}
		tip := fmt.Sprintf("critical path: %s\nfrom %s, %s", c.window.stepName(&g.Step), exactly(g.SourceNs-c.window.OriginNs), exactly(g.TargetNs-g.SourceNs))
		fmt.Fprintf(w, `<path d="%s"%s><title>%s</title></path>`+"\n", g.outline(), extra, canvas.Escape(tip))
	}
	fmt.Fprintln(w, "</g>")
}

// outline is the way of a step, in SVG's words for it.
func (g *Segment) outline() string {
	if g.Message {
		return fmt.Sprintf("M%v %vL%v %v", g.Left, g.LeftY, g.Right, g.RightY)
	}
	return fmt.Sprintf("M%v %vV%vH%vV%v", g.Left, g.LeftY, g.Along, g.Right, g.RightY)
}

// writeFoot writes what is left out, and the legend.
func (c *Chart) writeFoot(w *bufio.Writer) {
	y := c.bottom()
	for _, note := range c.notes() {
		y += noteHeight
		fmt.Fprintf(w, `<text x="%v" y="%v" fill="%s" font-style="italic">%s</text>`+"\n", c.scale.left, y-2*px, paleInk, canvas.Escape(note))
	}
	y += 22 * px
	x := c.scale.left
	legend := func(sample, text string) {
		fmt.Fprintf(w, `<g transform="translate(%v %v)">%s<text x="30" y="0">%s</text></g>`+"\n", x, y, sample, text)
		x += 30*px + canvas.TextWidth(text, textSize) + 24*px
	}
	fmt.Fprintf(w, `<g fill="%s">`+"\n", paleInk)
	legend(fmt.Sprintf(`<rect class="tl0" y="-10" width="24" height="12" stroke="%s" stroke-width=".6"/>`, line), "execution, on top of its caller")
	if slices.ContainsFunc(c.Boxes, func(b Box) bool { return b.hatched() }) {
		legend(fmt.Sprintf(`<rect class="tlh" y="-10" width="24" height="12" stroke="%s" stroke-width=".6"/>`, line), "several, too narrow to be told apart")
	}
	if len(c.Arrows) > 0 {
		legend(fmt.Sprintf(`<path d="M0 -4H24" stroke="%s" stroke-width=".8" marker-end="url(#tl-head)"/>`, arrowInk), "message")
	}
	if len(c.Path) > 0 {
		legend(fmt.Sprintf(`<path d="M0 -4H24" stroke="%s" stroke-width="2" marker-end="url(#tl-redhead)"/>`, red), "critical path")
	}
	if slices.ContainsFunc(c.Path, func(g Segment) bool { return !g.Critical }) {
		legend(fmt.Sprintf(`<path d="M0 -4H24" stroke="%s" stroke-width="2" stroke-dasharray="2 4"/>`, red), "step that is not critical")
	}
	fmt.Fprintln(w, "</g>")
}
