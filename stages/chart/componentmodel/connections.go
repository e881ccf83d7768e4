package componentmodel

import "slices"

// joined are the components of the two ends of a connection.
type joined struct{ from, to string }

// join prepares the connections for lookups by their components, since a program with many is looked at often.
func (m *Model) join() {
	called := make(map[string]int) // the first component that is called through an interface, and that calls through it
	calls := make(map[string]int)
	for i, c := range slices.Backward(m.Components) {
		for _, f := range c.Interfaces {
			if f.Incoming {
				called[f.Name] = i
			} else {
				calls[f.Name] = i
			}
		}
	}
	end := func(ways map[string]int, name string) int {
		if i, ok := ways[name]; ok {
			return i
		}
		return m.byName[name][0].component
	}
	m.over = make(map[joined][]int)
	for i, c := range m.Connections {
		ends := [2]int{end(calls, c.From), end(called, c.To)}
		m.ends = append(m.ends, ends)
		pair := joined{m.Components[ends[0]].Name, m.Components[ends[1]].Name}
		m.over[pair] = append(m.over[pair], i)
	}
}

// Ends returns the components that a connection joins, as positions: the first that calls through its From, and the first that is called through
// its To. Where the model declares a name the other way round only, its first component holds.
func (m *Model) Ends(connection int) (from, to int) {
	return m.ends[connection][0], m.ends[connection][1]
}

// Over returns the position of the connection over which a component calls a function of another one, both by their names. A call says what is
// called and not through what, so the first connection that fits holds. The function may lack the name of its component (run of C.run).
func (m *Model) Over(from, to, function string) (position int, ok bool) {
	candidates := m.over[joined{from, to}]
	if len(candidates) == 0 {
		return 0, false
	}
	name, parameters, listed := split(function)
	for _, i := range candidates {
		c := m.Connections[i]
		if c.To != name && c.To != to+"."+name {
			continue
		}
		for _, o := range m.byName[c.To] {
			if o.component == m.ends[i][1] && (!listed || accepts(o.parameters, parameters)) {
				return i, true
			}
		}
	}
	return 0, false
}
