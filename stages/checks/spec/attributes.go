package spec

import (
	"maps"
	"slices"
)

// Attribute is an attribute that filters of states name.
type Attribute struct {
	Name      string
	Line, Col int // its first place
}

// Attributes lists the attributes that filters of states name, and items of signals, by name. any reports that a name is put together from
// parameters, so that every attribute may be asked for.
func (s *Spec) Attributes() (all []Attribute, any bool) {
	parameters := make(map[string]bool)
	for _, d := range s.definitions {
		for _, p := range d.parameters {
			parameters[p] = true
		}
	}
	found := make(map[string]Attribute)
	name := func(x text) {
		for _, part := range x.parts {
			any = any || part.maybe && parameters[part.word]
		}
		a := Attribute{x.bind(nil), x.place.line, x.place.col}
		if before, is := found[a.Name]; !is || a.Line < before.Line || a.Line == before.Line && a.Col < before.Col {
			found[a.Name] = a
		}
	}
	var walk func(f *Formula)
	walk = func(f *Formula) {
		for _, p := range f.pairs {
			name(p.name)
		}
		for _, a := range f.Args {
			walk(a)
		}
	}
	for i := range s.Checks {
		for _, q := range s.Checks[i].ranges {
			parameters[q.parameter] = true
		}
	}
	for i := range s.Checks {
		for _, q := range s.Checks[i].ranges {
			if q.of != nil {
				name(*q.of)
			}
			if q.in != nil {
				walk(q.in)
			}
		}
		walk(s.Checks[i].body)
	}
	for _, d := range s.definitions {
		walk(d.body)
	}
	for i := range s.Signals {
		switch x := &s.Signals[i]; {
		case x.Items == "message":
			found["message_id"] = Attribute{"message_id", x.Line, x.Col}
		case x.Items != "" && x.Items != "root":
			found[x.Items] = Attribute{x.Items, x.Line, x.Col}
		case x.Origin == Throughput:
			for _, p := range x.pairs {
				name(p.name)
			}
		}
	}
	for _, n := range slices.Sorted(maps.Keys(found)) {
		all = append(all, found[n])
	}
	return all, any
}
