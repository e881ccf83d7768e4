package ccsl

import (
	"slices"
)

// machine is a constraint at work: its guard or value in a step, and its state between steps. One type serves all
// kinds, so that a step walks a flat slice without dynamic dispatch.
// Fields mean what their kind makes of them, so that a machine stays at about 100 bytes.
type machine struct {
	*Constraint
	// Precedence: Init + |a| - |b|; FilterBy: ticks until the next selected one, -1 if none comes; others: ticks of
	// the last clock
	distance int64
	index    int64    // FilterBy, Defer: position of the next element of the sequence
	counts   []int64  // Inf, Sup: ticks of the clocks
	due      dueTicks // Defer, SampledOn: ticks of the counting clock at which it ticks
	pending  bool     // SampledOn, Sample: a has ticked since the last sample; Concatenation: it follows its second clock
	over     bool     // its own state allows no further tick
	unborn   bool     // it is the second clock of a concatenation that still follows the first
	decided  bool     // nothing more can be found out: a relation that is violated, or lacks a clock
	followed int64    // Concatenation: the step after which it last moved on to its second clock
	started  int64    // the step after which it was last started again
}

// resetState takes the machine back to its beginning.
func (m *machine) resetState() {
	m.distance, m.index, m.pending, m.over = 0, 0, false, false
	m.due.reset()
	clear(m.counts)
	switch m.Kind {
	case Precedence: // the lead with which a starts
		m.distance = m.Bound.Init
	case FilterBy:
		m.takeGap()
	case Inf, Sup: // the k-th tick is where the extreme count reaches k
		if m.counts == nil {
			m.counts = make([]int64, len(m.Clocks))
		}
	}
}

// takeGap takes the next gap of a filter. A gap of 0 stands for silence, a distance that is never reached.
func (m *machine) takeGap() {
	// Behind the end of its sequence a filter is dead.
	n, more := m.Sequence.At(m.index)
	m.index++
	m.distance, m.over = n, !more
	if n == 0 {
		m.distance = -1
	}
}

// ticksNow reports whether an expression ticks in a step, by the semantics of Kind.
func (m *machine) ticksNow(tick []bool) bool {
	switch m.Kind {
	case Union:
		return slices.ContainsFunc(m.Clocks, func(id ClockID) bool { return tick[id] })
	case Intersection:
		return !slices.ContainsFunc(m.Clocks, func(id ClockID) bool { return !tick[id] })
	case Minus:
		return tick[m.Clocks[0]] && !slices.ContainsFunc(m.Clocks[1:], func(id ClockID) bool { return tick[id] })
	case Inf, Sup:
		before, after := m.extremeCounts(tick)
		return after > before
	case FilterBy:
		return m.distance == 1 && tick[m.Clocks[0]]
	case Defer: // a delay of 0 ticks with base at once
		return m.ticksDeferred(tick)
	case SampledOn, Sample:
		// Without a delay a sample is not queued: it is taken in the very step.
		if m.Delay == 0 {
			return m.takesSample(tick)
		}
		n, waiting := m.due.nextDue()
		return waiting && n == m.distance+1 && tick[m.Clocks[1]]
	case UpTo: // until the killer; see cannotTick for afterwards
		return tick[m.Clocks[0]] && !(m.Strict && tick[m.Clocks[1]])
	case Concatenation:
		if m.pending {
			return tick[m.Clocks[1]]
		}
		return tick[m.Clocks[0]]
	}
	return false
}

// extremeCounts returns the greatest (Inf) or smallest (Sup) counts before and after a step.
func (m *machine) extremeCounts(tick []bool) (before, after int64) {
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

// ticksDeferred reports whether a delay ticks: one is due, or base ticks with a delay of 0.
func (m *machine) ticksDeferred(tick []bool) bool {
	// The tick of the counting clock that is now happening has this number.
	if n, waiting := m.due.nextDue(); waiting && n == m.distance+1 && tick[m.Clocks[1]] {
		return true
	}
	if !tick[m.Clocks[0]] {
		return false
	}
	d, more := m.Sequence.At(m.index)
	return more && d == 0
}

// takesSample reports whether the trigger takes a sample in this step.
func (m *machine) takesSample(tick []bool) bool {
	return tick[m.Clocks[1]] && (m.pending || !m.Strict && tick[m.Clocks[0]])
}

// advanceState moves on by a step. ticked reports whether the expression ticked.
func (m *machine) advanceState(tick []bool, ticked bool) {
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
				m.takeGap()
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

// stepDefer counts the delay clock before base enters its next delay: r ticks strictly after base.
func (m *machine) stepDefer(tick []bool) {
	if tick[m.Clocks[1]] {
		m.distance++
		m.due.dropDue(m.distance)
	}
	if tick[m.Clocks[0]] {
		if d, more := m.Sequence.At(m.index); more {
			m.index++
			if d > 0 {
				m.due.insertDue(m.distance + d)
			}
		}
	}
	if m.due.isEmpty() {
		_, more := m.Sequence.At(m.index)
		m.over = !more
	}
}

// stepSample takes or keeps a sample, and lets delayed ones become due.
func (m *machine) stepSample(tick []bool) {
	// Without the trigger only the clock's tick is remembered.
	a, trigger := tick[m.Clocks[0]], tick[m.Clocks[1]]
	if !trigger {
		m.pending = m.pending || a
		return
	}
	sampled := m.takesSample(tick)
	m.distance++
	m.due.dropDue(m.distance)
	if sampled && m.Delay > 0 {
		m.due.insertDue(m.distance + m.Delay)
	}
	m.pending = a && m.Strict && !m.Drop
}

// operandsAtOnce returns the clocks whose ticks in a step the expression needs to decide whether it ticks in that
// step. The others only matter for later steps, and so may depend on the expression itself.
func (m *machine) operandsAtOnce() []ClockID {
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

// dueTicks is a queue of the tick numbers of a counting clock at which something is due, ascending and without
// duplicates: equal due dates merge into one tick. All entries lie within the greatest delay, so there are never
// more than that.
type dueTicks struct {
	at   []int64 // tick numbers
	head int     // position of the next one; those before it are past
}

// isEmpty reports whether nothing is due.
func (d *dueTicks) isEmpty() bool { return d.head == len(d.at) }

// nextDue returns the next due tick; ok is false if there is none.
func (d *dueTicks) nextDue() (at int64, ok bool) {
	if d.isEmpty() {
		return 0, false
	}
	return d.at[d.head], true
}

// dropDue removes the next due tick if it is number n.
func (d *dueTicks) dropDue(n int64) {
	if !d.isEmpty() && d.at[d.head] == n {
		d.head++
	}
}

// insertDue enters n, unless it is there already. Most delays grow, so the usual case is an append; space before
// head is reused.
func (d *dueTicks) insertDue(n int64) {
	// Moving costs at most what was dropped before: amortised constant time.
	if d.head > len(d.at)/2 {
		d.at = d.at[:copy(d.at, d.at[d.head:])]
		d.head = 0
	}
	if d.isEmpty() || d.at[len(d.at)-1] < n {
		d.at = append(d.at, n)
		return
	}
	waiting := d.at[d.head:]
	if i, found := slices.BinarySearch(waiting, n); !found {
		d.at = slices.Insert(d.at, d.head+i, n)
	}
}

// reset empties the queue and keeps its memory.
func (d *dueTicks) reset() { d.at, d.head = d.at[:0], 0 }
