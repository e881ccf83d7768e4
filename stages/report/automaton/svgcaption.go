package automaton

import (
	"bufio"
	"fmt"

	"github.com/tracelake/tracelake/stages/report/canvas"
)

// writeCaption writes what stands on a transition.
func (p *Picture) writeCaption(w *bufio.Writer, t int, l *look) {
	c := &p.captions[t]
	left, _, y := p.at(p.label[t])
	upper := y - 5*px
	if p.ends[t][0] == p.ends[t][1] && !p.tagged[t] {
		upper -= hairpin
	}
	if c.note != "" {
		writeText(w, left, upper, smallSize, c.note, fmt.Sprintf(` fill="%s"`, noteColour(l)))
		upper -= lineHeight
	}
	writeText(w, left, upper, textSize, c.head, ` font-weight="bold"`)
	x := left
	if c.histogram != nil {
		c.histogram.write(w, left, y+4*px, p.Compared)
		x += histogramWidth + textGap
	}
	for i, line := range c.lines {
		weight := ""
		if i == 2 {
			weight = ` font-weight="bold"`
		}
		writeText(w, x, y+lineHeight*Length(i+1)+px, smallSize, line, weight)
	}
}

// noteColour is a paler one for black transitions.
func noteColour(l *look) string {
	if l.colour == ink {
		return paleInk
	}
	return l.colour
}

func writeText(w *bufio.Writer, x, y, size Length, text, attributes string) {
	fmt.Fprintf(w, `<text x="%v" y="%v" font-size="%v"%s>%s</text>`, x, y, size, attributes, canvas.Escape(text))
}

// write writes a histogram: the baseline's bars rise from the axis, the candidate's hang from it. Of both sides a bar of
// the same length is the same share of the side's samples.
func (h *Histogram) write(w *bufio.Writer, x, y Length, compared bool) {
	base, cand := total(&h.Base), total(&h.Cand)
	greatest := 0.0
	for i := range bins {
		greatest = max(greatest, share(h.Base[i], base), share(h.Cand[i], cand))
	}
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
	writeText(w, x, below, size, briefly(h.FromNs), fmt.Sprintf(` fill="%s"`, paleInk))
	writeText(w, x+histogramWidth, below, size, briefly(h.ToNs), fmt.Sprintf(` text-anchor="end" fill="%s"`, paleInk))
}

func total(counts *[bins]int64) (n int64) {
	for _, c := range counts {
		n += c
	}
	return n
}

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
		if n > 0 {
			height := max(Length(float64(laneHeight)*(share(n, of)/greatest)), px)
			fmt.Fprintf(w, "M%v %vv%vh%vv%vz", x+width*Length(i), axis, direction*height, width-30, -direction*height)
		}
	}
	fmt.Fprint(w, `"/>`)
}
