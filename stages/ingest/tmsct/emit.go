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

// emit adds the events of a chart to the block, in order.
func (p *parser) emit(c *chart, b *schema.Block) {
	for i := range c.events { // the components that executors are have no defaults, so this changes no bound
		if e := &c.events[i]; e.component < 0 {
			e.component = c.executorComponent(e.executor)
		}
	}
	out := emission{c, p, b, c.executors.shown(), c.components.shown(), c.functions.shown()}
	b.Grow(len(c.events))
	out.ofChart()
	out.ofElements()
	for _, i := range c.order {
		out.event(i)
	}
}

// event adds the rows of an event: its first message with the event, each other in a row of its own.
func (out *emission) event(i int32) {
	e := &out.events[i]
	key := schema.EventKey{
		Component: out.components[e.component], Lifeline: out.executors[e.executor], Function: out.functions[e.function],
		Kind: e.kind, ExecutionType: out.chart.functions.list[e.function].executionType,
	}
	first := out.row()
	for _, a := range out.arcs[e.arcs.from:e.arcs.to] {
		if out.isSegment(a.dependency) {
			continue
		}
		out.add(e, key, a)
		key.Kind = schema.Message
	}
	if out.row() == first {
		out.add(e, key, arc{dependency: -1})
	}
	out.ofEvent(i, first)
}

// row is the row that comes next.
func (out *emission) row() int32 { return int32(len(out.block.Key)) }

// add adds a row of an event, with a message unless its dependency is -1.
func (out *emission) add(e *event, key schema.EventKey, a arc) {
	mark, id := schema.NoMark, schema.NoValue
	if a.dependency >= 0 {
		var m schema.MessageMark
		m, id = exchange(out.dependencies[a.dependency].name, a.sent)
		mark = code(out.markOf, &out.marks, m)
	}
	b := out.block
	b.TimeNs = append(b.TimeNs, e.timeNs)
	b.Key = append(b.Key, code(out.keyOf, &out.keys, key))
	b.Mark = append(b.Mark, mark)
	b.MessageID = append(b.MessageID, id)
	// Rows of one event share its line, by which losses name them.
	b.Line = append(b.Line, e.line)
	if a.sent {
		out.ofMessage(a.dependency, out.row()-1)
	}
}

// exchange is the mark and the number of a message. Its label is its name without the digits at its end, or
// all of it where it is nothing else.
func exchange(name string, sent bool) (schema.MessageMark, int64) {
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
