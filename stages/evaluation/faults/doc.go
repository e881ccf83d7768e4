// Package faults injects timing faults into the event times of a trace and keeps the trace consistent
// (Hilbig 2023, MIDS+TIME, section 4.2).
//
// A trace is a directed acyclic graph of its events. With the times t_R and slacks s_R of the reference
// trace and the times t of the changed one, for every edge (e1, e2)
//
//	t(e2) - t(e1) >= t_R(e2) - t_R(e1) - s_R(e1, e2)    (4.2.1)
//	0 <= s(e1, e2) <= t(e2) - t(e1)                     (4.2.2)
//
// UPDATESLACK of Algorithm 2 adds to the slack of an edge what was added to the time between its events,
// so their difference never changes: it is the minimum time between the events,
//
//	l(e1, e2) = t_R(e2) - t_R(e1) - s_R(e1, e2),    s(e1, e2) = t(e2) - t(e1) - l(e1, e2)    (1)
//
// A Chart keeps l in place of s. (4.2.1) is then t(e2) - t(e1) >= l, and (4.2.2) is that and l >= 0, which
// holds for ever if it holds for the reference. An Injector changes nothing but times, so that it is
// undone by giving the touched events their times back.
//
// The order of events of a lifeline is kept in the sense of (4.2.2): they may get the same time, and then
// their order in the trace decides which is first.
//
// Faults are injected one after another, and the order is part of the fault; see Plan.Injections.
//
// What to inject is a Fault, one of the kinds of section 4.2.3. A Pool of what all runs have in common
// and a seed make it a Plan, which names subjects and functions in place of events. So one logical fault
// can be injected into independent runs, and its Truth is known by subject. A subject is what time samples
// are taken of, as is a transition of an automaton.
package faults
