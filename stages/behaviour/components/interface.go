package components

import (
	"fmt"
	"slices"
)

// MergeInterfaceClientsServers replaces in the events of the chosen models the other end of a message by the interface:
// its component by <interface>_untraced, and where it is one of several ways to call or to handle, its type by
// call or handler. So it no longer matters who the clients, or the servers, are, and how they call or handle. It does so
// for one interface, or for all where holder is "". The results are minimal.
func MergeInterfaceClientsServers(s *Set, chosen Choice, holder string, clients, servers bool) (*Set, error) {
	return s.renamed(func(m *Model, e Event) (Event, error) {
		if e.Other == "" || holder != "" && e.Interface != holder || !chosen.takes(m.Component) {
			return e, nil
		}
		if !e.requests() && !e.responds() && e.Type != "unkn" {
			return e, fmt.Errorf("event %s: what has type %s cannot send a message", e, e.Type)
		}
		return e.abstract(m.Component, clients, servers), nil
	})
}

// abstract replaces the end of an event that is not at a component: as a client it asks or is answered, as a server it
// is asked or answers.
func (e Event) abstract(component string, clients, servers bool) Event {
	stands := identity{name: e.Interface, untraced: true}.String()
	source := e.requests() && clients || e.responds() && servers
	target := e.responds() && clients || e.requests() && servers
	callers, handlers := []string{"blk", "fcn", "lib", "req"}, []string{"arslt", "sync"}
	answered, asked := []string{"blk", "fcncb", "lib", "wait"}, []string{"async", "sync"}
	switch {
	case e.Component == component || !source:
	case e.requests() && slices.Contains(callers, e.Type):
		e.Component, e.Type, e.Return = stands, "call", false
	case e.responds() && slices.Contains(handlers, e.Type):
		e.Component, e.Type, e.Return = stands, "handler", true
	default:
		e.Component = stands
	}
	return e.abstractTarget(component, target, stands, answered, asked)
}

// abstractTarget does the same with the end that receives.
func (e Event) abstractTarget(component string, target bool, stands string, answered, asked []string) Event {
	switch {
	case e.Other == component || !target:
	case e.responds() && slices.Contains(answered, e.OtherType):
		e.Other, e.OtherType, e.OtherReturn = stands, "call", true
	case e.requests() && slices.Contains(asked, e.OtherType):
		e.Other, e.OtherType, e.OtherReturn = stands, "handler", false
	default:
		e.Other = stands
	}
	return e
}
