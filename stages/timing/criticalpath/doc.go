// Package criticalpath finds critical paths in a TMSC (Jonk et al. 2019, Definitions 4 and 5) by walking over windows
// of its constraints from the last to the first.
//
// A constraint is critical when its bound is met exactly. All critical constraints on any maximal critical path towards
// an event are found by Closure, which is Algorithm 1 of the paper with one difference: as printed the algorithm
// adds a constraint only if its source was not seen before, and so loses the second of two critical constraints that
// leave the same event. Here every critical constraint into an event on a path is kept.
//
// Of all critical paths towards an event one stands for them: at every event it comes from the critical constraint with
// the latest source, a message before a lifeline, then the larger sequence number. It is what the event waited
// for last. A Tracer follows these paths towards any number of events at once, and adds up what their time is spent on.
//
// Where clocks disagree, a message may be received before it was sent. It takes no time then, the path goes on at the sender, and what that
// did after the receipt is not counted: the steps of a path always add up to the time between its ends.
//
// Contention is the time in which a component was busy while a message for it waited (Fig. 2 of the paper): where the
// path enters a root execution from the execution before it on that lifeline, though the message that started
// it had been sent before that one finished, everything on the path since the message was sent counts as contention
// for the component. Where several messages waited at a time, it counts for the one whose component the path leaves last.
package criticalpath
