package chrome

import (
	"math"

	"github.com/tracelake/tracelake/schema"
)

// call is an open call.
type call struct {
	site   uint32
	number int64 // of a complete call, which differ; 0 for others
	until  int64 // time at which a complete call ends; never for others
	within int64 // the least until of this call and those around it
}

const never = math.MaxInt64

// lane is a lifeline: a stack of calls.
type lane struct {
	lifeline string
	stack    []call
	keys     map[uint32]uint32 // keys by site and kind; nil for the own lane of a thread, which has them in player.keys

	enter, group int       // row of the enter that was this lane's last event, and the group of times in which it was
	waiting      []message // for the exit that may follow at this time, or else for the call in hand
	following    []message // for the next enter
}

// message is a message as a row has it.
type message struct {
	mark uint32
	id   int64
}

// push opens a call.
func (l *lane) push(c call) {
	if c.within = c.until; len(l.stack) > 0 {
		c.within = min(c.until, l.stack[len(l.stack)-1].within)
	}
	l.stack = append(l.stack, c)
}

// remove closes the call at a place of the stack.
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

// takes reports whether a complete call that ends at a time lies in the calls that are open.
func (l *lane) takes(until int64) bool {
	return len(l.stack) == 0 || until <= l.top().within
}

// find is the place of the innermost open call of a name, or of any name where that is noWord, that ends by an event
// of its own; -1 where there is none.
func (l *lane) find(sites []site, name word) int {
	for at := len(l.stack) - 1; at >= 0; at-- {
		if c := &l.stack[at]; c.number == 0 && (name == noWord || sites[c.site].name == name) {
			return at
		}
	}
	return -1
}

// key is the key of an event of a lane.
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
	key, ok := l.keys[which]
	if !ok {
		key = p.newKey(l, at, kind)
		l.keys[which] = key
	}
	return key
}

func (p *player) newKey(l *lane, at uint32, kind schema.Kind) uint32 {
	s := p.sites.list[at]
	return p.out.key(schema.EventKey{Component: p.component(s), Lifeline: l.lifeline, Function: p.function(s), Kind: kind})
}

// function is the name of a site's function.
func (p *player) function(s site) string {
	if s.name == noWord {
		return "unnamed"
	}
	return p.words.name(s.name)
}

// component is the component of a site, as the options say.
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

// pool is what lanes of asynchronous calls have in common.
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

// async plays an event of an asynchronous call.
func (p *player) async(r *record) {
	id := uint64(r.more)
	taken := p.open[id]
	if taken == nil {
		if r.what == asyncEnd && p.sites.list[r.site].name == noWord {
			p.unmatched("an asynchronous call")
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
		p.moment(taken.lane, r.site)
	}
	if len(taken.stack) == 0 {
		delete(p.open, id)
		taken.slots.free = append(taken.slots.free, taken.lane)
	}
}

// takeLane is a lane that is free.
func (p *player) takeLane(at uint32) *asyncLane {
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
	last := len(s.free) - 1
	if last < 0 {
		return &asyncLane{newLane(p.names.unique(s.name)), s}
	}
	l := s.free[last]
	s.free = s.free[:last]
	return &asyncLane{l, s}
}
