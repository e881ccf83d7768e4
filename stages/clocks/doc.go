// Package clocks is the wing in which several traces, each with a clock of its own, become one order and one time: the
// events of units that matter go in, with a specification and the messages between them; relations between occurrences,
// the offset and drift of every clock, and corrected times come out.
//
// The packages, in the order of the data:
//
//	reconciliation  traces of units, constraints and messages -> a partial order, or why there is none; then times
//	                that respect the order and change the recorded ones as little as possible (Garcés et al. 2011)
//	offset          messages between two clocks -> the lines y = x + offset + drift x that all of them allow, and the
//	                best of these
//	timebase        what is ordered between all clocks -> one time for all of them, by one linear programme over the hulls of
//	                all pairs, with curves for the clocks that fit no line; reconciliation calls it
//
//	alignment       messages between the clocks within one trace -> one line a clock, by which readers of traces correct the
//	                times of hosts before they relate calls; or the reason why times are left
//
// A specification is one of package ccsl in the wing checks. Events that no curve brings in
// order are shifted. The run that results is like any other: it goes to the wing chart.
package clocks
