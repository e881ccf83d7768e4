package etf

import (
	"fmt"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// codes are what the codes of the events in hand stand for. Those of other events may mean other names.
type codes struct {
	names      *schema.Names         // of the events in hand
	byLifeline []*lane               // nil where a lifeline was not met yet
	byCall     map[place]schema.Code // code of the attributes in Writer.calls
	at         place                 // looked up last
	is         schema.Code           // what it is
	inSeries   []schema.Code         // the writer's own code, NoCode where a series was not met yet
}

// place is a function of a component on a lifeline.
type place struct{ component, function, lifeline schema.Code }

// reset forgets what codes stood for.
func (c *codes) reset(names *schema.Names) {
	*c = codes{
		names: names, byLifeline: make([]*lane, names.Lifelines.Len()), byCall: make(map[place]schema.Code),
		at: place{schema.NoCode, schema.NoCode, schema.NoCode}, inSeries: make([]schema.Code, names.Series.Len()),
	}
	for i := range c.inSeries {
		c.inSeries[i] = schema.NoCode
	}
}

// lane is the lifeline of a code. A new one is declared.
// Codes change from block to block, names do not: a lane is found by its name, and then by its code as long as the block lasts.
func (w *Writer) lane(code schema.Code) *lane {
	if l := w.byLifeline[code]; l != nil {
		return l
	}
	name := w.names.Lifelines.Name(code)
	l := w.lanes[name]
	if l == nil {
		l = &lane{resource: len(w.order), idle: true}
		w.lanes[name] = l
		w.order = append(w.order, l)
		w.buf = fmt.Appendf(w.buf, "R %d 1 false;name=%s\n", l.resource, plain(name))
	}
	w.byLifeline[code] = l
	return l
}

// call is the code of a call's attributes.
// Neighbouring events are mostly of one call, so the last answer is tried first.
func (w *Writer) call(component, function, lifeline schema.Code) schema.Code {
	p := place{component, function, lifeline}
	if p == w.at {
		return w.is
	}
	call, known := w.byCall[p]
	if !known {
		call = w.calls.Code(attributes(
			w.names.Functions.Name(function), w.names.Components.Name(component), w.names.Lifelines.Name(lifeline)))
		w.byCall[p] = call
	}
	w.at, w.is = p, call
	return call
}

// attributes are those of the claims of a function.
func attributes(function, component, lifeline string) string {
	text := "name=" + plain(function)
	if component != lifeline {
		text += ",component=" + plain(component)
	}
	return text
}

// seriesOf is the writer's own code of a series, schema.NoCode for none.
func (w *Writer) seriesOf(code schema.Code) schema.Code {
	if code == schema.NoCode {
		return code
	}
	if w.inSeries[code] == schema.NoCode {
		w.inSeries[code] = w.series.Code(w.names.Series.Name(code))
	}
	return w.inSeries[code]
}

// plain is a name without what would end it.
// ETF has no escapes, so that a character with a meaning must be replaced.
func plain(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == ',' || c == ';':
			return '|'
		case c == '=':
			return ':'
		case c < ' ':
			return ' '
		}
		return c
	}, name)
}
