package tmsct

import (
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// ofElements notes what the declarations say of functions, executors and hosts that events have no columns
// for, each in the order of its declaration or first use.
func (out *emission) ofElements() {
	interfaces, operations := out.interfaces.shown(), out.operations.shown()
	for i := range out.chart.functions.list {
		of := out.chart.functions.list[i].implements
		if of == "" {
			continue
		}
		end := strings.LastIndexByte(of, '.')
		holder, operation := of[:max(end, 0)], of[end+1:]
		if at, known := out.operations.byID[of]; known && operations[at] != of {
			operation = operations[at]
		}
		if at, known := out.interfaces.byID[holder]; known {
			holder = interfaces[at]
		}
		if holder != "" {
			out.about(schema.AboutFunction, out.functions[i], schema.NoteInterface, holder)
		}
		out.about(schema.AboutFunction, out.functions[i], schema.NoteOperation, operation)
	}
	out.untraced(schema.AboutExecutor, &out.chart.executors, out.executors)
	out.untraced(schema.AboutHost, &out.hosts, out.hosts.shown())
}

// untraced notes which elements are declared so.
func (out *emission) untraced(about string, n *names, shown []string) {
	for i := range n.list {
		if n.list[i].untraced {
			out.about(about, shown[i], schema.NoteUntraced, "true")
		}
	}
}

// about adds a note about a subject, which holds for the whole trace.
func (out *emission) about(about, subject, name, value string) {
	out.block.Notes = append(out.block.Notes, schema.Note{
		Row: schema.NoRow, About: about, Subject: subject, Name: name, Value: strings.Clone(value),
	})
}
