// Package transformation makes a trace of another one by temporal logic (Hendriks et al. 2024, section 5): events and claims where formulas
// hold, signals by expressions, dependencies that follow those of the input.
//
//	event    at every state where a formula holds, at its time
//	claim    from every state where the first formula holds to the earliest later state of the second that no other claim took; a
//	         start without an end makes none and is counted
//	signal   sum, product, min or max of signals, which stay polynomials of degree 2 at most
//
// Input is filtered before: only what lies within the interval, and the events, claims and signals that a filter selects. Output is
// trimmed and shifted in time. A dependency leads from one made thing to another one where dependencies and claims of the input lead from
// the state of the first to that of the second past no other made thing; its attribute weight is the longest sum of durations of
// the claims on the way, in units of the trace.
package transformation
