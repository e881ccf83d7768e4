package reconciliation

import (
	"fmt"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// Contradiction says why there is no order: what would have to be before itself.
type Contradiction struct {
	Steps []string // "send[3] of robot before receive[3] of base (constraint wire, robot.extendedCCSL:7:3)"
}

func (c *Contradiction) Error() string {
	return "the traces and what orders them contradict each other: " + strings.Join(c.Steps, "; ")
}

// check looks for strict relations within groups.
func (a *Arrangement) check() error {
	m := a.model
	suspects := make(map[int32]link)
	for block := 1; block < len(m.first); block++ {
		for i := m.first[block-1]; i+1 < m.first[block]; i++ {
			if _, known := suspects[a.group[i]]; a.group[i] == a.group[i+1] && !known && !m.atOnce(block-1, i) {
				suspects[a.group[i]] = link{i, i + 1, along}
			}
		}
	}
	for i := range m.Relations {
		r := &m.Relations[i]
		if r.Kind == schema.Precedes && a.group[r.Left.Instant] == a.group[r.Right.Instant] {
			suspects[a.group[r.Left.Instant]] = link{r.Left.Instant, r.Right.Instant, int32(i)}
		}
	}
	if len(suspects) == 0 {
		return nil
	}
	group := int32(a.groups)
	for g := range suspects {
		group = min(group, g)
	}
	return a.explain(group)
}

// atOnce reports whether an event of a block and the one after it are of one time: then they are one step of the trace, in
// which several things happen (section V-B), and may coincide.
func (m *Model) atOnce(block int, instant int32) bool {
	if block >= len(m.Units) {
		return false
	}
	at := m.Units[block].TimeNs[instant-m.first[block]:]
	return at[0] == at[1]
}

// tell writes a cycle, steps along one trace as one.
func (m *Model) tell(cycle []link) (steps []string) {
	cycle = rotate(cycle)
	for i := 0; i < len(cycle); i++ {
		l := cycle[i]
		if l.by != along {
			steps = append(steps, m.tellRelation(l))
			continue
		}
		for i+1 < len(cycle) && cycle[i+1].by == along {
			i++
		}
		steps = append(steps, m.tellAlong(l.from, cycle[i].to))
	}
	return steps
}

// rotate lets a cycle begin with a relation that follows a step along a trace, if it has any.
func rotate(cycle []link) []link {
	for i, l := range cycle {
		before := cycle[(i+len(cycle)-1)%len(cycle)]
		if l.by != along && before.by == along {
			return append(append([]link(nil), cycle[i:]...), cycle[:i]...)
		}
	}
	return cycle
}

func (m *Model) tellRelation(l link) string {
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
	return fmt.Sprintf("%s %s %s (%s)", m.say(left), word, m.say(right), where)
}

func (m *Model) tellAlong(from, to int32) string {
	u, first := m.Place(from)
	if u == NoUnit {
		return "then later ticks of the same clock"
	}
	_, last := m.Place(to)
	unit := m.Units[u]
	return fmt.Sprintf("event %d of %s, at %d ns, before its event %d, at %d ns (its trace)",
		unit.Position[first], unit.Name, unit.TimeNs[first], unit.Position[last], unit.TimeNs[last])
}
