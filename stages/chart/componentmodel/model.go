package componentmodel

import (
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// Model is a program as its components. The zero value has none.
type Model struct {
	Components  []Component  // in the order of the file, which numbers them from 1
	Connections []Connection // calls between interfaces, as the file states them; nothing is checked against a trace

	byName map[string][]owned // interfaces by their names
	ends   [][2]int           // by connection: its components
	over   map[joined][]int   // connections by their components, in the order of the file
}

// Component is a part of a program. Its number is its position in the model, from 1.
type Component struct {
	Name       string      // unique in the model
	Interfaces []Interface // at least one
}

// Interface is a function through which a component is entered or left.
type Interface struct {
	Incoming   bool     // "in": the component is called through it; "out": it calls through it
	Name       string   // as the model writes it
	Parameters []string // types, or Any
}

// Any is the parameter that stands for any number of parameters.
const Any = ".."

// Connection says that one interface calls another one. Both are names of interfaces of the model.
type Connection struct{ From, To string } // the caller and the called

// owned is an interface and its component.
type owned struct {
	component  int      // position in Model.Components
	parameters []string // as Interface.Parameters
}

// index prepares the model for lookups by name; Read calls it once.
func (m *Model) index() {
	m.byName = make(map[string][]owned)
	for i, c := range m.Components {
		for _, f := range c.Interfaces {
			m.byName[f.Name] = append(m.byName[f.Name], owned{i, f.Parameters})
		}
	}
	m.join()
}

// Component returns the name of the component that has a function for an interface, by the rules of the package.
func (m *Model) Component(function string) (component string, ok bool) {
	name, parameters, listed := split(function)
	// In the order of the file, so the first interface that fits holds.
	for _, o := range m.byName[name] {
		if !listed || accepts(o.parameters, parameters) {
			return m.Components[o.component].Name, true
		}
	}
	return "", false
}

// Map returns the key with the component of the model that its function belongs to, or as it is.
func (m *Model) Map(k schema.EventKey) schema.EventKey {
	if c, ok := m.Component(k.Function); ok {
		k.Component = c
	}
	return k
}

// split takes a signature to pieces. Listed reports whether it has a list of parameters.
func split(signature string) (name string, parameters []string, listed bool) {
	head, rest, listed := strings.Cut(signature, "(")
	head = strings.TrimSpace(head)
	// Modifiers and the type of the result stand before the name.
	if blank := strings.LastIndexByte(head, ' '); blank >= 0 {
		head = head[blank+1:]
	}
	if !listed {
		return head, nil, false
	}
	// What stands behind the list ("throws E") is no parameter.
	if end := strings.LastIndexByte(rest, ')'); end >= 0 {
		rest = rest[:end]
	}
	return head, types(rest), true
}

// types are the types in a list, without what is in angle brackets.
func types(list string) (out []string) {
	var plain strings.Builder
	// Commas within type arguments (Map<K, V>) separate no parameters, so these are cut out before the list is split.
	depth := 0
	for _, c := range list {
		switch {
		case c == '<':
			depth++
		case c == '>' && depth > 0:
			depth--
		case depth == 0:
			plain.WriteRune(c)
		}
	}
	if strings.TrimSpace(plain.String()) == "" {
		return nil
	}
	for _, t := range strings.Split(plain.String(), ",") {
		out = append(out, strings.TrimSpace(t))
	}
	return out
}

// accepts reports whether parameters are those of an interface. What follows an Any may start anywhere: it is enough
// to try the first place for each piece between two of them.
func accepts(want, got []string) bool {
	first := slices.Index(want, Any)
	if first < 0 {
		return slices.Equal(want, got)
	}
	if len(got) < first || !slices.Equal(want[:first], got[:first]) {
		return false
	}
	// Before the first Any and behind the last one the types are fixed to the ends of the list. The pieces between are
	// searched from the left: taking the first place of a piece leaves the most for those after it.
	want, got = want[first+1:], got[first:]
	for {
		next := slices.Index(want, Any)
		if next < 0 {
			return len(got) >= len(want) && slices.Equal(want, got[len(got)-len(want):])
		}
		at := find(got, want[:next])
		if at < 0 {
			return false
		}
		want, got = want[next+1:], got[at+next:]
	}
}

// find is the first place of a piece in a list, or -1.
func find(list, piece []string) int {
	for i := 0; i+len(piece) <= len(list); i++ {
		if slices.Equal(list[i:i+len(piece)], piece) {
			return i
		}
	}
	return -1
}
