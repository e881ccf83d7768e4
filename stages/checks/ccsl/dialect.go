package ccsl

// Dialect settles what the tools that read the language do differently. Its zero value is TimeSquare as far as that
// is known; what is not known must be chosen where a specification needs it.
type Dialect struct {
	ZeroDelay           ZeroDelay
	Sampling            Sampling
	NonStrictAlternates NonStrictAlternates
	Deaths              Deaths
}

// ZeroDelay is what a delay of 0 means. A specification that has one is refused until it is chosen.
type ZeroDelay uint8

// What a delay of 0 means.
const (
	ZeroDelayUnsaid ZeroDelay = iota
	ZeroDelayIsOne            // as a delay of 1: what TimeSquare's recorded runs show
	ZeroDelayIsNone           // ticks at once: LightCCSL and mrtccsl
)

// Sampling is how `SampledOn` treats a tick that comes together with the trigger. `NonStrictSampledOn` counts it in
// every dialect, and LightCCSL's `sampledOn` is StrictKeeps in every dialect.
type Sampling uint8

// How SampledOn treats a tick that comes together with the trigger.
const (
	StrictKeeps Sampling = iota // it counts for the next trigger: LightCCSL's automaton; TimeSquare's one-shot sample
	StrictDrops                 // it is lost: TimeSquare's recursive restart, if that clears it
	NonStrict                   // it counts for this trigger: mrtccsl
)

// NonStrictAlternates is what the relation of that name forbids. With d = |a| - |b| it keeps 0 <= d <= 1.
type NonStrictAlternates uint8

// What NonStrictAlternates forbids.
const (
	CausesThenPrecedes NonStrictAlternates = iota // a <= b < a[k+1]: both together only where d = 0 (CCSL.ccslLib)
	PrecedesThenCauses                            // a < b <= a[k+1]: both together only where d = 1 (mrtccsl)
)

// Deaths is whether relations hand on death to clocks that could not tick any more.
type Deaths uint8

// Whether relations hand on death.
const (
	// DeathsSpread: a precedence kills b once a is dead and d = 0, a sub-clock dies with its super-clock, and
	// coincident clocks die together: TimeSquare.
	DeathsSpread Deaths = iota
	DeathsLocal         // only expressions make clocks die
)
