package tmsct

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// emission is a chart on its way into a block.
type emission struct {
	*chart
	*parser
	block                            *schema.Block // that is filled
	executors, components, functions []string      // as they are called
}

// emitChart adds the events of a chart to the block, in order.
func (p *parser) emitChart(c *chart, b *schema.Block) {
	for i := range c.events { // the components that executors are have no defaults, so this changes no bound
		if e := &c.events[i]; e.component < 0 {
			e.component = c.executorComponent(e.executor)
		}
	}
	// Names are settled only now, when all declarations are read: a description further down may be the same as one
	// above.
	out := emission{c, p, b, c.executors.displayNames(), c.components.displayNames(), c.functions.displayNames()}
	b.Grow(len(c.events))
	out.noteChart()
	// Notes of the chart and of declarations precede those of rows.
	out.noteDeclarations()
	for _, i := range c.order {
		out.addEvent(i)
	}
}

// addEvent adds the rows of an event: its first message with the event, each other in a row of its own.
func (out *emission) addEvent(i int32) {
	e := &out.events[i]
	key := schema.EventKey{
		Component: out.components[e.component], Lifeline: out.executors[e.executor], Function: out.functions[e.function],
		Kind: e.kind, ExecutionType: out.chart.functions.list[e.function].executionType,
	}
	first := out.nextRow()
	// Dependencies that are segments of a lifeline are no messages; what is said of them are notes.
	for _, a := range out.arcs[e.arcs.from:e.arcs.to] {
		if out.isSegment(a.dependency) {
			continue
		}
		out.addRow(e, key, a)
		// Only the first message is on the row of the enter or exit itself.
		key.Kind = schema.Message
	}
	// An event that exchanges nothing has a row too.
	if out.nextRow() == first {
		out.addRow(e, key, arc{dependency: -1})
	}
	out.noteEvent(i, first)
}

// nextRow is the position of the row that comes next in the block.
func (out *emission) nextRow() int32 { return int32(len(out.block.Key)) }

// addRow adds a row of an event, with a message unless its dependency is -1.
func (out *emission) addRow(e *event, key schema.EventKey, a arc) {
	// A row without a message has neither mark nor number.
	mark, id := schema.NoMark, schema.NoValue
	if a.dependency >= 0 {
		var m schema.MessageMark
		m, id = messageMark(out.dependencies[a.dependency].name, a.sent)
		mark = out.marks.Number(m)
	}
	b := out.block
	b.TimeNs = append(b.TimeNs, e.timeNs)
	b.Key = append(b.Key, out.keys.Number(key))
	b.Mark = append(b.Mark, mark)
	b.MessageID = append(b.MessageID, id)
	// Rows of one event share its line, by which losses name them.
	b.Line = append(b.Line, e.line)
	// Notes of a message stand with its sending row only, so that they are said once.
	if a.sent {
		out.noteMessage(a.dependency, out.nextRow()-1)
	}
}

// messageMark is the mark and the number of a message. Its label is its name without the digits at its end, or
// all of it where it is nothing else.
func messageMark(name string, sent bool) (schema.MessageMark, int64) {
	name = strings.Clone(name) // the text need not stay
	series, id := textfield.SplitIdentifier([]byte(name))
	m := schema.MessageMark{Direction: schema.Receive, Series: string(series), Label: strings.TrimRight(name, "0123456789")}
	m.Label = cmp.Or(m.Label, name)
	if sent {
		m.Direction = schema.Send
	}
	return m, id
}

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

// note adds a note to the block.
func (out *emission) note(row int32, about, name, value string) {
	out.block.Notes = append(out.block.Notes, schema.Note{Row: row, About: about, Name: strings.Clone(name), Value: strings.Clone(value)})
}

// noteChart notes the properties and analyses of the chart. Of a property given twice, the first counts.
func (out *emission) noteChart() {
	seen := make(map[string]bool)
	for _, p := range out.notes {
		if !seen[p.name] {
			out.note(schema.NoRow, schema.AboutTrace, p.name, p.value)
		}
		seen[p.name] = true
	}
}

// noteEvent notes what is said of an event and of the segment before it.
func (out *emission) noteEvent(i, row int32) {
	e := &out.events[i]
	out.noteProperties(row, schema.AboutEvent, out.properties[e.properties.from:e.properties.to])
	// The first event of a lifeline has no segment before it.
	if out.before[i] < 0 {
		return
	}
	out.noteDefaults(row, schema.AboutSegment, out.segmentDefaults(i))
	if own := out.segments[i]; own >= 0 {
		out.noteProperties(row, schema.AboutSegment, out.dependencies[own].properties)
	}
}

// noteMessage notes what is said of a message that a row sends.
func (out *emission) noteMessage(i, row int32) {
	d := &out.dependencies[i]
	out.note(row, schema.AboutMessage, schema.NoteType, typeWords[d.typ])
	out.noteDefaults(row, schema.AboutMessage, out.dependencyDefaults(i))
	if d.message != "" {
		out.note(row, schema.AboutMessage, schema.NoteControls, d.message)
	}
	if d.request != "" {
		out.note(row, schema.AboutMessage, schema.NoteRequest, d.request)
	}
	out.noteProperties(row, schema.AboutMessage, d.properties)
}

// noteDefaults notes a bound, and whether something is scheduled, where the text gives them.
func (out *emission) noteDefaults(row int32, about string, d defaults) {
	if d.boundNs != schema.NoValue {
		out.note(row, about, schema.NoteBound, strconv.FormatInt(d.boundNs, 10))
	}
	if d.scheduled != open {
		out.note(row, about, schema.NoteScheduled, strconv.FormatBool(d.scheduled == yes))
	}
}

// noteProperties notes properties as they are.
func (out *emission) noteProperties(row int32, about string, properties []property) {
	for _, p := range properties {
		out.note(row, about, p.name, p.value)
	}
}
