package components

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Types are the execution types that an event can have in its name: the role of an execution in a
// communication. They are those of MIDS.
// The position of a type, plus one, is its number in end.typ: types may be appended, but not reordered.
var Types = []string{
	"async", "arslt", "blk", "call", "evt", "evtcb", "evtsub", "evtsubh", "evtunsub", "evtunsubh",
	"fcn", "fcncb", "handler", "lib", "req", "sync", "trig", "trigh", "unkn", "wait",
}

// Event is the parsed name of an event:
//
//	<component>.[<direction>]<interface>__<function>__<type>[_ret][_<type>[_ret]__<component>]
//
// The first component declares the event. The parts in the last brackets are the other end of its
// message; an internal event has none. The first type of a message is that of the sending end.
type Event struct {
	Component           string // declares the event
	Direction           string // of a local name: "i_" internal, "s_" sent, "r_" received; empty in a synchronised one
	Interface, Function string // the interface that is called, and its function
	Type                string // execution type of the end that sends
	Return              bool   // the event ends its execution
	OtherType           string // execution type of the end that receives; empty for an internal event
	OtherReturn         bool   // the receipt ends its execution
	Other               string // component at the other end; empty for an internal event
}

// directions are the prefixes of local names.
var directions = []string{internal, sent, received}

// The directions of local names (Options.Local).
const internal, sent, received = "i_", "s_", "r_"

// String returns the name of the event.
func (e Event) String() string {
	name := e.Component + "." + e.Direction + e.Interface + "__" + e.Function + "__" + e.Type + returnSuffix(e.Return)
	if e.Other != "" {
		name += "_" + e.OtherType + returnSuffix(e.OtherReturn) + "__" + e.Other
	}
	return name
}

// returnSuffix marks an event that ends its execution.
func returnSuffix(isReturn bool) string {
	if isReturn {
		return "_ret"
	}
	return ""
}

// ParseEvent parses the name of an event. It accepts exactly the names that String writes.
// A name is ambiguous where an interface or function contains "__", which identifier never makes: the first "__" ends
// the interface. The check against String refuses the rest.
func ParseEvent(name string) (Event, error) {
	var e Event
	component, rest, hasComponent := strings.Cut(name, ".")
	holder, rest, hasInterface := strings.Cut(rest, "__")
	end := strings.Index(rest, "__")
	if !hasComponent || component == "" || !hasInterface || holder == "" || end <= 0 {
		return e, fmt.Errorf("event %q is not named <component>.<interface>__<function>__<type>", name)
	}
	// A function such as "f_" makes "f___": the underscores belong to the function and not to the type.
	for strings.HasPrefix(rest[end+2:], "_") { // the function ends in "_"
		end++
	}
	types, other, _ := strings.Cut(rest[end+2:], "__")
	e = Event{Component: component, Interface: holder, Function: rest[:end], Other: other}
	// "i_" alone is an interface with that name and no direction.
	for _, d := range directions {
		if strings.HasPrefix(holder, d) && holder != d {
			e.Direction, e.Interface = d, holder[len(d):]
		}
	}
	words := strings.Split(types, "_")
	e.Type, e.Return, words = parseExecutionType(words)
	if other != "" {
		e.OtherType, e.OtherReturn, words = parseExecutionType(words)
	}
	if len(words) > 0 || e.Type == "" || (e.OtherType == "") != (other == "") || e.String() != name {
		return e, fmt.Errorf("event %q: %q are not the execution types of its ends", name, types)
	}
	return e, nil
}

// parseExecutionType takes an execution type from the front of a list of words, and reports whether it
// returns. The type is empty if there is none.
func parseExecutionType(words []string) (typ string, isReturn bool, rest []string) {
	if len(words) == 0 || !slices.Contains(Types, words[0]) {
		return "", false, words
	}
	typ, rest = words[0], words[1:]
	if len(rest) > 0 && rest[0] == "ret" {
		return typ, true, rest[1:]
	}
	return typ, false, rest
}

// isRequest reports whether a communicating event asks something of its other end: its source calls.
func (e Event) isRequest() bool {
	switch e.Type {
	case "blk", "call", "evt", "evtsub", "evtunsub", "fcn", "lib", "req", "trig", "wait":
		return e.Other != ""
	}
	return false
}

// isResponse reports whether a communicating event answers its other end: its source handles a call.
func (e Event) isResponse() bool { return e.Other != "" && isHandlerType(e.Type) }

// isHandlerType reports whether executions of a type handle calls and answer them.
func isHandlerType(typ string) bool { return typ == "arslt" || typ == "handler" || typ == "sync" }

// identity is the parsed name of a component: <name>[_<variant>][_untraced].
type identity struct {
	name     string
	variant  string // digits, or empty
	untraced bool   // it was not traced; only its messages are known
}

const untraced = "_untraced"

// identityOf parses the name of a component.
// A suffix of digits is a variant only behind a name: "_1" alone is a name.
func identityOf(component string) (id identity) {
	id.name, id.untraced = strings.CutSuffix(component, untraced)
	if at := strings.LastIndexByte(id.name, '_'); at > 0 && at+1 < len(id.name) && strings.Trim(id.name[at+1:], "0123456789") == "" {
		id.name, id.variant = id.name[:at], id.name[at+1:]
	}
	return id
}

// String returns the name of the component.
func (id identity) String() string {
	name := id.name
	if id.variant != "" {
		name += "_" + id.variant
	}
	if id.untraced {
		name += untraced
	}
	return name
}

// identifier makes a name fit for the names of events: ASCII letters, digits and "_" stay, everything
// else becomes "_", two "_" in a row become one, and a leading digit gets a "_" before it. A name that
// would be "_" alone becomes "_0".
// The names of MIDS are those of Java, from which its traces come; other languages have signs such as "::" and "<".
func identifier(name string) string {
	var out strings.Builder
	last := rune(0)
	for i, r := range name {
		if i == 0 && r < unicode.MaxASCII && unicode.IsDigit(r) {
			out.WriteByte('_')
		}
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			r = '_'
		}
		if r != '_' || last != '_' {
			out.WriteRune(r)
		}
		last = r
	}
	if out.String() == "_" {
		return "_0"
	}
	return out.String()
}
