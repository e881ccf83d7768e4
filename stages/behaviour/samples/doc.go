// Package samples adds time to the automata of service fragments: it replays the trace and notes the
// time of every event at the transition that it takes (Hilbig 2023, Algorithm 1), in all four
// normalisations of section 3.2:
//
//	ABSOLUTE                   TimeNs           as in the trace
//	RELATIVE                   SincePreviousNs  since the event before it in the same word
//	STACK-BASED                SinceCallNs      of an exit, since its enter
//	SERVICE-FRAGMENT ABSOLUTE  SinceStartNs     since the first event of the word
//
// The paper leaves the first event without RELATIVE and enters without STACK-BASED values; here they
// are null.
//
// Words are those of package callstack. The occurrence of a word is its place among the words of its
// fragment in the order in which they begin, the same that its executions have. A word that is
// under way when the trace ends keeps its number and has no samples.
package samples
