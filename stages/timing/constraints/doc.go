// Package constraints derives the timing constraints of a TMSC from its events and messages (Jonk et al. 2019,
// section IV): one between consecutive events of a lifeline, one for every message.
//
// A trace does not state the bound d of a constraint, only the time between its two events, the maximum that d
// can be. Which of the constraints into an event held it back is decided by one of three heuristics:
//
//	paper     equations (1) and (2) of the paper: of two constraints into an event the one whose source is later is
//	          critical, and both are when both are within epsilon
//	pps       the time-bound analysis of TNO's PPS: a receiver that already waited is held back by the message, one
//	          that was late by its own lifeline; waits outside executions count up to a default bound
//	declared  the bounds that the trace itself gives (.tmsct)
//
// All keep bounds between 0 and the time between the events, except that no bound may be known (pps, declared).
package constraints
