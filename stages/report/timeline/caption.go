package timeline

import (
	"fmt"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/canvas"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// title says what the picture shows.
func (c *Chart) title() string {
	w, span := c.window, c.window.ToNs-c.window.FromNs
	return fmt.Sprintf("Run %s: %s, from %s to %s", w.Run, texttab.InWindow(span, span),
		texttab.InWindow(w.FromNs-w.OriginNs, span), texttab.InWindow(w.ToNs-w.OriginNs, span))
}

// counts says how much is in the window, and what was chosen of it.
func (c *Chart) counts() string {
	w := c.window
	lane := "lifeline"
	if w.Grouped != "" {
		lane = "lane"
	}
	parts := append(w.counted(), texttab.Plural(int64(len(c.Lanes)+c.Rest.Quieter), lane))
	if w.Grouped != "" {
		parts[len(parts)-1] += " by " + w.Grouped
	}
	if w.Filtered != "" {
		parts = append(parts, "only "+w.Filtered)
	}
	if n := int64(len(c.Path)) + c.PathHidden; n > 0 {
		parts = append(parts, texttab.Plural(n, "step")+" of the critical path")
	}
	return strings.Join(parts, "  ·  ")
}

// counted is how many executions, events and messages the window has.
func (w *Window) counted() []string {
	events := w.momentCount()
	parts := []string{texttab.Plural(len(w.Executions.Execution)-events, "execution")}
	if events > 0 {
		parts = append(parts, texttab.Plural(events, "event"))
	}
	return append(parts, w.ArrowCount())
}

// Counted says how many executions, events and messages the window has, and how many signals and checks are drawn below.
func (w *Window) Counted() string {
	parts := w.counted()
	if n := len(w.Curves); n > 0 {
		parts = append(parts, texttab.Plural(n, "signal"))
	}
	if n := len(w.Held); n > 0 {
		parts = append(parts, texttab.Plural(n, "lane")+" of checks")
	}
	return strings.Join(parts, ", ")
}

// notes are lines about what is left out.
func (c *Chart) notes() (notes []string) {
	// What is left out has lines in the order of its size: lifelines, messages, steps, open calls, deep calls.
	r := c.Rest
	switch {
	case r.Quieter > 0 && r.Silent > 0:
		notes = append(notes, fmt.Sprintf("and %s with less activity (%s), and %s without any",
			texttab.Plural(int64(r.Quieter), "more lifeline"), texttab.Plural(r.Executions, "execution"),
			texttab.Plural(r.Silent, "component")))
	case r.Quieter > 0:
		notes = append(notes, fmt.Sprintf("and %s with less activity (%s)",
			texttab.Plural(int64(r.Quieter), "more lifeline"), texttab.Plural(r.Executions, "execution")))
	case r.Silent > 0:
		notes = append(notes, fmt.Sprintf("and %s without activity", texttab.Plural(r.Silent, "more component")))
	}
	if c.Hidden > 0 {
		notes = append(notes, texttab.Plural(c.Hidden, "message")+" from or to lifelines that are not shown")
	}
	if c.PathHidden > 0 {
		notes = append(notes, texttab.Plural(c.PathHidden, "step")+" of the critical path on lifelines that are not shown")
	}
	if n := c.open(); n > 0 {
		notes = append(notes, "broken outlines: the trace lacks a start or a finish ("+texttab.Count(n)+")")
	}
	if c.TooDeep > 0 {
		notes = append(notes, fmt.Sprintf("%s nested deeper than %d", texttab.Plural(c.TooDeep, "execution"), mostLevels))
	}
	if len(c.Boxes) == 0 && len(c.Arrows) == 0 {
		notes = append(notes, "nothing happens in this window")
	}
	return notes
}

// ArrowCount says how many messages the window has, and how many couplings of other kinds.
func (w *Window) ArrowCount() string {
	coupled := 0
	for _, function := range w.Messages.ReceiverFunction {
		// A coupling that is no message has no function that receives it.
		if function == schema.NoCode {
			coupled++
		}
	}
	text := texttab.Plural(len(w.Messages.SendNs)-coupled, "message")
	if coupled > 0 {
		text += ", " + texttab.Plural(coupled, "other coupling")
	}
	return text
}

// open counts the boxes with an execution whose start or finish was invented.
func (c *Chart) open() (n int) {
	for i := range c.Boxes {
		if c.Boxes[i].Open {
			n++
		}
	}
	return n
}

// tip is the text that a viewer shows over a box.
func (c *Chart) tip(b *Box) string {
	w := c.window
	from, took := texttab.Exact(b.StartNs-w.OriginNs), texttab.Exact(b.FinishNs-b.StartNs)
	if b.Moment {
		return c.momentTip(b)
	}
	// A joined box knows how many executions it has, and their function where it is one.
	if b.hatched() {
		what := "executions"
		if b.Function != schema.NoCode {
			what = "executions of " + w.names().Functions.Name(b.Function)
		}
		return fmt.Sprintf("%s %s, too narrow to be told apart\n%s\nfrom %s, within %s", texttab.Count(b.Count), what, c.Lanes[b.Lane].Name, from, took)
	}
	tip := fmt.Sprintf("%s\n%s\nstart %s, duration %s", w.names().Functions.Name(b.Function), c.Lanes[b.Lane].Name, from, took)
	if b.Value >= 0 {
		tip += "\n" + w.Colours.Name + " " + w.Colours.Values[b.Value]
	}
	if b.Open {
		tip += "\nopen: the trace lacks its start or its finish, so it took at least as long as is known"
	}
	return tip
}

// momentTip is the text over a regular event, or several.
func (c *Chart) momentTip(b *Box) string {
	w := c.window
	at, name := texttab.Exact(b.StartNs-w.OriginNs), "events"
	if b.Function != schema.NoCode {
		name = w.names().Functions.Name(b.Function)
	}
	if b.hatched() {
		return fmt.Sprintf("%s %s, too near to be told apart\n%s\nfrom %s, within %s", texttab.Count(b.Count), name, c.Lanes[b.Lane].Name, at, texttab.Exact(b.FinishNs-b.StartNs))
	}
	tip := fmt.Sprintf("%s\n%s\nat %s", name, c.Lanes[b.Lane].Name, at)
	if b.Value >= 0 {
		tip += "\n" + w.Colours.Name + " " + w.Colours.Values[b.Value]
	}
	return tip
}

// arrowTip is the text over an arrow.
func (c *Chart) arrowTip(a *Arrow) string {
	w, m := c.window, c.window.Messages
	ends := c.Lanes[a.From].Name + " to " + c.Lanes[a.To].Name
	if a.Count > 1 {
		return fmt.Sprintf("%s "+[...]string{sent: "messages", inferred: "inferred callbacks", coupled: "couplings"}[a.Kind]+"\n%s\nfrom %s, within %s", texttab.Count(a.Count), ends, texttab.Exact(a.SendNs-w.OriginNs), texttab.Exact(a.ReceiveNs-a.SendNs))
	}
	if a.Kind == coupled {
		return fmt.Sprintf("%s\n%s\nfrom %s, ends after %s", w.messageName(m, a.Message), ends, texttab.Exact(a.SendNs-w.OriginNs), texttab.Exact(a.ReceiveNs-a.SendNs))
	}
	return fmt.Sprintf("%s\n%s\nsent %s, received after %s", w.messageName(m, a.Message), ends, texttab.Exact(a.SendNs-w.OriginNs), texttab.Exact(a.ReceiveNs-a.SendNs))
}

// messageName is how a message is called: its label, if any, and the function that receives it. Any other coupling is called by its
// label.
func (w *Window) messageName(m *schema.Messages, i int) string {
	if m.ReceiverFunction[i] == schema.NoCode {
		return w.names().Messages.Name(m.Label[i])
	}
	function := w.names().Functions.Name(m.ReceiverFunction[i])
	pattern := strings.ReplaceAll(schema.PatternWords[m.Pattern[i]], "_", " ")
	if m.Label[i] != schema.NoCode {
		return fmt.Sprintf("%s %s (%s)", function, w.names().Messages.Name(m.Label[i]), pattern)
	}
	return fmt.Sprintf("%s (%s)", function, pattern)
}

// stepName is how a step of the path is called.
func (w *Window) stepName(s *Step) string {
	component := w.names().Components.Name(s.Component)
	switch {
	case s.Message && s.Sender != schema.NoCode:
		return fmt.Sprintf("message %s to %s", w.names().Components.Name(s.Sender), component)
	case s.Message:
		return "message to " + component
	case s.Function == schema.NoCode:
		return component + " idle"
	}
	return component + "." + w.names().Functions.Name(s.Function)
}

// fit shortens text to a width: whole, or its beginning with an ellipsis, or nothing if too little would be left.
func fit(s string, size, width Length) string {
	const minLetters = 4 // fewer letters do not identify a name
	if canvas.TextWidth(s, size) <= width {
		return s
	}
	// Room for the ellipsis is reserved before letters are taken.
	w, letters := canvas.Glyph('…'), 0
	for i, r := range s {
		w += canvas.Glyph(r)
		if w*size/1000 > width {
			if letters < minLetters {
				return ""
			}
			return s[:i] + "…"
		}
		letters++
	}
	return s
}
