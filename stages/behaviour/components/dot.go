package components

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// WriteDOT writes a model of the set in the language of Graphviz. Accepting states have two circles.
func (s *Set) WriteDOT(out io.Writer, m *Model) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "digraph %q {\n  graph [rankdir=LR, label=%q];\n  node [shape=circle];\n", m.Component, m.Component)
	for state, accepting := range m.Accepting {
		shape := ""
		if accepting {
			shape = ", shape=doublecircle"
		}
		fmt.Fprintf(w, "  s%d [label=%q%s];\n", state, strconv.Itoa(state), shape)
	}
	for _, state := range m.Initial {
		fmt.Fprintf(w, "  i%d [shape=point, style=invis];\n  i%d -> s%d;\n", state, state, state)
	}
	c := cifWriter{set: s, model: m, words: m.Data.wording()}
	for state := range m.Accepting {
		for _, t := range c.leaving(int32(state)) {
			label := c.name(m.Label[t])
			if label == "" {
				label = "tau"
			}
			if when, do := c.words.texts(int(t)); when+do != "" {
				label += "\n" + when + " / " + do
			}
			fmt.Fprintf(w, "  s%d -> s%d [label=%q];\n", state, m.Target[t], label)
		}
	}
	fmt.Fprintln(w, "}")
	return w.Flush()
}
