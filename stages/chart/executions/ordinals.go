package executions

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// Ordinals are the places that executions have in the order of the trace, by enter event: what cannot be told from some of the
// lifelines of a component. A Counter finds them from all, and a builder of some lifelines takes those of its enters.
type Ordinals struct {
	Number     []int64 // of the execution among those of its function on its component, from 1
	Occurrence []int64 // of the service fragment that the enter starts, from 0; schema.NoValue where it starts none
	next       int     // the first that was not taken
}

// Columns implements schema.Columns.
func (o *Ordinals) Columns() []schema.Column {
	return []schema.Column{schema.Ints("number", &o.Number), schema.Ints("occurrence", &o.Occurrence).OrNull()}
}

// Left is how many were not taken.
func (o *Ordinals) Left() int { return len(o.Number) - o.next }

// TakeOccurrences takes the next ordinals and returns their occurrences, until others are refilled.
func (o *Ordinals) TakeOccurrences(n int) []int64 {
	o.next += n
	return o.Occurrence[o.next-n : o.next]
}

// Refill forgets those that were taken and appends others.
func (o *Ordinals) Refill(more *Ordinals) {
	left := copy(o.Number, o.Number[o.next:])
	copy(o.Occurrence, o.Occurrence[o.next:])
	o.Number = append(o.Number[:left], more.Number...)
	o.Occurrence = append(o.Occurrence[:left], more.Occurrence...)
	o.next = 0
}

// Counter finds ordinals, window by window of the trace: Start, Add for the events of each bucket, Count, then Append for each
// again. It cuts words as a builder does and keeps nothing of the executions. An event of a window costs two visits of an array
// by its sequence number, which is less than bringing the events of many lifelines into one order.
type Counter struct {
	counter
	lifelines []callstack.Cutter[struct{}]
	functions [][]uint32 // numbers of functions from 1, by component and function; 0: none yet
	executed  []int64    // executions begun, by number of the function
	lo        int64      // the first sequence number of the window
	window    []enter    // by sequence number
}

// enter is what begins with an event of a window: first what it is, then the how many-eth.
type enter struct{ execution, word int64 }

// NewCounter returns a counter for events with these names: all those of some components.
func NewCounter(names *schema.Names) *Counter {
	return &Counter{counter: newCounter(names), executed: make([]int64, 1)}
}

// Names are those of the events to come.
func (c *Counter) Names() *schema.Names { return c.names }

// Start begins a window of sequence numbers, from lo to hi-1.
func (c *Counter) Start(lo, hi int64) {
	c.lo, c.window = lo, slices.Grow(c.window[:0], int(hi-lo))[:hi-lo]
	clear(c.window)
}

// Add takes the rows from one to another of the events of a bucket.
func (c *Counter) Add(ev *schema.Events, from, to int) {
	c.lifelines = schema.GrowTo(c.lifelines, c.names.Lifelines.Len())
	for i := from; i < to; i++ {
		l := &c.lifelines[ev.Lifeline[i]]
		switch ev.Kind[i] {
		case schema.Enter:
			e := &c.window[ev.Seq[i]-c.lo]
			e.execution, e.word = int64(c.function(ev.Component[i], ev.Function[i])), schema.NoValue
			if _, step := l.Enter(ev.Function[i]); step != callstack.Continues {
				e.word = int64(c.fragment(ev, i))
			}
		case schema.Exit:
			l.Exit(ev.Function[i])
		}
	}
}

// function is the number of a function of a component.
func (c *Counter) function(component, function schema.Code) uint32 {
	c.functions = schema.GrowTo(c.functions, int(component)+1)
	if int(function) >= len(c.functions[component]) {
		c.functions[component] = schema.GrowTo(c.functions[component], c.names.Functions.Len())
	}
	number := &c.functions[component][function]
	if *number == 0 {
		*number = uint32(len(c.executed))
		c.executed = append(c.executed, 0)
	}
	return *number
}

// Count numbers what the window has, in the order of the trace.
func (c *Counter) Count() {
	for i := range c.window {
		e := &c.window[i]
		if e.execution == 0 {
			continue
		}
		c.executed[e.execution]++
		e.execution = c.executed[e.execution]
		if e.word != schema.NoValue {
			c.counts[e.word]++
			e.word = c.counts[e.word] - 1
		}
	}
}

// Append appends the ordinals of rows that were added to the window.
func (c *Counter) Append(ev *schema.Events, from, to int, out *Ordinals) {
	for i := from; i < to; i++ {
		if ev.Kind[i] == schema.Enter {
			e := &c.window[ev.Seq[i]-c.lo]
			out.Number, out.Occurrence = append(out.Number, e.execution), append(out.Occurrence, e.word)
		}
	}
}

// counter counts the executions of functions and the occurrences of service fragments.
type counter struct {
	names     *schema.Names               // of the events; shared with the executions
	fragments map[fragmentKey]schema.Code // names of service fragments by what starts them
	counts    []int64                     // occurrences begun, by fragment
	numbers   [][]int64                   // executions begun, by component and function
}

func newCounter(names *schema.Names) counter {
	return counter{names: names, fragments: make(map[fragmentKey]schema.Code)}
}

// number counts one more execution of a function on a component.
func (c *counter) number(component, function schema.Code) int64 {
	// Slices by code are asked once an event, where a map of pairs would be a hash; most components have few functions.
	for len(c.numbers) <= int(component) {
		c.numbers = append(c.numbers, nil)
	}
	counts := c.numbers[component]
	if int(function) >= len(counts) {
		counts = append(counts, make([]int64, c.names.Functions.Len()-len(counts))...)
		c.numbers[component] = counts
	}
	counts[function]++
	return counts[function]
}

// begin counts one more occurrence of the fragment that an event starts.
func (c *counter) begin(ev *schema.Events, i int) word {
	code := c.fragment(ev, i)
	c.counts[code]++
	return word{code, c.counts[code] - 1}
}

// fragment is the name of the fragment that an event starts.
func (c *counter) fragment(ev *schema.Events, i int) schema.Code {
	k := fragmentKey{component: ev.Component[i], function: ev.Function[i], peer: schema.NoCode}
	if lifetimes := c.names.LifetimesIn(ev.ExecutionType); lifetimes.Has(i) {
		k.isLifetime = true
	} else {
		if k.direction = direction(ev, i); k.direction != schema.NoMessage {
			k.peer = ev.Peer[i]
		}
	}
	code, known := c.fragments[k]
	if !known {
		code = c.names.Fragments.Code(c.nameOf(k))
		c.fragments[k] = code
		for len(c.counts) < c.names.Fragments.Len() {
			c.counts = append(c.counts, 0)
		}
	}
	return code
}

// nameOf is the name of a fragment, or what lifetimes have in its place.
func (c *counter) nameOf(k fragmentKey) string {
	component, function := c.names.Components.Name(k.component), c.names.Functions.Name(k.function)
	if k.isLifetime {
		return schema.LifetimesName(component, function)
	}
	return schema.FragmentName(component, function, k.direction, c.names.Components.Name(k.peer))
}
