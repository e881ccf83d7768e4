package ccsl

import (
	"fmt"
	"slices"
)

// plan makes the machines, finds out which clocks are known, and orders the expressions.
func (c *Checker) plan() {
	n := len(c.spec.Clocks)
	p := planner{c, make([]uint8, n), make([][]int32, n), make([]ClockID, n)}
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
	for id := range p.definition {
		p.definition[id] = c.spec.Clocks[id].Definition
	}
	p.adopt()
	for id := range p.definition {
		p.visit(ClockID(id))
	}
	p.doubt()
	p.sort()
}

// planner is what plan knows on the way.
type planner struct {
	*Checker
	state []uint8   // of the clocks
	uses  [][]int32 // the machines of which a clock is an operand
	cause []ClockID // of an unknown clock: the one that the run lacks, or that needs itself
}

// How far visit is with a clock, and what it found.
const (
	unvisited uint8 = iota
	visiting
	visited
	unknown
)

// adopt lets a coincidence define a clock that has no definition and is not observed, where it has another that is.
func (p *planner) adopt() {
	var queue []ClockID // clocks whose coincidences are to be looked at
	for id := range p.spec.Clocks {
		if !p.free(ClockID(id)) {
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
				if p.free(id) {
					p.stand(id, source, r)
					queue = append(queue, id)
				}
			}
		}
	}
}

// stand makes a clock the same as another.
func (p *planner) stand(id, source ClockID, r *Constraint) {
	i := int32(len(p.machines))
	p.definition[id] = i
	p.uses[source] = append(p.uses[source], i)
	p.machines = append(p.machines, machine{Constraint: &Constraint{
		Kind: Union, Name: r.Name, Defines: id, Clocks: []ClockID{source}, At: r.At,
	}})
}

// free says whether nothing is known of a clock.
func (p *planner) free(id ClockID) bool { return !p.observed[id] && p.definition[id] == NoDefinition }

// visit puts the expression of a clock behind those that it needs at once. A clock that needs itself is unknown.
func (p *planner) visit(id ClockID) {
	d := p.definition[id]
	switch {
	case p.free(id):
		p.state[id] = unknown
	case p.state[id] == visiting:
		if !p.observed[id] {
			p.state[id] = unknown
		}
	}
	if p.state[id] != unvisited || d == NoDefinition {
		return
	}
	p.state[id] = visiting
	for _, o := range p.machines[d].atOnce() {
		if p.definition[o] != NoDefinition && !p.observed[o] {
			p.visit(o)
		}
	}
	if p.state[id] == visiting {
		p.state[id] = visited
	}
	p.order = append(p.order, d)
}

// doubt makes the clocks unknown whose expressions have an unknown operand.
func (p *planner) doubt() {
	var queue []ClockID
	for id := range p.spec.Clocks {
		if p.lacking(ClockID(id)) {
			p.cause[id] = ClockID(id)
			queue = append(queue, ClockID(id))
		}
	}
	for len(queue) > 0 {
		from := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, i := range p.uses[from] {
			id := p.machines[i].Defines
			if id != NoClock && p.definition[id] == i && !p.lacking(id) && !p.observed[id] {
				p.state[id], p.cause[id] = unknown, p.cause[from]
				queue = append(queue, id)
			}
		}
	}
}

func (p *planner) lacking(id ClockID) bool {
	return !p.observed[id] && (p.state[id] == unknown || p.definition[id] == NoDefinition)
}

// sort keeps the machines that can work, and says of the other constraints why they cannot.
func (p *planner) sort() {
	works := func(i int32) bool {
		m := &p.machines[i]
		lacking := slices.IndexFunc(m.Clocks, p.lacking)
		id := m.Defines
		switch {
		case lacking >= 0:
			id = m.Clocks[lacking]
		case m.IsRelation() || !p.lacking(m.Defines):
			return true
		}
		if int(i) < len(p.verdicts) {
			p.verdicts[i] = Verdict{Outcome: Unchecked, Clock: id, Reason: p.why(id)}
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
			p.born(m.Clocks[1], false)
		}
	}
	for id := range p.state {
		p.known[id] = !p.lacking(ClockID(id))
	}
}

// why is why a clock is not known.
func (p *planner) why(id ClockID) string {
	name, root := p.spec.Clocks[id].Name, p.spec.Clocks[p.cause[id]].Name
	switch {
	case p.definition[p.cause[id]] != NoDefinition:
		return fmt.Sprintf("the run does not have clock %s, and the definition of %s needs itself in one step", name, root)
	case p.cause[id] != id:
		return fmt.Sprintf("the run does not have clock %s, which %s needs", root, name)
	}
	return fmt.Sprintf("the run does not have clock %s", name)
}
