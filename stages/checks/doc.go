// Package checks is the wing in which a run is held against a specification: a specification and the steps of a run go
// in; a verdict for every requirement comes out, with the first step that violates it and a sentence that says why.
//
// The packages:
//
//	ccsl  the Clock Constraint Specification Language: reads the forms of TimeSquare and LightCCSL, computes the
//	      clocks that expressions define, and checks a run step by step in one pass
//
// A specification is data. It is parsed, expanded and resolved once, and checking needs neither names nor the dialect
// any more. What a run lacks leaves a requirement unchecked, never silently satisfied. The wing clocks uses the same
// specifications to order the traces of several units.
package checks
