package automaton

import (
	"bufio"
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/stages/report/canvas"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Font sizes.
const (
	titleSize = 15 * px
	textSize  = 11 * px
	smallSize = 10 * px
)

// Sizes of what stands on a transition.
const (
	mostTextWidth  = 190 * px // longer text is cut and ends in dots
	lineHeight     = 13 * px  // from one line of text to the next
	histogramWidth = 84 * px  // without the text at its side
	laneHeight     = 12 * px  // of one side's bars
	axisHeight     = 10 * px  // of the numbers below them
	textGap        = 6 * px   // between a histogram and the text at its side
	hairpin        = 8 * px   // between the two lines of a self loop
	tagHeight      = 16 * px  // of the box that names the target of a line cut short
)

// caption is what stands on a transition: its event above the line; below it the histogram and, at its side, counts and
// medians in words.
type caption struct {
	// The parts from top to bottom: note and head above the line; the histogram, with lines of text at its right, below it.
	head, note          string     // shortened
	lines               []string   // below the line, from top to bottom: the count, the medians, the cost per run, the verdict
	histogram           *Histogram // nil: none is shown
	tag                 string     // where the transition goes, if its line does not lead there
	width, above, below Length     // of the whole, and from the line
}

// captionOf writes the caption of a transition.
func captionOf(t *Transition, a *Automaton) caption {
	c := caption{head: canvas.Shorten(sign(t.Side)+t.Label, textSize, mostTextWidth), note: canvas.Shorten(t.Note, smallSize, mostTextWidth)}
	c.lines = t.words(a)
	// Equal samples span no axis, and the samples of a folded chain are gone.
	if h := t.Histogram; h != nil && h.ToNs > h.FromNs && t.Steps < 2 {
		c.histogram = h
	}
	c.measure(a.Compared)
	return c
}

// sign marks what only one side has, beside its colour and its line.
func sign(s Side) string { return [...]string{"", "− ", "+ "}[s] }

// words are how often a transition was taken, its medians, and what became of them.
func (t *Transition) words(a *Automaton) (lines []string) {
	base, cand := t.Base.median(), t.Cand.median()
	count, median := texttab.Plural(t.Base.Count, "time"), base
	switch {
	// What only one side has needs no arrow: its count and its median are that side's.
	case !a.Compared || t.Side == Base:
	case t.Side == Cand:
		count, median = texttab.Plural(t.Cand.Count, "time"), cand
	case t.Base.Count != t.Cand.Count:
		// Counts that differ show both, then the medians are worded as those of equal counts.
		count = texttab.Count(t.Base.Count) + " → " + texttab.Plural(t.Cand.Count, "time")
		fallthrough
	default:
		if median = cmp.Or(cand, base); base != "" && cand != "" && base != cand {
			median = base + " → " + cand
		}
	}
	lines = append(lines, count)
	switch {
	// A chain has the median of its end, or the sum of its medians where times are since the event before.
	case median == "":
	case t.Steps > 1 && a.Additive:
		lines = append(lines, "medians add up to "+median)
	case t.Steps > 1:
		lines = append(lines, "median at the end "+median)
	default:
		if strings.Contains(median, " → ") {
			// The cost per run follows in a line of its own, so the median says that it is that of a single time.
			median += " a time"
		}
		lines = append(lines, "median "+median)
	}
	if t.PerRun != "" {
		lines = append(lines, t.PerRun)
	}
	if t.Changed && t.Verdict != "" {
		lines = append(lines, t.Verdict)
	}
	return lines
}

// measure sets the sizes of a caption: how far it reaches above and below the line, and how wide it is.
func (c *caption) measure(compared bool) {
	c.above = lineHeight + 4*px
	if c.note != "" {
		c.above += lineHeight
	}
	side := Length(0)
	for _, line := range c.lines {
		side = max(side, canvas.TextWidth(line, smallSize))
	}
	c.below = Length(len(c.lines))*lineHeight + 4*px
	if c.histogram != nil {
		side += histogramWidth + textGap
		lanes := laneHeight
		if compared {
			lanes *= 2
		}
		c.below = max(c.below, lanes+axisHeight+6*px)
	}
	// Bold text is a tenth wider than the width that is computed for plain text.
	c.width = max(canvas.TextWidth(c.head, textSize)*11/10, canvas.TextWidth(c.note, smallSize), side) + 4*px
}

// addTag adds a tag at the end of the line.
func (c *caption) addTag(number int64) {
	// 14 px separate the text from the tag, so that the line is seen between them.
	c.tag = "to " + strconv.FormatInt(number, 10)
	c.width += c.tagWidth() + 14*px
}

// tagWidth returns the width of the tag in which a line ends that leads too far.
func (c *caption) tagWidth() Length { return canvas.TextWidth(c.tag, smallSize) + 12*px }

// tip is all of a transition in words, for those who point at it.
func (t *Transition) tip(a *Automaton) string {
	text := sign(t.Side) + t.Label
	if t.Note != "" {
		text += ", " + t.Note
	}
	return text + ": " + strings.Join(t.words(a), ", ")
}

// header is what stands above the picture: title, subtitle, and what the lines mean.
type header struct {
	*Picture                     // what is explained
	used     [following + 1]bool // by look: some state or transition has it, so that the legend explains it
	notes    []string            // sentences behind the samples of lines
	width    Length              // from margin to margin
}

// sampleWidth is how long the lines of the legend are.
const sampleWidth = 34 * px

// header finds what must be explained.
func (p *Picture) header() *header {
	// The title is bold, which is a tenth wider than plain text.
	h := &header{Picture: p, width: max(canvas.TextWidth(p.Title, titleSize)*11/10, canvas.TextWidth(p.Subtitle, textSize))}
	histograms, tags := false, false
	for t := range p.transitions {
		h.used[p.transitions[t].look()] = true
		histograms = histograms || p.captions[t].histogram != nil
		tags = tags || p.tagged[t]
	}
	for s := range p.states {
		// Looks 0 to 2 are those of the sides, in their order.
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

// write writes title, subtitle and legend.
func (h *header) write(w *bufio.Writer) {
	fmt.Fprint(w, `<g class="head">`)
	canvas.WriteText(w, margin, 26*px, titleSize, h.Title, ` font-weight="bold"`)
	canvas.WriteText(w, margin, 44*px, textSize, h.Subtitle, fmt.Sprintf(` fill="%s"`, paleInk))
	h.legend(w)
	fmt.Fprintln(w, "</g>")
}

// legend writes the lines that are used and says what they mean; it returns the width. Without a writer it only measures,
// by the same steps, so that the picture is never narrower than its legend.
func (h *header) legend(w *bufio.Writer) Length {
	x, y := margin, 64*px // in the margin, below title and subtitle
	text := func(s string) {
		if w != nil {
			canvas.WriteText(w, x, y, smallSize, s, fmt.Sprintf(` fill="%s"`, paleInk))
		}
		x += canvas.TextWidth(s, smallSize) + 22*px
	}
	for i := range looks {
		// Without a comparison everything is black: there is nothing to explain.
		if !h.Compared || !h.used[i] {
			continue
		}
		if w != nil {
			// The line lies 3.5 px above the baseline of the text, in the middle of its letters.
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
