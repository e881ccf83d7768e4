package components

import (
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// Operator joins an inferred model with known behaviour.
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

// validate returns an error for an operator that does not exist.
func (op Operator) validate() error {
	switch op {
	case Intersection, Union, DifferenceLeft, DifferenceRight, ExclusiveOr, ParallelComposition:
		return nil
	}
	return fmt.Errorf("operator %q is none of intersection, union, difference-left, difference-right, exclusive-or and parallel-composition", op)
}

// InjectDomainKnowledge joins the chosen models with a known one, whose alphabet may differ. The results are
// minimal.
func InjectDomainKnowledge(s *Set, chosen Choice, op Operator, alphabet *schema.Dictionary, known *Model) (*Set, error) {
	// 1. Write data and silent steps of the known model out, since the operators are defined on languages.
	a := known.withoutData()
	if language.Trim(a).States() == 0 {
		return nil, fmt.Errorf("the model of domain knowledge accepts no word: does it mark states as accepting?")
	}
	if err := op.validate(); err != nil {
		return nil, err
	}
	// 2. Extend the alphabet of the set by the events that only the known model has.
	out := &Set{Alphabet: new(schema.Dictionary)}
	for l := range s.Alphabet.Len() { // codes stay
		out.Alphabet.Code(s.Alphabet.Name(uint32(l)))
	}
	// 3. Bring the known model into this alphabet.
	a = language.Relabel(a, func(l uint32) uint32 { return out.Alphabet.Code(alphabet.Name(l)) })
	out.Models = s.changeChosen(chosen, func(m *Model) *language.Automaton {
		return language.Minimise(applyOperator(op, m.withoutData(), a))
	}).Models
	return out, nil
}

// applyOperator applies an operator that was validated.
func applyOperator(op Operator, inferred, known *language.Automaton) *language.Automaton {
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

// MergeInterfaceClientsServers replaces in the events of the chosen models the other end of a message by the interface:
// its component by <interface>_untraced, and where it is one of several ways to call or to handle, its type by
// call or handler. So it no longer matters who the clients, or the servers, are, and how they call or handle. It does so
// for one interface, or for all where holder is "". The results are minimal.
func MergeInterfaceClientsServers(s *Set, chosen Choice, holder string, clients, servers bool) (*Set, error) {
	return s.renameEvents(func(m *Model, e Event) (Event, error) {
		if e.Other == "" || holder != "" && e.Interface != holder || !chosen.includes(m.Component) {
			return e, nil
		}
		if !e.isRequest() && !e.isResponse() && e.Type != "unkn" {
			return e, fmt.Errorf("event %s: what has type %s cannot send a message", e, e.Type)
		}
		return e.abstractEnds(m.Component, clients, servers), nil
	})
}

// abstractEnds replaces the end of an event that is not at a component by its interface: as a client it
// asks or is answered, as a server it is asked or answers.
// A request comes from a client and a response from a server; so which end is abstract depends on both the direction
// and the side that is to be merged.
func (e Event) abstractEnds(component string, clients, servers bool) Event {
	stands := identity{name: e.Interface, untraced: true}.String()
	// The end that sends is the client of a request and the server of a response.
	source := e.isRequest() && clients || e.isResponse() && servers
	// The end that receives is the other of the two.
	target := e.isResponse() && clients || e.isRequest() && servers
	// Types that mean the same from outside: how a client calls, and how a server handles.
	callers, handlers := []string{"blk", "fcn", "lib", "req"}, []string{"arslt", "sync"}
	answered, asked := []string{"blk", "fcncb", "lib", "wait"}, []string{"async", "sync"}
	switch {
	case e.Component == component || !source:
	case e.isRequest() && slices.Contains(callers, e.Type):
		e.Component, e.Type, e.Return = stands, "call", false
	case e.isResponse() && slices.Contains(handlers, e.Type):
		e.Component, e.Type, e.Return = stands, "handler", true
	default:
		e.Component = stands
	}
	return e.abstractTarget(component, target, stands, answered, asked)
}

// abstractTarget does the same for the end that receives.
func (e Event) abstractTarget(component string, target bool, stands string, answered, asked []string) Event {
	switch {
	case e.Other == component || !target:
	case e.isResponse() && slices.Contains(answered, e.OtherType):
		e.Other, e.OtherType, e.OtherReturn = stands, "call", true
	case e.isRequest() && slices.Contains(asked, e.OtherType):
		e.Other, e.OtherType, e.OtherReturn = stands, "handler", false
	default:
		e.Other = stands
	}
	return e
}
