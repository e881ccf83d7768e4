package reconciliation

import (
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/stages/checks/ccsl"
)

// noteExclusion notes which clocks must not tick together. Within a unit the trace shows whether they do;
// between units each pair of ticks is ordered one way or the other, a disjunction that makes it a
// scheduling problem. Exclude reports what is known about that.
func (s *specifier) noteExclusion(c *ccsl.Constraint) {
	var open [][2][]int32
	// Every pair of clocks that both tick at all.
	for i, a := range c.Clocks {
		for _, b := range c.Clocks[i+1:] {
			if len(s.lines[a].instants) > 0 && len(s.lines[b].instants) > 0 {
				open = append(open, [2][]int32{s.lines[a].instants, s.lines[b].instants})
			}
		}
	}
	u := s.addUnresolved(c, "of two ticks one must come before the other, in either order")
	u.exclusivePairs, u.exclusion = open, true
}

// Exclude counts the pairs of ticks of exclusions that everything else orders, that it leaves open, and
// that coincide. For each tick of the one clock it asks for the last tick of the other that comes before
// it, and the first that comes after it: two passes through the order for a pair of clocks. An exclusion
// all of whose pairs are ordered is resolved, and removed from Unresolved. Ticks that everything else makes one
// contradict their exclusion, which is a *Contradiction.
func (a *Arrangement) Exclude() error {
	m := a.model
	for i := range m.Unresolved {
		u := &m.Unresolved[i]
		for _, pair := range u.exclusivePairs {
			before := u.Impossible
			if a.countPairs(u, pair[0], pair[1]); u.Impossible > before {
				return a.explainExclusion(u, pair[0], pair[1])
			}
		}
	}
	m.Unresolved = slices.DeleteFunc(m.Unresolved, func(u Unresolved) bool { return u.exclusion && u.Possible == 0 })
	return nil
}

// explainExclusion says why two clocks that exclude each other tick together: the way from the first such tick of the one to
// that of the other and back, along which nothing is strict.
func (a *Arrangement) explainExclusion(u *Unresolved, one, other []int32) error {
	m := a.model
	at := make(map[int32]int32, len(other)) // by group: a tick of the other clock
	for _, y := range other {
		if _, known := at[a.group[y]]; !known {
			at[a.group[y]] = y
		}
	}
	for _, x := range one {
		y, together := at[a.group[x]]
		if !together {
			continue
		}
		if x == y {
			return &Contradiction{[]string{fmt.Sprintf("clocks that exclude each other both tick at %s (%s, %s)", m.describeInstant(x), u.Name, u.At)}}
		}
		// A cycle that begins with a step nobody says leads back over what is said.
		links, _ := a.linksWithin(a.group[x])
		circle := append(shortestCycle(cycleStep{y, x, alongTrace}, links)[1:], shortestCycle(cycleStep{x, y, alongTrace}, links)[1:]...)
		return &Contradiction{append(m.describeCycle(circle), fmt.Sprintf("so %s and %s are one, but their clocks exclude each other (%s, %s)",
			m.describeInstant(x), m.describeInstant(y), u.Name, u.At))}
	}
	return nil
}

// describeInstant names an instant by its place in its trace.
func (m *Model) describeInstant(instant int32) string {
	unit, event := m.Place(instant)
	if unit == NoUnit {
		return "a tick of no trace"
	}
	return fmt.Sprintf("event %d of %s", m.Units[unit].Position[event], m.Units[unit].Name)
}

// countPairs adds the pairs of two clocks.
func (a *Arrangement) countPairs(u *Unresolved, one, other []int32) {
	before, after := a.countReachable(other)
	at := make(map[int32]int64, len(other))
	for _, instant := range other {
		at[a.group[instant]]++
	}
	for _, instant := range one {
		g := a.group[instant]
		// Ticks in one group coincide: they count as before and as after.
		same := at[g]
		ordered := int64(before[g]) + int64(after[g]) - 2*same
		u.Impossible += same
		u.Forced += ordered
		u.Possible += int64(len(other)) - ordered - same
	}
}

// countReachable returns, by group, the number of ticks of a clock that come before it or in it, and of
// those after it or in it. The ticks of a clock are ordered, so the last one before stands for all.
func (a *Arrangement) countReachable(ticks []int32) (before, after []int32) {
	before, after = make([]int32, a.groups), make([]int32, a.groups)
	// 1. The ticks themselves. 2. Forwards, 3. backwards along the order.
	for k, instant := range ticks {
		g := a.group[instant]
		before[g] = max(before[g], int32(k+1))
		after[g] = max(after[g], int32(len(ticks)-k))
	}
	order, last := a.byGroup(), a.model.blockEnds()
	for i := len(order) - 1; i >= 0; i-- {
		g := a.group[order[i]]
		a.eachSuccessor(order[i], last, func(to int32, _ int64) { before[a.group[to]] = max(before[a.group[to]], before[g]) })
	}
	for _, from := range order {
		g := a.group[from]
		a.eachSuccessor(from, last, func(to int32, _ int64) { after[g] = max(after[g], after[a.group[to]]) })
	}
	return before, after
}
