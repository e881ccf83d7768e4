package automaton

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// WriteDOT writes the automaton in the language of Graphviz, for whoever wants to lay it out with that. Colours and line
// styles are those of the picture; counts and medians stand in the labels.
func WriteDOT(out io.Writer, a *Automaton) error {
	r, err := arrange(a)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	// 1. What all states and edges share: from left to right, as in the SVG.
	fmt.Fprintf(w, "digraph %s {\n", quote(a.Title))
	fmt.Fprintf(w, "  graph [rankdir=LR, labelloc=t, labeljust=l, fontname=Helvetica, label=%s];\n", quote(a.Title, a.Subtitle))
	fmt.Fprintln(w, "  node [shape=circle, style=filled, fontname=Helvetica, fontsize=10];")
	fmt.Fprintln(w, "  edge [fontname=Helvetica, fontsize=10];")
	// 2. States, then edges, both in the order of the arranged automaton: the same bytes whatever the order of the input.
	for i := range r.states {
		writeDOTState(w, &r.states[i])
	}
	for i := range r.transitions {
		t := &r.transitions[i]
		l := looks[t.look()]
		lines := append([]string{sign(t.Side) + t.Label}, t.words(a)...)
		// The note follows the label, as in the picture: it says with whom the event communicates.
		if t.Note != "" {
			lines = append(lines[:1], append([]string{t.Note}, lines[1:]...)...)
		}
		fmt.Fprintf(w, "  s%s -> s%s [label=%s, color=%s, fontcolor=%s%s];\n",
			dotName(t.Source), dotName(t.Target), quote(lines...), l.dotColour(), quote(l.colour), l.dotStyle())
	}
	fmt.Fprintln(w, "}")
	return w.Flush()
}

// writeDOTState writes a state; accepting ones have two circles.
func writeDOTState(w *bufio.Writer, s *State) {
	l := looks[s.Side]
	shape := ""
	if s.Accepting {
		shape = ", shape=doublecircle"
	}
	name := dotName(s.Number)
	fmt.Fprintf(w, "  s%s [label=%q, color=%s, fontcolor=%s, fillcolor=%s%s];\n",
		name, fmt.Sprint(s.Number), quote(l.colour), quote(l.colour), quote(l.fill), shape)
	// An invisible point is the start of the arrow that leads into an initial state.
	if s.Initial {
		fmt.Fprintf(w, "  i%s [shape=point, style=invis];\n  i%s -> s%s [color=%s];\n", name, name, name, quote(l.colour))
	}
}

// dotName is a number as a part of a name, which cannot have a minus.
func dotName(n int64) string { return strings.ReplaceAll(fmt.Sprint(n), "-", "_") }

// dotColour is the colour, twice with a gap between them for a double line.
func (l *look) dotColour() string {
	if l.double {
		return quote(l.colour + ":white:" + l.colour)
	}
	return quote(l.colour)
}

// dotStyle returns the attributes of an edge that stand for its look without colour: dashed is removed, bold is changed.
func (l *look) dotStyle() string {
	switch {
	case l.dashes != "":
		return ", style=dashed"
	case l.colour == purple:
		return ", penwidth=2.5"
	}
	return ""
}

// quote writes lines as a quoted string, left-aligned where they are several. A backslash or a quote in a name is itself.
func quote(lines ...string) string {
	// DOT has no escape for NUL, and a line break would end up as a break of the label.
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\x00", "")
	var b strings.Builder
	b.WriteByte('"')
	for _, line := range lines {
		b.WriteString(escaped.Replace(strings.ToValidUTF8(line, "\uFFFD")))
		if len(lines) > 1 {
			// \l ends a line and sets it at the left; without it Graphviz centres all lines.
			b.WriteString(`\l`)
		}
	}
	b.WriteByte('"')
	return b.String()
}
