package ccsl

// Checker evaluates a specification on a run. It belongs to one goroutine.
type Checker struct {
	spec     *Spec
	machines []machine // of the constraints, and then of the coincidences that stand in for a definition
	order    []int32   // machines of the expressions, operands first
	guards   []int32   // machines of the relations
	observed []bool    // the clocks that the run has
	tick     []bool    // what ticked in the last step
	count    []int64   // ticks before the last step
	dead     []bool
	users    []int32 // how many constraints have the clock as an operand
	known    []bool
	// definition is the machine of the expression of a clock, or NoDefinition.
	definition []int32
	mortal     bool // some clock is dead, or may die now
	steps      int64
	verdicts   []Verdict
}

// Outcome is what became of a constraint.
type Outcome uint8

// What became of a constraint.
const (
	Holds Outcome = iota
	Violated
	Unchecked // the run lacks a clock
)

// Verdict is what became of a constraint, Spec.Constraints of the same position.
type Verdict struct {
	Outcome Outcome
	Step    int64   // from 0: the first step that violates it
	Clock   ClockID // that ticked, or of an expression perhaps did not tick, against the constraint; or that is lacking
	Reason  string  // a sentence, unless it holds
}

// NewChecker prepares to check a run that has the ticks of the observed clocks, all of them. The others are computed
// where an expression, or a coincidence with a clock that is known, says what they are.
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
	c.plan()
	for i := range c.machines {
		m := &c.machines[i]
		m.followed, m.started = -1, -1
		m.reset()
		c.mortal = c.mortal || m.Kind == Death || m.over
	}
	if c.mortal {
		c.settle()
	}
	return c
}

// Step checks the next step of the run: the observed clocks that tick in it. NoClock and clocks that are not
// observed are passed over. It keeps nothing of ticks.
func (c *Checker) Step(ticks []ClockID) {
	clear(c.tick)
	for _, id := range ticks {
		if id >= 0 && c.observed[id] {
			c.tick[id] = true
		}
	}
	for _, i := range c.order {
		c.evaluate(&c.machines[i], i)
	}
	for _, i := range c.guards {
		m := &c.machines[i]
		if m.decided {
			continue
		}
		if culprit, holds := m.guard(c.tick); !holds {
			c.violated(i, culprit, c.broken(m, culprit))
		}
		m.step(c.tick, false)
	}
	c.advance()
}

// evaluate says whether an expression ticks, and compares that with the run where it can.
func (c *Checker) evaluate(m *machine, i int32) {
	ticks := !c.dead[m.Defines] && !m.unborn && m.ticks(c.tick)
	if !c.observed[m.Defines] {
		c.tick[m.Defines] = ticks
		return
	}
	if c.tick[m.Defines] != ticks && !m.decided {
		c.violated(i, m.Defines, c.differs(m))
	}
}

func (c *Checker) violated(i int32, culprit ClockID, reason string) {
	c.machines[i].decided = true
	c.verdicts[i] = Verdict{Violated, c.steps, culprit, reason}
}

// advance changes the states of the expressions and counts the step.
func (c *Checker) advance() {
	for _, i := range c.order {
		m := &c.machines[i]
		if m.unborn {
			continue
		}
		was := m.over
		m.step(c.tick, c.tick[m.Defines])
		c.mortal = c.mortal || m.over && !was
	}
	for id, ticked := range c.tick {
		if ticked {
			c.count[id]++
		}
	}
	if c.mortal {
		c.settle()
	}
	c.steps++
}

// Ticked says whether a clock, observed or computed, ticked in the last step.
func (c *Checker) Ticked(id ClockID) bool { return c.tick[id] }

// Known says whether the ticks of a clock are observed or computed.
func (c *Checker) Known(id ClockID) bool { return c.known[id] }

// Steps is how many steps have been checked.
func (c *Checker) Steps() int64 { return c.steps }

// Verdicts are the verdicts so far, one for each constraint. They change with further steps.
func (c *Checker) Verdicts() []Verdict { return c.verdicts }
