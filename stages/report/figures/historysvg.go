package figures

import (
	"bufio"
	"fmt"
	"io"

	"github.com/tracelake/tracelake/stages/report/canvas"
)

// writeSVG writes the page of a history: runs as dots, medians as a line, levels as bars, change points as upright lines.
func (h *history) writeSVG(out io.Writer) error {
	f := frame{title: h.Title, description: h.describe(), caption: h.Caption, legend: h.legend(), width: h.width}
	f.height = h.bottom + h.foot + 4*px
	// Coordinates of the layout count from the body of the page, whose top is known here.
	return f.write(out, func(w *bufio.Writer, top Length) {
		h.top, h.bottom, h.wordsAt = h.top+top, h.bottom+top, h.wordsAt+top
		h.writeAxes(w)
		h.writeNames(w)
		h.writeSegments(w)
		h.writeChanges(w)
		h.writeRuns(w)
	})
}

// Attributes of lines.
const (
	medianLine = ` fill="none" stroke="` + ink + `" stroke-width="1.5" stroke-linejoin="round"`
	changeLine = ` fill="none" stroke="` + red + `" stroke-width="1.3" stroke-dasharray="5 3"`
	barHeight  = 7 * px // of a level
	dotRadius  = 250    // 2.5 px
)

// legend says what is seen; segments and changes only where there are any.
func (h *history) legend() legend {
	l := legend{
		{name: "run", sample: 8 * px, draw: func(w *bufio.Writer, x, y Length) { writeDot(w, x+4*px, y) }},
		{name: "median of a release", sample: sampleLine, draw: func(w *bufio.Writer, x, y Length) {
			fmt.Fprintf(w, `<path%s d="M%v %vH%v"/>`, medianLine, x, y, x+sampleLine)
		}},
	}
	if len(h.Segments) > 0 {
		l = append(l, entry{name: "level of a segment", sample: sampleLine, draw: func(w *bufio.Writer, x, y Length) {
			writeBar(w, x, x+sampleLine, y)
		}})
	}
	if len(h.Changes) > 0 {
		l = append(l, entry{name: "change", sample: 6 * px, draw: func(w *bufio.Writer, x, y Length) {
			fmt.Fprintf(w, `<path%s d="M%v %vV%v"/>`, changeLine, x+3*px, y-7*px, y+7*px)
		}})
	}
	return l
}

// writeDot writes the cost of one run.
func writeDot(w *bufio.Writer, x, y Length) {
	fmt.Fprintf(w, `<circle cx="%v" cy="%v" r="%v" fill="%s" fill-opacity=".6"/>`, x, y, Length(dotRadius), dot)
}

// writeBar writes the level of a segment.
func writeBar(w *bufio.Writer, left, right, y Length) {
	fmt.Fprintf(w, `<rect x="%v" y="%v" width="%v" height="%v" fill="%s"/>`, left, y-barHeight/2, right-left, barHeight, softBar)
}

// y is the height of a time.
func (h *history) y(ns float64) Length { return along(h.scale.share(ns), h.bottom, h.top) }

// writeAxes writes the frame and the upright axis.
func (h *history) writeAxes(w *bufio.Writer) {
	for _, ns := range h.scale.ticks() {
		y := h.y(float64(ns))
		h.writeLevel(w, y)
		canvas.WriteText(w, h.left-nameGap, y+350, smallSize, h.scale.label(ns), ` text-anchor="end"`)
		fmt.Fprintln(w)
	}
	h.writeFrame(w)
	label := h.scale.unit.Name
	if h.Quantity != "" {
		label = canvas.Shorten(h.Quantity, textSize, historyHeight-140*px) + ", " + label
	}
	if h.scale.fromNs > 0 {
		label += " (not from 0)"
	}
	writeTurned(w, margin+8*px, (h.top+h.bottom)/2, label)
}

// writeNames writes the names of releases, each with a mark at the axis.
func (h *history) writeNames(w *bufio.Writer) {
	for i, named := range h.named() {
		if !named {
			continue
		}
		x, name := h.x(i), canvas.Shorten(h.Releases[i].Name, smallSize, mostRelease)
		fmt.Fprintf(w, `<path fill="none" stroke="%s" d="M%v %vv4"/>`, edge, x, h.bottom)
		if h.slant {
			writeSlanted(w, x+3*px, h.bottom+12*px, name)
			continue
		}
		canvas.WriteText(w, x, h.bottom+16*px, smallSize, name, ` text-anchor="middle"`)
		fmt.Fprintln(w)
	}
}

// writeSegments writes the levels and slopes.
// A level without a finite value, as of releases without runs, is left out.
func (h *history) writeSegments(w *bufio.Writer) {
	for _, g := range h.Segments {
		if !finite(g.FromNs) || !finite(g.ToNs) {
			continue
		}
		shape := "level"
		if g.FromNs != g.ToNs {
			shape = "slope"
		}
		fmt.Fprintf(w, `<g class="segment"><title>%s</title>`,
			canvas.Escape(shape+" from "+h.Releases[g.From].Name+" to "+h.Releases[g.To].Name))
		// A pixel at each end keeps neighbouring levels apart.
		left, right := h.x(g.From)-h.step/2+px, h.x(g.To)+h.step/2-px
		if shape == "level" {
			writeBar(w, left, right, h.y(g.FromNs))
		} else {
			fmt.Fprintf(w, `<path fill="none" stroke="%s" stroke-width="%v" d="M%v %vL%v %v"/>`, softBar, barHeight, left, h.y(g.FromNs), right, h.y(g.ToNs))
		}
		fmt.Fprintln(w, "</g>")
	}
}

// writeChanges writes the lines of the change points and their words.
func (h *history) writeChanges(w *bufio.Writer) {
	for _, f := range h.labels {
		y := h.wordsAt - Length(f.lane)*changeLane
		// A label that was turned stands to the left of its line and ends there.
		x, anchor := f.x+labelGap, ""
		if f.left < f.x {
			x, anchor = f.x-labelGap, ` text-anchor="end"`
		}
		fmt.Fprintf(w, `<g class="change"><path%s d="M%v %vV%v"/>`, changeLine, f.x, y-8*px, h.bottom)
		canvas.WriteText(w, x, y, smallSize, f.text, anchor+` fill="`+red+`"`)
		fmt.Fprintln(w, "</g>")
	}
}

// writeRuns writes the dots of the runs, side by side within their release, and the line through the medians.
func (h *history) writeRuns(w *bufio.Writer) {
	var way way
	for i := range h.Releases {
		r := &h.Releases[i]
		way.add(h.plot, h.x(i), h.scale.share(r.median()))
		if len(r.RunsNs) == 0 {
			continue
		}
		// Dots of one release stand 3 px apart, or closer where a release has less room.
		apart := min(3*px, h.step/2/Length(len(r.RunsNs)))
		fmt.Fprintf(w, `<g class="release"><title>%s</title>`, canvas.Escape(r.Name))
		for k, ns := range r.RunsNs {
			if finite(ns) {
				writeDot(w, h.x(i)+apart*Length(2*k-len(r.RunsNs)+1)/2, h.y(ns))
			}
		}
		fmt.Fprintln(w, "</g>")
	}
	// A release whose neighbours have no value would be a line without length: it gets a short dash.
	way.write(w, medianLine)
	for i, c := range way {
		if single := (i == 0 || !way[i-1].known) && (i == len(way)-1 || !way[i+1].known); c.known && single {
			fmt.Fprintf(w, `<path%s d="M%v %vh6"/>`, medianLine, c.x-3*px, c.y)
		}
	}
	fmt.Fprintln(w)
}
