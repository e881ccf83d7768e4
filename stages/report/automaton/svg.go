package automaton

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/tracelake/tracelake/stages/report/canvas"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Sizes of an arrow's head.
const (
	headLength = 8 * px
	headHalf   = 350 // half its width: 3.5 px
)

// WriteSVG writes the picture as SVG 1.1 without scripts and without anything from outside.
func (p *Picture) WriteSVG(out io.Writer) error {
	w := bufio.NewWriter(out)
	head := p.header()
	// 1. Canvas and title: the legend may be wider than the automaton.
	width := max(p.Width, head.width+2*margin)
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="%v" height="%v" viewBox="0 0 %v %v" `+
		`font-family="Helvetica, Arial, 'Liberation Sans', sans-serif" font-size="%v" fill="%s">`+"\n",
		width, p.Height, width, p.Height, textSize, ink)
	fmt.Fprintf(w, "<title>%s</title>\n<rect width=\"%v\" height=\"%v\" fill=\"#fff\"/>\n", canvas.Escape(p.Title), width, p.Height)
	head.write(w)
	// 2. Lines before states, so that circles cover the ends of lines.
	for t := range p.transitions {
		p.writeTransition(w, t)
	}
	for s := range p.states {
		p.writeState(w, int32(s))
	}
	fmt.Fprintln(w, "</svg>")
	return w.Flush()
}

// writeState writes a circle with the state's number: a second circle around it if it is accepting, an arrow into it
// if it is initial.
func (p *Picture) writeState(w *bufio.Writer, s int32) {
	state := &p.states[s]
	l := looks[state.Side]
	left, right, y := p.circle(s)
	// The name is what a browser shows when the pointer rests on the state.
	name := "state " + strconv.FormatInt(state.Number, 10)
	if state.Initial {
		name += ", initial"
	}
	if state.Accepting {
		name += ", accepting"
	}
	if state.Side != Both {
		name += ", " + l.name
	}
	fmt.Fprintf(w, `<g class="state" stroke="%s"><title>%s</title>`, l.colour, canvas.Escape(name))
	if state.Initial {
		fmt.Fprintf(w, `<path fill="none" stroke-width="1.2" d="M%v %vH%v"/>`, left-entry+2*px, y, left-headLength)
		writeHead(w, l.colour, left, y, 1)
	}
	writeCircle(w, &l, left, right, y, 0)
	if state.Accepting {
		writeCircle(w, &l, left, right, y, 3*px)
	}
	fmt.Fprintf(w, `<text x="%v" y="%v" text-anchor="middle" font-size="%v" stroke="none" fill="%s">%d</text></g>`+"\n",
		(left+right)/2, y+350, smallSize, l.colour, state.Number)
}

// writeCircle writes a circle, or a pill around a long number, some way inside its place.
func writeCircle(w *bufio.Writer, l *look, left, right, y, inside Length) {
	fmt.Fprintf(w, `<rect x="%v" y="%v" width="%v" height="%v" rx="%v" fill="%s" stroke-width="1.4"`,
		left+inside, y-stateRadius+inside, right-left-2*inside, 2*(stateRadius-inside), stateRadius-inside, l.fill)
	if l.dashes != "" {
		fmt.Fprintf(w, ` stroke-dasharray="4 2"`)
	}
	fmt.Fprint(w, "/>")
}

// writeTransition writes a line with its head, its tag, and what stands on it.
func (p *Picture) writeTransition(w *bufio.Writer, t int) {
	tr, way := &p.transitions[t], p.lines[t]
	l := looks[tr.look()]
	fmt.Fprintf(w, `<g class="transition" fill="%s"><title>%s</title>`, l.colour, canvas.Escape(tr.tip(p.Automaton)))
	if tr.Steps > 1 {
		p.writeBox(w, t)
	}
	writeLine(w, &l, way, headLength-px)
	end, before := way[len(way)-1], way[len(way)-2]
	writeHead(w, l.colour, end.x, end.y, towards(before.x, end.x))
	if p.tagged[t] {
		p.writeTag(w, t, &l)
	}
	p.writeCaption(w, t, &l)
	fmt.Fprintln(w, "</g>")
}

// writeBox writes the box that stands for the steps of a chain.
func (p *Picture) writeBox(w *bufio.Writer, t int) {
	c := &p.captions[t]
	left, _, y := p.at(p.label[t])
	// A box encloses the text of its caption, but neither its tag nor the 12 px before that.
	width := c.width
	if p.tagged[t] {
		width -= c.tagWidth() + 12*px
	}
	fmt.Fprintf(w, `<rect class="steps" x="%v" y="%v" width="%v" height="%v" rx="5" fill="#f3f5f7" stroke="#c5cdd6"/>`,
		left-5*px, y-c.above-px, width+8*px, c.above+c.below+3*px)
}

// writeLine writes a line; a double one as a broad one with a white one upon it.
func writeLine(w *bufio.Writer, l *look, way []corner, short Length) {
	fmt.Fprintf(w, `<path fill="none" stroke="%s" stroke-width="%s"`, l.colour, l.width)
	if l.dashes != "" {
		fmt.Fprintf(w, ` stroke-dasharray="%s"`, l.dashes)
	}
	fmt.Fprint(w, ` d="`)
	writePath(w, way, short)
	fmt.Fprint(w, `"/>`)
	if l.double {
		fmt.Fprint(w, `<path fill="none" stroke="#fff" stroke-width="1.6" d="`)
		writePath(w, way, short)
		fmt.Fprint(w, `"/>`)
	}
}

// writeHead writes the head of an arrow that points right (1) or left (-1).
func writeHead(w *bufio.Writer, colour string, x, y, direction Length) {
	fmt.Fprintf(w, `<path stroke="none" fill="%s" d="M%v %vL%v %vV%vZ"/>`,
		colour, x, y, x-direction*headLength, y-headHalf, y+headHalf)
}

// writeTag writes the number of the state at which the way goes on.
func (p *Picture) writeTag(w *bufio.Writer, t int, l *look) {
	end, c := p.lines[t][len(p.lines[t])-1], &p.captions[t]
	fmt.Fprintf(w, `<rect class="tag" x="%v" y="%v" width="%v" height="%v" rx="%v" fill="%s" stroke="%s" stroke-width="1"/>`,
		end.x, end.y-tagHeight/2, c.tagWidth(), tagHeight, tagHeight/2, l.fill, l.colour)
	fmt.Fprintf(w, `<text x="%v" y="%v" text-anchor="middle" font-size="%v">%s</text>`,
		end.x+c.tagWidth()/2, end.y+350, smallSize, c.tag)
}

// writeCaption writes what stands on a transition.
func (p *Picture) writeCaption(w *bufio.Writer, t int, l *look) {
	c := &p.captions[t]
	left, _, y := p.at(p.label[t])
	upper := y - 5*px
	// Above a self loop the line takes the place between text and middle.
	if p.ends[t][0] == p.ends[t][1] && !p.tagged[t] {
		upper -= hairpin
	}
	if c.note != "" {
		canvas.WriteText(w, left, upper, smallSize, c.note, fmt.Sprintf(` fill="%s"`, noteColour(l)))
		upper -= lineHeight
	}
	canvas.WriteText(w, left, upper, textSize, c.head, ` font-weight="bold"`)
	x := left
	if c.histogram != nil {
		c.histogram.write(w, left, y+4*px, p.Compared)
		x += histogramWidth + textGap
	}
	for i, line := range c.lines {
		weight := ""
		// Behind count and median comes what changed, for which one looks first.
		if i == 2 {
			weight = ` font-weight="bold"`
		}
		canvas.WriteText(w, x, y+lineHeight*Length(i+1)+px, smallSize, line, weight)
	}
}

// noteColour is a paler one for black transitions.
func noteColour(l *look) string {
	if l.colour == ink {
		return paleInk
	}
	return l.colour
}

// write writes a histogram: the baseline's bars rise from the axis, the candidate's hang from it. Of both sides a bar of
// the same length is the same share of the side's samples.
func (h *Histogram) write(w *bufio.Writer, x, y Length, compared bool) {
	base, cand := total(&h.Base), total(&h.Cand)
	// The greatest share of either side is the height of a lane, so that sides with different numbers of samples compare.
	greatest := 0.0
	for i := range bins {
		greatest = max(greatest, share(h.Base[i], base), share(h.Cand[i], cand))
	}
	// Compared: candidate green and below; alone, the bars are blue, since red would mean the baseline.
	axis, fill := y+laneHeight, softBlue
	if compared {
		fill = softRed
		writeBars(w, &h.Cand, cand, greatest, x, axis, 1, softLime)
	}
	writeBars(w, &h.Base, base, greatest, x, axis, -1, fill)
	fmt.Fprintf(w, `<path stroke="%s" stroke-width="0.7" d="M%v %vH%v"/>`, paleInk, x, axis, x+histogramWidth)
	below := axis + axisHeight - px
	if compared {
		below += laneHeight
	}
	const size = 8 * px
	canvas.WriteText(w, x, below, size, texttab.Duration(h.FromNs), fmt.Sprintf(` fill="%s"`, paleInk))
	canvas.WriteText(w, x+histogramWidth, below, size, texttab.Duration(h.ToNs), fmt.Sprintf(` text-anchor="end" fill="%s"`, paleInk))
}

// total adds up the bins of a histogram.
func total(counts *[bins]int64) (n int64) {
	for _, c := range counts {
		n += c
	}
	return n
}

// share returns a part of a whole; 0 of nothing.
func share(n, of int64) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// writeBars writes the bars of a side, up (-1) or down (1) from the axis. What is not nothing can be seen.
func writeBars(w *bufio.Writer, counts *[bins]int64, of int64, greatest float64, x, axis, direction Length, fill string) {
	if of == 0 {
		return
	}
	fmt.Fprintf(w, `<path fill="%s" d="`, fill)
	const width = histogramWidth / bins
	for i, n := range counts {
		// A bar of one sample among thousands would vanish; it is 1 px high at least.
		if n > 0 {
			height := max(Length(float64(laneHeight)*(share(n, of)/greatest)), px)
			fmt.Fprintf(w, "M%v %vv%vh%vv%vz", x+width*Length(i), axis, direction*height, width-30, -direction*height)
		}
	}
	fmt.Fprint(w, `"/>`)
}

// What a colour means. Red and green differ in lightness, and lines differ in style, for people who cannot tell red
// from green.
const (
	ink        = "#1f2933"
	paleInk    = "#5c6773"
	red        = "#b3261e" // removed, and the baseline's bars
	green      = "#13884a" // added, and the candidate's bars
	purple     = "#7b1fa2" // timing changed
	palePurple = "#ab82bd" // timing changed because of another step
	softRed    = "#e08a80" // bars of the baseline
	softBlue   = "#7f9cc0" // bars where nothing is compared
	softLime   = "#74c69d" // bars of the candidate
)

// look is how a state or a transition is drawn.
type look struct {
	name          string // in words, for the legend
	colour, fill  string // of line and text, and of the inside of a state
	width, dashes string // in px, as SVG has them: line width; lengths of dashes and gaps, "" for a whole line
	double        bool   // a white line on the broad one leaves two thin ones
}

// looks of what is unchanged, removed, added, and changed in its timing.
var looks = []look{
	{name: "unchanged", colour: ink, fill: "#ffffff", width: "1.2"},
	{name: "removed: only in the baseline", colour: red, fill: "#fbe9e7", width: "1.6", dashes: "6 3"},
	{name: "added: only in the candidate", colour: green, fill: "#e3f5ea", width: "4.2", double: true},
	{name: "timing changed", colour: purple, fill: "#ffffff", width: "2.8"},
	{name: "changed because of another step", colour: palePurple, fill: "#ffffff", width: "1.2"},
}

// timing is the look of a changed timing, after those of the sides, and following that of what only follows from another change: causes
// are to be seen first.
const (
	timing    = 3
	following = 4
)

// look is how a transition looks.
func (t *Transition) look() int {
	switch {
	case t.Side == Both && t.Changed && t.Follows:
		return following
	case t.Side == Both && t.Changed:
		return timing
	}
	return int(t.Side)
}
