package flame

import (
	"bufio"
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/canvas"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// verdictColour is how frames are drawn whose functions have some verdicts.
type verdictColour struct {
	label, fill string   // in the legend, and as SVG writes colours
	verdicts    []string // of package schema
}

// verdictColours are in the order of the legend. What no verdict is about, the last one, has no label of its own.
// Green is left to what is unchanged, red to what is worse, so that what matters stands out from pale colours.
var verdictColours = []verdictColour{
	{"regressed", "#f0524a", []string{schema.Regressed}},
	{"improved", "#5b9bea", []string{schema.Improved}},
	{"shape or count changed", "#c9a0e8", []string{schema.ShapeChanged, schema.CountChanged}},
	{"appeared or moved", "#f5a742", []string{schema.Appeared, schema.Moved}},
	{"stands out, too few runs", "#f2c6a0", []string{schema.Candidate}},
	{"undetermined", "#f6e9a8", []string{schema.Undetermined}},
	{"unchanged", "#d6e8d2", []string{schema.Unchanged}},
	{"not asked, or no function", "#ececec", nil},
}

// fillOf returns the colour of a verdict. Words that no row names, "" among them, have the colour of the last one.
func fillOf(verdict string) string {
	for _, c := range verdictColours {
		for _, v := range c.verdicts {
			if v == verdict {
				return c.fill
			}
		}
	}
	return verdictColours[len(verdictColours)-1].fill
}

// writeVerdictLegend writes the colours of verdicts in a line.
func writeVerdictLegend(w *bufio.Writer, y canvas.Length) {
	// Verdicts are on functions and not on call paths: the same function has one colour in all its boxes.
	const text = "own time of the function, wherever it runs:"
	canvas.WriteText(w, margin, y, textSize, text, "")
	x := margin + canvas.TextWidth(text, textSize) + 12*canvas.Px
	for _, c := range verdictColours {
		fmt.Fprintf(w, `<rect x="%v" y="%v" width="%v" height="%v" fill="%s" stroke="#888" stroke-width="0.5"/>`+"\n",
			x, y-9*canvas.Px, 12*canvas.Px, 11*canvas.Px, c.fill)
		canvas.WriteText(w, x+16*canvas.Px, y, textSize, c.label, "")
		// 16 px to the text, 18 px from it to the next sample.
		x += canvas.TextWidth(c.label, textSize) + 34*canvas.Px
	}
}

// describe says what a comparison found of a function, "" where it found nothing.
func describe(c *schema.Change) string {
	switch {
	// Not every verdict has an effect in time with an interval.
	case c == nil:
		return ""
	case c.EffectNs == nil || c.EffectLoNs == nil || c.EffectHiNs == nil:
		return "; its own time: " + c.Verdict
	}
	return fmt.Sprintf("; its own time per root execution: %s, %s (95 %% interval %s)", c.Verdict, texttab.Change(*c.EffectNs), texttab.Interval(*c.EffectLoNs, *c.EffectHiNs))
}

// isShown reports whether a verdict is worth a number in the box.
func isShown(c *schema.Change) bool {
	return c != nil && c.EffectNs != nil && (c.Verdict == schema.Regressed || c.Verdict == schema.Improved)
}
