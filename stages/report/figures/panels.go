package figures

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/stages/report/canvas"
)

// Sizes of panels.
const (
	panelWidth  = 300 * px // of a plot
	panelHeight = 220 * px
	panelGap    = 24 * px // between two plots of a row
	panelsInRow = 3       // fills the width of a page in print
	tickRoom    = 34 * px // of the numbers of the upright axis
	panelHead   = 20 * px // of the heading
	panelFoot   = 42 * px // of the numbers and the label of the level axis
)

// panels are curves with the style of every line.
type panels struct {
	*Curves
	styles map[string]style // by name of the line: equal names look alike in all panels
	left   Length           // of the first panel of a row
}

// layout gives every line its style.
func (c *Curves) layout() *panels {
	p := &panels{Curves: c, styles: make(map[string]style), left: margin + axisLabel + tickRoom}
	for i, name := range c.names() {
		p.styles[name] = style(i)
	}
	return p
}

// writeSVG writes the panels in rows; the first panel of a row has the numbers of the vertical axis.
func (p *panels) writeSVG(out io.Writer) error {
	n := Length(len(p.Panels))
	inRow, rows := min(n, panelsInRow), (n+panelsInRow-1)/panelsInRow
	f := frame{title: p.Title, description: p.describe(), caption: p.Caption, legend: p.legend()}
	f.width = p.left + inRow*(panelWidth+panelGap) - panelGap + margin
	f.height = rows*(panelHead+panelHeight+panelFoot) - 4*px
	return f.write(out, func(w *bufio.Writer, top Length) {
		for i := range p.Panels {
			column, row := Length(i%panelsInRow), Length(i/panelsInRow)
			at := plot{left: p.left + column*(panelWidth+panelGap), top: top + row*(panelHead+panelHeight+panelFoot) + panelHead}
			at.right, at.bottom = at.left+panelWidth, at.top+panelHeight
			p.writePanel(w, at, &p.Panels[i], column == 0)
		}
	})
}

// legend returns an entry for every line and for the level to compare with.
func (p *panels) legend() (l legend) {
	for i, name := range p.names() {
		l = append(l, style(i).entry(name))
	}
	if p.guided() {
		name := p.YLabel + " " + decimal(hundredths(p.Guide))
		l = append(l, entry{name: name, sample: sampleLine, draw: func(w *bufio.Writer, x, y Length) {
			writeGuide(w, x, x+sampleLine, y)
		}})
	}
	return l
}

// guided reports whether there is a level to compare with.
func (p *panels) guided() bool { return p.Guide > 0 }

// writeGuide writes the dashed line of that level.
func writeGuide(w *bufio.Writer, left, right, y Length) {
	fmt.Fprintf(w, `<path fill="none" stroke="%s" stroke-dasharray="3 3" d="M%v %vH%v"/>`, paleInk, left, y, right)
}

// writePanel writes one panel. The first panel of a row has the numbers of the vertical axis.
func (p *panels) writePanel(w *bufio.Writer, at plot, panel *Panel, first bool) {
	least, greatest := p.span()
	scale := newLogScale(least, greatest, at.left, at.right)
	middle := (at.left + at.right) / 2
	fmt.Fprintln(w, `<g class="panel">`)
	heading := canvas.Shorten(panel.Heading, textSize, panelWidth*10/11)
	canvas.WriteText(w, middle, at.top-8*px, textSize, heading, ` text-anchor="middle" font-weight="bold"`)
	fmt.Fprintln(w)
	p.writeAxes(w, at, scale, first)
	label := canvas.Shorten(p.XLabel, textSize, panelWidth)
	canvas.WriteText(w, middle, at.bottom+32*px, textSize, label, ` text-anchor="middle" fill="`+paleInk+`"`)
	fmt.Fprintln(w)
	if p.guided() {
		writeGuide(w, at.left, at.right, along(p.Guide, at.bottom, at.top))
		fmt.Fprintln(w)
	}
	for i := range panel.Lines {
		p.writeLine(w, at, scale, &panel.Lines[i])
	}
	fmt.Fprintln(w, "</g>")
}

// writeAxes writes the frame, and lines at the numbers of both axes.
func (p *panels) writeAxes(w *bufio.Writer, at plot, scale logScale, first bool) {
	for h := 0; h <= 100; h += 20 {
		y := along(float64(h)/100, at.bottom, at.top)
		at.writeLevel(w, y)
		if first {
			canvas.WriteText(w, at.left-nameGap, y+350, smallSize, decimal(h)[:3], ` text-anchor="end"`)
			fmt.Fprintln(w)
		}
	}
	for _, t := range scale.ticks() {
		fmt.Fprintf(w, `<path fill="none" stroke="%s" d="M%v %vV%v"/>`, grid, t.at, at.top, at.bottom)
		canvas.WriteText(w, t.at, at.bottom+15*px, smallSize, t.label, ` text-anchor="middle"`)
		fmt.Fprintln(w)
	}
	if first {
		writeTurned(w, margin+8*px, (at.top+at.bottom)/2, canvas.Shorten(p.YLabel, textSize, panelHeight))
	}
	at.writeFrame(w)
}

// writeLine writes a line from point to point, and its marks upon it.
func (p *panels) writeLine(w *bufio.Writer, at plot, scale logScale, l *Line) {
	s := p.styles[l.Name]
	points := slices.Clone(l.Points)
	slices.SortStableFunc(points, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
	var way way
	for _, point := range points {
		way.add(at, scale.at(point.X), point.Y)
	}
	fmt.Fprintf(w, `<g class="line"><title>%s</title>`, canvas.Escape(l.Name))
	way.write(w, s.stroke())
	for _, c := range way {
		if c.known {
			s.writeMark(w, c.x, c.y)
		}
	}
	fmt.Fprintln(w, "</g>")
}

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

// way is the corners of a line. An unknown corner is a gap in it.
type way []corner

// corner is a point of a line on the page; unknown ones have no height.
type corner struct {
	x, y  Length
	known bool
}

// add adds a corner at a height, a share of the axis. NaN makes it unknown.
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

// Sizes of what stands above and below a figure.
const (
	titleLine    = 27 * px // where the title stands
	leastWidth   = 360 * px
	mostTitle    = 900 * px // titles that are wider do not make the figure wider
	captionSize  = 9 * px
	captionLine  = 13 * px
	captionGlyph = 550 // the width of a letter of the command, in hundredths of a pixel
)

// frame is what surrounds every figure: title, legend, and the command that made it.
type frame struct {
	title, description, caption string
	legend                      legend
	width, height               Length // of the page without the head and the foot, with both margins
}

// write writes the page. The body is called with the place at which it begins.
func (f *frame) write(out io.Writer, body func(w *bufio.Writer, top Length)) error {
	w := bufio.NewWriter(out)
	title := canvas.TextWidth(f.title, titleSize)*11/10 + 2*margin // bold letters are wider
	width := max(f.width, min(title, mostTitle), min(f.legend.widest()+2*margin, mostTitle), leastWidth)
	legendLines := f.legend.place(width - 2*margin)
	command := wrap(f.caption, int((width-2*margin)/captionGlyph))
	top := titleLine + Length(legendLines)*legendLine + 14*px
	foot := top + f.height
	height := foot + margin
	if len(command) > 0 {
		height += Length(len(command)) * captionLine
	}
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="%v" height="%v" viewBox="0 0 %v %v" role="img" `+
		`font-family="Helvetica, Arial, 'Liberation Sans', sans-serif" font-size="%v" fill="%s">`+"\n",
		width, height, width, height, textSize, ink)
	fmt.Fprintf(w, "<title>%s</title>\n<desc>%s</desc>\n", canvas.Escape(f.title), canvas.Escape(f.described()))
	fmt.Fprintf(w, `<rect width="%v" height="%v" fill="#ffffff"/>`+"\n", width, height)
	canvas.WriteText(w, margin, titleLine, titleSize, canvas.Shorten(f.title, titleSize, (width-2*margin)*10/11), ` font-weight="bold"`)
	fmt.Fprintln(w)
	f.legend.write(w, titleLine+7*px)
	body(w, top)
	for i, line := range command {
		canvas.WriteText(w, margin, foot+Length(i+1)*captionLine, captionSize, line,
			` font-family="'DejaVu Sans Mono', Menlo, Consolas, monospace" fill="`+paleInk+`"`)
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "</svg>")
	return w.Flush()
}

// described returns the figure in words, which readers of a screen hear.
func (f *frame) described() string {
	if strings.TrimSpace(f.caption) == "" {
		return f.description
	}
	return f.description + " Made by: " + f.caption
}
