package uftrace

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/callkeys"
	"github.com/tracelake/tracelake/stages/ingest/symbols"
)

// names turns addresses into keys.
type names struct {
	unit    bool           // components are units
	symbols schema.Symbols // of the program; may be nil
	callkeys.Table
}

// newNames returns names for the options of a reading.
func newNames(o schema.ReadingOptions) *names {
	return &names{unit: o.Component != byModule, symbols: o.Symbols}
}

// keysOrNone returns the keys so far, none before the reading.
func (n *names) keysOrNone() schema.KeyList {
	if n == nil {
		return schema.EventKeys(nil)
	}
	return n.Keys()
}

// key returns the key of an enter.
func (n *names) key(component, lifeline, function string) uint32 {
	return n.Call(schema.EventKey{Component: component, Lifeline: lifeline, Function: function})
}

// resolve names what lies at an address of a session at a time; known is whether it has a symbol.
func (n *names) resolve(s *session, address uint64, time int64) (component, function string, known bool) {
	g := s.at(address, time)
	if g == nil {
		return s.program, fmt.Sprintf("%#x", address), false
	}
	// The file info says whether symbols count from the start of their module or are addresses of the process.
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
