package mining

import (
	"github.com/tracelake/tracelake/schema"
)

// Subject is a function of a component.
type Subject struct{ Component, Function string }

// seen is what a run shows of a function. A wait goes from a start to the first end of the function after it, on whatever lifeline: this
// is what "within" of a check measures.
type seen struct {
	starts      int64
	openNs      int64 // how long starts waited for an end, where several waited counted once
	longestNs   int64 // the longest wait
	closestNs   int64 // the smallest distance of two starts that is not 0; schema.NoValue for none
	first       int64 // position of its first start among the states
	waitingNs   int64 // since when a start waits; schema.NoValue for none
	lastStartNs int64
}

// run is what a run shows.
type run struct {
	of       []seen // by subject; starts is 0 of those that it does not call
	fromNs   int64
	toNs     int64
	states   int64
	inFlight map[string]*level // most open executions, by lifeline, or claims, by resource; of roots by "", of messages by messagesInFlight
	signals  map[string]extremes
}

// extremes are the least and the greatest value of a signal.
type extremes struct{ least, greatest float64 }

// messagesInFlight is no name of a lifeline, and names of resources follow resourcePrefix.
const messagesInFlight, resourcePrefix = "\x00messages", "\x00resource "

// level is a number that goes up and down. What happens at one time counts together, as signals have one value at a time.
type level struct {
	atNs, now, most int64
	busyNs          int64 // how long it was above 0
}

func (l *level) add(timeNs, by int64) {
	if timeNs > l.atNs {
		l.most = max(l.most, l.now)
		if l.now > 0 {
			l.busyNs += timeNs - l.atNs
		}
	}
	l.atNs, l.now = timeNs, l.now+by
}

// Miner learns what runs have in common. Each run is observed, then Pairs chooses the functions of which pairs are looked at, and each
// run is observed once more. The zero value has seen no run.
type Miner struct {
	subjects []Subject
	number   map[Subject]int
	runs     []*run
	pairs    pairs
}

// Columns are the columns of events that an Observer needs.
func Columns() []string {
	return []string{"seq", "time_ns", "kind", "component", "lifeline", "function", "id_series", "message_id", "direction"}
}

// numbering numbers the functions of one reading of a run.
type numbering struct {
	m     *Miner
	names *schema.Names
	codes map[[2]schema.Code]int
}

func (m *Miner) numbering(names *schema.Names) numbering {
	return numbering{m, names, make(map[[2]schema.Code]int)}
}

// subject numbers the function of an event. Component and function are those of its names.
func (n *numbering) subject(component, function schema.Code) int {
	key := [2]schema.Code{component, function}
	at, known := n.codes[key]
	if known {
		return at
	}
	s := Subject{n.names.Components.Name(component), n.names.Functions.Name(function)}
	if at, known = n.m.number[s]; !known {
		if n.m.number == nil {
			n.m.number = make(map[Subject]int)
		}
		at = len(n.m.subjects)
		n.m.number[s] = at
		n.m.subjects = append(n.m.subjects, s)
	}
	n.codes[key] = at
	return at
}

// Observer watches the states of a run.
type Observer struct {
	numbering
	run       *run
	depth     []int64          // by lifeline
	lifelines []*level         // by lifeline; nil: not seen yet
	open      map[message]bool // messages that were sent or received only
	roots     *level

	claims    *schema.Claims // nil: executions claim their lifelines
	nextClaim int
	resources map[int64]*level
	claimed   [][]*level // by lifeline: the resources of its open executions; nil for none
	messages  *level
}

// message identifies a message.
type message struct {
	series schema.Code
	id     int64
}

// Observe begins the reading of a run whose events have these names.
func (m *Miner) Observe(names *schema.Names) *Observer {
	r := &run{inFlight: make(map[string]*level), signals: make(map[string]extremes)}
	m.runs = append(m.runs, r)
	o := &Observer{numbering: m.numbering(names), run: r, open: make(map[message]bool), roots: new(level), messages: new(level)}
	r.inFlight[""], r.inFlight[messagesInFlight] = o.roots, o.messages
	return o
}

// Signal says between which values a signal of the trace was. A name that several signals have is not told.
func (o *Observer) Signal(name string, least, greatest float64) {
	o.run.signals[name] = extremes{least, greatest}
}

// Claim says what executions claim, where the trace says it itself. It is called before the first Add.
func (o *Observer) Claim(claims *schema.Claims, resources []schema.Resource) {
	o.claims, o.resources = claims, make(map[int64]*level)
	for _, r := range resources {
		key := resourcePrefix + r.Name
		if o.run.inFlight[key] == nil {
			o.run.inFlight[key] = new(level)
		}
		o.resources[r.Resource] = o.run.inFlight[key]
	}
}

// claim counts the claims of a lifeline's executions.
func (o *Observer) claim(lifeline schema.Code, seq, timeNs, by int64) {
	o.claimed = schema.GrowTo(o.claimed, int(lifeline)+1)
	stack := &o.claimed[lifeline]
	if by > 0 {
		var l *level
		for o.nextClaim < len(o.claims.Execution) && o.claims.Execution[o.nextClaim] < seq {
			o.nextClaim++
		}
		if o.nextClaim < len(o.claims.Execution) && o.claims.Execution[o.nextClaim] == seq {
			l = o.resources[o.claims.Resource[o.nextClaim]]
		}
		*stack = append(*stack, l)
	}
	n := len(*stack)
	if n == 0 {
		return
	}
	if l := (*stack)[n-1]; l != nil {
		l.add(timeNs, by)
	}
	if by < 0 {
		*stack = (*stack)[:n-1]
	}
}

// Add watches events, which come in the order of their sequence numbers.
func (o *Observer) Add(ev *schema.Events) {
	r := o.run
	for i, kind := range ev.Kind {
		if kind == schema.Message {
			continue
		}
		timeNs := ev.TimeNs[i]
		if r.states == 0 {
			r.fromNs = timeNs
		}
		r.toNs = timeNs
		if ev.Direction[i] != schema.NoMessage && ev.MessageID[i] != schema.NoValue {
			o.message(message{ev.Series[i], ev.MessageID[i]}, timeNs)
		}
		switch kind {
		case schema.Enter:
			o.start(o.subject(ev.Component[i], ev.Function[i]), timeNs)
			o.nest(ev.Lifeline[i], ev.Seq[i], timeNs, 1)
		case schema.Exit:
			o.end(o.subject(ev.Component[i], ev.Function[i]), timeNs)
			o.nest(ev.Lifeline[i], ev.Seq[i], timeNs, -1)
		}
		r.states++
	}
}

// Close ends the run.
func (o *Observer) Close() {
	for _, l := range o.run.inFlight {
		l.add(o.run.toNs, 0)
		l.most = max(l.most, l.now)
	}
	o.run.of = schema.GrowTo(o.run.of, len(o.m.subjects))
}

// of is what the run shows of a subject.
func (o *Observer) of(subject int) *seen {
	for len(o.run.of) <= subject {
		o.run.of = append(o.run.of, seen{closestNs: schema.NoValue, waitingNs: schema.NoValue})
	}
	return &o.run.of[subject]
}

func (o *Observer) start(subject int, timeNs int64) {
	s := o.of(subject)
	if s.starts == 0 {
		s.first = o.run.states
	} else if d := timeNs - s.lastStartNs; d > 0 && (s.closestNs == schema.NoValue || d < s.closestNs) {
		s.closestNs = d
	}
	if s.waitingNs == schema.NoValue {
		s.waitingNs = timeNs
	}
	s.starts++
	s.lastStartNs = timeNs
}

func (o *Observer) end(subject int, timeNs int64) {
	s := o.of(subject)
	if s.waitingNs == schema.NoValue {
		return
	}
	s.openNs += timeNs - s.waitingNs
	s.longestNs = max(s.longestNs, timeNs-s.waitingNs)
	s.waitingNs = schema.NoValue
}

// nest counts the executions of a lifeline, and those that no other one encloses.
func (o *Observer) nest(lifeline schema.Code, seq, timeNs, by int64) {
	if o.claims != nil {
		o.claim(lifeline, seq, timeNs, by)
	}
	o.depth = schema.GrowTo(o.depth, int(lifeline)+1)
	o.lifelines = schema.GrowTo(o.lifelines, int(lifeline)+1)
	l := o.lifelines[lifeline]
	if l == nil {
		l = new(level)
		o.lifelines[lifeline] = l
		if o.claims == nil {
			o.run.inFlight[o.names.Lifelines.Name(lifeline)] = l
		}
	}
	if by < 0 && o.depth[lifeline] == 0 {
		return
	}
	o.depth[lifeline] += by
	l.add(timeNs, by)
	if o.depth[lifeline] == max(by, 0) { // it was the outermost
		o.roots.add(timeNs, by)
	}
}

// message counts messages from their first state to their second.
func (o *Observer) message(id message, timeNs int64) {
	if o.open[id] {
		delete(o.open, id)
		o.messages.add(timeNs, -1)
		return
	}
	o.open[id] = true
	o.messages.add(timeNs, 1)
}
