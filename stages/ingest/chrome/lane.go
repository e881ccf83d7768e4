package chrome

import (
	"math"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/sampled"
)

// call is an open call.
type call struct {
	site   uint32
	number int64 // of a complete call, from 1; 0 for others
	until  int64 // ns at which a complete call ends; never for others
	within int64 // ns: the minimum of until over this call and those around it
}

// never is the end of a call that ends by an event of its own.
const never = math.MaxInt64

// lane is a lifeline: a stack of calls. A thread has a lane of its own, and further ones for complete calls that overlap;
// asynchronous calls have lanes by process and category.
// A lane never gives its name back, even if it is used again.
type lane struct {
	lifeline string
	isAsync  bool   // its calls are lifetimes, see schema.Lifetime
	number   uint32 // of the name of the lifeline among those of keys; 0 until a key is made
	stack    []call
	keys     *laneKeys // nil for the own lane of a thread, which has them in player.keys

	enter     int       // row of the enter that was the last event of the lane; group says whether it still is
	group     int       // number of the time of that enter, see player.group; 0 where an exit came behind it
	left      leftCall  // the call that ended last
	beside    *lane     // of the own lane of a thread: where its last call that overlapped others went
	besideAt  int       // number of the time at which that call began, see player.group
	waiting   []message // for the exit that may follow at this time, or else for the call in hand
	following []message // for the next enter
}

// leftCall is a call that has ended, for messages of the time of its end.
type leftCall struct {
	site        uint32
	group       int // number of the time of its end, see player.group
	enter, exit int // rows; enter is -1 unless the call began at this very time, too
	isInstant   bool
}

// takes reports whether a message at the time at which the call ended is a message of it. Viewers draw a flow from the
// innermost call around its time, ends included; what is received at the end of one call of a thread, in another one,
// is of the latter. Instant events are no calls there, and take what would be outside all calls.
func (c *leftCall) takes(l *lane, what what) bool {
	return len(l.stack) == 0 || !c.isInstant && (c.enter >= 0 || what == send)
}

// row returns the row that a message is put on: what a call without duration receives starts it.
func (c *leftCall) row(what what) int {
	if c.enter >= 0 && what != send {
		return c.enter
	}
	return c.exit
}

// message is one end of a message, as the columns of a row have it.
type message struct {
	mark uint32
	id   int64
}

// push opens a call.
// The running minimum makes takes a comparison in place of a walk over the stack.
func (l *lane) push(c call) {
	if c.within = c.until; len(l.stack) > 0 {
		c.within = min(c.until, l.stack[len(l.stack)-1].within)
	}
	l.stack = append(l.stack, c)
}

// remove closes the call at a position of the stack, and computes within anew for those above it.
// Mostly at is the top and nothing stands above it.
func (l *lane) remove(at int) {
	l.stack = append(l.stack[:at], l.stack[at+1:]...)
	for ; at < len(l.stack); at++ {
		c := &l.stack[at]
		if c.within = c.until; at > 0 {
			c.within = min(c.until, l.stack[at-1].within)
		}
	}
}

// top is the innermost open call, nil where there is none.
func (l *lane) top() *call {
	if len(l.stack) == 0 {
		return nil
	}
	return &l.stack[len(l.stack)-1]
}

// takes reports whether a complete call that ends at a time lies in all calls that are open, and so fits on the stack.
func (l *lane) takes(until int64) bool { return until <= l.room() }

// room returns the time until which a complete call may last that begins now and fits on the stack.
func (l *lane) room() int64 {
	if len(l.stack) == 0 {
		return never
	}
	return l.stack[len(l.stack)-1].within
}

// find returns the position of the innermost open call of a name, or of any name where that is noWord, among those that end by
// an event of their own; -1 where there is none.
// Complete calls are passed over: they end by their own record and by no E.
func (l *lane) find(sites []site, name word) int {
	for at := len(l.stack) - 1; at >= 0; at-- {
		if c := &l.stack[at]; c.number == 0 && (name == noWord || sites[c.site].name == name) {
			return at
		}
	}
	return -1
}

// key returns the key of an event of a lane. It is asked for every row: lanes of threads, which have most of them, share a
// plain table by site, as a site names its thread.
// The table holds numbers plus one, so that its zeros mean that nothing is known yet; it is widened to all sites at
// once.
func (p *player) key(l *lane, at uint32, kind schema.Kind) uint32 {
	which := at<<2 | uint32(kind)
	if l.keys == nil {
		if int(which) >= len(p.keys) {
			p.keys = append(p.keys, make([]uint32, 4*len(p.sites.list)-len(p.keys))...)
		}
		if p.keys[which] == 0 {
			p.keys[which] = p.newKey(l, at, kind) + 1
		}
		return p.keys[which] - 1
	}
	key, known := l.keys.find(which)
	if !known {
		key = p.newKey(l, at, kind)
		l.keys.add(which, key)
	}
	return key
}

// newKey adds a key to the table of the output. Two sites of a lane that are called alike have a key each, which nothing minds.
func (p *player) newKey(l *lane, at uint32, kind schema.Kind) uint32 {
	return p.out.keys.Add(p.eventKey(l, at, kind))
}

// eventKey returns what is said of an event of a lane.
func (p *player) eventKey(l *lane, at uint32, kind schema.Kind) schema.CodedKey {
	if int(at) >= len(p.siteKeys) {
		p.siteKeys = append(p.siteKeys, make([]schema.CodedKey, len(p.sites.list)-len(p.siteKeys))...)
	}
	k := &p.siteKeys[at]
	if k.Function == 0 {
		*k = p.siteKey(p.sites.list[at])
	}
	if l.number == 0 {
		l.number = p.out.keys.AddName(l.lifeline)
	}
	key := *k
	key.Lifeline, key.Kind = l.number, kind
	if l.isAsync && !p.sites.tracks[p.sites.list[at].track].isSampled {
		key.ExecutionType = p.out.nameNumber(schema.Lifetime)
	}
	return key
}

// siteKey returns what is said of all events of a site.
func (p *player) siteKey(s site) schema.CodedKey {
	k := schema.CodedKey{Component: p.out.nameNumber(p.component(s)), Function: p.out.nameNumber(p.function(s))}
	switch {
	case p.sites.tracks[s.track].isSampled:
		k.ExecutionType = p.out.nameNumber(sampled.Type)
	case p.isRecording(s):
		k.ExecutionType = p.out.nameNumber(schema.Lifetime)
	}
	return k
}

// isRecording reports whether the calls of a site are the window in which PyTorch recorded, such as "PyTorch Profiler (0)": a process and a thread of
// its own, of the category Trace.
func (p *player) isRecording(s site) bool {
	return s.cat != noWord && p.words.name(s.cat) == "Trace" && p.labels[s.track].process == "Spans"
}

// function names the function of a site.
func (p *player) function(s site) string {
	if s.shown == noWord {
		return "unnamed"
	}
	return p.words.name(s.shown)
}

// component names the component of a site, as the user chose.
// All choices depend on the site alone, which is why keys are kept by site.
func (p *player) component(s site) string {
	l := &p.labels[s.track]
	switch p.by {
	case byCategory:
		if s.cat == noWord {
			return "uncategorised"
		}
		return p.words.name(s.cat)
	case byProcess:
		return l.process
	}
	return l.thread
}

// pool is what the lanes of asynchronous calls share. Such calls belong to a process and not to a thread.
type pool struct{ pid, cat word }

// slots are the lanes of a pool.
type slots struct {
	name string
	free []*lane // none of whose calls are under way
}

// asyncLane is a lane while it is taken.
type asyncLane struct {
	*lane
	slots *slots
}

// async plays an event of an asynchronous call. All events of one identifier are on one lane, nested like the calls of a
// thread; a lane is free again when the last of its calls has ended.
// The map has the identifiers of calls that are open, and shrinks when they end.
func (p *player) async(r *record) {
	id := uint64(r.more)
	taken := p.open[id]
	if taken == nil {
		if r.what == asyncEnd {
			p.endUnbegun(r)
			return
		}
		taken = p.takeLane(r.site)
		p.open[id] = taken
	}
	switch r.what {
	case asyncBegin:
		p.enter(taken.lane, call{site: r.site, until: never})
	case asyncEnd:
		p.exitNamed(taken.lane, r.site)
	default:
		p.instant(taken.lane, r.site)
	}
	if len(taken.stack) == 0 {
		delete(p.open, id)
		taken.slots.free = append(taken.slots.free, taken.lane)
	}
}

// endUnbegun plays the end of an asynchronous call that never began. Package wellformed lets such a call begin with the
// trace, so that it needs a lane of its own, on which nothing comes to lie in it.
func (p *player) endUnbegun(r *record) {
	if p.sites.list[r.site].name == noWord {
		p.unmatched("an asynchronous call")
		return
	}
	p.leave(newAsyncLane(p.names.unique(p.slotsOf(r.site).name)), r.site, p.now)
}

// newAsyncLane returns a lane of asynchronous calls.
func newAsyncLane(lifeline string) *lane {
	l := newLane(lifeline)
	l.isAsync = true
	return l
}

// takeLane takes a lane from the pool of a site, or a new one.
// The lane that was freed last is taken first, as its keys are all known.
func (p *player) takeLane(at uint32) *asyncLane {
	s := p.slotsOf(at)
	last := len(s.free) - 1
	if last < 0 {
		return &asyncLane{newAsyncLane(p.names.unique(s.name)), s}
	}
	l := s.free[last]
	s.free = s.free[:last]
	return &asyncLane{l, s}
}

// slotsOf returns the pool of a site.
func (p *player) slotsOf(at uint32) *slots {
	site := p.sites.list[at]
	of := pool{p.sites.tracks[site.track].pid, site.cat}
	s := p.pools[of]
	if s == nil {
		s = &slots{name: p.labels[site.track].process + "/async"}
		if site.cat != noWord {
			s.name += " " + p.words.name(site.cat)
		}
		p.pools[of] = s
	}
	return s
}
