package tmsct

import (
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
	mark, id := schema.NoMark, schema.NoValue
	if a.dependency >= 0 {
		var m schema.MessageMark
		m, id = messageMark(out.dependencies[a.dependency].name, a.sent)
		mark = positionOf(out.markOf, &out.marks, m)
	}
	b := out.block
	b.TimeNs = append(b.TimeNs, e.timeNs)
	b.Key = append(b.Key, positionOf(out.keyOf, &out.keys, key))
	b.Mark = append(b.Mark, mark)
	b.MessageID = append(b.MessageID, id)
	// Rows of one event share its line, by which losses name them.
	b.Line = append(b.Line, e.line)
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
	if m.Label == "" {
		m.Label = name
	}
	if sent {
		m.Direction = schema.Send
	}
	return m, id
}
