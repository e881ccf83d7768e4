package timeline

import (
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/stages/report/canvas"
)

// sample is an entry of the legend.
type sample struct {
	x            Length
	row          int
	sample, text string
}

// legend lays out the entries of the legend in rows.
func (c *Chart) legend() (all []sample) {
	x, row := c.scale.left, 0
	add := func(drawn, text string) {
		width := 30*px + canvas.TextWidth(text, textSize)
		if x > c.scale.left && x+width > c.Width-margin {
			x, row = c.scale.left, row+1
		}
		all = append(all, sample{x, row, drawn, text})
		x += width + 24*px
	}
	box := func(class string) string {
		return fmt.Sprintf(`<rect class="%s" y="-10" width="24" height="12" stroke="%s" stroke-width=".6"/>`, class, line)
	}
	w := c.window
	on := "on top of its caller"
	if w.Grouped != "" || w.Filtered != "" {
		on = "on top of those that it overlaps"
	}
	if events := w.momentCount(); w.Colours == nil && (events == 0 || events < len(w.Executions.Execution)) {
		add(box("tl0"), "execution, "+on)
	}
	for i, text := range w.valueLegend() {
		add(box(valueClass(i)), text)
	}
	if w.momentCount() > 0 {
		add(fmt.Sprintf(`<path d="%s" class="tlw" stroke="%s" stroke-width=".8"/>`, diamond(12*px, -4*px), line), "event")
	}
	if slices.ContainsFunc(c.Boxes, func(b Box) bool { return b.hatched() && !b.Moment }) {
		add(box("tlh"), "several, too narrow to be told apart")
	}
	for kind, name := range [...]string{sent: "message", inferred: "callback that is inferred", coupled: "coupling that is no message"} {
		if slices.ContainsFunc(c.Arrows, func(a Arrow) bool { return a.Kind == arrowKind(kind) }) {
			add(fmt.Sprintf(`<path d="M0 -4H24" stroke="%s" stroke-width=".8"%s marker-end="url(#tl-head)"/>`, arrowInk, arrowKind(kind).dashes()), name)
		}
	}
	if len(c.Path) > 0 {
		add(fmt.Sprintf(`<path d="M0 -4H24" stroke="%s" stroke-width="2" marker-end="url(#tl-redhead)"/>`, red), "critical path")
	}
	if slices.ContainsFunc(c.Path, func(g Segment) bool { return !g.Critical }) {
		add(fmt.Sprintf(`<path d="M0 -4H24" stroke="%s" stroke-width="2" stroke-dasharray="2 4"/>`, red), "step that is not critical")
	}
	if len(w.Held) > 0 {
		add(fmt.Sprintf(`<rect y="-10" width="12" height="12" fill="%s"/><rect x="12" y="-4" width="12" height="6" fill="%s"/>`, green, broken), "holds, does not hold")
	}
	if slices.ContainsFunc(w.Held, func(h Held) bool { return len(h.Failing) > 0 }) {
		add(fmt.Sprintf(`<path d="M12 -2l-4 -7h8z" fill="%s"/>`, ink), "state that breaks a check")
	}
	for i := range c.chosen {
		add(box(fmt.Sprintf("tlc%d", i)), c.chosen[i].Name)
	}
	return all
}

// mostValues is how many values of the colours the legend names.
const mostValues = 12

// valueFills are the fills of values: the palette, then what stands out from it.
var valueFills = append(slices.Clone(palette), strong[:]...)

// valueClass is the class of the boxes of a value.
func valueClass(value int) string { return fmt.Sprintf("tlv%d", value%len(valueFills)) }

// valueLegend is what the legend says of the colours, in their order.
func (w *Window) valueLegend() (all []string) {
	if w.Colours == nil {
		return nil
	}
	for i, value := range w.Colours.Values {
		if i == mostValues {
			all = append(all, fmt.Sprintf("and so on, %d values", len(w.Colours.Values)))
			break
		}
		all = append(all, w.Colours.Name+" "+value)
	}
	return all
}
