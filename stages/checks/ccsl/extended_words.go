package ccsl

// The words of TimeSquare's kernel.ccslLib and CCSL.ccslLib, with the names of their parameters.

// binding is what a name stands for.
type binding struct {
	kind     bindingKind
	clock    ClockID  // of bindClock
	number   int64    // of bindInteger
	sequence Sequence // of bindSequence
	// unresolved is a sequence of a library. It may name parameters of the definitions that use it.
	unresolved *element
}

// primitive is a relation or expression that is not expanded but becomes a Constraint.
// The parameters are checked before build is called: it may rely on their number and kinds.
type primitive struct {
	formals []formal // parameters
	// build fills the constraint from what the parameters are bound to, in their order.
	build func(b *builder, c *Constraint, given []binding) error
}

// clockFormals returns parameters that are clocks.
func clockFormals(names ...string) []formal {
	all := make([]formal, len(names))
	for i, name := range names {
		all[i] = formal{name, bindClock}
	}
	return all
}

// withFormal appends a parameter.
func withFormal(all []formal, name string, kind bindingKind) []formal {
	return append(all, formal{name, kind})
}

// clockPrimitive returns a primitive whose parameters are the clocks of the constraint, in order.
func clockPrimitive(kind Kind, names ...string) primitive {
	return primitive{clockFormals(names...), func(_ *builder, c *Constraint, given []binding) error {
		c.Kind = kind
		for _, g := range given {
			c.Clocks = append(c.Clocks, g.clock)
		}
		return nil
	}}
}

// precedencePrimitive returns a precedence with a bound.
func precedencePrimitive(bound Bound, names ...string) primitive {
	return primitive{clockFormals(names...), func(_ *builder, c *Constraint, given []binding) error {
		c.makePrecedence(given[0].clock, given[1].clock, bound)
		return nil
	}}
}

// samplePrimitive returns an expression that samples. how is nil where the dialect decides.
func samplePrimitive(kind Kind, how *Sampling, names ...string) primitive {
	return primitive{clockFormals(names...), func(b *builder, c *Constraint, given []binding) error {
		s := b.dialect.Sampling
		if how != nil {
			s = *how
		}
		c.makeSample(kind, given[0].clock, given[1].clock, s)
		return nil
	}}
}

// upToPrimitive returns one of the two expressions that a killer ends.
func upToPrimitive(strict bool) primitive {
	p := clockPrimitive(UpTo, "ClockToFollow", "KillerCLock")
	build := p.build
	p.build = func(b *builder, c *Constraint, given []binding) error {
		c.Strict = strict
		return build(b, c, given)
	}
	return p
}

var (
	unbounded   = Bound{Max: Unbounded}                        // a may be ahead by any number
	strictly    = Bound{Max: Unbounded, Strict: true}          // and b never ticks with its a
	alternately = Bound{Max: 1, Strict: true, StrictMax: true} // a b a b, never together
	nonStrict   = NonStrict
	once        = Sequence{Prefix: []int64{1}}                     // the first tick, then dead
	onceOnly    = Sequence{Prefix: []int64{1}, Period: []int64{0}} // the first tick, then silent
)

// relationWords are the relations that need no library, by the words of TimeSquare's kernel.
// The names of the parameters are part of the language: files name them.
var relationWords = map[string]primitive{
	"Precedes":          precedencePrimitive(strictly, "LeftClock", "RightClock"),
	"Causes":            precedencePrimitive(unbounded, "LeftClock", "RightClock"),
	"NonStrictPrecedes": precedencePrimitive(unbounded, "LeftClock", "RightClock"),
	"SubClock":          clockPrimitive(SubClock, "LeftClock", "RightClock"),
	"Coincides":         clockPrimitive(Coincidence, "Clock1", "Clock2"),
	"Exclusion":         clockPrimitive(Exclusion, "Clock1", "Clock2"),
	"Alternates":        precedencePrimitive(alternately, "AlternatesLeftClock", "AlternatesRightClock"),
	"WeakAlternates":    precedencePrimitive(Bound{Max: 1}, "WeakAlternatesLeftClock", "WeakAlternatesRightClock"),
	"NonStrictAlternates": {
		clockFormals("NonStrictAlternatesLeftClock", "NonStrictAlternatesRightClock"),
		func(b *builder, c *Constraint, given []binding) error {
			first := b.dialect.NonStrictAlternates == PrecedesThenCauses
			c.makePrecedence(given[0].clock, given[1].clock, Bound{Max: 1, Strict: first, StrictMax: !first})
			return nil
		},
	},
}

// expressionWords are the expressions that need no library, with the parameter names of TimeSquare, misspellings
// included.
var expressionWords = map[string]primitive{
	"Union":              clockPrimitive(Union, "Clock1", "Clock2"),
	"Intersection":       clockPrimitive(Intersection, "Clock1", "Clock2"),
	"Inf":                clockPrimitive(Inf, "Clock1", "Clock2"),
	"Sup":                clockPrimitive(Sup, "Clock1", "Clock2"),
	"Minus":              clockPrimitive(Minus, "MinusLeftClock", "MinusRightClock"),
	"Concatenation":      clockPrimitive(Concatenation, "LeftClock", "RightClock"),
	"UpTo":               upToPrimitive(true),
	"NonPreemptiveUpTo":  upToPrimitive(false),
	"Death":              clockPrimitive(Death),
	"SampledOn":          samplePrimitive(SampledOn, nil, "SampledOnSampledClock", "SampledOnTrigger"),
	"NonStrictSampledOn": samplePrimitive(SampledOn, &nonStrict, "NonStrictSampledOnSampledClock", "NonStrictSampledOnTrigger"),
	"Sample":             samplePrimitive(Sample, nil, "SampledClock", "SamplingClock"),
	"NonStrictSample":    samplePrimitive(Sample, &nonStrict, "SampledClock", "SamplingClock"),
	"Defer": {withFormal(clockFormals("BaseClock", "DelayClock"), "DelayPatternExpression", bindSequence),
		func(b *builder, c *Constraint, given []binding) error {
			return b.makeDelay(c, given[0].clock, given[1].clock, given[2].sequence)
		}},
	"DelayFor": {withFormal(clockFormals("DelayForClockToDelay", "DelayForClockForCounting"), "DelayForDelay", bindInteger),
		func(b *builder, c *Constraint, given []binding) error {
			return b.makeDelay(c, given[0].clock, given[1].clock, Sequence{Period: []int64{given[2].number}})
		}},
	"FilterBy": {withFormal(clockFormals("FilterByClock"), "FilterBySeq", bindSequence),
		func(b *builder, c *Constraint, given []binding) error {
			return b.makeFilter(c, given[0].clock, given[1].sequence)
		}},
	"Periodic": {withFormal(withFormal(clockFormals("PeriodicBaseClock"), "PeriodicPeriod", bindInteger), "PeriodicOffset", bindInteger),
		func(b *builder, c *Constraint, given []binding) error {
			return b.makePeriodic(c, given[0].clock, given[1].number, given[2].number)
		}},
	"Wait": {withFormal(clockFormals("WaitingClock"), "WaitingValue", bindInteger),
		func(b *builder, c *Constraint, given []binding) error {
			return b.makeFilter(c, given[0].clock, Sequence{Prefix: []int64{max(1, given[1].number)}})
		}},
	"OneTickAndDie":    {clockFormals("OneTickAndDieClock"), filterPrimitive(once)},
	"OneTickAndNoMore": {clockFormals("OneTickAndNoMoreClock"), filterPrimitive(onceOnly)},
}

// filterPrimitive builds a filter whose gaps are known.
func filterPrimitive(gaps Sequence) func(b *builder, c *Constraint, given []binding) error {
	return func(b *builder, c *Constraint, given []binding) error { return b.makeFilter(c, given[0].clock, gaps) }
}

// integerWords are the integers that need no library.
var integerWords = map[string]int64{"minusOne": -1, "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4}

// discretize is the word of the expression that makes a clock of a dense one: its ticks are given by the run.
const discretize = "Discretize"
