package ccsl

import "slices"

// settle lets clocks die, and starts what follows, until nothing changes.
func (c *Checker) settle() {
	c.mortal = false
	for changed := true; changed; {
		changed = false
		for _, i := range c.guards {
			changed = c.spread(&c.machines[i]) || changed
		}
		for _, i := range c.order {
			m := &c.machines[i]
			if m.Kind == Concatenation && c.follow(m) {
				changed = true
			}
			if !m.unborn && !c.dead[m.Defines] && c.dies(m) {
				c.dead[m.Defines] = true
				changed = true
			}
		}
	}
	c.mortal = slices.Contains(c.dead, true)
}

func (c *Checker) isDead(id ClockID) bool  { return c.dead[id] }
func (c *Checker) isAlive(id ClockID) bool { return !c.dead[id] }

// dies says whether an expression cannot tick any more.
func (c *Checker) dies(m *machine) bool {
	switch m.Kind {
	case Union, Inf:
		return !slices.ContainsFunc(m.Clocks, c.isAlive)
	case Intersection:
		return slices.ContainsFunc(m.Clocks, c.isDead)
	case Sup:
		least := slices.Min(m.counts)
		for i, id := range m.Clocks {
			if c.dead[id] && m.counts[i] == least {
				return true
			}
		}
		return false
	case Minus, FilterBy, UpTo:
		return m.over || c.dead[m.Clocks[0]]
	case Defer:
		return m.over || c.dead[m.Clocks[1]]
	case SampledOn, Sample:
		return m.over || c.dead[m.Clocks[1]] || c.dead[m.Clocks[0]] && !m.pending && m.due.empty()
	case Concatenation:
		return m.pending && c.dead[m.Clocks[1]]
	}
	return m.Kind == Death
}

// spread hands on death through a relation.
func (c *Checker) spread(m *machine) bool {
	if c.spec.Deaths == DeathsLocal || m.decided {
		return false
	}
	switch m.Kind {
	case Precedence:
		return c.dead[m.Clocks[0]] && m.distance == 0 && c.kill(m.Clocks[1])
	case SubClock:
		return c.dead[m.Clocks[1]] && c.kill(m.Clocks[0])
	case Coincidence:
		if !slices.ContainsFunc(m.Clocks, c.isDead) {
			return false
		}
		changed := false
		for _, id := range m.Clocks {
			changed = c.kill(id) || changed
		}
		return changed
	}
	return false
}

// kill makes a clock dead, and says whether it was alive.
func (c *Checker) kill(id ClockID) bool {
	was := c.dead[id]
	c.dead[id] = true
	return !was
}

// follow goes from the first clock of a concatenation to the second once the first is dead: at most once a step.
func (c *Checker) follow(m *machine) bool {
	if m.pending || m.unborn || !c.dead[m.Clocks[0]] || m.followed == c.steps {
		return false
	}
	m.followed = c.steps
	if m.Clocks[1] == m.Defines {
		c.start(m.Clocks[0])
		return true
	}
	m.pending = true
	c.born(m.Clocks[1], true)
	return true
}

// born says whether the expression of the second clock of a concatenation is at work.
func (c *Checker) born(id ClockID, born bool) {
	if d := c.definition[id]; d != NoDefinition {
		c.machines[d].unborn = !born
	}
}

// start begins an expression anew, and with it those of its operands that only it uses, or that are dead.
func (c *Checker) start(id ClockID) {
	d := c.definition[id]
	if d == NoDefinition || c.machines[d].started == c.steps {
		return
	}
	m := &c.machines[d]
	m.started = c.steps
	m.reset()
	c.dead[id] = false
	if m.Kind == Concatenation && m.Clocks[1] != id {
		c.born(m.Clocks[1], false)
	}
	for _, o := range m.Clocks {
		if o != id && (c.dead[o] || c.users[o] == 1) {
			c.start(o)
		}
	}
}
