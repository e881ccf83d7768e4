package ccsl

// Checker evaluates a specification on a run. It belongs to one goroutine. A step costs time in proportion to the
// machines, not to the steps before it, and the memory does not grow with the run but for pending delays.
// All slices by clock and machine are made once, so that a step allocates nothing.
type Checker struct {
	spec       *Spec
	machines   []machine // of the constraints, then of the coincidences that stand in for a definition
	order      []int32   // machines of the expressions, operands first
	guards     []int32   // machines of the relations
	observed   []bool    // by clock: whether the run has it
	tick       []bool    // by clock: whether it ticked in the last step
	count      []int64   // by clock: ticks before the last step
	dead       []bool    // by clock: whether it can no longer tick
	users      []int32   // by clock: how many constraints have it as an operand
	known      []bool    // by clock: whether it is observed or computed
	definition []int32   // by clock: the machine of its expression, or NoDefinition
	mayDie     bool      // some clock is dead, or may die now
	steps      int64     // steps checked so far
	verdicts   []Verdict // by constraint
}

// Outcome is the result of checking one constraint.
type Outcome uint8

// What became of a constraint.
const (
	Holds     Outcome = iota // no step violated it
	Violated                 // some step violated it
	Unchecked                // the run lacks a clock that it needs
)

// Verdict is the result for one constraint, the one at the same position of Spec.Constraints.
type Verdict struct {
	Outcome Outcome // whether the constraint holds
	Step    int64   // the first step that violates it, counted from 0
	// the clock that ticked, or for an expression perhaps failed to tick, against the constraint; or the clock that
	// the run lacks
	Clock  ClockID
	Reason string // a sentence for the reader; empty if it holds
}

// NewChecker prepares to check a run that records all ticks of the observed clocks. The other clocks are computed
// where an expression, or a coincidence with a known clock, defines them.
func NewChecker(spec *Spec, observed []ClockID) *Checker {
	n := len(spec.Clocks)
	c := &Checker{
		spec: spec, observed: make([]bool, n), tick: make([]bool, n), count: make([]int64, n), dead: make([]bool, n),
		users: make([]int32, n), known: make([]bool, n), definition: make([]int32, n),
		verdicts: make([]Verdict, len(spec.Constraints)),
	}
	for _, id := range observed {
		c.observed[id] = true
	}
	// 1. Decide which clocks are known, and in which order expressions are evaluated.
	c.planMachines()
	// 2. Bring every machine into its first state; -1 stands for no step.
	for i := range c.machines {
		m := &c.machines[i]
		m.followed, m.started = -1, -1
		m.resetState()
		c.mayDie = c.mayDie || m.Kind == Death || m.over
	}
	// 3. Some clocks are dead before the first step, such as Death and filters without ticks.
	if c.mayDie {
		c.settleDeaths()
	}
	return c
}

// Step checks the next step of the run, given the observed clocks that tick in it. NoClock and clocks that are not
// observed are ignored. The slice is not retained.
func (c *Checker) Step(ticks []ClockID) {
	// 1. The ticks that the run has.
	clear(c.tick)
	for _, id := range ticks {
		if id >= 0 && c.observed[id] {
			c.tick[id] = true
		}
	}
	// Operands come first in order, so every expression finds the ticks it needs.
	for _, i := range c.order {
		c.evaluateExpression(&c.machines[i], i)
	}
	// 2. Relations are checked once the ticks of all clocks are known, and then take the step.
	for _, i := range c.guards {
		m := &c.machines[i]
		// A violated relation is not checked again: its state after a forbidden step has no meaning.
		if m.decided {
			continue
		}
		if culprit, holds := m.checkGuard(c.tick); !holds {
			c.recordViolation(i, culprit, c.explainRelation(m, culprit))
		}
		m.advanceState(c.tick, false)
	}
	// 3. Expressions take the step last: until here every machine has seen the state before it.
	c.advanceStates()
}

// evaluateExpression decides whether an expression ticks. An observed clock keeps the run's tick, which is compared
// with the computed one; an unobserved one takes the computed tick.
func (c *Checker) evaluateExpression(m *machine, i int32) {
	ticks := !c.dead[m.Defines] && !m.unborn && m.ticksNow(c.tick)
	if !c.observed[m.Defines] {
		c.tick[m.Defines] = ticks
		return
	}
	if c.tick[m.Defines] != ticks && !m.decided {
		c.recordViolation(i, m.Defines, c.explainExpression(m))
	}
}

// recordViolation records the first violation of a constraint. Its machine stops being checked.
func (c *Checker) recordViolation(i int32, culprit ClockID, reason string) {
	c.machines[i].decided = true
	c.verdicts[i] = Verdict{Violated, c.steps, culprit, reason}
}

// advanceStates moves the expressions to their states after the step and counts the step.
func (c *Checker) advanceStates() {
	for _, i := range c.order {
		m := &c.machines[i]
		if m.unborn {
			continue
		}
		// A clock that was over before dies no more; looking at deaths again costs a pass over all machines.
		was := m.over
		m.advanceState(c.tick, c.tick[m.Defines])
		c.mayDie = c.mayDie || m.over && !was
	}
	for id, ticked := range c.tick {
		if ticked {
			c.count[id]++
		}
	}
	if c.mayDie {
		c.settleDeaths()
	}
	c.steps++
}

// Ticked reports whether a clock, observed or computed, ticked in the last step.
func (c *Checker) Ticked(id ClockID) bool { return c.tick[id] }

// Known reports whether the ticks of a clock are observed or computed.
func (c *Checker) Known(id ClockID) bool { return c.known[id] }

// Steps returns how many steps have been checked.
func (c *Checker) Steps() int64 { return c.steps }

// Verdicts returns the verdicts so far, one for each constraint. The slice is the checker's own and changes with
// further steps.
func (c *Checker) Verdicts() []Verdict { return c.verdicts }
