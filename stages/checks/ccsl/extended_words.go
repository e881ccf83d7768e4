package ccsl

// The words of TimeSquare's kernel.ccslLib and CCSL.ccslLib, with the names of their parameters.

// binding is what a name stands for.
type binding struct {
	kind     bindingKind
	clock    ClockID
	number   int64
	sequence Sequence
	// unresolved is a sequence of a library. It may name parameters of the definitions that use it.
	unresolved *element
}

// primitive is a relation or expression that is not expanded.
type primitive struct {
	formals []formal
	// build fills the constraint from what the parameters are bound to, in their order.
	build func(b *builder, c *Constraint, given []binding) error
}

// clocks are parameters that are clocks.
func clocks(names ...string) []formal {
	all := make([]formal, len(names))
	for i, name := range names {
		all[i] = formal{name, bindClock}
	}
	return all
}

// with adds a parameter.
func with(all []formal, name string, kind bindingKind) []formal {
	return append(all, formal{name, kind})
}

// of is a primitive whose clocks are those of the constraint.
func of(kind Kind, names ...string) primitive {
	return primitive{clocks(names...), func(_ *builder, c *Constraint, given []binding) error {
		c.Kind = kind
		for _, g := range given {
			c.Clocks = append(c.Clocks, g.clock)
		}
		return nil
	}}
}

// bounded is a precedence.
func bounded(bound Bound, names ...string) primitive {
	return primitive{clocks(names...), func(_ *builder, c *Constraint, given []binding) error {
		c.precedence(given[0].clock, given[1].clock, bound)
		return nil
	}}
}

// sampling is an expression that samples. How is nil where the dialect says it.
func sampling(kind Kind, how *Sampling, names ...string) primitive {
	return primitive{clocks(names...), func(b *builder, c *Constraint, given []binding) error {
		s := b.dialect.Sampling
		if how != nil {
			s = *how
		}
		c.sampled(kind, given[0].clock, given[1].clock, s)
		return nil
	}}
}

// upTo is one of the two expressions that a killer ends.
func upTo(strict bool) primitive {
	p := of(UpTo, "ClockToFollow", "KillerCLock")
	build := p.build
	p.build = func(b *builder, c *Constraint, given []binding) error {
		c.Strict = strict
		return build(b, c, given)
	}
	return p
}

var (
	unbounded   = Bound{Max: Unbounded}
	strictly    = Bound{Max: Unbounded, Strict: true}
	alternately = Bound{Max: 1, Strict: true, StrictMax: true}
	nonStrict   = NonStrict
	once        = Sequence{Prefix: []int64{1}}
	onceOnly    = Sequence{Prefix: []int64{1}, Period: []int64{0}}
)

// relationWords are the relations that need no library.
var relationWords = map[string]primitive{
	"Precedes":          bounded(strictly, "LeftClock", "RightClock"),
	"Causes":            bounded(unbounded, "LeftClock", "RightClock"),
	"NonStrictPrecedes": bounded(unbounded, "LeftClock", "RightClock"),
	"SubClock":          of(SubClock, "LeftClock", "RightClock"),
	"Coincides":         of(Coincidence, "Clock1", "Clock2"),
	"Exclusion":         of(Exclusion, "Clock1", "Clock2"),
	"Alternates":        bounded(alternately, "AlternatesLeftClock", "AlternatesRightClock"),
	"WeakAlternates":    bounded(Bound{Max: 1}, "WeakAlternatesLeftClock", "WeakAlternatesRightClock"),
	"NonStrictAlternates": {
		clocks("NonStrictAlternatesLeftClock", "NonStrictAlternatesRightClock"),
		func(b *builder, c *Constraint, given []binding) error {
			first := b.dialect.NonStrictAlternates == PrecedesThenCauses
			c.precedence(given[0].clock, given[1].clock, Bound{Max: 1, Strict: first, StrictMax: !first})
			return nil
		},
	},
}

// expressionWords are the expressions that need no library.
var expressionWords = map[string]primitive{
	"Union":              of(Union, "Clock1", "Clock2"),
	"Intersection":       of(Intersection, "Clock1", "Clock2"),
	"Inf":                of(Inf, "Clock1", "Clock2"),
	"Sup":                of(Sup, "Clock1", "Clock2"),
	"Minus":              of(Minus, "MinusLeftClock", "MinusRightClock"),
	"Concatenation":      of(Concatenation, "LeftClock", "RightClock"),
	"UpTo":               upTo(true),
	"NonPreemptiveUpTo":  upTo(false),
	"Death":              of(Death),
	"SampledOn":          sampling(SampledOn, nil, "SampledOnSampledClock", "SampledOnTrigger"),
	"NonStrictSampledOn": sampling(SampledOn, &nonStrict, "NonStrictSampledOnSampledClock", "NonStrictSampledOnTrigger"),
	"Sample":             sampling(Sample, nil, "SampledClock", "SamplingClock"),
	"NonStrictSample":    sampling(Sample, &nonStrict, "SampledClock", "SamplingClock"),
	"Defer": {with(clocks("BaseClock", "DelayClock"), "DelayPatternExpression", bindSequence),
		func(b *builder, c *Constraint, given []binding) error {
			return b.delay(c, given[0].clock, given[1].clock, given[2].sequence)
		}},
	"DelayFor": {with(clocks("DelayForClockToDelay", "DelayForClockForCounting"), "DelayForDelay", bindInteger),
		func(b *builder, c *Constraint, given []binding) error {
			return b.delay(c, given[0].clock, given[1].clock, Sequence{Period: []int64{given[2].number}})
		}},
	"FilterBy": {with(clocks("FilterByClock"), "FilterBySeq", bindSequence),
		func(b *builder, c *Constraint, given []binding) error {
			return b.filter(c, given[0].clock, given[1].sequence)
		}},
	"Periodic": {with(with(clocks("PeriodicBaseClock"), "PeriodicPeriod", bindInteger), "PeriodicOffset", bindInteger),
		func(b *builder, c *Constraint, given []binding) error {
			return b.periodic(c, given[0].clock, given[1].number, given[2].number)
		}},
	"Wait": {with(clocks("WaitingClock"), "WaitingValue", bindInteger),
		func(b *builder, c *Constraint, given []binding) error {
			return b.filter(c, given[0].clock, Sequence{Prefix: []int64{max(1, given[1].number)}})
		}},
	"OneTickAndDie":    {clocks("OneTickAndDieClock"), filtered(once)},
	"OneTickAndNoMore": {clocks("OneTickAndNoMoreClock"), filtered(onceOnly)},
}

// filtered builds a filter whose gaps are known.
func filtered(gaps Sequence) func(b *builder, c *Constraint, given []binding) error {
	return func(b *builder, c *Constraint, given []binding) error { return b.filter(c, given[0].clock, gaps) }
}

// integerWords are the integers that need no library.
var integerWords = map[string]int64{"minusOne": -1, "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4}

// discretize is the word of the expression that makes a clock of a dense one: its ticks are given by the run.
const discretize = "Discretize"
