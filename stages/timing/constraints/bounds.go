package constraints

import "github.com/tracelake/tracelake/schema"

// setBounds sets the bounds of the constraints into the event by the chosen heuristic.
func (b *Builder) setBounds() {
	x := &b.into
	x.bounds = x.bounds[:0]
	switch {
	case b.opt.Bounds == PPS: // steps 1 to 4 of its time-bound analysis
		b.boundPPS(x)
	case b.opt.Bounds == Declared: // as the trace says
		b.boundDeclared(x)
	case len(x.messages) == 0: // a single constraint: its bound is met
		x.boundNs = max(x.durationNs, 0)
	default:
		b.boundPaper(x)
	}
}

// boundPaper is the heuristic of Jonk et al. 2019, section IV-D: d := min(d, max(d', epsilon)), where d'
// is the shortest of the other constraints into the event. For two constraints these are equations (1)
// and (2), whose order does not matter: the shorter one never changes. A bound equal to the duration
// makes the constraint critical (Definition 4). The paper's charts have no callbacks that were inferred: these take nothing from the
// bound of the lifeline, which stays as critical as it is without them, unless Options.Callbacks lets them.
func (b *Builder) boundPaper(x *incomingConstraints) {
	first, second := twoShortest(x)
	epsilon := int64(0) // of the lifeline: the largest of its messages, since it waited for all of them
	for i := range x.messages {
		epsilon = max(epsilon, b.epsilonFor(x.messages[i].label))
	}
	others := func(d int64) int64 {
		if d == first {
			return second
		}
		return first
	}
	if x.segment {
		x.boundNs = max(min(x.durationNs, max(b.shortestSeen(x), epsilon)), 0)
	}
	for i := range x.messages {
		d := x.timeNs - x.messages[i].sendNs
		x.bounds = append(x.bounds, max(min(d, max(others(d), b.epsilonFor(x.messages[i].label))), 0))
	}
}

// shortestSeen returns the shortest duration of the messages into the event that may hold its lifeline back.
func (b *Builder) shortestSeen(x *incomingConstraints) int64 {
	shortest := noDuration
	for i := range x.messages {
		if b.holdsBack(x, i) {
			shortest = min(shortest, x.timeNs-x.messages[i].sendNs)
		}
	}
	return shortest
}

// noDuration stands for the duration of a missing constraint.
const noDuration = int64(1<<63 - 1)

// twoShortest returns the shortest duration of the constraints into an event, and the shortest of the others;
// noDuration stands for a missing one. Where two are equally short, both are the same.
func twoShortest(x *incomingConstraints) (first, second int64) {
	first, second = noDuration, noDuration
	if x.segment {
		first = x.durationNs
	}
	for i := range x.messages {
		d := x.timeNs - x.messages[i].sendNs
		first, second = min(first, d), min(second, max(first, d))
	}
	return first, second
}

// boundPPS is the time-bound analysis of PPS with its default hooks: messages have no time-out, and only
// the start of a root execution waits. If the lifeline arrived after the message, the lifeline was
// critical and the message gets its usual latency; otherwise the message was critical.
func (b *Builder) boundPPS(x *incomingConstraints) {
	late, some := false, false // late: the event waited for its own lifeline
	for i := range x.messages {
		x.bounds = append(x.bounds, schema.NoValue)
		if !x.details[i].isAnalysed() {
			continue
		}
		some = some || b.holdsBack(x, i)
		if m := &x.messages[i]; b.isTraced(x, m) {
			d := x.timeNs - m.sendNs
			if x.segment && m.sendNs < x.sourceNs {
				late = true
				d = min(d, b.usualNs(&x.details[i], d))
			}
			x.bounds[i] = max(d, 0)
		}
	}
	if x.segment {
		x.boundNs = max(x.durationNs, 0)
		if !late && (some || x.root) {
			late = x.durationNs <= b.opt.DefaultNs
			if !late {
				x.boundNs = b.opt.DefaultNs
			}
		}
	}
	for i := range x.messages {
		if m := &x.messages[i]; !late && x.details[i].isAnalysed() && !b.isTraced(x, m) {
			x.bounds[i] = max(x.timeNs-m.sendNs, 0)
		}
	}
}

// isAnalysed reports whether the analysis of PPS sets the bound of a message.
func (m *messageDetails) isAnalysed() bool { return m.class != domain && !m.controlled }

// isTraced reports whether both ends of a message are real events.
func (b *Builder) isTraced(x *incomingConstraints, m *arrival) bool {
	return x.traced && !b.untraced[m.sender]
}

// usualNs returns how long a late message of duration d may be assumed to have taken: as long as the
// shortest of its class between these lifelines, or the default bound if it is the shortest itself.
func (b *Builder) usualNs(m *messageDetails, d int64) int64 {
	if m.minNs < d {
		return m.minNs
	}
	return b.opt.DefaultNs
}

// boundDeclared takes the bounds that the trace gives, limited to the observed durations.
func (b *Builder) boundDeclared(x *incomingConstraints) {
	if x.segment {
		x.boundNs = schema.NoValue
		if ns, known := b.notes.segments[x.seq]; known {
			x.boundNs = max(min(ns, x.durationNs), 0)
		}
	}
	for i := range x.messages {
		bound := x.details[i].declaredNs
		if bound != schema.NoValue {
			bound = max(min(bound, x.timeNs-x.messages[i].sendNs), 0)
		}
		x.bounds = append(x.bounds, bound)
	}
}
