// Package automata learns one automaton for every service fragment from the events of a trace:
// Constructive Model Inference as described in Hilbig 2023, section 2.2.
//
// The events of a lifeline are cut into words (package callstack). The words of all lifelines of a
// component that start alike enter one prefix tree. The tree is minimised, and its final state merged
// into the initial one, because a fragment runs to completion and may then run again. No states are
// merged by heuristics: apart from that loop the automaton accepts the observed words and no others.
//
// The minimal automaton of a finite set of words is found from the leaves up: two states are the same
// if they accept alike and their transitions are, symbol by symbol, into the same states. It is the
// method of Revuz, Theoretical Computer Science 92, 1992, with a hash table instead of a sort by
// height, and takes time linear in the tree.
//
// Only words that end count. A word that is under way when the trace ends is left out and counted as
// schema.OpenFragment. A word that is cut short counts there too, but it ended and is in the automaton.
package automata
