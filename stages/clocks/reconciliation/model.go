package reconciliation

import (
	"fmt"
	"slices"
	"sort"

	"github.com/tracelake/tracelake/schema"
)

// Occurrence is the Index-th occurrence, from 1, of a clock.
type Occurrence struct {
	Instant int32 // see Model.Place
	Clock   int32 // position in Model.Clocks
	Index   int64 // number of the occurrence, from 1
}

// Relation is the order between two occurrences: Left precedes, causes or coincides with Right.
type Relation struct {
	Left, Right Occurrence      // occurrences of two clocks
	Constraint  int32           // position in Model.Constraints
	Kind        schema.Relation // precedence, causality or coincidence
}

// Constraint is a source of relations, with what came of it.
type Constraint struct {
	Name      string // of the specification, or Messages
	Word      string // what the specification calls it
	At        string // file:line:column; "" of messages
	Relations int64  // number of its relations
	Missing   int64  // occurrences whose cause is in no trace
	First     string // the first of these, in words
}

// Messages is the name of the constraint that a message is sent before it is received.
const Messages = "messages"

// Model is the partial order of what happened in some units: their traces, and relations between instants.
//
// Instants are numbered: first those of the first unit in its order, then those of the second, and so on, and then those
// of clocks that tick at no event of a trace. All instants of one clock or unit, a block, are in their order.
type Model struct {
	Units       []*Unit      // the traces to bring into one order
	Clocks      []string     // names, by code
	Constraints []Constraint // from which the relations follow
	Relations   []Relation   // in the order in which they were derived
	Unresolved  []Unresolved // constraints that the traces alone do not decide

	assertions []assertion // constraints that order nothing and are to be judged

	first []int32          // instants, by block; one more than blocks
	codes map[string]int32 // by name: position in Clocks
}

// Unresolved is a constraint that the traces alone do not decide.
type Unresolved struct {
	Name, Word, At string // of the constraint; Word and At as in Constraint
	Why            string // a sentence
	// Pairs of occurrences of an exclusion between units: ordered by other relations, not ordered, and coincident, which
	// the constraint forbids.
	Forced, Possible, Impossible int64

	exclusion      bool         // it is an Exclusion, whose pairs Exclude counts
	exclusivePairs [][2][]int32 // instants of clocks that exclude each other
}

// NewModel returns the model of the units' own orders. The units must not change while it is in use.
func NewModel(units []*Unit) *Model {
	m := &Model{Units: units, first: []int32{0}, codes: make(map[string]int32)}
	for _, u := range units {
		m.addBlock(len(u.Position))
	}
	return m
}

// addBlock adds n instants that are in order, and returns the first.
func (m *Model) addBlock(n int) int32 {
	first := m.first[len(m.first)-1]
	m.first = append(m.first, first+int32(n))
	return first
}

// Instants returns the number of instants; those from Events() on are no events of a trace.
func (m *Model) Instants() int { return int(m.first[len(m.first)-1]) }

// Events returns how many instants are events.
func (m *Model) Events() int { return int(m.first[len(m.Units)]) }

// First returns the first instant of a unit.
func (m *Model) First(unit int) int32 { return m.first[unit] }

// Place returns the unit of an instant, and the number of its event there. For an instant that is no
// event the unit is NoUnit.
func (m *Model) Place(instant int32) (unit int, event int32) {
	block := m.blockOf(instant)
	if block >= len(m.Units) {
		return NoUnit, 0
	}
	return block, instant - m.first[block]
}

// blockOf returns the number of an instant's block, in O(log blocks).
func (m *Model) blockOf(instant int32) int {
	return sort.Search(len(m.first)-1, func(b int) bool { return instant < m.first[b+1] })
}

// NoUnit is the unit of an instant that is no event of a trace.
const NoUnit = -1

// clockCode returns the position of a clock's name in Clocks.
func (m *Model) clockCode(name string) int32 {
	code, known := m.codes[name]
	if !known {
		code = int32(len(m.Clocks))
		m.codes[name] = code
		m.Clocks = append(m.Clocks, name)
	}
	return code
}

// addRelation adds a relation to the last constraint.
func (m *Model) addRelation(kind schema.Relation, left, right Occurrence) {
	c := len(m.Constraints) - 1
	m.Constraints[c].Relations++
	m.Relations = append(m.Relations, Relation{left, right, int32(c), kind})
}

// AddMessages adds that messages are sent before they are received (send causes receive). The clock of
// all sendings of a series in a unit is named unit:!series, that of the receipts unit:?series.
func (m *Model) AddMessages(exchanges []Exchange) {
	m.Constraints = append(m.Constraints, Constraint{Name: Messages, Word: "Causes"})
	names := make([][3][]int32, len(m.Units))
	for u, unit := range m.Units {
		for d, sign := range []string{"", "!", "?"} {
			for _, series := range unit.Series {
				names[u][d] = append(names[u][d], m.clockCode(fmt.Sprint(unit.Name, ":", sign, series)))
			}
		}
	}
	// Names are made once per series; an exchange costs two lookups.
	at := func(unit, end int32) Occurrence {
		e := &m.Units[unit].Ends[end]
		return Occurrence{m.first[unit] + e.Event, names[unit][e.Direction][e.Series], e.Nth}
	}
	m.Relations = slices.Grow(m.Relations, len(exchanges))
	for _, x := range exchanges {
		m.addRelation(schema.Causes, at(x.Sender, x.Send), at(x.Receiver, x.Receive))
	}
}

// describeOccurrence names an occurrence, such as "send[3] of robot".
func (m *Model) describeOccurrence(o Occurrence) string {
	text := fmt.Sprintf("%s[%d]", m.Clocks[o.Clock], o.Index)
	if u, _ := m.Place(o.Instant); u != NoUnit {
		text += " of " + m.Units[u].Name
	}
	return text
}
