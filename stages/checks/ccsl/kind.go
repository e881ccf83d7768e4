package ccsl

// Kind is what a constraint says. The relations:
//
//	Precedence   a, b: the k-th tick of b comes not before the (k-Init)-th of a: see Bound. Precedes is strict;
//	             Causes (NonStrictPrecedes) is not; Alternates is strict at both ends with Max 1
//	Coincidence  all clocks tick together or none does
//	Exclusion    at most one of the clocks ticks
//	SubClock     a ticks only together with b
//
// The expressions (r is the clock that is defined):
//
//	Union         r ticks iff any operand does; dies with the last of them
//	Intersection  r ticks iff all do; dies with the first
//	Minus         a, others: r ticks iff a does and none of the others; dies with a
//	Inf           |r| = max |x|: the slowest clock that is faster than all
//	Sup           |r| = min |x|: the fastest clock that is slower than all
//	FilterBy      a: r ticks with the ticks of a that the gaps of Sequence select; dies when they are used up.
//	              Periodic, Wait, OneTickAndNoMore and DelayFor whose clocks are one are filters too
//	Defer         base, delay: each tick of base takes the next of Sequence, n; r ticks with the n-th tick of delay
//	              strictly after; for n = 0 with base at once. Ticks that fall together are one
//	SampledOn     a, trigger: r ticks with trigger if a has ticked since the last sample was taken, and Delay
//	              triggers later. Strict: an a that ticks with the trigger does not count for it; it counts for the
//	              next unless Drop
//	Sample        as SampledOn, but it ticks once and dies
//	UpTo          a, killer: r ticks with a until killer ticks, then dies. Strict: not in that very step
//	Concatenation a, b: r ticks with a until a dies, then with b; b may be r itself: then a starts again
//	Death         r never ticks
type Kind uint8

// The kinds of constraint. See Kind.
const (
	Precedence Kind = iota
	Coincidence
	Exclusion
	SubClock
	Union
	Intersection
	Minus
	Inf
	Sup
	FilterBy
	Defer
	SampledOn
	Sample
	UpTo
	Concatenation
	Death
	kinds int = iota
)

var kindNames = [kinds]string{
	"Precedence", "Coincidence", "Exclusion", "SubClock", "Union", "Intersection", "Minus", "Inf", "Sup", "FilterBy",
	"Defer", "SampledOn", "Sample", "UpTo", "Concatenation", "Death",
}

func (k Kind) String() string { return kindNames[k] }
