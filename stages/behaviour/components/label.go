package components

import (
	"cmp"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// namedEvent is an event as models see it.
type namedEvent struct {
	seq      int64
	executor schema.Code // whose model takes the step
	other    schema.Code // whose model has the other end of the message; schema.NoCode for an internal event
	label    uint32
	exchange exchange
}

// nameEvent names the i-th event, given its link if it has one. Names are cached by what they depend on.
func (n *naming) nameEvent(ev *schema.Events, i int, l *link) namedEvent {
	var x exchange
	// The survey knows this event's end; an event without a message is its own only end.
	if l != nil && l.own >= 0 {
		x = exchange{l.own, l.other, l.sends && l.other >= 0}
	} else {
		x = exchange{own: n.endOf(ev, i), other: -1}
	}
	// Most events repeat an exchange that is named already: one lookup and no string.
	label, known := n.labels[x]
	if !known {
		label = n.alphabet.Code(n.exchangeName(x, ev.Seq[i]))
		n.labels[x] = label
	}
	h := namedEvent{ev.Seq[i], n.ends.List[x.own].executor, schema.NoCode, label, x}
	if x.other >= 0 {
		h.other = n.ends.List[x.other].executor
	}
	return h
}

// exchangeName builds the name of an event from the two ends of its message.
func (n *naming) exchangeName(x exchange, seq int64) string {
	// The sending end names the event first, whichever of the two this event is.
	source, target := x.own, x.other
	if x.other >= 0 && !x.sends {
		source, target = x.other, x.own
	}
	op := n.operationOf(source, target, seq)
	from := &n.ends.List[source]
	e := Event{
		Component: n.componentName(from.executor), Interface: n.uniqueIdentifier("interface", op.holder), Function: n.uniqueIdentifier("function "+op.holder, op.name),
		Type: from.typeName(), Return: from.kind == schema.Exit,
	}
	if target >= 0 {
		to := &n.ends.List[target]
		e.OtherType, e.OtherReturn, e.Other = to.typeName(), to.kind == schema.Exit, n.componentName(to.executor)
	}
	// A local name is declared by the component that takes the step, also where it receives.
	if n.opt.Local {
		e.Direction = n.directionOf(x)
		if e.Direction == received {
			e.Component, e.Other = e.Other, e.Component
		}
	}
	return e.String()
}

// directionOf returns the prefix of a local name.
func (n *naming) directionOf(x exchange) string {
	switch {
	case x.other < 0:
		return internal
	case x.sends:
		return sent
	}
	return received
}

// operationOf returns what the two ends of a message implement; for an internal event target is -1. Where
// the trace does not say, the handling end decides: its component stands for the interface and its
// function for the operation.
func (n *naming) operationOf(source, target int32, seq int64) operation {
	op, handler := n.declared[n.functionName(source)], source
	if target >= 0 {
		other := n.declared[n.functionName(target)]
		op = cmp.Or(op, other)
		if other != (operation{}) && other != op {
			n.failOnce("event %d: one end of its message implements %s of %s, the other %s of %s", seq, op.name, op.holder, other.name, other.holder)
		}
		// The caller of an internal event is its handler; of a message the end whose type handles.
		if !isHandlerType(n.ends.List[source].typeName()) {
			handler = target
		}
	}
	op.holder = cmp.Or(op.holder, n.executors.Name(n.ends.List[handler].executor))
	op.name = cmp.Or(op.name, n.functionName(handler))
	return op
}

// functionName returns the function of an end.
func (n *naming) functionName(end int32) string {
	return n.names.Functions.Name(n.ends.List[end].function)
}

// typeName returns the execution type of an end.
func (e *end) typeName() string {
	if e.typ == 0 {
		return Types[unknown-1]
	}
	return Types[e.typ-1]
}

// componentName returns the name of an executor as an identifier.
func (n *naming) componentName(executor schema.Code) string {
	return n.uniqueIdentifier("component", n.executors.Name(executor))
}

// uniqueIdentifier returns a name as an identifier, and reports an error if two names of one kind become
// the same. A "_" at the end of an interface would be read as the beginning of the function, so it is
// cut.
// Two names that become one would merge two components or functions silently.
func (n *naming) uniqueIdentifier(kind, name string) string {
	id := identifier(name)
	if kind == "interface" {
		id = strings.TrimSuffix(id, "_")
	}
	key := kind + " " + id
	if first, known := n.identifiers[key]; !known {
		n.identifiers[key] = name
	} else if first != name {
		n.failOnce("%s: %q and %q are both called %s in the names of events; rename one", kind, first, name, id)
	}
	return id
}
