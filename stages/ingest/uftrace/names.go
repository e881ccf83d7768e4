package uftrace

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/symbols"
)

// names turns addresses into keys. The key of an exit follows that of the enter.
type names struct {
	unit    bool           // components are units
	symbols schema.Symbols // of the program; may be nil
	keys    []schema.EventKey
	of      map[schema.EventKey]uint32
}

func newNames(o schema.ReadingOptions) *names {
	return &names{unit: o.Component != byModule, symbols: o.Symbols, of: make(map[schema.EventKey]uint32)}
}

func (n *names) keysOrNone() []schema.EventKey {
	if n == nil {
		return nil
	}
	return n.keys
}

// key returns the key of an enter.
func (n *names) key(component, lifeline, function string) uint32 {
	k := schema.EventKey{Component: component, Lifeline: lifeline, Function: function, Kind: schema.Enter}
	i, known := n.of[k]
	if !known {
		i = uint32(len(n.keys))
		n.of[k] = i
		n.keys = append(n.keys, k)
		k.Kind = schema.Exit
		n.keys = append(n.keys, k)
	}
	return i
}

// resolve names what lies at an address of a session at a time; known is whether it has a symbol.
func (n *names) resolve(s *session, address uint64, time int64) (component, function string, known bool) {
	g := s.at(address, time)
	if g == nil {
		return s.program, fmt.Sprintf("%#x", address), false
	}
	place := address - g.start
	component = g.module.name
	if g.module.modules.info.relative {
		function = g.module.find(place)
	} else {
		function = g.module.find(address)
	}
	if n.symbols != nil && g.program {
		// What is loaded where it was linked has its own addresses, and what is not has no others that are found.
		name, unit, found := n.symbols.Lookup(address)
		if !found {
			name, unit, found = n.symbols.Lookup(place)
		}
		if found && function == "" {
			function = name
		}
		if found && unit != "" && n.unit {
			component = symbols.Component(unit)
		}
	}
	if function == "" {
		return component, fmt.Sprintf("%#x", place), false
	}
	return component, function, true
}
