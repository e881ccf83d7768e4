// Package checks is the wing in which a run is held against a specification: a specification and the steps of a run go
// in; a verdict for every requirement comes out, with the first step that violates it and a sentence that says why.
//
// The packages:
//
//	ccsl  the Clock Constraint Specification Language: reads the forms of TimeSquare and LightCCSL, computes the
//	      clocks that expressions define, and checks a run step by step in one pass
//	spec  the specification language of requirements in temporal logic: reads it, finds all its errors at once, and
//	      gives the formulas of a check for each value of its forall
//	mtl   metric temporal logic: the truth of formulas at every state of a run, verdicts, failures, and margins of time
//	stl   signal temporal logic: the robustness of formulas over piecewise polynomials, at every instant
//	requirements
//	      a run against a specification in temporal logic: its states, and a judgement of every check
//	mining
//	      proposes requirements that good runs keep
//	transformation
//	      a trace of claims, events and signals that temporal logic finds in another one
//
// A specification is data. It is parsed, expanded and resolved once, and checking needs neither names nor the dialect
// any more. What a run lacks leaves a requirement unchecked, never silently satisfied. The wing clocks uses the same
// specifications to order the traces of several units.
package checks
