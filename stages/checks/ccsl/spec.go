package ccsl

import "fmt"

// Spec is a specification: clocks and the constraints on them, without names to resolve or libraries to expand.
type Spec struct {
	Name        string
	Clocks      []Clock
	Constraints []Constraint // in the order of the file; those of an expanded definition stand where it is used
	Deaths      Deaths       // of the dialect it was read in
}

// ClockID is the position of a clock in Spec.Clocks.
type ClockID int32

// NoClock is the clock that a relation defines.
const NoClock ClockID = -1

// Clock is a clock that is declared, or that an expression defines.
type Clock struct {
	// Name is its path within the specification, "block::clock". The clocks inside a definition of a library are
	// "block::use::Definition::clock", as TimeSquare names them; those inside a definition of LightCCSL
	// "definition[n]::clock", the n-th use of it from 1.
	Name string
	At   Place
	// Definition is the position in Spec.Constraints of the expression that defines it, or NoDefinition: it is an
	// event of the outside.
	Definition int32
	// Hidden clocks are not in the text: results of expressions inside expressions.
	Hidden bool
}

// NoDefinition is the definition of a clock that is only declared.
const NoDefinition int32 = -1

// Constraint is a relation between clocks, or an expression that defines one.
type Constraint struct {
	Kind    Kind
	Name    string  // path of its name as that of a clock; of an expression the name of the clock that it defines
	Word    string  // what the text calls it: "NonStrictPrecedes", "<=", "Periodic"
	Defines ClockID // or NoClock for a relation
	Clocks  []ClockID

	Bound    Bound    // of Precedence
	Sequence Sequence // of FilterBy: gaps; of Defer: delays
	Delay    int64    // of SampledOn: further triggers that a sample waits for
	Strict   bool     // of SampledOn, Sample, UpTo: see there
	Drop     bool     // of SampledOn: see there

	At  Place
	Via []Place // the uses of definitions that it was expanded for, the outermost first
}

// Bound says how far the first clock of a precedence may be ahead of the second. With
// d = Init + |a| - |b| before a step, 0 <= d <= Max is kept.
type Bound struct {
	Init int64 // ticks of a that are there from the start
	Max  int64 // or Unbounded
	// Strict: where d = 0, b must not tick. Otherwise it may, together with a.
	Strict bool
	// StrictMax: where d = Max, a must not tick. Otherwise it may, together with b.
	StrictMax bool
}

// Unbounded is the Max of a precedence without an upper bound.
const Unbounded int64 = -1

// Place is a place in the text of a specification; line and column from 1, the column counted in bytes.
type Place struct {
	File      string
	Line, Col int
}

func (p Place) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// IsRelation says whether the constraint only restricts clocks; otherwise it defines one.
func (c *Constraint) IsRelation() bool { return c.Defines == NoClock }

// Find returns the clock of that path, of that path behind the name of the specification, or, where there is none,
// the only one whose path ends in it. Paths are written with "::".
func (s *Spec) Find(name string) (ClockID, bool) { return newDirectory(s).find(name) }
