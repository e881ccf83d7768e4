package timeline

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/canvas"
)

// Font sizes.
const (
	titleSize = 15 * px
	textSize  = 11 * px
	nameSize  = 12 * px            // of lanes
	labelSize = Length(10.5 * 100) // 10.5 px, of boxes
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
	for i := range c.strips {
		w = max(w, canvas.TextWidth(c.strips[i].name, nameSize))
	}
	return min(w, mostNameWidth)
}

// WriteSVG writes the picture as SVG 1.1 without scripts and without anything from outside. What is written later lies
// on top: lanes, boxes, arrows, the path, and the labels of boxes, which nothing strikes through.
func (c *Chart) WriteSVG(out io.Writer) error { return WriteRuns(out, []*Chart{c}) }

// WriteRuns writes the pictures of several runs one below the other. They have one width, and the same chosen functions and colours.
func WriteRuns(out io.Writer, charts []*Chart) error {
	w, c, height := bufio.NewWriter(out), charts[0], Length(0)
	for _, one := range charts {
		height += one.Height
	}
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="%v" height="%v" viewBox="0 0 %v %v" `+
		`font-family="Helvetica, Arial, 'Liberation Sans', sans-serif" font-size="%v" fill="%s">`+"\n",
		c.Width, height, c.Width, height, textSize, ink)
	fmt.Fprintf(w, "<title>%s</title>\n", canvas.Escape(c.title()))
	c.writeDefinitions(w)
	fmt.Fprintf(w, `<rect width="%v" height="%v" fill="#fff"/>`+"\n", c.Width, height)
	y := Length(0)
	for _, one := range charts {
		if y > 0 {
			fmt.Fprintf(w, `<g transform="translate(0 %v)">`+"\n", y)
		}
		one.writeAll(w)
		if y > 0 {
			fmt.Fprintln(w, "</g>")
		}
		y += one.Height
	}
	fmt.Fprintln(w, "</svg>")
	return w.Flush()
}

// writeAll writes the picture of a run from the back to the front.
func (c *Chart) writeAll(w *bufio.Writer) {
	c.writeHead(w)
	c.writeAxis(w)
	c.writeLanes(w)
	c.writeStrips(w)
	c.writeBoxes(w)
	c.writeArrows(w)
	c.writePath(w)
	c.writeLabels(w)
	c.writeFoot(w)
}

// writeDefinitions writes the fills, the hatching and the heads of arrows.
func (c *Chart) writeDefinitions(w *bufio.Writer) {
	fmt.Fprintln(w, "<defs>\n<style type=\"text/css\">")
	// Classes instead of attributes keep the file small: a window has thousands of boxes.
	for i, fill := range palette {
		fmt.Fprintf(w, ".tl%d{fill:%s}", i, fill)
	}
	for i := range c.chosen {
		fmt.Fprintf(w, ".tlc%d{fill:%s}", i, strong[i])
	}
	if c.window.Colours != nil {
		for i, fill := range valueFills {
			fmt.Fprintf(w, ".tlv%d{fill:%s}", i, fill)
		}
	}
	if c.window.Colours != nil || c.window.momentCount() > 0 {
		fmt.Fprint(w, ".tlw{fill:#fff}")
	}
	fmt.Fprintln(w, ".tlh{fill:url(#tl-hatch)}.tln{fill:#77838f}.tlm{fill-opacity:.38;stroke-opacity:.45}.tlo{fill-opacity:.3;stroke-dasharray:3 2}\n</style>")
	fmt.Fprintf(w, `<pattern id="tl-hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">`+
		`<rect width="4" height="4" fill="#e9edf1"/><rect width="1.6" height="4" fill="#8b98a5"/></pattern>`+"\n")
	// Heads of arrows: messages, and the larger red one of the critical path.
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
	// 1. Labels above the marks; the first and last keep within the page.
	for _, t := range a.ticks {
		if t.label == "" {
			continue
		}
		x := min(max(t.at, c.scale.left), c.scale.right-canvas.TextWidth(t.label, textSize)/2)
		fmt.Fprintf(w, `<text x="%v" y="%v">%s</text>`+"\n", x, y-10*px, t.label)
	}
	fmt.Fprintln(w, "</g>")
	fmt.Fprintf(w, `<g stroke="%s" stroke-width="1">`+"\n", "#b8c1ca")
	// 2. Marks, longer where they have a label, and the axis itself.
	for _, t := range a.ticks {
		length := 3 * px
		if t.label != "" {
			length = 6 * px
		}
		fmt.Fprintf(w, `<path d="M%v %vV%v"/>`+"\n", t.at, y-length, y)
	}
	fmt.Fprintf(w, "<path d=\"M%v %vH%v\"/>\n</g>\n", c.scale.left, y, c.scale.right)
	c.writeBands(w)
	// 3. Lines through the lanes, on top of their bands.
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
		switch {
		case b.Value >= 0 && (b.Moment || !b.hatched()):
			class = valueClass(int(b.Value)) + pale
		case c.window.Colours != nil && !b.hatched():
			class = "tlw" + pale
		case !b.hatched():
			class = fmt.Sprintf("tl%d%s", colour(c.window.names().Functions.Name(b.Function)), pale)
		}
		chosen := c.choice(b)
		if chosen >= 0 {
			class = fmt.Sprintf("tlc%d", chosen)
		}
		if b.Open { // pale with a broken outline: nobody saw where it began or ended
			class += " tlo"
		}
		if b.Moment {
			fmt.Fprintf(w, `<path class="%s" d="%s"><title>%s</title></path>`+"\n", class, diamond(b.Left, c.edge(b.Lane, b.Level+1)+rowHeight/2), canvas.Escape(c.tip(b)))
			continue
		}
		// A box of less than 2 px would be all outline: it is a grey bar.
		stroke := ""
		if b.Right-b.Left < 2*px {
			if stroke = ` stroke="none"`; chosen < 0 {
				class = "tln" + pale
			}
		}
		fmt.Fprintf(w, `<rect class="%s" x="%v" y="%v" width="%v" height="%v"%s><title>%s</title></rect>`+"\n",
			class, b.Left, c.edge(b.Lane, b.Level+1), b.Right-b.Left, rowHeight, stroke, canvas.Escape(c.tip(b)))
	}
	fmt.Fprintln(w, "</g>")
}

// choice returns the number of the chosen functions that a box is of, or -1. Boxes of several functions are of none.
func (c *Chart) choice(b *Box) int {
	if b.Function == schema.NoCode || len(c.chosen) == 0 {
		return -1
	}
	names := c.window.names()
	component, function := names.Components.Name(b.component), names.Functions.Name(b.Function)
	return slices.IndexFunc(c.chosen, func(of Chosen) bool { return of.Has(component, function) })
}

// writeLabels writes the names of functions into the boxes in which they fit, each clipped by a viewport of its own.
func (c *Chart) writeLabels(w *bufio.Writer) {
	fmt.Fprintf(w, `<g font-size="%v" pointer-events="none">`+"\n", labelSize)
	for i := range c.Boxes {
		b := &c.Boxes[i]
		width := b.Right - b.Left
		if b.Moment {
			c.writeMomentLabel(w, i)
			continue
		}
		if b.hatched() || b.Function == schema.NoCode || width < 4*labelPadding {
			continue
		}
		label := fit(c.window.names().Functions.Name(b.Function), labelSize, width-2*labelPadding)
		if label == "" {
			continue
		}
		// Beside a critical path, labels off it are pale like their boxes.
		pale := ""
		if len(c.Path) > 0 && !b.OnPath && c.choice(b) < 0 {
			pale = fmt.Sprintf(` fill="%s"`, paleInk)
		}
		fmt.Fprintf(w, `<svg x="%v" y="%v" width="%v" height="%v"><text x="%v" y="12.3"%s>%s</text></svg>`+"\n",
			b.Left, c.edge(b.Lane, b.Level+1), width, rowHeight, labelPadding, pale, canvas.Escape(label))
	}
	fmt.Fprintln(w, "</g>")
}

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
			a.Left, a.LeftY, a.Right, a.RightY, a.look()+a.Kind.dashes(), canvas.Escape(c.arrowTip(a)))
	}
	fmt.Fprintln(w, "</g>")
}

// dashes are those of an arrow that stands for no message of the trace.
func (k arrowKind) dashes() string {
	return [...]string{sent: "", inferred: ` stroke-dasharray="3 2"`, coupled: ` stroke-dasharray="1 2"`}[k]
}

// look is how an arrow is drawn: the more there are in a column, the fainter, and without a head that hides others.
func (a *Arrow) look() string {
	switch {
	case a.fade() == 2:
		return ` stroke-width=".5" stroke-opacity=".25"`
	case a.fade() == 1:
		return ` stroke-width=".5" stroke-opacity=".6"`
	case a.CutAtEnd:
		return ""
	}
	return ` marker-end="url(#tl-head)"`
}

// fade says how faint an arrow is among those that begin in its column: 0 is a full line, 2 the faintest.
func (a *Arrow) fade() int {
	const few, many = 4, 12
	switch {
	case a.Crowd > many:
		return 2
	case a.Crowd > few:
		return 1
	}
	return 0
}

// writePath writes the critical path: steps along boxes first, then messages, all on top of the boxes.
func (c *Chart) writePath(w *bufio.Writer) {
	if len(c.Path) == 0 {
		return
	}
	const many = 100 // steps; with more, thick lines would cover one another
	width := "2"
	if len(c.Path) > many {
		width = "1.3"
	}
	fmt.Fprintf(w, `<g fill="none" stroke="%s" stroke-width="%s" stroke-linejoin="round" stroke-linecap="round">`+"\n", red, width)
	for i := range c.Path {
		g := &c.Path[i]
		extra := ""
		switch {
		case !g.Critical:
			extra = ` stroke-dasharray="2 4"`
		case g.Inferred:
			extra = inferred.dashes()
		}
		if g.Message && !g.ToCut {
			extra += ` marker-end="url(#tl-redhead)"`
		}
		fmt.Fprintf(w, `<path d="%s"%s><title>%s</title></path>`+"\n", g.outline(), extra, canvas.Escape(c.stepTip(g)))
	}
	fmt.Fprintln(w, "</g>")
}

// outline returns the commands of an SVG path for a step: straight for a message, along its lane for an execution.
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
	fmt.Fprintf(w, `<g fill="%s">`+"\n", paleInk)
	for _, e := range c.legend() {
		fmt.Fprintf(w, `<g transform="translate(%v %v)">%s<text x="30" y="0">%s</text></g>`+"\n", e.x, y+22*px+Length(e.row)*noteHeight, e.sample, canvas.Escape(e.text))
	}
	fmt.Fprintln(w, "</g>")
}

// palette holds light fills for dark text, told apart by people with any colour vision (after the light scheme of
// P. Tol, Colour Schemes, 2021, without its reds: red is the critical path).
var palette = []string{"#a9c8e8", "#bfe5ee", "#a8d8c4", "#d9e3a0", "#efe3a4", "#d3c7e4", "#e3d5c3", "#c8d2dc"}

// strong holds the fills of chosen functions, which stand out from the palette and from one another under dark text.
var strong = [MostChosen]string{"#f5a028", "#4aa8e8", "#3fbf7f", "#b58be0", "#d6c12b", "#e58fb5"}

// MostChosen is how many colours there are for chosen functions.
const MostChosen = 6

// What else is drawn.
const (
	ink      = "#1f2933" // text
	paleInk  = "#5c6773" // text of less weight
	line     = "#5c6b7a" // edges of boxes
	grid     = "#e3e7eb" // lines at the labels of the axis
	band     = "#f6f8fa" // every other lane
	arrowInk = "#44546a" // messages
	red      = "#c8102e" // the critical path, and nothing else
)

// colour is the position of a function's fill in the palette: the same in every picture.
func colour(function string) int {
	h := uint32(2166136261) // FNV-1a, 32 bits
	for i := range len(function) {
		h = (h ^ uint32(function[i])) * 16777619
	}
	h ^= h >> 15
	return int(h % uint32(len(palette)))
}
