package components

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// Operator joins what was inferred with what is known.
type Operator string

// The operators, by their names in mids-cmi.
const (
	Intersection        Operator = "intersection"         // what both have
	Union               Operator = "union"                // what either has
	DifferenceLeft      Operator = "difference-left"      // what is known and was not inferred
	DifferenceRight     Operator = "difference-right"     // what was inferred and is not known
	ExclusiveOr         Operator = "exclusive-or"         // what one has and the other has not
	ParallelComposition Operator = "parallel-composition" // both at once: events of both happen together
)

func (op Operator) check() error {
	switch op {
	case Intersection, Union, DifferenceLeft, DifferenceRight, ExclusiveOr, ParallelComposition:
		return nil
	}
	return fmt.Errorf("operator %q is none of intersection, union, difference-left, difference-right, exclusive-or and parallel-composition", op)
}

// InjectDomainKnowledge joins the chosen models with a known one, of which the alphabet is another. The results are
// minimal.
func InjectDomainKnowledge(s *Set, chosen Choice, op Operator, alphabet *schema.Dictionary, known *Model) (*Set, error) {
	a := known.visible()
	if language.Trim(a).States() == 0 {
		return nil, fmt.Errorf("the model of domain knowledge accepts no word: does it mark states as accepting?")
	}
	if err := op.check(); err != nil {
		return nil, err
	}
	out := &Set{Alphabet: new(schema.Dictionary)}
	for l := range s.Alphabet.Len() { // codes stay
		out.Alphabet.Code(s.Alphabet.Name(uint32(l)))
	}
	a = recode(a, func(l uint32) uint32 { return out.Alphabet.Code(alphabet.Name(l)) })
	for _, m := range s.Models {
		if chosen.takes(m.Component) {
			m = &Model{Component: m.Component, Automaton: language.Minimise(join(op, m.visible(), a))}
		}
		out.Models = append(out.Models, m)
	}
	return out, nil
}

// join applies an operator that was checked.
func join(op Operator, inferred, known *language.Automaton) *language.Automaton {
	switch op {
	case Intersection:
		return language.Intersect(inferred, known)
	case Union:
		return language.Union(inferred, known)
	case DifferenceLeft:
		return language.Difference(known, inferred)
	case DifferenceRight:
		return language.Difference(inferred, known)
	case ExclusiveOr:
		return language.Union(language.Difference(known, inferred), language.Difference(inferred, known))
	case ParallelComposition:
		return language.Product(inferred, known, language.Shared(inferred, known))
	}
	return nil
}
