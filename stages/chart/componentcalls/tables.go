package componentcalls

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// Rewriter rewrites the blocks of a trace, which it must be shown in trace order. It follows the call stack of every
// thread, and its tables of keys and marks replace those of the parsers. It belongs to one goroutine.
type Rewriter struct {
	keys    schema.Numbering[schema.EventKey]    // of the blocks it fills
	marks   schema.Numbering[schema.MessageMark] // likewise
	threads map[string]*thread                   // by lifeline of the trace
	numbers schema.Numbering[callee]             // of component and function together
	parts   schema.Numbering[string]             // of components
	sources []*source                            // by number: the code tables of the parsers
	calls   int64                                // messages made so far, for their numbers

	call, callee, reply, caller uint32 // the marks of the four lines
	out                         *schema.Block
	places                      []place // of the rows of a block with notes
}

// callee is a function of a component.
type callee struct {
	component uint32 // number
	function  string
}

// thread is a lifeline of the trace.
type thread struct {
	stack callstack.Stack[frame] // of calls by component and function
	last  uint32                 // component of the key that was learnt last, whose lifeline is own
	own   string                 // "" before the first
}

// frame is an open call of a thread.
type frame struct {
	component uint32 // number
	caller    uint32 // number of the component, if the call crossed
	crossed   bool   // it was called by another component
}

// source is the code tables of one parser, translated. Parsers number names on their own, so each has one.
type source struct {
	keys  []entry
	marks []uint32
	names schema.KeyList // the parser's list, of which keys has as many
}

// entry is a key of the trace, with the keys of the events that it becomes. What every row needs stands first, in one line
// of the cache, and is numbers: comparing names was half of the work.
type entry struct {
	thread    *thread
	stubs     []stub // the same event on the lifelines of components that call
	component uint32 // number
	number    uint32 // of component and function
	own       uint32 // the event on its component's lifeline
	more      uint32 // a further message of that event; schema.NoCode until there is one
	kind      schema.Kind
	at        uint32  // of the key in the parser's list
	from      *source // the parser
}

// name is the key as the parser has it.
func (e *entry) name() schema.EventKey { return e.from.names.At(e.at) }

// stub is the caller's event for an event of its callee.
type stub struct{ component, key uint32 }

// New returns a Rewriter that has seen nothing.
func New() *Rewriter {
	c := &Rewriter{threads: make(map[string]*thread)}
	c.marks.Number(schema.MessageMark{})
	c.call = c.marks.Number(schema.MessageMark{Direction: schema.Send, Series: "call", Label: "m"})
	c.callee = c.marks.Number(schema.MessageMark{Direction: schema.Receive, Series: "call", Label: "m"})
	c.reply = c.marks.Number(schema.MessageMark{Direction: schema.Send, Series: "return", Label: "r"})
	c.caller = c.marks.Number(schema.MessageMark{Direction: schema.Receive, Series: "return", Label: "r"})
	return c
}

// Keys and Marks are the tables behind the blocks that Rewrite fills. They only grow.
func (c *Rewriter) Keys() schema.KeyList { return schema.EventKeys(c.keys.List) }

// Marks is described at Keys.
func (c *Rewriter) Marks() []schema.MessageMark { return c.marks.List }

// update learns the keys and marks of a parser that are new since its last block.
func (c *Rewriter) update(number int, keys schema.KeyList, marks []schema.MessageMark) *source {
	for len(c.sources) <= number {
		c.sources = append(c.sources, new(source))
	}
	s := c.sources[number]
	s.names = keys
	for at, k := range schema.KeysSince(keys, len(s.keys)) {
		e := c.newEntry(k)
		e.at, e.from = at, s
		s.keys = append(doubled(s.keys), e)
	}
	for _, m := range marks[len(s.marks):] {
		s.marks = append(s.marks, c.marks.Number(m))
	}
	return s
}

// newEntry makes what is needed to rewrite events of a key.
func (c *Rewriter) newEntry(k schema.EventKey) entry {
	t := c.threads[k.Lifeline]
	if t == nil {
		t = new(thread)
		c.threads[k.Lifeline] = t
	}
	component := c.parts.Number(k.Component)
	if t.last != component || t.own == "" {
		t.last, t.own = component, lifeline(k.Component, k.Lifeline)
	}
	own := k
	own.Lifeline = t.own
	number := c.numbers.Number(callee{component, k.Function})
	return entry{thread: t, kind: k.Kind, component: component, number: number, own: c.numberKey(own), more: schema.NoCode}
}

// numberKey returns the number of a key. The keys of one parser are distinct; only what several of them say is looked up, so that it is kept once.
func (c *Rewriter) numberKey(k schema.EventKey) uint32 {
	if len(c.sources) > 1 {
		return c.keys.Number(k)
	}
	c.keys.List = append(doubled(c.keys.List), k)
	return uint32(len(c.keys.List) - 1)
}

// doubled makes room for another element by doubling a list that is full; append lets a long one grow by a quarter.
func doubled[E any](list []E) []E {
	if len(list) < cap(list) {
		return list
	}
	return slices.Grow(list, max(len(list), 16))
}

// moreKey returns the key of a further message of an event. Most events have none, so it is made when the first comes.
func (c *Rewriter) moreKey(e *entry) uint32 {
	if e.more == schema.NoCode {
		k := e.name()
		k.Lifeline, k.Kind = lifeline(k.Component, k.Lifeline), schema.Message
		e.more = c.numberKey(k)
	}
	return e.more
}

// lifeline is that of a component on a thread. Where the trace has no threads the lifeline is the component already.
func lifeline(component, thread string) string {
	if component == thread {
		return component
	}
	return component + "/" + thread
}

// stubKey returns the key of the event that a calling component has for an event of its callee.
func (c *Rewriter) stubKey(e *entry, caller uint32) uint32 {
	for i := range e.stubs {
		if e.stubs[i].component == caller {
			return e.stubs[i].key
		}
	}
	k := e.name()
	k.Component = c.parts.List[caller]
	k.Lifeline = lifeline(k.Component, k.Lifeline)
	made := c.numberKey(k)
	e.stubs = append(e.stubs, stub{caller, made})
	return made
}
