package reconciliation

import (
	"maps"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Coupled is an end of what one event waits for another because of: a relation between occurrences, or two that meet at an instant
// of no trace.
type Coupled struct {
	Number     int64                 // of the coupling; both of its ends have it
	Constraint int32                 // position in Model.Constraints
	Kind       schema.ConstraintKind // schema.ByPrecedence or schema.ByCoincidence
	Waits      bool                  // this event waits; of a coincidence it is the one that comes later, whatever this says
}

// Couplings are the ends of all couplings, by the instants of events. Messages are none: they are in the traces themselves.
type Couplings struct {
	first []int32 // by instant: its first end; one more than events
	ends  []Coupled
}

// At returns the ends at the instant of an event.
func (c *Couplings) At(instant int32) []Coupled { return c.ends[c.first[instant]:c.first[instant+1]] }

// pair is a coupling before its ends are sorted.
type pair struct {
	left, right int32
	constraint  int32
	kind        schema.ConstraintKind
}

// Couple finds what lets events wait for each other, in time linear in the relations, and in the pairs of those that meet at an
// instant of no trace.
func (a *Arrangement) Couple() *Couplings {
	m := a.model
	pairs := m.pairsOfEvents()
	c := &Couplings{first: make([]int32, m.Events()+1), ends: make([]Coupled, 2*len(pairs))}
	// A counting sort by instant, which keeps the order of the relations.
	for _, p := range pairs {
		c.first[p.left+1]++
		c.first[p.right+1]++
	}
	for i := range m.Events() {
		c.first[i+1] += c.first[i]
	}
	next := slices.Clone(c.first)
	for n, p := range pairs {
		kind := p.kind
		if a.group[p.left] == a.group[p.right] { // what is before itself is one
			kind = schema.ByCoincidence
		}
		c.ends[next[p.left]] = Coupled{int64(n), p.constraint, kind, false}
		next[p.left]++
		c.ends[next[p.right]] = Coupled{int64(n), p.constraint, kind, true}
		next[p.right]++
	}
	return c
}

// pairsOfEvents are the relations between different events, and those over instants of no trace.
func (m *Model) pairsOfEvents() (pairs []pair) {
	events := int32(m.Events())
	into, from := make(map[int32][]pair), make(map[int32][]pair)
	for i := range m.Relations {
		r := &m.Relations[i]
		p := pair{r.Left.Instant, r.Right.Instant, r.Constraint, schema.ByPrecedence}
		if r.Kind == schema.Coincides {
			p.kind = schema.ByCoincidence
		}
		switch {
		case m.Constraints[r.Constraint].Name == Messages || p.left == p.right:
		case p.left < events && p.right < events:
			pairs = append(pairs, p)
		case p.left < events:
			into[p.right] = append(into[p.right], p)
		case p.right < events:
			from[p.left] = append(from[p.left], p)
		}
	}
	// What leads into such an instant is before all that it leads to: the constraint of the latter says why.
	for _, between := range slices.Sorted(maps.Keys(into)) {
		for _, l := range into[between] {
			for _, r := range from[between] {
				if l.left != r.right {
					pairs = append(pairs, pair{l.left, r.right, r.constraint, schema.ByPrecedence})
				}
			}
		}
	}
	return pairs
}
