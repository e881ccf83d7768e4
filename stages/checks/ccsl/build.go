package ccsl

// builder makes a Spec of what readers have resolved, and settles what the dialect leaves open.
type builder struct {
	spec    *Spec
	dialect Dialect
	via     []Place // the uses of definitions that are being expanded
	parts   int     // lines that have been expanded
}

// mostParts bounds the lines of a specification once its definitions are expanded.
const mostParts = 1 << 18

func newBuilder(name string, dialect Dialect) builder {
	return builder{spec: &Spec{Name: name, Deaths: dialect.Deaths}, dialect: dialect}
}

// spend bounds the work and the memory: it counts lines that are about to be expanded. Those whose names have a long
// path count for more.
func (b *builder) spend(lines int, path string, at Place) error {
	if b.parts += (lines + 1) * (1 + len(path)/shortPath); b.parts > mostParts {
		return failure(at, "the specification has more than %d lines once its definitions are expanded", mostParts)
	}
	return nil
}

// shortPath is the length of a path, in bytes, by which lines are counted.
const shortPath = 256

// clock makes a clock without a definition.
func (b *builder) clock(name string, at Place, hidden bool) ClockID {
	b.spec.Clocks = append(b.spec.Clocks, Clock{Name: name, At: at, Definition: NoDefinition, Hidden: hidden})
	return ClockID(len(b.spec.Clocks) - 1)
}

// add appends a constraint. A clock that is defined already is tied to a second definition by a coincidence.
func (b *builder) add(c Constraint) error {
	c.Via = append([]Place(nil), b.via...)
	if c.IsRelation() || b.spec.Clocks[c.Defines].Definition == NoDefinition {
		b.append(c)
		return nil
	}
	first := c.Defines
	c.Defines = b.clock(c.Name+"'", c.At, true)
	b.append(c)
	b.append(Constraint{
		Kind: Coincidence, Name: c.Name, Word: c.Word, Defines: NoClock, Clocks: []ClockID{first, c.Defines}, At: c.At, Via: c.Via,
	})
	return nil
}

func (b *builder) append(c Constraint) {
	if !c.IsRelation() {
		b.spec.Clocks[c.Defines].Definition = int32(len(b.spec.Constraints))
	}
	b.spec.Constraints = append(b.spec.Constraints, c)
}

// delay makes c a delay of the clock base by n ticks of the clock counting, or by a sequence of such numbers.
func (b *builder) delay(c *Constraint, base, counting ClockID, n Sequence) error {
	n, err := b.delays(c, n)
	if err != nil {
		return err
	}
	switch constant := len(n.Prefix) == 0 && len(n.Period) == 1; {
	case constant && n.Period[0] == 0:
		c.Kind, c.Clocks = FilterBy, []ClockID{base}
		c.Sequence = Sequence{Period: []int64{1}}
	case constant && base == counting:
		c.Kind, c.Clocks = FilterBy, []ClockID{base}
		c.Sequence = Sequence{Prefix: []int64{n.Period[0] + 1}, Period: []int64{1}}
	default:
		c.Kind, c.Clocks, c.Sequence = Defer, []ClockID{base, counting}, n
	}
	return nil
}

// delays settles what delays of 0 mean: afterwards a 0 is a tick at once.
func (b *builder) delays(c *Constraint, n Sequence) (Sequence, error) {
	settled := Sequence{Prefix: append([]int64(nil), n.Prefix...), Period: append([]int64(nil), n.Period...)}
	for _, part := range [][]int64{settled.Prefix, settled.Period} {
		for i, d := range part {
			switch {
			case d < 0:
				return n, failure(c.At, "%s: a delay of %d", c.Name, d)
			case d == 0 && b.dialect.ZeroDelay == ZeroDelayUnsaid:
				return n, failure(c.At, "%s: a delay of 0 is 1 for TimeSquare, and none for LightCCSL and mrtccsl: choose one", c.Name)
			case d == 0 && b.dialect.ZeroDelay == ZeroDelayIsOne:
				part[i] = 1
			}
		}
	}
	return settled, nil
}

// filter makes c a filter of a clock.
func (b *builder) filter(c *Constraint, of ClockID, gaps Sequence) error {
	if err := gaps.gaps(); err != nil {
		return failure(c.At, "%s: %w", c.Name, err)
	}
	if len(gaps.Prefix)+len(gaps.Period) == 0 {
		return failure(c.At, "%s: a filter without gaps", c.Name)
	}
	c.Kind, c.Clocks, c.Sequence = FilterBy, []ClockID{of}, gaps
	return nil
}

// periodic makes c the ticks number offset+1, offset+1+period, ... of a clock.
func (b *builder) periodic(c *Constraint, of ClockID, period, offset int64) error {
	if period < 1 || offset < 0 {
		return failure(c.At, "%s: a period of %d with an offset of %d: they are at least 1 and 0", c.Name, period, offset)
	}
	return b.filter(c, of, Sequence{Prefix: []int64{offset + 1}, Period: []int64{period}})
}

// sampled makes c the samples of a clock that a trigger takes.
func (c *Constraint) sampled(kind Kind, of, trigger ClockID, how Sampling) {
	c.Kind, c.Clocks = kind, []ClockID{of, trigger}
	c.Strict, c.Drop = how != NonStrict, how == StrictDrops
}

// precedence makes c a precedence.
func (c *Constraint) precedence(a, b ClockID, bound Bound) {
	c.Kind, c.Clocks, c.Bound = Precedence, []ClockID{a, b}, bound
}
