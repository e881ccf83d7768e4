package ccsl

import "slices"

// settleDeaths lets clocks die, and starts what follows them, until nothing changes. Every round makes a clock dead
// or starts a concatenation, each at most once a step, so it ends.
// It runs only in steps after which some clock may have died (mayDie), since most specifications have no clock that
// can die.
func (c *Checker) settleDeaths() {
	c.mayDie = false
	for changed := true; changed; {
		changed = false
		// Relations first: what they kill may end an expression in the same round.
		for _, i := range c.guards {
			changed = c.handOnDeath(&c.machines[i]) || changed
		}
		for _, i := range c.order {
			m := &c.machines[i]
			if m.Kind == Concatenation && c.followSecond(m) {
				changed = true
			}
			if !m.unborn && !c.dead[m.Defines] && c.cannotTick(m) {
				c.dead[m.Defines] = true
				changed = true
			}
		}
	}
	c.mayDie = slices.Contains(c.dead, true)
}

// isDead reports whether a clock can no longer tick.
func (c *Checker) isDead(id ClockID) bool { return c.dead[id] }

// isAlive reports whether a clock may still tick.
func (c *Checker) isAlive(id ClockID) bool { return !c.dead[id] }

// cannotTick reports whether an expression can no longer tick: its own state is used up, or its operands are dead.
func (c *Checker) cannotTick(m *machine) bool {
	switch m.Kind {
	case Union, Inf: // alive as long as one operand is
		return !slices.ContainsFunc(m.Clocks, c.isAlive)
	case Intersection: // dies with the first operand
		return slices.ContainsFunc(m.Clocks, c.isDead)
	case Sup: // the slowest clock decides
		// Once the clock with the fewest ticks is dead, the minimum grows no more.
		least := slices.Min(m.counts)
		for i, id := range m.Clocks {
			if c.dead[id] && m.counts[i] == least {
				return true
			}
		}
		return false
	case Minus, FilterBy, UpTo: // a subset of the first operand's ticks
		return m.over || c.dead[m.Clocks[0]]
	case Defer: // ticks only with the clock that counts
		return m.over || c.dead[m.Clocks[1]]
	case SampledOn, Sample: // no trigger, or nothing left to sample
		return m.over || c.dead[m.Clocks[1]] || c.dead[m.Clocks[0]] && !m.pending && m.due.isEmpty()
	case Concatenation:
		return m.pending && c.dead[m.Clocks[1]]
	}
	return m.Kind == Death
}

// handOnDeath hands death on through a relation, and reports whether a clock died of it. Exclusion hands on none.
func (c *Checker) handOnDeath(m *machine) bool {
	if c.spec.Deaths == DeathsLocal || m.decided {
		return false
	}
	switch m.Kind {
	case Precedence: // b can no longer tick: a, dead, is not ahead
		return c.dead[m.Clocks[0]] && m.distance == 0 && c.killClock(m.Clocks[1])
	case SubClock: // it ticks only together with its super-clock
		return c.dead[m.Clocks[1]] && c.killClock(m.Clocks[0])
	case Coincidence:
		if !slices.ContainsFunc(m.Clocks, c.isDead) {
			return false
		}
		changed := false
		for _, id := range m.Clocks {
			changed = c.killClock(id) || changed
		}
		return changed
	}
	return false
}

// killClock makes a clock dead, and reports whether it was alive.
func (c *Checker) killClock(id ClockID) bool {
	was := c.dead[id]
	c.dead[id] = true
	return !was
}

// followSecond moves from the first clock of a concatenation to the second once the first is dead, at most once a
// step, and reports whether it did.
func (c *Checker) followSecond(m *machine) bool {
	if m.pending || m.unborn || !c.dead[m.Clocks[0]] || m.followed == c.steps {
		return false
	}
	m.followed = c.steps
	// The clock follows itself: a starts anew instead of a second clock.
	if m.Clocks[1] == m.Defines {
		c.restartExpression(m.Clocks[0])
		return true
	}
	m.pending = true
	c.setBorn(m.Clocks[1], true)
	return true
}

// setBorn reports whether the expression of the second clock of a concatenation has begun.
func (c *Checker) setBorn(id ClockID, born bool) {
	if d := c.definition[id]; d != NoDefinition {
		c.machines[d].unborn = !born
	}
}

// restartExpression begins an expression anew, and with it those of its operands that only it uses, or that are
// dead.
func (c *Checker) restartExpression(id ClockID) {
	d := c.definition[id]
	// The guard by step ends the recursion where definitions form a circle.
	if d == NoDefinition || c.machines[d].started == c.steps {
		return
	}
	m := &c.machines[d]
	m.started = c.steps
	m.resetState()
	c.dead[id] = false
	if m.Kind == Concatenation && m.Clocks[1] != id {
		c.setBorn(m.Clocks[1], false)
	}
	for _, o := range m.Clocks {
		// An operand that others use too goes on, unless it is dead: then it could never tick again for anybody.
		if o != id && (c.dead[o] || c.users[o] == 1) {
			c.restartExpression(o)
		}
	}
}
