package components

import (
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// happening is an event as models have it.
type happening struct {
	seq      int64
	executor schema.Code // whose model takes the step
	other    schema.Code // whose model has the other end of the message; schema.NoCode of an internal event
	label    uint32
	exchange exchange
}

// event names the i-th event, whose link was found, if it has one.
func (n *naming) event(ev *schema.Events, i int, l *link) happening {
	var x exchange
	if l != nil && l.own >= 0 {
		x = exchange{l.own, l.other, l.sends && l.other >= 0}
	} else {
		x = exchange{own: n.end(ev, i), other: -1}
	}
	label, known := n.called[x]
	if !known {
		label = n.alphabet.Code(n.name(x, ev.Seq[i]))
		n.called[x] = label
	}
	h := happening{ev.Seq[i], n.ends[x.own].executor, schema.NoCode, label, x}
	if x.other >= 0 {
		h.other = n.ends[x.other].executor
	}
	return h
}

// name is the name of an event of an exchange.
func (n *naming) name(x exchange, seq int64) string {
	source, target := x.own, x.other
	if x.other >= 0 && !x.sends {
		source, target = x.other, x.own
	}
	op := n.operation(source, target, seq)
	from := &n.ends[source]
	e := Event{
		Component: n.component(from.executor), Interface: n.unique("interface", op.holder), Function: n.unique("function "+op.holder, op.name),
		Type: from.typeName(), Return: from.kind == schema.Exit,
	}
	if target >= 0 {
		to := &n.ends[target]
		e.OtherType, e.OtherReturn, e.Other = to.typeName(), to.kind == schema.Exit, n.component(to.executor)
	}
	if n.opt.Local {
		e.Direction = n.direction(x)
		if e.Direction == received {
			e.Component, e.Other = e.Other, e.Component
		}
	}
	return e.String()
}

func (n *naming) direction(x exchange) string {
	switch {
	case x.other < 0:
		return internal
	case x.sends:
		return sent
	}
	return received
}

// operation is what the two ends of a message implement; of an internal event target is -1. Where the trace does
// not say, the end that handles tells: its component stands for the interface and its function for the operation.
func (n *naming) operation(source, target int32, seq int64) operation {
	op, handler := n.declared[n.function(source)], source
	if target >= 0 {
		other := n.declared[n.function(target)]
		if op == (operation{}) {
			op = other
		}
		if other != (operation{}) && other != op {
			n.fail("event %d: one end of its message implements %s of %s, the other %s of %s", seq, op.name, op.holder, other.name, other.holder)
		}
		if !handles(n.ends[source].typeName()) {
			handler = target
		}
	}
	if op.holder == "" {
		op.holder = n.executors.Name(n.ends[handler].executor)
	}
	if op.name == "" {
		op.name = n.function(handler)
	}
	return op
}

func (n *naming) function(end int32) string { return n.names.Functions.Name(n.ends[end].function) }

// typeName is the execution type of an end.
func (e *end) typeName() string {
	if e.typ == 0 {
		return Types[unknown-1]
	}
	return Types[e.typ-1]
}

func (n *naming) component(executor schema.Code) string {
	return n.unique("component", n.executors.Name(executor))
}

// unique is a name as an identifier. Two names of one kind must not become the same. "_" at the end of an interface would
// be taken for the beginning of the function.
func (n *naming) unique(kind, name string) string {
	id := identifier(name)
	if kind == "interface" {
		id = strings.TrimSuffix(id, "_")
	}
	key := kind + " " + id
	if first, known := n.taken[key]; !known {
		n.taken[key] = name
	} else if first != name {
		n.fail("%s: %q and %q are both called %s in the names of events; rename one", kind, first, name, id)
	}
	return id
}
