package components

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// WriteCIF writes a model of the set in the language CIF 3 (eclipse.dev/escet/cif), as MIDS does: the automaton with the
// events that its component declares, and a group with the others for every component that declares them.
// Events are sorted and locations are numbered by state, so that equal models give equal files. The error is that of
// the writer.
func (s *Set) WriteCIF(out io.Writer, m *Model) error {
	c := cifWriter{Writer: bufio.NewWriter(out), set: s, model: m, words: m.Data.textOf()}
	fmt.Fprintf(c, "automaton %s:\n", cifName(m.Component))
	for i, v := range m.Data.allVariables() {
		if c.words.boolean[i] {
			fmt.Fprintf(c, "  disc bool %s = false;\n", cifName(v.Name))
		} else {
			fmt.Fprintf(c, "  disc int[0..%d] %s;\n", v.Max, cifName(v.Name))
		}
	}
	events := c.eventsByComponent()
	// The automaton declares its own events first. Then each other component gets a group, so that the file stands
	// alone.
	c.declareEvents(events[m.Component])
	c.writeLocations()
	fmt.Fprintln(c, "end")
	delete(events, m.Component)
	for _, component := range slices.Sorted(maps.Keys(events)) {
		fmt.Fprintf(c, "group %s:\n", cifName(component))
		c.declareEvents(events[component])
		fmt.Fprintln(c, "end")
	}
	return c.Flush()
}

// cifWriter writes one model.
type cifWriter struct {
	*bufio.Writer
	set   *Set
	model *Model
	words dataText
}

// declareEvents declares events inside an automaton or a group.
func (c cifWriter) declareEvents(events []string) {
	for _, e := range events {
		fmt.Fprintf(c, "  event %s;\n", cifName(e))
	}
}

// eventsByComponent returns the names of the model's events, sorted, by the component that declares them.
func (c cifWriter) eventsByComponent() map[string][]string {
	events := make(map[string][]string)
	for _, l := range c.model.Alphabet() {
		// Events of other components are qualified by the group that declares them.
		component, name := c.splitEvent(l)
		events[component] = append(events[component], name)
	}
	for _, names := range events {
		slices.Sort(names)
	}
	return events
}

// splitEvent separates the name of an event from its component; an event without one is the model's own.
func (c cifWriter) splitEvent(label uint32) (component, name string) {
	component, name, has := strings.Cut(c.set.Alphabet.Name(label), ".")
	if !has {
		return c.model.Component, component
	}
	return component, name
}

// writeLocations writes the states with their edges. A model without states accepts nothing, which CIF
// writes as one location that is not marked.
func (c cifWriter) writeLocations() {
	m := c.model
	if m.States() == 0 {
		fmt.Fprintln(c, "  location loc1:\n    initial;\n    marked false;")
	}
	for s, accepting := range m.Accepting {
		fmt.Fprintf(c, "  location loc%d:\n", s+1)
		// Keywords stand in the order in which MIDS writes them.
		if slices.Contains(m.Initial, int32(s)) {
			fmt.Fprintln(c, "    initial;")
		}
		if accepting {
			fmt.Fprintln(c, "    marked;")
		} else {
			fmt.Fprintln(c, "    marked false;")
		}
		for _, t := range c.sortedTransitions(int32(s)) {
			c.writeEdge(t)
		}
	}
}

// sortedTransitions returns the transitions out of a state: silent ones first, then by the names of their
// events.
func (c cifWriter) sortedTransitions(state int32) (transitions []uint32) {
	m := c.model
	for t := m.First[state]; t < m.First[state+1]; t++ {
		transitions = append(transitions, t)
	}
	slices.SortStableFunc(transitions, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(c.eventName(m.Label[a]), c.eventName(m.Label[b])), cmp.Compare(m.Target[a], m.Target[b]))
	})
	return transitions
}

// eventName returns the name of an event, empty for a silent step.
func (c cifWriter) eventName(label uint32) string {
	if label == language.Tau {
		return ""
	}
	return c.set.Alphabet.Name(label)
}

// writeEdge writes a transition with its condition and updates.
func (c cifWriter) writeEdge(t uint32) {
	m := c.model
	event := "tau"
	if l := m.Label[t]; l != language.Tau {
		component, name := c.splitEvent(l)
		if event = cifName(name); component != m.Component {
			event = cifName(component) + "." + event
		}
	}
	when, do := c.words.conditionAndUpdates(int(t))
	if when != "" {
		when = " when " + when
	}
	if do != "" {
		do = " do " + do
	}
	fmt.Fprintf(c, "    edge %s%s%s goto loc%d;\n", event, when, do, m.Target[t]+1)
}

// WriteDOT writes a model of the set in the language of Graphviz. Accepting states have two circles.
// Initial states have an arrow from an invisible point; conditions and updates stand under the event.
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
	c := cifWriter{set: s, model: m, words: m.Data.textOf()}
	for state := range m.Accepting {
		for _, t := range c.sortedTransitions(int32(state)) {
			label := c.eventName(m.Label[t])
			label = cmp.Or(label, "tau")
			if when, do := c.words.conditionAndUpdates(int(t)); when+do != "" {
				label += "\n" + when + " / " + do
			}
			fmt.Fprintf(w, "  s%d -> s%d [label=%q];\n", state, m.Target[t], label)
		}
	}
	fmt.Fprintln(w, "}")
	return w.Flush()
}
