package components

import (
	"fmt"
	"slices"
	"strings"
)

// Types are the execution types that an event can have in its name: what an execution is to the communication
// around it.
var Types = []string{
	"async", "arslt", "blk", "call", "evt", "evtcb", "evtsub", "evtsubh", "evtunsub", "evtunsubh",
	"fcn", "fcncb", "handler", "lib", "req", "sync", "trig", "trigh", "unkn", "wait",
}

// Event is what the name of an event says:
//
//	<component>.[<direction>]<interface>__<function>__<type>[_ret][_<type>[_ret]__<component>]
//
// The first component declares the event. The parts in the last brackets are the other end of its message; an
// internal event has none. Of a message the first type is that of the end that sends it.
type Event struct {
	Component           string
	Direction           string // of a local name: "i_" internal, "s_" sent, "r_" received; "" in a synchronised one
	Interface, Function string
	Type                string
	Return              bool // the event ends its execution
	OtherType           string
	OtherReturn         bool
	Other               string // the component at the other end; "" of an internal event
}

// directions are those of local names.
var directions = []string{internal, sent, received}

const internal, sent, received = "i_", "s_", "r_"

// String is the name of the event.
func (e Event) String() string {
	name := e.Component + "." + e.Direction + e.Interface + "__" + e.Function + "__" + e.Type + suffix(e.Return)
	if e.Other != "" {
		name += "_" + e.OtherType + suffix(e.OtherReturn) + "__" + e.Other
	}
	return name
}

func suffix(isReturn bool) string {
	if isReturn {
		return "_ret"
	}
	return ""
}

// ParseEvent takes a name apart.
func ParseEvent(name string) (Event, error) {
	var e Event
	component, rest, hasComponent := strings.Cut(name, ".")
	holder, rest, hasInterface := strings.Cut(rest, "__")
	end := strings.Index(rest, "__")
	if !hasComponent || component == "" || !hasInterface || holder == "" || end <= 0 {
		return e, fmt.Errorf("event %q is not named <component>.<interface>__<function>__<type>", name)
	}
	for strings.HasPrefix(rest[end+2:], "_") { // the function ends in "_"
		end++
	}
	types, other, _ := strings.Cut(rest[end+2:], "__")
	e = Event{Component: component, Interface: holder, Function: rest[:end], Other: other}
	for _, d := range directions {
		if strings.HasPrefix(holder, d) && holder != d {
			e.Direction, e.Interface = d, holder[len(d):]
		}
	}
	words := strings.Split(types, "_")
	e.Type, e.Return, words = executed(words)
	if other != "" {
		e.OtherType, e.OtherReturn, words = executed(words)
	}
	if len(words) > 0 || e.Type == "" || (e.OtherType == "") != (other == "") || e.String() != name {
		return e, fmt.Errorf("event %q: %q are not the execution types of its ends", name, types)
	}
	return e, nil
}

// executed takes an execution type from the words in front of a list, and whether it returns. The type is ""
// where there is none.
func executed(words []string) (typ string, isReturn bool, rest []string) {
	if len(words) == 0 || !slices.Contains(Types, words[0]) {
		return "", false, words
	}
	typ, rest = words[0], words[1:]
	if len(rest) > 0 && rest[0] == "ret" {
		return typ, true, rest[1:]
	}
	return typ, false, rest
}

// requests reports whether a communicating event asks something of its other end: its source calls.
func (e Event) requests() bool {
	switch e.Type {
	case "blk", "call", "evt", "evtsub", "evtunsub", "fcn", "lib", "req", "trig", "wait":
		return e.Other != ""
	}
	return false
}

// responds reports whether a communicating event answers its other end: its source handles a call.
func (e Event) responds() bool { return e.Other != "" && handles(e.Type) }

// handles reports whether executions of a type handle calls and answer them.
func handles(typ string) bool { return typ == "arslt" || typ == "handler" || typ == "sync" }
