package components

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// WriteCIF writes a model of the set in the language CIF 3 (eclipse.dev/escet/cif), as MIDS does: the automaton with the
// events that its component declares, and a group with the others for every component that declares them.
func (s *Set) WriteCIF(out io.Writer, m *Model) error {
	c := cifWriter{Writer: bufio.NewWriter(out), set: s, model: m, words: m.Data.wording()}
	fmt.Fprintf(c, "automaton %s:\n", cifName(m.Component))
	for i, v := range m.Data.variables() {
		if c.words.boolean[i] {
			fmt.Fprintf(c, "  disc bool %s = false;\n", cifName(v.Name))
		} else {
			fmt.Fprintf(c, "  disc int[0..%d] %s;\n", v.Max, cifName(v.Name))
		}
	}
	events := c.events()
	c.declare(events[m.Component])
	c.locations()
	fmt.Fprintln(c, "end")
	delete(events, m.Component)
	for _, component := range sortedKeys(events) {
		fmt.Fprintf(c, "group %s:\n", cifName(component))
		c.declare(events[component])
		fmt.Fprintln(c, "end")
	}
	return c.Flush()
}

// cifWriter writes one model.
type cifWriter struct {
	*bufio.Writer
	set   *Set
	model *Model
	words wording
}

func (c cifWriter) declare(events []string) {
	for _, e := range events {
		fmt.Fprintf(c, "  event %s;\n", cifName(e))
	}
}

// events are the names of the model's events without the component that declares them, by that component.
func (c cifWriter) events() map[string][]string {
	events := make(map[string][]string)
	for _, l := range c.model.Alphabet() {
		component, name := c.declared(l)
		events[component] = append(events[component], name)
	}
	for _, names := range events {
		slices.Sort(names)
	}
	return events
}

// declared takes the name of an event apart; without a component in it, it is the model's own.
func (c cifWriter) declared(label uint32) (component, name string) {
	component, name, has := strings.Cut(c.set.Alphabet.Name(label), ".")
	if !has {
		return c.model.Component, component
	}
	return component, name
}

// locations writes the states with what leads out of them. A model without states accepts nothing.
func (c cifWriter) locations() {
	m := c.model
	if m.States() == 0 {
		fmt.Fprintln(c, "  location loc1:\n    initial;\n    marked false;")
	}
	for s, accepting := range m.Accepting {
		fmt.Fprintf(c, "  location loc%d:\n", s+1)
		if slices.Contains(m.Initial, int32(s)) {
			fmt.Fprintln(c, "    initial;")
		}
		if accepting {
			fmt.Fprintln(c, "    marked;")
		} else {
			fmt.Fprintln(c, "    marked false;")
		}
		for _, t := range c.leaving(int32(s)) {
			c.edge(t)
		}
	}
}

// leaving are the transitions out of a state, silent ones first, then by the names of their events.
func (c cifWriter) leaving(state int32) (transitions []uint32) {
	m := c.model
	for t := m.First[state]; t < m.First[state+1]; t++ {
		transitions = append(transitions, t)
	}
	slices.SortStableFunc(transitions, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(c.name(m.Label[a]), c.name(m.Label[b])), cmp.Compare(m.Target[a], m.Target[b]))
	})
	return transitions
}

func (c cifWriter) name(label uint32) string {
	if label == language.Tau {
		return ""
	}
	return c.set.Alphabet.Name(label)
}

func (c cifWriter) edge(t uint32) {
	m := c.model
	event := "tau"
	if l := m.Label[t]; l != language.Tau {
		component, name := c.declared(l)
		if event = cifName(name); component != m.Component {
			event = cifName(component) + "." + event
		}
	}
	when, do := c.words.texts(int(t))
	if when != "" {
		when = " when " + when
	}
	if do != "" {
		do = " do " + do
	}
	fmt.Fprintf(c, "    edge %s%s%s goto loc%d;\n", event, when, do, m.Target[t]+1)
}

// sortedKeys are the keys of a table, ascending.
func sortedKeys[T any](table map[string]T) (keys []string) {
	for key := range table {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
