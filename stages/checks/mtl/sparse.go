package mtl

import "github.com/tracelake/tracelake/stages/checks/spec"

// Sparse reports whether states at which no atom of a formula holds can be left out of a run, in any number, without changing what it
// says of the formula in any mode, as long as the last state stays.
//
// It is so for "globally F" if F holds at such states whatever comes, and if in every temporal operator within F the goal never holds at
// them and what must hold until then always does: then they are never the witness of an until and never break one, and how late it is at
// the end of the run is told by the last state. "globally if A then within I B" is of this kind, with any atoms for A and B.
//
// Of "globally if A then F" A must not hold at them, as every trigger counts.
func Sparse(f *spec.Formula) bool {
	if f.Op != spec.Globally || f.Within != nil {
		return false
	}
	body := f.Args[0]
	return silent(body) == yes && (body.Op != spec.If || silent(body.Args[0]) == no) && partsSparse(body)
}

// partsSparse reports whether no temporal operator of a formula sees states at which no atom holds.
func partsSparse(f *spec.Formula) bool {
	ok := true
	switch f.Op {
	case spec.Finally:
		ok = silent(f.Args[0]) == no
	case spec.Globally:
		ok = silent(f.Args[0]) == yes
	case spec.Until:
		ok = silent(f.Args[0]) == yes && silent(f.Args[1]) == no
	}
	for _, a := range f.Args {
		ok = ok && partsSparse(a)
	}
	return ok
}

// answerOfSilence is the truth of a formula at a state at which none of its atoms holds.
type answerOfSilence uint8

const (
	depends answerOfSilence = iota // on other states, or on signals
	no
	yes
)

// silent returns the truth of a formula at states at which none of its atoms holds.
func silent(f *spec.Formula) answerOfSilence {
	switch f.Op {
	case spec.True:
		return yes
	case spec.Atom:
		return no
	case spec.Not:
		return negated(silent(f.Args[0]))
	case spec.And:
		return decided(f.Args, no)
	case spec.Or:
		return decided(f.Args, yes)
	case spec.If:
		if a, b := negated(silent(f.Args[0])), silent(f.Args[1]); a == yes || b == yes {
			return yes
		} else if a == no && b == no {
			return no
		}
	}
	return depends
}

func negated(a answerOfSilence) answerOfSilence {
	return [...]answerOfSilence{depends: depends, no: yes, yes: no}[a]
}

// decided is that of formulas of which one with a certain truth decides.
func decided(parts []*spec.Formula, one answerOfSilence) answerOfSilence {
	all := negated(one)
	for _, p := range parts {
		switch silent(p) {
		case one:
			return one
		case depends:
			all = depends
		}
	}
	return all
}
