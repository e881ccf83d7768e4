package reconciliation

import (
	"errors"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/ccsl"
)

// Extent says in how many linearisations of the partial order an assertion holds.
type Extent uint8

// The extents.
const (
	InAll     Extent = iota // whatever the order is that the traces leave open
	InSome                  // it depends on that order
	InNone                  // it contradicts what orders the traces
	Undecided               // nothing says at which events its clocks tick
)

// String returns the word of an extent, as reports have it.
func (e Extent) String() string { return [...]string{"all", "some", "none", "undecided"}[e] }

// Judgement is what the partial order says of a constraint that is asserted, and orders nothing itself.
type Judgement struct {
	Name, Word, At string // of the constraint; Word and At as in Constraint
	Extent         Extent
	Why            string // a sentence; empty where it holds in all linearisations
}

// assertion is an asserted constraint before it is judged.
type assertion struct {
	constraint Constraint
	relations  []Relation
	open       []Unresolved
}

// noteAssertions derives the relations of the asserted constraints, and takes them out of the model again.
func (s *specifier) noteAssertions() {
	m := s.m
	relations, constraints, unresolved := len(m.Relations), len(m.Constraints), len(m.Unresolved)
	for i := range s.spec.Constraints {
		c := &s.spec.Constraints[i]
		if !s.isAsserted(c) {
			continue
		}
		m.Constraints = append(m.Constraints, Constraint{Name: c.Name, Word: c.Word, At: c.At.String()})
		s.relateConstraint(c)
		m.assertions = append(m.assertions, assertion{
			m.Constraints[constraints], append([]Relation(nil), m.Relations[relations:]...), append([]Unresolved(nil), m.Unresolved[unresolved:]...),
		})
		m.Relations, m.Constraints, m.Unresolved = m.Relations[:relations], m.Constraints[:constraints], m.Unresolved[:unresolved]
	}
}

// isAsserted reports whether a constraint is to be judged, and orders nothing. An expression only says what its clock is.
func (s *specifier) isAsserted(c *ccsl.Constraint) bool {
	return s.asserted != nil && c.IsRelation() && s.asserted(c.Name)
}

// Judge says of each asserted constraint whether it holds in all linearisations of the order, in some, or in none: in all if its
// relations follow from the others, in none if there is no order with them. Each is judged by itself, in time linear in the
// instants and relations.
func (a *Arrangement) Judge() (list []Judgement) {
	for i := range a.model.assertions {
		t := &a.model.assertions[i]
		j := Judgement{Name: t.constraint.Name, Word: t.constraint.Word, At: t.constraint.At}
		switch {
		case len(t.open) > 0 && t.open[0].exclusion:
			j.Extent, j.Why = a.judgeExclusion(&t.open[0])
		case len(t.open) > 0:
			j.Extent, j.Why = Undecided, t.open[0].Why
		default:
			j.Extent, j.Why = a.judgeRelations(t)
		}
		list = append(list, j)
	}
	return list
}

// judgeExclusion judges an exclusion by the pairs of its ticks.
func (a *Arrangement) judgeExclusion(u *Unresolved) (Extent, string) {
	for _, pair := range u.exclusivePairs {
		for _, x := range pair[0] {
			for _, y := range pair[1] {
				if a.group[x] == a.group[y] {
					return InNone, "two of its clocks tick at " + a.model.describeInstant(x)
				}
			}
		}
	}
	for _, pair := range u.exclusivePairs {
		// Ticks of both that are strictly one after the other never meet.
		_, afterOne := a.ticksBefore(pair[0])
		_, afterOther := a.ticksBefore(pair[1])
		if x, apart := a.apart(pair[0], pair[1], afterOne, afterOther); !apart {
			return InSome, "nothing keeps " + a.model.describeInstant(x) + " apart from ticks of the other clock"
		}
	}
	return InAll, ""
}

// apart reports whether each tick of a clock is strictly before or strictly after each of another one, and a tick that is not; by
// group, so many of both are strictly before it.
func (a *Arrangement) apart(one, other, strictOne, strictOther []int32) (int32, bool) {
	for i, x := range one {
		g := a.group[x]
		// strictOther[g] of the others come strictly before x; the next one is to come strictly after it.
		if next := int(strictOther[g]); next < len(other) && int(strictOne[a.group[other[next]]]) < i+1 {
			return x, false
		}
	}
	return 0, true
}

// judgeRelations judges a constraint by its relations.
func (a *Arrangement) judgeRelations(t *assertion) (Extent, string) {
	first := a.notImplied(t.relations)
	if first == nil {
		return InAll, ""
	}
	m := *a.model
	m.Constraints = append(append([]Constraint(nil), m.Constraints...), t.constraint)
	m.Relations = append([]Relation(nil), m.Relations...)
	for _, r := range t.relations {
		r.Constraint = int32(len(m.Constraints) - 1)
		m.Relations = append(m.Relations, r)
	}
	var circle *Contradiction
	if _, err := m.Arrange(); errors.As(err, &circle) {
		return InNone, circle.Error()
	}
	return InSome, "nothing orders " + m.describeOccurrence(first.Left) + " and " + m.describeOccurrence(first.Right) + " as it says"
}

// notImplied returns a relation that does not follow from the order, or nil.
func (a *Arrangement) notImplied(relations []Relation) *Relation {
	// Relations of a constraint are between the ticks of few clocks, which are in order.
	type ticks struct {
		at           map[int32]int32 // by instant: its number among these
		list         []int32
		weak, strict []int32
	}
	byClock := make(map[int32]*ticks)
	for i := range relations {
		l := &relations[i].Left
		t := byClock[l.Clock]
		if t == nil {
			t = &ticks{at: make(map[int32]int32)}
			byClock[l.Clock] = t
		}
		if _, known := t.at[l.Instant]; !known {
			t.list = append(t.list, l.Instant)
			t.at[l.Instant] = int32(len(t.list))
		}
	}
	for _, t := range byClock {
		t.weak, t.strict = a.ticksBefore(t.list)
	}
	for i := range relations {
		r := &relations[i]
		t, g := byClock[r.Left.Clock], a.group[r.Right.Instant]
		implied := false
		switch n := t.at[r.Left.Instant]; r.Kind {
		case schema.Precedes:
			implied = t.strict[g] >= n
		case schema.Causes:
			implied = t.weak[g] >= n
		case schema.Coincides:
			implied = a.group[r.Left.Instant] == g
		}
		if !implied {
			return r
		}
	}
	return nil
}
