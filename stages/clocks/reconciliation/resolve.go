package reconciliation

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/ccsl"
)

// relateAll adds the relations of all constraints, and again while they order ticks of different units so that more expressions
// are known: relations by index are closed first, and expressions evaluated then.
func (s *specifier) relateAll() {
	relations, constraints := len(s.m.Relations), len(s.m.Constraints)
	for {
		s.m.Relations, s.m.Constraints, s.m.Unresolved = s.m.Relations[:relations], s.m.Constraints[:constraints], nil
		for i := range s.spec.Constraints {
			c := &s.spec.Constraints[i]
			if s.isAsserted(c) {
				continue
			}
			s.m.Constraints = append(s.m.Constraints, Constraint{Name: c.Name, Word: c.Word, At: c.At.String()})
			s.relateConstraint(c)
		}
		if !s.resolve() {
			s.noteAssertions()
			return
		}
		s.deriveAcrossUnits()
	}
}

// resolve evaluates expressions over several units where what is known so far orders their ticks, and reports whether there were
// any. Contradictions are left to Arrange.
func (s *specifier) resolve() (changed bool) {
	open := s.openExpressions()
	if len(open) == 0 {
		return false
	}
	a, err := s.m.Arrange()
	if err != nil {
		return false
	}
	for _, c := range open {
		if c.Kind == ccsl.Sup || c.Kind == ccsl.Inf {
			changed = s.chooseExtremes(a, c) || changed
		} else {
			changed = s.evaluateInOrder(a, c) || changed
		}
	}
	return changed
}

// openExpressions are the expressions that are not known, though their operands are: all those that go by the order of ticks, but
// not by deaths, which units do not show.
func (s *specifier) openExpressions() (open []*ccsl.Constraint) {
	for i := range s.spec.Constraints {
		c := &s.spec.Constraints[i]
		if c.IsRelation() || !s.areOperandsKnown(c) {
			continue
		}
		switch c.Kind {
		case ccsl.Union, ccsl.Intersection, ccsl.Minus, ccsl.SampledOn, ccsl.Defer, ccsl.UpTo:
			if !s.lines[c.Defines].known {
				open = append(open, c)
			}
		case ccsl.Sup, ccsl.Inf:
			if l := &s.lines[c.Defines]; l.unit == NoUnit && !l.observed && len(uniqueClocks(c.Clocks)) > 1 {
				open = append(open, c)
			}
		}
	}
	return open
}

// chooseExtremes finds for each tick of a supremum or an infimum the operand whose tick it is, where the order says which comes last,
// or first.
func (s *specifier) chooseExtremes(a *Arrangement, c *ccsl.Constraint) (changed bool) {
	operands := uniqueClocks(c.Clocks)
	before := make([][]int32, len(operands)) // by operand and group: its ticks that come before it or in it
	for i, id := range operands {
		before[i], _ = a.countReachable(s.lines[id].instants)
	}
	ticks := s.lines[c.Defines].instants
	chosen := s.chosen[c.Defines]
	if chosen == nil {
		chosen = slices.Repeat([]ccsl.ClockID{ccsl.NoClock}, len(ticks))
		s.chosen[c.Defines] = chosen
	}
	for k := range ticks {
		for i := 0; i < len(operands) && chosen[k] == ccsl.NoClock; i++ {
			if s.isExtreme(a, c.Kind, operands, before, i, k) {
				chosen[k], changed = operands[i], true
			}
		}
	}
	return changed
}

// isExtreme reports whether tick k of an operand comes last of the k-th ticks of all, or first for an infimum.
func (s *specifier) isExtreme(a *Arrangement, kind ccsl.Kind, operands []ccsl.ClockID, before [][]int32, i, k int) bool {
	own := s.lines[operands[i]].instants
	if k >= len(own) {
		return false
	}
	for j, id := range operands {
		other := s.lines[id].instants
		if j == i || k >= len(other) {
			continue
		}
		first, then := j, own[k]
		if kind == ccsl.Inf {
			first, then = i, other[k]
		}
		if before[first][a.group[then]] <= int32(k) {
			return false
		}
	}
	return true
}

// evaluateInOrder evaluates an expression whose operands' ticks are all in one order: they are a run of it.
func (s *specifier) evaluateInOrder(a *Arrangement, c *ccsl.Constraint) bool {
	type tick struct {
		group, instant int32
		clock          ccsl.ClockID
	}
	var ticks []tick
	operands := uniqueClocks(c.Clocks)
	slices.Sort(operands)
	for _, id := range operands {
		for _, instant := range s.lines[id].instants {
			ticks = append(ticks, tick{a.group[instant], instant, id})
		}
	}
	// The highest group comes first in time.
	slices.SortFunc(ticks, func(x, y tick) int {
		return cmp.Or(cmp.Compare(y.group, x.group), cmp.Compare(x.clock, y.clock))
	})
	var groups []int32
	for _, t := range ticks {
		groups = append(groups, t.group)
	}
	checker := ccsl.NewChecker(s.spec, operands)
	if !checker.Known(c.Defines) || !a.isChain(slices.Compact(groups)) {
		return false
	}
	var found []int32
	var step []ccsl.ClockID
	for from := 0; from < len(ticks); {
		to := from
		for step = step[:0]; to < len(ticks) && ticks[to].group == ticks[from].group; to++ {
			step = append(step, ticks[to].clock)
		}
		checker.Step(step)
		if checker.Ticked(c.Defines) {
			found = append(found, ticks[from].instant)
		}
		from = to
	}
	s.setTicks(c.Defines, found, NoUnit)
	return true
}

// isChain reports whether groups, the first in time first, come strictly one after the other in every linearisation: whether
// a way with something strict on it leads from each to the next.
func (a *Arrangement) isChain(groups []int32) bool {
	place := make(map[int32]int32, len(groups))
	for i, g := range groups {
		place[g] = int32(i) + 1
	}
	_, strict := a.lastBefore(place)
	for i, g := range groups {
		if strict[g] < int32(i) {
			return false
		}
	}
	return true
}

// ticksBefore returns, by group, how many of a clock's ticks come before it or in it, and how many strictly before it, in every
// linearisation. The ticks are in order.
func (a *Arrangement) ticksBefore(ticks []int32) (weak, strict []int32) {
	place := make(map[int32]int32, len(ticks))
	for i, instant := range ticks {
		place[a.group[instant]] = int32(i) + 1
	}
	return a.lastBefore(place)
}

// lastBefore returns, by group, the greatest number of a place that comes before it or is it, and the greatest of one that strictly
// does: one pass forwards through the order.
func (a *Arrangement) lastBefore(place map[int32]int32) (weak, strict []int32) {
	weak, strict = make([]int32, a.groups), make([]int32, a.groups)
	order, last := a.byGroup(), a.model.blockEnds()
	for i := len(order) - 1; i >= 0; i-- {
		g := a.group[order[i]]
		weak[g] = max(weak[g], place[g])
		a.eachStep(order[i], last, func(to int32, isStrict bool) {
			h := a.group[to]
			weak[h], strict[h] = max(weak[h], weak[g]), max(strict[h], strict[g])
			if isStrict {
				strict[h] = max(strict[h], weak[g])
			}
		})
	}
	return weak, strict
}

// eachStep visits the instants of other groups that must come after one, and says whether they cannot come at the same time.
func (a *Arrangement) eachStep(from int32, last []bool, visit func(to int32, strict bool)) {
	m := a.model
	if !last[from] && a.group[from] != a.group[from+1] {
		visit(from+1, !m.isSameTime(m.blockOf(from), from))
	}
	for _, r := range a.relations.relation[a.relations.first[from]:a.relations.first[from+1]] {
		if to := m.Relations[r].Right.Instant; a.group[from] != a.group[to] {
			visit(to, m.Relations[r].Kind == schema.Precedes)
		}
	}
}
