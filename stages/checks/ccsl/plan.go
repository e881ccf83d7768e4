package ccsl

import (
	"fmt"
	"slices"
)

// planMachines makes the machines, finds out which clocks are known, and orders the expressions. It runs once per
// checker, in time linear in the operands.
func (c *Checker) planMachines() {
	n := len(c.spec.Clocks)
	// Constraint i is machine i; coincidences that define clocks get further ones.
	p := planner{c, make([]uint8, n), make([][]int32, n), make([]ClockID, n)}
	// 1. A machine each, and which machines use a clock.
	for i := range c.spec.Constraints {
		m := machine{Constraint: &c.spec.Constraints[i]}
		c.machines = append(c.machines, m)
		for k, id := range m.Clocks {
			if !slices.Contains(m.Clocks[:k], id) {
				c.users[id]++
				p.uses[id] = append(p.uses[id], int32(i))
			}
		}
	}
	// 2. The definitions of the file, and 3. those by coincidence.
	for id := range p.definition {
		p.definition[id] = c.spec.Clocks[id].Definition
	}
	p.aliasByCoincidence()
	// 4. The order of evaluation. 5. What depends on an unknown clock is unknown. 6. Drop what cannot be checked.
	for id := range p.definition {
		p.orderExpressions(ClockID(id))
	}
	p.propagateUnknown()
	p.keepWorking()
}

// planner is the state of planMachines.
type planner struct {
	*Checker
	state     []uint8   // by clock: how far orderExpressions is, and what it found
	uses      [][]int32 // by clock: the machines that have it as an operand
	rootCause []ClockID // by unknown clock: the one that the run lacks, or that needs itself
}

// How far visit is with a clock, and what it found.
const (
	unvisited uint8 = iota // not looked at yet
	visiting               // its operands are being looked at
	visited                // its expression is in order
	unknown                // its ticks cannot be computed
)

// aliasByCoincidence lets a coincidence define a clock that has no definition and is not observed, where another
// clock of the coincidence has one or is.
func (p *planner) aliasByCoincidence() {
	// A depth-first search from what is known, linear in the coincidences.
	var queue []ClockID // clocks whose coincidences are to be looked at
	for id := range p.spec.Clocks {
		if !p.isFree(ClockID(id)) {
			queue = append(queue, ClockID(id))
		}
	}
	for len(queue) > 0 {
		source := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, i := range p.uses[source] {
			r := p.machines[i].Constraint
			if r.Kind != Coincidence {
				continue
			}
			for _, id := range r.Clocks {
				if p.isFree(id) {
					p.addAlias(id, source, r)
					queue = append(queue, id)
				}
			}
		}
	}
}

// addAlias makes a clock the same as another: a Union of one clock, so that no further kind is needed.
func (p *planner) addAlias(id, source ClockID, r *Constraint) {
	i := int32(len(p.machines))
	p.definition[id] = i
	p.uses[source] = append(p.uses[source], i)
	p.machines = append(p.machines, machine{Constraint: &Constraint{
		Kind: Union, Name: r.Name, Defines: id, Clocks: []ClockID{source}, At: r.At,
	}})
}

// isFree reports whether nothing is known of a clock.
func (p *planner) isFree(id ClockID) bool { return !p.observed[id] && p.definition[id] == NoDefinition }

// orderExpressions appends the expression of a clock after those that it needs in the same step: a depth-first
// topological order. A clock that needs itself in one step is unknown.
func (p *planner) orderExpressions(id ClockID) {
	d := p.definition[id]
	switch {
	case p.isFree(id):
		p.state[id] = unknown
	case p.state[id] == visiting: // the definition leads back to itself within a step
		if !p.observed[id] {
			p.state[id] = unknown
		}
	}
	if p.state[id] != unvisited || d == NoDefinition {
		return
	}
	p.state[id] = visiting
	for _, o := range p.machines[d].operandsAtOnce() {
		// An observed operand is known before the step begins, so that it needs no order.
		if p.definition[o] != NoDefinition && !p.observed[o] {
			p.orderExpressions(o)
		}
	}
	if p.state[id] == visiting {
		p.state[id] = visited
	}
	p.order = append(p.order, d)
}

// propagateUnknown makes the clocks unknown whose expressions have an unknown operand, and remembers the root cause
// for the explanation.
func (p *planner) propagateUnknown() {
	var queue []ClockID
	for id := range p.spec.Clocks {
		if p.isUnknown(ClockID(id)) {
			p.rootCause[id] = ClockID(id)
			queue = append(queue, ClockID(id))
		}
	}
	for len(queue) > 0 {
		from := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, i := range p.uses[from] {
			id := p.machines[i].Defines
			// Only an unobserved clock becomes unknown with its definition.
			if id != NoClock && p.definition[id] == i && !p.isUnknown(id) && !p.observed[id] {
				p.state[id], p.rootCause[id] = unknown, p.rootCause[from]
				queue = append(queue, id)
			}
		}
	}
}

// isUnknown reports whether the ticks of a clock are neither observed nor computed.
func (p *planner) isUnknown(id ClockID) bool {
	return !p.observed[id] && (p.state[id] == unknown || p.definition[id] == NoDefinition)
}

// keepWorking keeps the machines that can work, and gives the other constraints the verdict Unchecked with the
// reason.
func (p *planner) keepWorking() {
	// A constraint works if all clocks that it looks at are known.
	works := func(i int32) bool {
		m := &p.machines[i]
		lacking := slices.IndexFunc(m.Clocks, p.isUnknown)
		id := m.Defines
		switch {
		case lacking >= 0:
			id = m.Clocks[lacking]
		case m.IsRelation() || !p.isUnknown(m.Defines):
			return true
		}
		if int(i) < len(p.verdicts) {
			p.verdicts[i] = Verdict{Outcome: Unchecked, Clock: id, Reason: p.whyUnknown(id)}
		}
		return false
	}
	p.order = slices.DeleteFunc(p.order, func(i int32) bool { return !works(i) })
	for i := range p.spec.Constraints {
		if p.machines[i].IsRelation() && works(int32(i)) {
			p.guards = append(p.guards, int32(i))
		}
	}
	for _, i := range p.order {
		m := &p.machines[i]
		if m.Kind == Concatenation && m.Clocks[1] != m.Defines {
			p.setBorn(m.Clocks[1], false)
		}
	}
	for id := range p.state {
		p.known[id] = !p.isUnknown(ClockID(id))
	}
}

// whyUnknown explains why a clock is not known.
func (p *planner) whyUnknown(id ClockID) string {
	name, root := p.spec.Clocks[id].Name, p.spec.Clocks[p.rootCause[id]].Name
	switch {
	case p.definition[p.rootCause[id]] != NoDefinition:
		return fmt.Sprintf("the run does not have clock %s, and the definition of %s needs itself in one step", name, root)
	case p.rootCause[id] != id:
		return fmt.Sprintf("the run does not have clock %s, which %s needs", root, name)
	}
	return fmt.Sprintf("the run does not have clock %s", name)
}
