// Package ltsdiff compares two automata, or several, and merges them into one difference automaton
// whose states and transitions say on which sides they exist: LTSdiff.
//
// Walkinshaw and Bogdanov, ACM TOSEM 22(2), 2013, section 5, give the similarity of states, its
// landmarks and the growth from them. Where the paper is silent (initial and accepting states, ties,
// the skip rewriters) the package does as gLTSdiff 1.1.0, with two differences:
//
//   - Similarity is never a matrix. Only pairs of states that share a label score above 0, and states with
//     the same labels share the list of their partners; the global scores are the fixpoint of the recurrence.
//   - Skip patterns fold two transitions into one only if no side has both, so every transition of a side
//     stays in the difference, with its number, and its time samples find their place.
//
// Fast is the matcher to use: it pairs what is the same on both sides by the look of its surroundings,
// grows from there, and improves the pairing while a change of it adds unchanged transitions. Its result
// depends neither on the numbers of states nor on which side is called left.
package ltsdiff
