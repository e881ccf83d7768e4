package spans

import "github.com/tracelake/tracelake/schema"

// stack is the calls of a trace that lie in each other on one lifeline.
type stack struct {
	number   int64 // counts the stacks of all traces from 1, since rows are sorted across traces
	instance int32 // position in stacks.instances
	top      int32 // the innermost open span, or noSpan
	last     int32 // position of its last row in trace.made
}

// instance is an instance of a service, with the stacks that the trace in hand has there.
type instance struct {
	stacks int     // of it
	free   []int32 // those on which nothing is open
}

// stacks are those of the trace in hand. A span lies on the stack of its caller if both are of one instance and nothing else
// is open there, else on a stack of its own.
type stacks struct {
	all        []stack
	of         []int32 // by span
	under      []int32 // by span: the span around it on its stack, or noSpan
	instances  []instance
	instanceOf map[[2]uint32]int32 // by service and instance
	made       int64               // in all traces
}

// clear forgets the stacks of a trace.
// The slices keep their memory for the next trace.
func (s *stacks) clear(spans int) {
	s.all, s.of, s.under = s.all[:0], resize(s.of, spans), resize(s.under, spans)
	s.instances = s.instances[:0]
	if s.instanceOf == nil || len(s.instanceOf) > manyInstances { // to clear a large map takes long, however little is in it
		s.instanceOf = make(map[[2]uint32]int32)
	}
	clear(s.instanceOf)
}

// manyInstances is more than most traces have. A map keeps its size when it is cleared, so one that grew beyond is dropped.
const manyInstances = 1 << 10

// at returns the position of the instance of a span, which is added when it is new.
func (s *stacks) at(span *Span) int32 {
	key := [2]uint32{span.Service, span.Instance}
	h, known := s.instanceOf[key]
	if known {
		return h
	}
	h = int32(len(s.instances))
	if s.instanceOf[key] = h; cap(s.instances) > len(s.instances) {
		s.instances = s.instances[:h+1]
		s.instances[h].stacks, s.instances[h].free = 0, s.instances[h].free[:0]
		return h
	}
	s.instances = append(s.instances, instance{})
	return h
}

// maxClimb bounds the callers among which one of the same instance is looked for, so that deep traces take linear time.
const maxClimb = 100

// push finds a stack for a span: that of the nearest of its callers in its instance, if the span lies within it and nothing
// else is open on it; or a free one. A further stack of one instance means that calls overlap, which is counted.
// The search upwards passes callers of other instances, so that a service that is called back runs on the lifeline on
// which it waits.
func (t *trace) push(i int32) {
	s, st := &t.spans[i], &t.stacks
	host := t.parent[i]
	for climbs := 0; host != noSpan && !local(&t.spans[host], s); climbs++ {
		if host = t.parent[host]; climbs == maxClimb {
			host = noSpan
		}
	}
	if host != noSpan && within(s, &t.spans[host]) && t.exits[i].ns <= t.exits[host].ns {
		// Clocks may put a call before its caller, which has no stack yet then.
		if k := st.of[host]; int(k) < len(st.all) && st.all[k].top == host {
			st.of[i], st.under[i], st.all[k].top = k, host, i
			return
		}
	}
	h := st.at(s)
	instance := &st.instances[h]
	if len(instance.free) < instance.stacks {
		t.collector.countLoss(schema.CrossingCall, s)
	}
	k := int32(len(st.all))
	if n := len(instance.free); n > 0 {
		k, instance.free = instance.free[n-1], instance.free[:n-1]
	} else {
		instance.stacks++
		st.made++
		st.all = append(st.all, stack{number: st.made, instance: h})
	}
	st.of[i], st.under[i], st.all[k].top = k, noSpan, i
}

// pop takes a span from its stack, on which it is the innermost.
func (t *trace) pop(i int32) {
	st := &t.stacks
	k := st.of[i]
	s := &st.all[k]
	s.top = st.under[i]
	if s.top == noSpan {
		st.instances[s.instance].free = append(st.instances[s.instance].free, k)
	}
}
