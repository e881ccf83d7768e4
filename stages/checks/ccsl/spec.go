package ccsl

import (
	"fmt"
)

// Spec is a specification: clocks and the constraints on them, without names to resolve or libraries to expand.
type Spec struct {
	Name        string       // as the file gives it
	Clocks      []Clock      // by ClockID
	Constraints []Constraint // in the order of the file; those of an expanded definition stand where it is used
	Deaths      Deaths       // of the dialect it was read in
}

// ClockID is the position of a clock in Spec.Clocks.
type ClockID int32

// NoClock stands for the missing clock of a relation, which defines none.
const NoClock ClockID = -1

// Clock is a clock that is declared, or that an expression defines.
type Clock struct {
	// Name is its path within the specification, "block::clock". The clocks inside a definition of a library are
	// "block::use::Definition::clock", as TimeSquare names them; those inside a definition of LightCCSL
	// "definition[n]::clock", the n-th use of it from 1.
	Name string
	At   Place // where it is declared or defined
	// Definition is the position in Spec.Constraints of the expression that defines it, or NoDefinition: it is an
	// event of the outside.
	Definition int32
	// Hidden clocks are not in the text: results of expressions inside expressions.
	// A run cannot have such a clock by name.
	Hidden bool
}

// NoDefinition is the definition of a clock that is only declared.
const NoDefinition int32 = -1

// Constraint is a relation between clocks, or an expression that defines one.
type Constraint struct {
	Kind    Kind      // which relation or expression it is
	Name    string    // path of its name as that of a clock; of an expression the name of the clock that it defines
	Word    string    // what the text calls it: "NonStrictPrecedes", "<=", "Periodic"
	Defines ClockID   // the clock that the expression defines; NoClock for a relation
	Clocks  []ClockID // operands, in the order of Kind

	Bound    Bound    // of Precedence
	Sequence Sequence // of FilterBy: gaps; of Defer: delays
	Delay    int64    // of SampledOn: further triggers that a sample waits for
	Strict   bool     // of SampledOn, Sample, UpTo: see there
	Drop     bool     // of SampledOn: see there

	At  Place   // where it stands in the text
	Via []Place // the uses of definitions that it was expanded for, the outermost first
}

// Bound says how far the first clock of a precedence may be ahead of the second: 0 <= d <= Max holds for d = Init +
// |a| - |b| before each step.
type Bound struct {
	Init int64 // ticks of a that count from the start
	Max  int64 // greatest lead in ticks, or Unbounded
	// Strict: where d = 0, b must not tick. Otherwise it may, together with a.
	Strict bool
	// StrictMax: where d = Max, a must not tick. Otherwise it may, together with b.
	StrictMax bool
}

// Unbounded is the Max of a precedence without an upper bound.
const Unbounded int64 = -1

// Place is a place in the text of a specification; line and column from 1, the column counted in bytes.
type Place struct {
	File      string // name of the file; "" where the text has none
	Line, Col int    // from 1
}

// String writes the place as compilers do, so that editors find it.
func (p Place) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// IsRelation reports whether the constraint only restricts clocks; otherwise it defines one.
func (c *Constraint) IsRelation() bool { return c.Defines == NoClock }

// Find returns the clock of that path, of that path behind the name of the specification, or, where there is none,
// the only one whose path ends in it. Paths are written with "::".
func (s *Spec) Find(name string) (ClockID, bool) { return newClockDirectory(s).findClock(name) }

// Kind classifies constraints. The relations:
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
//	              strictly after; for n = 0 with base at once. Ticks that coincide are one
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
	Precedence Kind = iota // relations begin here
	Coincidence
	Exclusion
	SubClock
	Union // expressions begin here
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
	kinds int = iota // the number of kinds
)

// kindNames are the names of the kinds in tables.
var kindNames = [kinds]string{
	"Precedence", "Coincidence", "Exclusion", "SubClock", "Union", "Intersection", "Minus", "Inf", "Sup", "FilterBy",
	"Defer", "SampledOn", "Sample", "UpTo", "Concatenation", "Death",
}

// String returns the name of a kind as tables spell it.
func (k Kind) String() string { return kindNames[k] }
