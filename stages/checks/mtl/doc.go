// Package mtl evaluates formulas of metric temporal logic at every state of a run (Hendriks et al. 2024, Definition 17).
//
// State i satisfies A until B within I iff there is a state j >= i with t_j - t_i in I that satisfies B, and A holds at all
// states k with i <= k < j. So j = i counts where 0 is in I, and A is not needed at j. A run satisfies a formula iff its
// first state does.
//
// # Semantics
//
// Finite takes the definition on the run as it is. A run is a prefix of what might go on, though: Strong says that the
// formula holds however it goes on, and Weak that it holds for some way (informative prefixes, as truncated semantics).
// They differ in until alone, and a negation swaps them. Strongly the witness j lies in the run. Weakly it may also come
// later: A holds weakly at all k >= i, and t_last - t_i is not beyond the end of I, as a state may still come at the time of
// the last one. Then Strong implies Finite, and Finite implies Weak. Of them follow the verdicts: Good where Strong holds,
// Bad where Weak does not, and else StillTrue or StillFalse by Finite.
//
// # Algorithm
//
// Truth is a stream of blocks of 4,096 bits, and every operator is a stream over the streams of its parts. In
//
//	l(i) = the first j >= i with t_j >= t_i + from    n(i) = the first j >= l(i) with B    k(i) = the first k >= i without A
//
// nothing ever moves back, and i satisfies the until iff n(i) <= k(i) and t_n(i) - t_i <= to. So every part of a formula is
// asked once for each block, by one reader that goes forward, and each reader of times and of states is a cursor of its
// own. Nothing is kept between the cursors, so memory is independent of the length of the run and of intervals: a block for
// every part of the formula. This is the second reading head of Raszyk et al. (ATVA 2019) instead of a queue as long as the
// window. Where B and the failures of A are rare, 64 states are decided at once, since what decides them is monotone in t_i.
package mtl
