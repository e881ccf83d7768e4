package tmsct

import (
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// noteDeclarations notes what the declarations say of functions, executors and hosts that events have no columns
// for, each in the order of its declaration or first use.
func (out *emission) noteDeclarations() {
	interfaces, operations := out.interfaces.displayNames(), out.operations.displayNames()
	for i := range out.chart.functions.list {
		of := out.chart.functions.list[i].implements
		if of == "" {
			continue
		}
		// The operation as the text names it, "interface.operation"; both are shown by their descriptions if they are
		// declared.
		end := strings.LastIndexByte(of, '.')
		holder, operation := of[:max(end, 0)], of[end+1:]
		if at, known := out.operations.byID[of]; known && operations[at] != of {
			operation = operations[at]
		}
		if at, known := out.interfaces.byID[holder]; known {
			holder = interfaces[at]
		}
		if holder != "" {
			out.noteSubject(schema.AboutFunction, out.functions[i], schema.NoteInterface, holder)
		}
		out.noteSubject(schema.AboutFunction, out.functions[i], schema.NoteOperation, operation)
	}
	out.noteUntraced(schema.AboutExecutor, &out.chart.executors, out.executors)
	out.noteUntraced(schema.AboutHost, &out.hosts, out.hosts.displayNames())
}

// noteUntraced notes which elements are declared so.
func (out *emission) noteUntraced(about string, n *names, shown []string) {
	for i := range n.list {
		if n.list[i].untraced {
			out.noteSubject(about, shown[i], schema.NoteUntraced, "true")
		}
	}
}

// noteSubject adds a note about a subject, which holds for the whole trace.
func (out *emission) noteSubject(about, subject, name, value string) {
	out.block.Notes = append(out.block.Notes, schema.Note{
		Row: schema.NoRow, About: about, Subject: subject, Name: name, Value: strings.Clone(value),
	})
}
