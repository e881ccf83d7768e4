package ccsl

import "slices"

// machine is a constraint at work: its guard or value in a step, and its state between steps.
type machine struct {
	*Constraint
	distance int64   // Precedence: Init + |a| - |b|; FilterBy: ticks until the next; others: ticks of the last clock
	index    int64   // FilterBy, Defer: of the next element of the sequence
	counts   []int64 // Inf, Sup: of the clocks
	due      dues    // Defer, SampledOn
	pending  bool    // SampledOn, Sample: a has ticked since the last sample; Concatenation: it follows its second clock
	over     bool    // its own state allows no further tick
	unborn   bool    // it is the second of a concatenation that still follows the first
	decided  bool    // nothing more to find out: a relation that is violated, or lacks a clock
	followed int64   // Concatenation: the step after which it last went on to its second clock
	started  int64   // the step after which it was last started again
}

// reset takes the machine back to its beginning.
func (m *machine) reset() {
	m.distance, m.index, m.pending, m.over = 0, 0, false, false
	m.due.reset()
	clear(m.counts)
	switch m.Kind {
	case Precedence:
		m.distance = m.Bound.Init
	case FilterBy:
		m.gap()
	case Inf, Sup:
		if m.counts == nil {
			m.counts = make([]int64, len(m.Clocks))
		}
	}
}

// gap takes the next gap of a filter. Silence is a distance that is never reached.
func (m *machine) gap() {
	n, more := m.Sequence.At(m.index)
	m.index++
	m.distance, m.over = n, !more
	if n == 0 {
		m.distance = -1
	}
}

// ticks says whether an expression ticks in a step.
func (m *machine) ticks(tick []bool) bool {
	switch m.Kind {
	case Union:
		return slices.ContainsFunc(m.Clocks, func(id ClockID) bool { return tick[id] })
	case Intersection:
		return !slices.ContainsFunc(m.Clocks, func(id ClockID) bool { return !tick[id] })
	case Minus:
		return tick[m.Clocks[0]] && !slices.ContainsFunc(m.Clocks[1:], func(id ClockID) bool { return tick[id] })
	case Inf, Sup:
		before, after := m.extremes(tick)
		return after > before
	case FilterBy:
		return m.distance == 1 && tick[m.Clocks[0]]
	case Defer:
		return m.deferred(tick)
	case SampledOn, Sample:
		if m.Delay == 0 {
			return m.samples(tick)
		}
		n, waiting := m.due.first()
		return waiting && n == m.distance+1 && tick[m.Clocks[1]]
	case UpTo:
		return tick[m.Clocks[0]] && !(m.Strict && tick[m.Clocks[1]])
	case Concatenation:
		if m.pending {
			return tick[m.Clocks[1]]
		}
		return tick[m.Clocks[0]]
	}
	return false
}

// extremes are the greatest (Inf) or least (Sup) counts before and after a step.
func (m *machine) extremes(tick []bool) (before, after int64) {
	for i, id := range m.Clocks {
		n := m.counts[i]
		next := n
		if tick[id] {
			next++
		}
		switch {
		case i == 0:
			before, after = n, next
		case m.Kind == Inf:
			before, after = max(before, n), max(after, next)
		default:
			before, after = min(before, n), min(after, next)
		}
	}
	return before, after
}

// deferred says whether a delay ticks: one is due, or there is none.
func (m *machine) deferred(tick []bool) bool {
	if n, waiting := m.due.first(); waiting && n == m.distance+1 && tick[m.Clocks[1]] {
		return true
	}
	if !tick[m.Clocks[0]] {
		return false
	}
	d, more := m.Sequence.At(m.index)
	return more && d == 0
}

// samples says whether a sample is taken.
func (m *machine) samples(tick []bool) bool {
	return tick[m.Clocks[1]] && (m.pending || !m.Strict && tick[m.Clocks[0]])
}

// step changes the state. Ticked says whether an expression ticked.
func (m *machine) step(tick []bool, ticked bool) {
	switch m.Kind {
	case Precedence:
		if tick[m.Clocks[0]] {
			m.distance++
		}
		if tick[m.Clocks[1]] {
			m.distance--
		}
	case Inf, Sup:
		for i, id := range m.Clocks {
			if tick[id] {
				m.counts[i]++
			}
		}
	case FilterBy:
		if tick[m.Clocks[0]] && m.distance > 0 {
			if m.distance--; m.distance == 0 {
				m.gap()
			}
		}
	case Defer:
		m.stepDefer(tick)
	case SampledOn, Sample:
		m.stepSample(tick)
		m.over = m.over || m.Kind == Sample && ticked
	case UpTo:
		m.over = m.over || tick[m.Clocks[1]]
	}
}

func (m *machine) stepDefer(tick []bool) {
	if tick[m.Clocks[1]] {
		m.distance++
		m.due.pass(m.distance)
	}
	if tick[m.Clocks[0]] {
		if d, more := m.Sequence.At(m.index); more {
			m.index++
			if d > 0 {
				m.due.add(m.distance + d)
			}
		}
	}
	if m.due.empty() {
		_, more := m.Sequence.At(m.index)
		m.over = !more
	}
}

func (m *machine) stepSample(tick []bool) {
	a, trigger := tick[m.Clocks[0]], tick[m.Clocks[1]]
	if !trigger {
		m.pending = m.pending || a
		return
	}
	sampled := m.samples(tick)
	m.distance++
	m.due.pass(m.distance)
	if sampled && m.Delay > 0 {
		m.due.add(m.distance + m.Delay)
	}
	m.pending = a && m.Strict && !m.Drop
}

// atOnce are the clocks whose ticks in a step an expression needs to say whether it ticks in that step.
func (m *machine) atOnce() []ClockID {
	switch m.Kind {
	case Defer:
		if !slices.Contains(m.Sequence.Prefix, 0) && !slices.Contains(m.Sequence.Period, 0) {
			return m.Clocks[1:]
		}
	case SampledOn, Sample:
		if m.Strict || m.Delay > 0 {
			return m.Clocks[1:]
		}
	case UpTo:
		if !m.Strict {
			return m.Clocks[:1]
		}
	case Concatenation:
		if m.Clocks[1] == m.Defines {
			return m.Clocks[:1]
		}
	}
	return m.Clocks
}
