package spans

import "github.com/tracelake/tracelake/schema"

// stack is the calls of a trace that lie in each other on one lifeline.
type stack struct {
	number int64 // in all traces
	home   int32
	top    int32 // the innermost open span
	last   int32 // its last row
}

// home is an instance of a service, as far as the trace in hand knows it.
type home struct {
	stacks int     // of it
	free   []int32 // those on which nothing is open
}

// stacks are those of the trace in hand.
type stacks struct {
	all    []stack
	of     []int32 // by span
	under  []int32 // by span: what it lies on
	homes  []home
	homeOf map[[2]uint32]int32 // by service and instance
	made   int64               // in all traces
}

// clear forgets the stacks of a trace.
func (s *stacks) clear(spans int) {
	s.all, s.of, s.under = s.all[:0], resize(s.of, spans), resize(s.under, spans)
	s.homes = s.homes[:0]
	if s.homeOf == nil || len(s.homeOf) > manyHomes { // to clear a large map takes long, however little is in it
		s.homeOf = make(map[[2]uint32]int32)
	}
	clear(s.homeOf)
}

// manyHomes is more than most traces have.
const manyHomes = 1 << 10

// at finds the home of a span.
func (s *stacks) at(span *Span) int32 {
	key := [2]uint32{span.Service, span.Instance}
	h, known := s.homeOf[key]
	if known {
		return h
	}
	h = int32(len(s.homes))
	if s.homeOf[key] = h; cap(s.homes) > len(s.homes) {
		s.homes = s.homes[:h+1]
		s.homes[h].stacks, s.homes[h].free = 0, s.homes[h].free[:0]
		return h
	}
	s.homes = append(s.homes, home{})
	return h
}

// maxClimb is how many callers are asked for one on whose lifeline a span may lie.
const maxClimb = 100

// push finds a stack for a span: that of the nearest of its callers in its home, if the span lies in it and nothing
// else does now; or a free one.
func (t *trace) push(i int32) {
	s, st := &t.spans[i], &t.stacks
	host := t.parent[i]
	for climbs := 0; host != nobody && !local(&t.spans[host], s); climbs++ {
		if host = t.parent[host]; climbs == maxClimb {
			host = nobody
		}
	}
	if host != nobody && within(s, &t.spans[host]) && t.exits[i].ns <= t.exits[host].ns {
		if k := st.of[host]; st.all[k].top == host {
			st.of[i], st.under[i], st.all[k].top = k, host, i
			return
		}
	}
	h := st.at(s)
	home := &st.homes[h]
	if len(home.free) < home.stacks {
		t.collector.lose(schema.CrossingCall, s)
	}
	k := int32(len(st.all))
	if n := len(home.free); n > 0 {
		k, home.free = home.free[n-1], home.free[:n-1]
	} else {
		home.stacks++
		st.made++
		st.all = append(st.all, stack{number: st.made, home: h})
	}
	st.of[i], st.under[i], st.all[k].top = k, nobody, i
}

// pop takes a span from its stack, on which it is the innermost.
func (t *trace) pop(i int32) {
	st := &t.stacks
	k := st.of[i]
	s := &st.all[k]
	s.top = st.under[i]
	if s.top == nobody {
		st.homes[s.home].free = append(st.homes[s.home].free, k)
	}
}
