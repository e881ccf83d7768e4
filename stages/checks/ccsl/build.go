package ccsl

import "slices"

// builder makes a Spec of what the two readers have resolved, and settles what the dialect leaves open. Both
// readers embed it.
type builder struct {
	spec          *Spec
	dialect       Dialect
	via           []Place // the uses of definitions that are being expanded, the outermost first
	expandedLines int     // lines expanded so far, weighted by the length of their names
}

// maxExpandedLines bounds the lines of a specification once its definitions are expanded. Definitions that use each
// other can double with every level, so the bound must be on the result.
const maxExpandedLines = 1 << 18

// newBuilder returns a builder for a specification of a name.
func newBuilder(name string, dialect Dialect) builder {
	return builder{spec: &Spec{Name: name, Deaths: dialect.Deaths}, dialect: dialect}
}

// countExpandedLines bounds the work and the memory: it counts lines that are about to be expanded. Lines whose
// names have a long path count for more, because every clock stores its path.
func (b *builder) countExpandedLines(lines int, path string, at Place) error {
	if b.expandedLines += (lines + 1) * (1 + len(path)/bytesPerPathLine); b.expandedLines > maxExpandedLines {
		return errorAtPlace(at, "the specification has more than %d lines once its definitions are expanded", maxExpandedLines)
	}
	return nil
}

// bytesPerPathLine is the length of a path, in bytes, that counts as one line.
const bytesPerPathLine = 256

// resolveAll resolves the elements of a list in their order, up to the first error.
func resolveAll[T, R any](list []T, resolve func(T) (R, error)) ([]R, error) {
	resolved := make([]R, len(list))
	for i, one := range list {
		var err error
		if resolved[i], err = resolve(one); err != nil {
			return nil, err
		}
	}
	return resolved, nil
}

// addClock makes a clock without a definition.
func (b *builder) addClock(name string, at Place, hidden bool) ClockID {
	b.spec.Clocks = append(b.spec.Clocks, Clock{Name: name, At: at, Definition: NoDefinition, Hidden: hidden})
	return ClockID(len(b.spec.Clocks) - 1)
}

// addConstraint appends a constraint. A clock that is defined already is tied to its second definition by a
// coincidence, since a clock has one expression at most.
// A hidden clock takes the second definition, so that a run that has the clock is checked against both.
func (b *builder) addConstraint(c Constraint) error {
	c.Via = slices.Clone(b.via)
	if c.IsRelation() || b.spec.Clocks[c.Defines].Definition == NoDefinition {
		b.appendConstraint(c)
		return nil
	}
	first := c.Defines
	c.Defines = b.addClock(c.Name+"'", c.At, true)
	b.appendConstraint(c)
	b.appendConstraint(Constraint{
		Kind: Coincidence, Name: c.Name, Word: c.Word, Defines: NoClock, Clocks: []ClockID{first, c.Defines}, At: c.At, Via: c.Via,
	})
	return nil
}

// appendConstraint appends a constraint and, for an expression, makes it the definition of its clock.
func (b *builder) appendConstraint(c Constraint) {
	if !c.IsRelation() {
		b.spec.Clocks[c.Defines].Definition = int32(len(b.spec.Constraints))
	}
	b.spec.Constraints = append(b.spec.Constraints, c)
}

// makeDelay makes c a delay of the clock base by n ticks of the clock counting, or by a sequence of such numbers. A
// constant delay that base itself counts is r[k] = a[k+n], a filter, which is index-based and cheaper.
func (b *builder) makeDelay(c *Constraint, base, counting ClockID, n Sequence) error {
	n, err := b.settleDelays(c, n)
	if err != nil {
		return err
	}
	// A Defer keeps a queue of due ticks, a filter one number: so what can be a filter becomes one.
	switch constant := len(n.Prefix) == 0 && len(n.Period) == 1; {
	case constant && n.Period[0] == 0: // the clock itself
		c.Kind, c.Clocks = FilterBy, []ClockID{base}
		c.Sequence = Sequence{Period: []int64{1}}
	case constant && base == counting: // the first n ticks are left out
		c.Kind, c.Clocks = FilterBy, []ClockID{base}
		c.Sequence = Sequence{Prefix: []int64{n.Period[0] + 1}, Period: []int64{1}}
	default:
		c.Kind, c.Clocks, c.Sequence = Defer, []ClockID{base, counting}, n
	}
	return nil
}

// settleDelays decides by the dialect what delays of 0 mean: afterwards a 0 is a tick in the same step.
func (b *builder) settleDelays(c *Constraint, n Sequence) (Sequence, error) {
	settled := Sequence{Prefix: slices.Clone(n.Prefix), Period: slices.Clone(n.Period)}
	for _, part := range [][]int64{settled.Prefix, settled.Period} {
		for i, d := range part {
			switch {
			case d < 0:
				return n, errorAtPlace(c.At, "%s: a delay of %d", c.Name, d)
			case d == 0 && b.dialect.ZeroDelay == ZeroDelayUnsaid: // the tools disagree
				return n, errorAtPlace(c.At, "%s: a delay of 0 is 1 for TimeSquare, and none for LightCCSL and mrtccsl: choose one", c.Name)
			case d == 0 && b.dialect.ZeroDelay == ZeroDelayIsOne:
				part[i] = 1
			}
		}
	}
	return settled, nil
}

// makeFilter makes c a filter of a clock by gaps between the ticks it selects.
func (b *builder) makeFilter(c *Constraint, of ClockID, gaps Sequence) error {
	if err := gaps.checkGaps(); err != nil {
		return errorAtPlace(c.At, "%s: %w", c.Name, err)
	}
	if len(gaps.Prefix)+len(gaps.Period) == 0 {
		return errorAtPlace(c.At, "%s: a filter without gaps", c.Name)
	}
	c.Kind, c.Clocks, c.Sequence = FilterBy, []ClockID{of}, gaps
	return nil
}

// makePeriodic makes c the ticks number offset+1, offset+1+period, ... of a clock: Periodic of the CCSL library,
// with the reading that recorded runs of TimeSquare confirm.
func (b *builder) makePeriodic(c *Constraint, of ClockID, period, offset int64) error {
	if period < 1 || offset < 0 {
		return errorAtPlace(c.At, "%s: a period of %d with an offset of %d: they are at least 1 and 0", c.Name, period, offset)
	}
	return b.makeFilter(c, of, Sequence{Prefix: []int64{offset + 1}, Period: []int64{period}})
}

// makeSample makes c the samples of a clock that a trigger takes.
func (c *Constraint) makeSample(kind Kind, of, trigger ClockID, how Sampling) {
	c.Kind, c.Clocks = kind, []ClockID{of, trigger}
	// Drop matters only where the sampling is strict.
	c.Strict, c.Drop = how != NonStrict, how == StrictDrops
}

// makePrecedence makes c a precedence of a before b.
func (c *Constraint) makePrecedence(a, b ClockID, bound Bound) {
	c.Kind, c.Clocks, c.Bound = Precedence, []ClockID{a, b}, bound
}

// Dialect settles what the tools that read the language do differently. Its zero value is TimeSquare as far as that
// is known; what is not known must be chosen where a specification needs it.
type Dialect struct {
	ZeroDelay           ZeroDelay           // what a delay of 0 means
	Sampling            Sampling            // how SampledOn treats a tick together with the trigger
	NonStrictAlternates NonStrictAlternates // which of two orders the relation of that name allows
	Deaths              Deaths              // whether relations hand on death
}

// ZeroDelay says what a delay of 0 means. A specification that has one is refused until a meaning is chosen.
type ZeroDelay uint8

// What a delay of 0 means.
const (
	ZeroDelayUnsaid ZeroDelay = iota
	ZeroDelayIsOne            // as a delay of 1: what TimeSquare's recorded runs show
	ZeroDelayIsNone           // ticks at once: LightCCSL and mrtccsl
)

// Sampling says how `SampledOn` treats a tick that comes together with the trigger. `NonStrictSampledOn` counts it
// in every dialect, and LightCCSL's `sampledOn` is StrictKeeps in every dialect.
type Sampling uint8

// How SampledOn treats a tick that comes together with the trigger.
const (
	// The three differ only in steps in which the clock and the trigger tick together.
	StrictKeeps Sampling = iota // it counts for the next trigger: LightCCSL's automaton; TimeSquare's one-shot sample
	StrictDrops                 // it is lost: TimeSquare's recursive restart, if that clears it
	NonStrict                   // it counts for this trigger: mrtccsl
)

// NonStrictAlternates says what the relation of that name forbids. With d = |a| - |b| it keeps 0 <= d <= 1.
type NonStrictAlternates uint8

// What NonStrictAlternates forbids.
const (
	CausesThenPrecedes NonStrictAlternates = iota // a <= b < a[k+1]: both together only where d = 0 (CCSL.ccslLib)
	PrecedesThenCauses                            // a < b <= a[k+1]: both together only where d = 1 (mrtccsl)
)

// Deaths reports whether relations hand on death to clocks that can no longer tick.
type Deaths uint8

// Whether relations hand on death.
const (
	// DeathsSpread: a precedence kills b once a is dead and d = 0, a sub-clock dies with its super-clock, and
	// coincident clocks die together: TimeSquare.
	DeathsSpread Deaths = iota
	DeathsLocal         // only expressions make clocks die
)
