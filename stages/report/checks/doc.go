// Package checks reports whether runs hold what they have to hold:
//
//	conditions.go    the six conditions of a timed message sequence chart (Jonk et al. 2019, Definition 3)
//	assertions.go    the clock constraints of a specification, each an assertion about a run
//	requirements.go  the checks of a specification in temporal logic, on each run and over runs
//	over.go          how close releases come to their bounds, one after the other
//	explanation.go   why one of these came out as it did at one state
//	reconciled.go    the clocks of several units that were brought into one order (Garcés, Deantoni and Mallet 2011)
//
// In come rows of the tables violations and clock_bounds, and what became of each constraint; out go text for a terminal
// and JSON for programs. In text, times are counted from the start of the run; JSON has the times of the trace. Both are
// nanoseconds.
package checks
