// Package componentcalls makes calls between components messages. A trace of calls, as tracers of programs record it, has
// one lifeline a thread, on which functions of many components are nested. What a component does can then not be told
// from what it waits for. In a trace of components each has lifelines of its own, and a call from one to another is an
// exchange of messages: the text of Hilbig 2023, figures 1.3 and 4.1, has four lines for it, which are made here:
//
//	thread T                        lifeline a/T          lifeline b/T
//	enter f of a                    enter f
//	  enter g of b, at t              enter g, sends m    enter g, receives m     both at t
//	  exit g of b, at u               exit g, receives r  exit g, sends r         both at u
//	exit f of a                     exit f
//
// Calls within a component stay as they are. The call and its reply have numbers of their own in the series "call"
// and "return" and are labelled m and r, as in that text. Their latency is nothing, since a call takes no time to arrive:
// the time of the callee is the callee's, and the caller waits.
//
// What the trace says of its own messages stays: the message of an event goes with the component whose event it is, as
// a further message where the event has received its call already.
package componentcalls
