// Package ccsl reads specifications in the Clock Constraint Specification Language and checks recorded runs against
// them.
//
// A clock is an event that ticks again and again; a run is a sequence of steps, each a set of clocks that tick
// together. A constraint is a relation between clocks (Precedes, Coincides, ...) or an expression, which defines a
// new clock (Union, DelayFor, ...). The language is that of André 2009 (INRIA research report 6925) as Garcés et al.
// 2011, section III, use it for the reconciliation of traces; its concrete forms are those of the tools:
//
//   - TimeSquare, `.extendedCCSL` and its libraries, `.ccslLib`: ReadExtended, in extended_*.go;
//   - LightCCSL, `.lc`: ReadLight, in light_*.go.
//
// Reading is parse, expand, build: relations and expressions that a library defines are expanded, blocks are
// flattened, names and numbers are resolved, and what is left is a Spec: clocks, and constraints of a dozen kinds
// that the language of the file no longer matters to. Every constraint knows its place and the places it was
// expanded for. What dialects disagree on (a delay of 0, strict sampling, alternation, death) is settled there too:
// see Dialect.
//
// A Checker evaluates a Spec on a run, a step at a time: the guard of each relation, and the value of each
// expression, which is compared with the run where the run has the clock and taken as its ticks where it has not.
// The answer is a verdict for each constraint: it held, or the first step at which it was violated and why, or that
// it could not be checked because the run lacks a clock. VCD reads the runs that TimeSquare records.
//
// # Time
//
// With d = |a| - |b| counted before the step (ticks of a less ticks of b):
//
//	a Precedes b      d = 0 => not b                 a[k] strictly before b[k]
//	a Causes b        d = 0 and b => a               a[k] before b[k], or with it
//	a Alternates b    a Precedes b, b Precedes a[k+1]
//	FilterBy(a, s)    ticks with a[n1], a[n1+n2], ... for gaps s = n1 n2 ...
//	DelayFor(a, c, n) n ticks of c after each tick of a; for c = a it is a[k+n]
//	Inf, Sup          the k-th tick with the earlier, the later of the two k-th ticks
//
// # Death
//
// A clock may die, and then ticks no more: filters and delays whose sequence is used up, one-shot samples, UpTo after
// its killer. Unions, concatenations and the like look at the death of their operands. Relations hand death on (see
// Deaths). The end of a run is no death.
//
// # Restart
//
// Concatenation(a, b) follows a until a dies, and then b, which is born then: where b is an expression, it does
// nothing before. `x = a . x` starts a anew each time it dies, and with it the expressions that only a uses, and the
// dead ones among a's operands.
//
// # What it does not do
//
// It chooses no steps: it is no simulator. Clocks are discrete: of a dense clock only the discretised clock is known,
// and its ticks are given by the run. Blocks are always active: transitions between blocks are refused. A clock that
// neither the run has nor an expression or a coincidence defines leaves its constraints unchecked.
package ccsl
