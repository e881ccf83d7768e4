package figures

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/tracelake/tracelake/stages/report/canvas"
)

// Sizes of panels.
const (
	panelWidth  = 300 * px
	panelHeight = 220 * px
	panelGap    = 24 * px
	panelsInRow = 3
	tickRoom    = 34 * px // of the numbers of the upright axis
	panelHead   = 20 * px // of the heading
	panelFoot   = 42 * px // of the numbers and the label of the level axis
)

// panels are curves with the style of every line.
type panels struct {
	*Curves
	styles map[string]style
	left   Length // of the first panel of a row
}

func (c *Curves) layout() *panels {
	p := &panels{Curves: c, styles: make(map[string]style), left: margin + axisLabel + tickRoom}
	for i, name := range c.names() {
		p.styles[name] = style(i)
	}
	return p
}

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

// legend has the lines and the level to compare with.
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

func (p *panels) guided() bool { return p.Guide > 0 }

func writeGuide(w *bufio.Writer, left, right, y Length) {
	fmt.Fprintf(w, `<path fill="none" stroke="%s" stroke-dasharray="3 3" d="M%v %vH%v"/>`, paleInk, left, y, right)
}

// writePanel writes a panel; the first of a row has the numbers of the upright axis.
func (p *panels) writePanel(w *bufio.Writer, at plot, panel *Panel, first bool) {
	least, greatest := p.span()
	scale := newLogScale(least, greatest, at.left, at.right)
	middle := (at.left + at.right) / 2
	fmt.Fprintln(w, `<g class="panel">`)
	heading := fit(panel.Heading, textSize, panelWidth*10/11)
	writeText(w, middle, at.top-8*px, textSize, heading, ` text-anchor="middle" font-weight="bold"`)
	fmt.Fprintln(w)
	p.writeAxes(w, at, scale, first)
	label := fit(p.XLabel, textSize, panelWidth)
	writeText(w, middle, at.bottom+32*px, textSize, label, ` text-anchor="middle" fill="`+paleInk+`"`)
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
			writeText(w, at.left-nameGap, y+350, smallSize, decimal(h)[:3], ` text-anchor="end"`)
			fmt.Fprintln(w)
		}
	}
	for _, t := range scale.ticks() {
		fmt.Fprintf(w, `<path fill="none" stroke="%s" d="M%v %vV%v"/>`, grid, t.at, at.top, at.bottom)
		writeText(w, t.at, at.bottom+15*px, smallSize, t.label, ` text-anchor="middle"`)
		fmt.Fprintln(w)
	}
	if first {
		writeTurned(w, margin+8*px, (at.top+at.bottom)/2, fit(p.YLabel, textSize, panelHeight))
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
