// Package language is the regular languages as the comparisons of models use them: finite automata and what can be
// decided and computed of the sets of words that they accept. It is a room of mathematics that stages share.
//
// An Automaton may be non-deterministic, have several initial states and take silent steps (Tau). Every operation
// returns a new automaton and leaves its operands alone. Automata that meet in an operation must share an alphabet:
// equal labels are equal codes.
//
// No operation makes a table of states by labels, nor a sink: a state without a transition for a label has lost the
// word. So cost and memory follow the transitions that exist, at any number of states and labels.
//
// Methods: subsets (Rabin and Scott 1959), minimisation of partial automata by refinable partitions (Valmari, Information
// Processing Letters 112, 2012), equivalence by union-find (Hopcroft and Karp 1971), inclusion by antichains (De Wulf, Doyen,
// Henzinger and Raskin, CAV 2006).
package language
