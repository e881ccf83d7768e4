package automaton

import (
	"cmp"
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
	mostTextWidth  = 190 * px
	lineHeight     = 13 * px
	histogramWidth = 84 * px
	laneHeight     = 12 * px // of one side's bars
	axisHeight     = 10 * px // of the numbers below them
	textGap        = 6 * px  // between a histogram and the text at its side
	hairpin        = 8 * px  // between the two lines of a self loop
	tagHeight      = 16 * px
)

// caption is what stands on a transition: its event above the line; below it the histogram and, at its side, counts and
// medians in words.
type caption struct {
	head, note          string // shortened
	lines               []string
	histogram           *Histogram // nil: none is shown
	tag                 string     // where the transition goes, if its line does not lead there
	width, above, below Length     // of the whole, and from the line
}

// captionOf writes the caption of a transition.
func captionOf(t *Transition, a *Automaton) caption {
	c := caption{head: fit(sign(t.Side)+t.Label, textSize, mostTextWidth), note: fit(t.Note, smallSize, mostTextWidth)}
	c.lines = t.words(a)
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
	case !a.Compared || t.Side == Base:
	case t.Side == Cand:
		count, median = texttab.Plural(t.Cand.Count, "time"), cand
	case t.Base.Count != t.Cand.Count:
		count = texttab.Count(t.Base.Count) + " → " + texttab.Plural(t.Cand.Count, "time")
		fallthrough
	default:
		if median = cmp.Or(cand, base); base != "" && cand != "" && base != cand {
			median = base + " → " + cand
		}
	}
	lines = append(lines, count)
	switch {
	case median == "":
	case t.Steps > 1 && a.Additive:
		lines = append(lines, "medians add up to "+median)
	case t.Steps > 1:
		lines = append(lines, "median at the end "+median)
	default:
		lines = append(lines, "median "+median)
	}
	if t.Changed && t.Verdict != "" {
		lines = append(lines, t.Verdict)
	}
	return lines
}

// measure sets the sizes.
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
	c.width = max(canvas.TextWidth(c.head, textSize)*11/10, canvas.TextWidth(c.note, smallSize), side) + 4*px
}

// addTag adds a tag at the end of the line.
func (c *caption) addTag(number int64) {
	c.tag = "to " + strconv.FormatInt(number, 10)
	c.width += c.tagWidth() + 14*px
}

func (c *caption) tagWidth() Length { return canvas.TextWidth(c.tag, smallSize) + 12*px }

// tip is all of a transition in words, for those who point at it.
func (t *Transition) tip(a *Automaton) string {
	text := sign(t.Side) + t.Label
	if t.Note != "" {
		text += ", " + t.Note
	}
	return text + ": " + strings.Join(t.words(a), ", ")
}
