package machine

// Messages take 0.5 us to 2 us, and a component that finished a service needs a little time to take
// the next one.
const (
	latencyNs = 1000
	setupNs   = 400
)

// start takes the next order and decides which course it takes.
// The variant is drawn by the component's own source, so it does not depend on what others do.
func (s *simulation) start(c *station) {
	c.order = c.orders.pop()
	c.busy, c.at = true, 0
	service := &s.m.services[c.order.service]
	draw := uint32(c.rng.next() >> 32)
	v := 0
	for v < len(service.shares)-1 && draw > service.shares[v] {
		v++
	}
	v = service.course[v]
	c.program = service.programs[v]
	if s.ran[c.order.link] == nil {
		s.ran[c.order.link] = make([]int64, len(service.programs))
	}
	s.ran[c.order.link][v]++
}

// begin receives the order.
// A trigger and a request differ in whether anybody waits for the reply.
func (s *simulation) begin(c *station, e *Event) {
	service := &s.m.services[c.order.service]
	switch {
	case c.order.caller == noCaller:
	case service.replies:
		e.ID, e.Mark = c.order.id, ReceiveCall
	default:
		e.ID, e.Mark = c.order.id, ReceiveTrigger
	}
	if c.order.extraNs > 0 {
		s.delays = append(s.delays, Delay{Exposure: s.stats.Exposures + 1, Function: service.function,
			Component: s.m.Components[service.component], StartNs: e.TimeNs, ExtraNs: c.order.extraNs})
	}
}

// call sends a request or a trigger.
// Identifiers are counted through all messages of the run, so each is unique.
func (s *simulation) call(c *station, t turn, o *op, e *Event) {
	s.lastID++
	s.stats.Messages++
	e.ID, e.Mark = s.lastID, SendCall
	order := order{arrivalNs: t.timeNs + s.latency(c), id: s.lastID, caller: t.component, service: o.target,
		link: o.link, slot: o.slot}
	switch {
	case o.action == callBlock:
		c.waiting = int(o.slot)
	case o.action == callTrigger:
		e.Mark = SendTrigger
		if o.planted {
			order.extraNs = s.loop.extraNs
		}
	}
	s.deliver(order)
}

// latency draws how long a message is under way, in nanoseconds.
func (s *simulation) latency(c *station) int64 { return s.spread.duration(&c.rng, latencyNs) }

// deliver queues an order at its component, in the order of sending, and wakes an idle one.
func (s *simulation) deliver(o order) {
	to := s.m.services[o.service].component
	c := &s.stations[to]
	if !c.busy && c.orders.len() == 0 {
		s.agenda.Push(turn{timeNs: o.arrivalNs, component: int32(to)})
	}
	c.orders.push(o)
	s.stats.LongestQueue = max(s.stats.LongestQueue, c.orders.len())
}

// finish replies if a reply is wanted and turns to the next order.
func (s *simulation) finish(c *station, t turn, e Event) (next int64, more bool) {
	c.busy = false
	if c.order.caller != noCaller && s.m.services[c.order.service].replies {
		s.lastID++
		s.stats.Messages++
		e.ID, e.Mark = s.lastID, SendReply
		s.answer(c.order, reply{arrivalNs: t.timeNs + s.latency(c), id: s.lastID})
	}
	s.block = append(s.block, e)
	s.stats.EndNs = t.timeNs
	if s.inLoop(c.order) {
		s.nextRoot(t.timeNs)
		// An order that the loop gave to this idle component has put it on the agenda.
		return 0, false
	}
	if c.orders.len() == 0 {
		return 0, false
	}
	first := c.orders.items[c.orders.head].arrivalNs
	return max(first, t.timeNs+s.spread.duration(&c.rng, setupNs)), true
}

// answer hands a reply to the caller and wakes it if it waits for it.
func (s *simulation) answer(o order, r reply) {
	caller := &s.stations[o.caller]
	caller.replies[o.slot].push(r)
	if caller.waiting == int(o.slot) {
		caller.waiting = notWaiting
		s.agenda.Push(turn{timeNs: r.arrivalNs, component: o.caller})
	}
}

// countRan counts components, fragments and words that ran. Every program of a service is another
// word, and every caller makes another fragment of it. The first fields of a wafer and the others are
// two services here, but one fragment.
func (s *simulation) countRan() {
	st := &s.stats
	st.Components = len(s.stations) // all of them start up
	first, other := s.m.services[s.m.loop.exposeFirst].link, s.m.services[s.m.loop.expose].link
	s.ran[first] = append(s.ran[first], s.ran[other]...)
	s.ran[other] = nil
	for _, programs := range s.ran {
		var runs int64
		for _, n := range programs {
			runs += n
			if n > 0 {
				st.Words++
			}
		}
		if runs > 0 {
			st.Fragments++
			st.Decades[decade(runs, len(st.Decades))]++
		}
	}
}

// decade is the number of digits of n, counted from 0 and below limit.
func decade(n int64, limit int) int {
	d := 0
	for n >= 10 && d < limit-1 {
		n /= 10
		d++
	}
	return d
}
