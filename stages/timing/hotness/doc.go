// Package hotness says how hot each component of a system is within a window of time, while the system runs and afterwards, and which colour
// that is (Tavares de Sousa, Live Visualization of the Execution Behavior of Components, 2016; chapter 6 and 7).
//
//	machine.go  the call stacks of all lanes, with prefix integrals of each component: how long it had been executing up to a time
//	ended.go    the call that a row ends
//	state.go    a machine as bytes, from which it goes on
//	load.go     what a component did in a window: the difference of two integrals (section 6.2.6, the interval filter)
//	paths.go    the steps of critical paths in a window, of a run that has them, likewise
//	metric.go   hotness from 0 to 100 (section 6.2.6, the metrics)
//	difference.go  the same of the difference to a run that is compared with
//	colour.go   colours of a hotness (section 6.2.7, equations 6.1 to 6.3)
//
// An execution of a component begins where a call enters it from another component, or from none, and ends where that call ends: calls
// within a component are no executions of it. Its raw time reaches from its start to its end; its real time is that without the executions of
// other components that it called, and without calls that only stand for one on another lane. What is still running counts up to now.
//
// The thesis keeps every execution in memory and filters it for every picture. A machine keeps of each component the sums
//
//	busy(t) = Σ (end - start) over ended executions + Σ (t - start) over running ones
//
// which are linear in t between events, so that a window costs a difference, however many executions lie in it. Executions that reach over a
// border of the window are cut there by themselves.
package hotness
