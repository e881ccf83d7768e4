package ccsl

import (
	"fmt"
	"strings"
)

// checkGuard reports whether a relation allows a step, and if not, which clock ticked although it must not. The
// guards are those of André 2009, with d = |a| - |b| before the step; see the package comment.
func (m *machine) checkGuard(tick []bool) (culprit ClockID, holds bool) {
	switch m.Kind {
	case Precedence: // 0 <= d <= Max after the step
		return m.checkPrecedence(tick)
	case SubClock: // a => b
		return m.Clocks[0], !tick[m.Clocks[0]] || tick[m.Clocks[1]]
	case Coincidence: // a <=> b
		return m.checkCoincidence(tick)
	case Exclusion: // not (a and b)
		return m.checkExclusion(tick)
	}
	return NoClock, true
}

// checkPrecedence keeps 0 <= d <= Max; with Strict, b must not tick at d = 0 even together with a.
func (m *machine) checkPrecedence(tick []bool) (ClockID, bool) {
	a, b := tick[m.Clocks[0]], tick[m.Clocks[1]]
	// The lower end: b catches up with a.
	if b && m.distance == 0 && (m.Bound.Strict || !a) {
		return m.Clocks[1], false
	}
	// The upper end. Unbounded is -1, which no distance is.
	if a && m.distance == m.Bound.Max && (m.Bound.StrictMax || !b) {
		return m.Clocks[0], false
	}
	return NoClock, true
}

// checkCoincidence allows all clocks to tick or none.
func (m *machine) checkCoincidence(tick []bool) (ClockID, bool) {
	// The first clock that ticks is the culprit: some other one does not.
	ticking, silent := NoClock, false
	for _, id := range m.Clocks {
		if !tick[id] {
			silent = true
		} else if ticking == NoClock {
			ticking = id
		}
	}
	return ticking, ticking == NoClock || !silent
}

// checkExclusion allows at most one clock to tick. The culprit is the second that does.
func (m *machine) checkExclusion(tick []bool) (ClockID, bool) {
	// Two that tick suffice; the second is the culprit.
	ticking := NoClock
	for _, id := range m.Clocks {
		if !tick[id] {
			continue
		}
		if ticking != NoClock {
			return id, false
		}
		ticking = id
	}
	return NoClock, true
}

// explainRelation says in a sentence why a relation does not allow the step.
func (c *Checker) explainRelation(m *machine, culprit ClockID) string {
	name := func(id ClockID) string { return c.spec.Clocks[id].Name }
	switch m.Kind {
	case Precedence:
		return c.explainPrecedence(m, culprit)
	case SubClock:
		return fmt.Sprintf("%s ticks without %s", name(m.Clocks[0]), name(m.Clocks[1]))
	case Coincidence:
		for _, id := range m.Clocks {
			if !c.tick[id] {
				return fmt.Sprintf("%s ticks without %s", name(culprit), name(id))
			}
		}
	}
	for _, id := range m.Clocks {
		if c.tick[id] {
			return fmt.Sprintf("%s and %s tick together", name(id), name(culprit))
		}
	}
	return ""
}

// explainPrecedence explains a violated precedence: its lower bound if the second clock ticked, otherwise the upper
// one.
func (c *Checker) explainPrecedence(m *machine, culprit ClockID) string {
	a, b := m.Clocks[0], m.Clocks[1]
	nameA, nameB := c.spec.Clocks[a].Name, c.spec.Clocks[b].Name
	start := ""
	if m.Bound.Init > 0 {
		start = fmt.Sprintf(" and starts %d ahead", m.Bound.Init)
	}
	// Counts are those before the step, so that the tick at hand is the next one.
	if culprit == b {
		also := " or with it"
		if m.Bound.Strict {
			also = ""
		}
		return fmt.Sprintf("%s ticks for the %s time, but %s has %s%s: its %s must come before%s",
			nameB, ordinal(c.count[b]+1), nameA, countTicks(c.count[a]), start, ordinal(c.count[b]+1-m.Bound.Init), also)
	}
	return fmt.Sprintf("%s ticks for the %s time%s, but %s has %s: it may be at most %d ahead",
		nameA, ordinal(c.count[a]+1), start, nameB, countTicks(c.count[b]), m.Bound.Max)
}

// explainExpression explains how the run differs from an expression, with the state of every operand.
func (c *Checker) explainExpression(m *machine) string {
	clock := &c.spec.Clocks[m.Defines]
	var operands []string
	for _, id := range m.Clocks {
		now := "is silent"
		if c.tick[id] {
			now = "ticks"
		}
		if c.dead[id] {
			now += " and is dead"
		}
		operands = append(operands, fmt.Sprintf("%s %s after %s", c.spec.Clocks[id].Name, now, countTicks(c.count[id])))
	}
	// The word of the file, which is what its author knows.
	what := m.Word
	if s := m.Sequence.String(); s != "" {
		what += " by " + s
	}
	if c.tick[m.Defines] {
		return fmt.Sprintf("%s ticks for the %s time, but its definition, %s, does not tick: %s",
			clock.Name, ordinal(c.count[m.Defines]+1), what, strings.Join(operands, ", "))
	}
	return fmt.Sprintf("%s is silent after %s, but its definition, %s, ticks: %s",
		clock.Name, countTicks(c.count[m.Defines]), what, strings.Join(operands, ", "))
}

// countTicks words a number of ticks.
func countTicks(n int64) string {
	if n == 1 {
		return "1 tick"
	}
	return fmt.Sprintf("%d ticks", n)
}

// ordinal writes 1st, 2nd, 3rd, 4th, ..., 11th, 12th, 13th, ..., 21st.
func ordinal(n int64) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprintf("%d%s", n, suffix)
}
