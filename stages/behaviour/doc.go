// Package behaviour is the wing in which the chart of a run becomes models with times: executions, events and messages
// go in; automata, their time samples and metrics come out, and what several models have in common.
//
// A model is learnt and not configured: Constructive Model Inference (Hilbig 2023, section 2.2) cuts the events of a
// lifeline into words, the occurrences of service fragments, and returns the minimal automaton that accepts these words
// in any order. Time is added afterwards, as samples at the transitions (section 3.1), so an automaton stays small and
// its language exact.
//
// The packages, in the order of the data:
//
//	automata    events of a run -> one minimal automaton for every service fragment
//	samples     events and automata -> the times of every transition, in four normalisations
//	metrics     executions and messages -> runtime, downtime, waiting and handling times
//	components  events and messages -> one model for every component, as MIDS has them; systems of such models
//	matching    automata of several runs -> which transitions correspond, also under other names
//	claimorder  claims -> how far the order of runs is apart, which items were treated alike
//	levels      models of several releases -> variants, lattices and differences on six levels
//
// Two packages are mathematics that they share, and know no table:
//
//	language    regular languages: minimal automata, inclusion, union, intersection, difference
//	ltsdiff     difference automata: which states of two or more automata correspond (Walkinshaw and Bogdanov 2013)
//
// What comes in must be well-formed (wing chart). The samples of corresponding transitions go to the wing change.
// Results depend on the set of words and not on their order, on names and not on codes: two runs with the same words
// have the same automata, state by state.
package behaviour
