package automaton

import (
	"bufio"
	"fmt"

	"github.com/tracelake/tracelake/stages/report/canvas"
)

// header is what stands above the picture: title, subtitle, and what the lines mean.
type header struct {
	*Picture
	used  [timing + 1]bool
	notes []string
	width Length
}

// sampleWidth is how long the lines of the legend are.
const sampleWidth = 34 * px

// header finds what must be explained.
func (p *Picture) header() *header {
	h := &header{Picture: p, width: max(canvas.TextWidth(p.Title, titleSize)*11/10, canvas.TextWidth(p.Subtitle, textSize))}
	histograms, tags := false, false
	for t := range p.transitions {
		h.used[p.transitions[t].look()] = true
		histograms = histograms || p.captions[t].histogram != nil
		tags = tags || p.tagged[t]
	}
	for s := range p.states {
		h.used[p.states[s].Side] = true
	}
	if histograms && p.Compared {
		h.notes = append(h.notes, "histograms: baseline above the axis, candidate below")
	}
	if tags {
		h.notes = append(h.notes, "\u201cto 7\u201d: goes on at state 7")
	}
	h.width = max(h.width, h.legend(nil))
	return h
}

func (h *header) write(w *bufio.Writer) {
	fmt.Fprint(w, `<g class="head">`)
	writeText(w, margin, 26*px, titleSize, h.Title, ` font-weight="bold"`)
	writeText(w, margin, 44*px, textSize, h.Subtitle, fmt.Sprintf(` fill="%s"`, paleInk))
	h.legend(w)
	fmt.Fprintln(w, "</g>")
}

// legend writes the lines that are used and says what they mean; it returns the width. Without a writer it only measures.
func (h *header) legend(w *bufio.Writer) Length {
	x, y := margin, 64*px
	text := func(s string) {
		if w != nil {
			writeText(w, x, y, smallSize, s, fmt.Sprintf(` fill="%s"`, paleInk))
		}
		x += canvas.TextWidth(s, smallSize) + 22*px
	}
	for i := range looks {
		if !h.Compared || !h.used[i] {
			continue
		}
		if w != nil {
			way := []corner{{x: x, y: y - 350}, {x: x + sampleWidth, y: y - 350}}
			writeLine(w, &looks[i], way, headLength-px)
			writeHead(w, looks[i].colour, x+sampleWidth, y-350, 1)
		}
		x += sampleWidth + 6*px
		text(looks[i].name)
	}
	for _, note := range h.notes {
		text(note)
	}
	return x - margin
}
