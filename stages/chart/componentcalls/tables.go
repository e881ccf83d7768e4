package componentcalls

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// Rewriter rewrites the blocks of a trace, which it must be shown in trace order. It follows the call stack of every
// thread, and its tables of keys and marks replace those of the parsers. It belongs to one goroutine.
type Rewriter struct {
	keys    schema.CodedKeys                     // of the blocks it fills
	keyOf   map[schema.CodedKey]uint32           // their positions, where several parsers may say the same
	nameOf  map[string]uint32                    // numbers of components, functions and types in keys
	marks   schema.Numbering[schema.MessageMark] // of the blocks it fills
	threads map[string]*thread                   // by lifeline of the trace
	numbers schema.Numbering[callee]             // of component and function together
	sources []*source                            // by number: the code tables of the parsers
	calls   int64                                // messages made so far, for their numbers

	call, callee, reply, caller uint32 // the marks of the four lines
	out                         *schema.Block
	places                      []place // of the rows of a block with notes
}

// callee is a function of a component, by the numbers of their names.
type callee struct{ component, function uint32 }

// thread is a lifeline of the trace.
type thread struct {
	stack callstack.Stack[frame] // of calls by component and function
	name  string

	first, own uint32            // a component, and the number of its lifeline on the thread; own is 0 before the first
	owns       map[uint32]uint32 // the same of further components
}

// frame is an open call of a thread.
type frame struct {
	component uint32 // number
	caller    uint32 // number of the component, if the call crossed
	crossed   bool   // it was called by another component
}

// source is the code tables of one parser, translated. Parsers number names on their own, so each has one.
type source struct {
	keys    []entry
	marks   []uint32
	threads []*thread // by the number of the lifeline, where the keys of the parser are coded
	names   []uint32  // by the number of a component, function or type: its number here and one; 0: not known yet
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
}

// stub is the caller's event for an event of its callee.
type stub struct{ component, key uint32 }

// New returns a Rewriter that has seen nothing.
func New() *Rewriter {
	c := &Rewriter{threads: make(map[string]*thread), nameOf: map[string]uint32{"": 0}, keyOf: make(map[schema.CodedKey]uint32)}
	c.keys.AddName("")
	c.marks.Number(schema.MessageMark{})
	c.call = c.marks.Number(schema.MessageMark{Direction: schema.Send, Series: "call", Label: "m"})
	c.callee = c.marks.Number(schema.MessageMark{Direction: schema.Receive, Series: "call", Label: "m"})
	c.reply = c.marks.Number(schema.MessageMark{Direction: schema.Send, Series: "return", Label: "r"})
	c.caller = c.marks.Number(schema.MessageMark{Direction: schema.Receive, Series: "return", Label: "r"})
	return c
}

// Keys and Marks are the tables behind the blocks that Rewrite fills. They only grow.
func (c *Rewriter) Keys() schema.KeyList { return c.keys }

// Marks is described at Keys.
func (c *Rewriter) Marks() []schema.MessageMark { return c.marks.List }

// update learns the keys and marks of a parser that are new since its last block.
func (c *Rewriter) update(number int, keys schema.KeyList, marks []schema.MessageMark) *source {
	for len(c.sources) <= number {
		c.sources = append(c.sources, new(source))
		if len(c.sources) == 2 {
			c.shareThreads(c.sources[0])
		}
	}
	s := c.sources[number]
	if coded, is := keys.(schema.CodedKeys); is {
		c.updateCoded(s, coded)
	} else {
		for _, k := range schema.KeysSince(keys, len(s.keys)) {
			of := schema.CodedKey{
				Component: c.name(k.Component), Function: c.name(k.Function), ExecutionType: c.name(k.ExecutionType), Kind: k.Kind, Synthetic: k.Synthetic,
			}
			s.keys = append(doubled(s.keys), c.newEntry(of, c.thread(k.Lifeline)))
		}
	}
	for _, m := range marks[len(s.marks):] {
		s.marks = append(s.marks, c.marks.Number(m))
	}
	return s
}

// updateCoded learns keys whose names the parser has numbered, each of which is looked up once.
func (c *Rewriter) updateCoded(s *source, keys schema.CodedKeys) {
	s.names = append(s.names, make([]uint32, len(keys.Names)-len(s.names))...)
	s.threads = append(s.threads, make([]*thread, len(keys.Names)-len(s.threads))...)
	name := func(number uint32) uint32 {
		if s.names[number] == 0 {
			s.names[number] = c.name(keys.Names[number]) + 1
		}
		return s.names[number] - 1
	}
	for at := len(s.keys); at < len(keys.List); at++ {
		k := keys.List[at]
		t := s.threads[k.Lifeline]
		if t == nil {
			if len(c.sources) == 1 {
				t = &thread{name: keys.Names[k.Lifeline]} // no other parser knows it, and this one by this number alone
			} else {
				t = c.thread(keys.Names[k.Lifeline])
			}
			s.threads[k.Lifeline] = t
		}
		k.Component, k.Function, k.ExecutionType = name(k.Component), name(k.Function), name(k.ExecutionType)
		s.keys = append(doubled(s.keys), c.newEntry(k, t))
	}
}

// shareThreads lets other parsers find the threads of the first one by their names.
func (c *Rewriter) shareThreads(first *source) {
	for _, t := range first.threads {
		if t != nil {
			c.threads[t.name] = t
		}
	}
}

// name returns the number of a name.
func (c *Rewriter) name(name string) uint32 {
	number, known := c.nameOf[name]
	if !known {
		number = c.keys.AddName(name)
		c.nameOf[name] = number
	}
	return number
}

// thread returns the thread of a lifeline of the trace.
func (c *Rewriter) thread(lifeline string) *thread {
	t := c.threads[lifeline]
	if t == nil {
		t = &thread{name: lifeline}
		c.threads[lifeline] = t
	}
	return t
}

// newEntry makes what is needed to rewrite events of a key of a thread.
func (c *Rewriter) newEntry(k schema.CodedKey, t *thread) entry {
	number := c.numbers.Number(callee{k.Component, k.Function})
	k.Lifeline = c.lifeline(t, k.Component)
	return entry{thread: t, kind: k.Kind, component: k.Component, number: number, own: c.numberKey(k), more: schema.NoCode}
}

// numberKey returns the number of a key. The keys of one parser are distinct; only what several of them say is looked up, so that it is kept once.
func (c *Rewriter) numberKey(k schema.CodedKey) uint32 {
	if len(c.sources) <= 1 {
		return c.keys.Add(k)
	}
	at, known := c.keyOf[k]
	if !known {
		at = c.keys.Add(k)
		c.keyOf[k] = at
	}
	return at
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
		k := c.keys.List[e.own]
		k.Kind = schema.Message
		e.more = c.numberKey(k)
	}
	return e.more
}

// lifeline returns the number of the lifeline of a component on a thread. Where the trace has no threads the lifeline is the component already.
func (c *Rewriter) lifeline(t *thread, component uint32) uint32 {
	if t.own != 0 && t.first == component {
		return t.own
	}
	if number, known := t.owns[component]; known {
		return number
	}
	name := c.keys.Names[component]
	if name != t.name {
		name += "/" + t.name
	}
	number := c.keys.AddName(name)
	if t.own == 0 {
		t.first, t.own = component, number
		return number
	}
	if t.owns == nil {
		t.owns = make(map[uint32]uint32)
	}
	t.owns[component] = number
	return number
}

// stubKey returns the key of the event that a calling component has for an event of its callee.
func (c *Rewriter) stubKey(e *entry, caller uint32) uint32 {
	for i := range e.stubs {
		if e.stubs[i].component == caller {
			return e.stubs[i].key
		}
	}
	k := c.keys.List[e.own]
	k.Component, k.Lifeline = caller, c.lifeline(e.thread, caller)
	made := c.numberKey(k)
	e.stubs = append(e.stubs, stub{caller, made})
	return made
}
