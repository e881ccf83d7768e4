package reconciliation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// Contradiction is the error that there is no order: a cycle in which something would have to come before
// itself.
type Contradiction struct {
	Steps []string // "send[3] of robot before receive[3] of base (constraint wire, robot.extendedCCSL:7:3)"
}

// Error joins the steps of the cycle.
func (c *Contradiction) Error() string {
	return "the traces and what orders them contradict each other: " + strings.Join(c.Steps, "; ")
}

// checkStrict looks for strict relations within groups, and explains the first group that has one.
func (a *Arrangement) checkStrict() error {
	m := a.model
	suspects := make(map[int32]cycleStep)
	// Two events of a trace at different times cannot be one.
	for block := 1; block < len(m.first); block++ {
		for i := m.first[block-1]; i+1 < m.first[block]; i++ {
			if _, known := suspects[a.group[i]]; a.group[i] == a.group[i+1] && !known && !m.isSameTime(block-1, i) {
				suspects[a.group[i]] = cycleStep{i, i + 1, alongTrace}
			}
		}
	}
	// Nor can the two sides of a strict precedence.
	for i := range m.Relations {
		r := &m.Relations[i]
		if r.Kind == schema.Precedes && a.group[r.Left.Instant] == a.group[r.Right.Instant] {
			suspects[a.group[r.Left.Instant]] = cycleStep{r.Left.Instant, r.Right.Instant, int32(i)}
		}
	}
	if len(suspects) == 0 {
		return nil
	}
	// The lowest group, so that the message is the same in every run of the program.
	group := int32(a.groups)
	for g := range suspects {
		group = min(group, g)
	}
	return a.explainCycle(group)
}

// isSameTime reports whether an event of a block and the next one have the same time: then they belong to
// one step of the trace, in which several things happen (section V-B), and may coincide.
func (m *Model) isSameTime(block int, instant int32) bool {
	if block >= len(m.Units) {
		return false
	}
	at := m.Units[block].TimeNs[instant-m.first[block]:]
	return at[0] == at[1]
}

// describeCycle words a cycle. Consecutive steps along one trace become one sentence.
func (m *Model) describeCycle(cycle []cycleStep) (steps []string) {
	// A run of steps along a trace may cross the end of the list.
	cycle = rotateCycle(cycle)
	for i := 0; i < len(cycle); i++ {
		l := cycle[i]
		if l.by != alongTrace {
			steps = append(steps, m.describeRelation(l))
			continue
		}
		for i+1 < len(cycle) && cycle[i+1].by == alongTrace {
			i++
		}
		steps = append(steps, m.describeTrace(l.from, cycle[i].to))
	}
	return steps
}

// rotateCycle lets a cycle begin with a relation that follows a step along a trace, if it has any, so
// that no run of such steps is split.
func rotateCycle(cycle []cycleStep) []cycleStep {
	for i, l := range cycle {
		before := cycle[(i+len(cycle)-1)%len(cycle)]
		if l.by != alongTrace && before.by == alongTrace {
			return slices.Concat(cycle[i:], cycle[:i])
		}
	}
	return cycle
}

// describeRelation words a step by a relation, with the constraint and its place.
func (m *Model) describeRelation(l cycleStep) string {
	r := &m.Relations[l.by]
	left, right := r.Left, r.Right
	if left.Instant != l.from {
		left, right = right, left
	}
	word := []string{schema.Precedes: "before", schema.Causes: "before or with", schema.Coincides: "with"}[r.Kind]
	c := &m.Constraints[r.Constraint]
	where := c.Name
	if c.At != "" {
		where += ", " + c.At
	}
	return fmt.Sprintf("%s %s %s (%s)", m.describeOccurrence(left), word, m.describeOccurrence(right), where)
}

// describeTrace words a step along a trace, or along the ticks of a clock without events.
func (m *Model) describeTrace(from, to int32) string {
	u, first := m.Place(from)
	if u == NoUnit {
		return "then later ticks of the same clock"
	}
	_, last := m.Place(to)
	unit := m.Units[u]
	return fmt.Sprintf("event %d of %s, at %d ns, before its event %d, at %d ns (its trace)",
		unit.Position[first], unit.Name, unit.TimeNs[first], unit.Position[last], unit.TimeNs[last])
}

// cycleStep leads from an instant to one that is after it or with it: by a relation, forward or backward,
// or along a trace.
type cycleStep struct {
	from, to int32
	by       int32 // position of the relation, or alongTrace
}

// alongTrace marks a step to the next event of the same trace.
const alongTrace int32 = -1

// maxStarts and maxLinks bound how many cycles are compared to find a short one, and how many steps are
// followed in all.
const maxStarts, maxLinks = 64, 1 << 23

// explainCycle finds a cycle with few relations among the instants of a group that holds a strict
// relation. Every instant of the group reaches every other, so each strict step lies on a cycle.
func (a *Arrangement) explainCycle(group int32) error {
	// 1. All steps within the group, and those that are strict.
	links, strict := a.linksWithin(group)
	// 2. The shortest cycle through a strict step, of some of them: all would take quadratic time.
	var best []cycleStep
	starts := min(maxStarts, 1+maxLinks/len(links))
	for i := 0; i < len(strict); i += 1 + len(strict)/starts {
		if cycle := shortestCycle(strict[i], links); best == nil || countRelations(cycle) < countRelations(best) {
			best = cycle
		}
	}
	return &Contradiction{a.model.describeCycle(best)}
}

// linksWithin returns all steps within a group, by the instant that they leave, and those that are strict.
func (a *Arrangement) linksWithin(group int32) (links map[int32][]cycleStep, strict []cycleStep) {
	m := a.model
	links = make(map[int32][]cycleStep)
	for i := range m.Relations {
		r := &m.Relations[i]
		from, to := r.Left.Instant, r.Right.Instant
		if a.group[from] != group || a.group[to] != group {
			continue
		}
		links[from] = append(links[from], cycleStep{from, to, int32(i)})
		if r.Kind == schema.Coincides {
			links[to] = append(links[to], cycleStep{to, from, int32(i)})
		}
		if r.Kind == schema.Precedes {
			strict = append(strict, cycleStep{from, to, int32(i)})
		}
	}
	for block := 1; block < len(m.first); block++ {
		for i := m.first[block-1]; i+1 < m.first[block]; i++ {
			if a.group[i] == group && a.group[i+1] == group {
				links[i] = append(links[i], cycleStep{i, i + 1, alongTrace})
				strict = append(strict, cycleStep{i, i + 1, alongTrace})
			}
		}
	}
	return links, strict
}

// countRelations returns how many steps of a cycle are relations.
func countRelations(cycle []cycleStep) (n int) {
	for _, l := range cycle {
		if l.by != alongTrace {
			n++
		}
	}
	return n
}

// shortestCycle returns the cycle of the fewest relations that begins with a step: a breadth-first search
// whose levels are numbers of relations, since steps along a trace are free.
func shortestCycle(start cycleStep, links map[int32][]cycleStep) []cycleStep {
	came := make(map[int32]cycleStep)
	for level := []cycleStep{start}; len(level) > 0; {
		var later []cycleStep
		for _, l := range level {
			later = followTrace(l, links, came, later)
		}
		level = later
		if _, found := came[start.from]; found {
			break
		}
	}
	// A relation of an instant with itself is a cycle already.
	if start.from == start.to {
		return []cycleStep{start}
	}
	// The way back from the start, step by step.
	var back []cycleStep
	for at := start.from; ; at = came[at].from {
		back = append(back, came[at])
		if came[at] == start {
			break
		}
	}
	slices.Reverse(back)
	return back
}

// followTrace enters an instant by a step, unless it was entered before, and all that steps along its
// trace lead to. It appends the relations that lead on.
func followTrace(l cycleStep, links map[int32][]cycleStep, came map[int32]cycleStep, later []cycleStep) []cycleStep {
	for {
		if _, seen := came[l.to]; seen {
			return later
		}
		came[l.to] = l
		var step *cycleStep
		for i := range links[l.to] {
			if next := &links[l.to][i]; next.by == alongTrace {
				step = next
			} else {
				later = append(later, *next)
			}
		}
		if step == nil {
			return later
		}
		l = *step
	}
}
