package ccsl

import (
	"fmt"
	"strings"
)

// broken explains why a relation does not allow the step.
func (c *Checker) broken(m *machine, culprit ClockID) string {
	name := func(id ClockID) string { return c.spec.Clocks[id].Name }
	switch m.Kind {
	case Precedence:
		return c.outOfOrder(m, culprit)
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

// outOfOrder explains a violated precedence: its lower bound if the second clock ticked, else the upper one.
func (c *Checker) outOfOrder(m *machine, culprit ClockID) string {
	a, b := m.Clocks[0], m.Clocks[1]
	nameA, nameB := c.spec.Clocks[a].Name, c.spec.Clocks[b].Name
	start := ""
	if m.Bound.Init > 0 {
		start = fmt.Sprintf(" and starts %d ahead", m.Bound.Init)
	}
	if culprit == b {
		also := " or with it"
		if m.Bound.Strict {
			also = ""
		}
		return fmt.Sprintf("%s ticks for the %s time, but %s has %s%s: its %s must come before%s",
			nameB, ordinal(c.count[b]+1), nameA, ticks(c.count[a]), start, ordinal(c.count[b]+1-m.Bound.Init), also)
	}
	return fmt.Sprintf("%s ticks for the %s time%s, but %s has %s: it may be at most %d ahead",
		nameA, ordinal(c.count[a]+1), start, nameB, ticks(c.count[b]), m.Bound.Max)
}

// differs explains that an expression is not what the run has.
func (c *Checker) differs(m *machine) string {
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
		operands = append(operands, fmt.Sprintf("%s %s after %s", c.spec.Clocks[id].Name, now, ticks(c.count[id])))
	}
	what := m.Word
	if s := m.Sequence.String(); s != "" {
		what += " by " + s
	}
	if c.tick[m.Defines] {
		return fmt.Sprintf("%s ticks for the %s time, but its definition, %s, does not tick: %s",
			clock.Name, ordinal(c.count[m.Defines]+1), what, strings.Join(operands, ", "))
	}
	return fmt.Sprintf("%s is silent after %s, but its definition, %s, ticks: %s",
		clock.Name, ticks(c.count[m.Defines]), what, strings.Join(operands, ", "))
}

func ticks(n int64) string {
	if n == 1 {
		return "1 tick"
	}
	return fmt.Sprintf("%d ticks", n)
}

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
