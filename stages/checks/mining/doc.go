// Package mining proposes requirements from runs that are known to be good: it looks at what all of them keep, and writes it as a
// specification that a person can edit (package spec).
//
// What is proposed, of functions that every run calls:
//
//	response    a call returns within b: the longest wait of any run, and a margin
//	distance    calls do not start closer to one another than d: the smallest distance of any run, less a margin
//	precedence  a function is not called before another one was
//	exclusion   two functions are never open at once
//	in flight   at most k executions of a lifeline, roots or messages are open at once
//	signal      a signal of the trace stays between two values
//
// # Margins
//
// A run that was not seen may be slower than all that were. How much is learned from the runs themselves: each is left out in turn, and
// the slowest run of a subject exceeds the others by some excess. Of these excesses, over all subjects of a kind, the margin is a
// quantile: it is chosen such that of pairs of a check and a run that was left out at most one in 500 would have failed. There are two
// of them, an absolute one, as an interruption hits a short call like a long one, and a relative one for calls longer than that; the
// greater counts. One run alone says nothing about others, and its margin is as much again as was seen.
//
// # What is left out
//
// Functions that a run does not call, and so checks that would be vacuous there. A response that follows from another one, since each
// call lies within a call of a function with the same bound; an exclusion that follows from that of functions around the two; all of
// precedence but the nearest earlier function. Pairs are looked for among the functions that are open for the longest time.
//
// # Rank
//
// A check says as much as the share of a run that it watches, times how close to its bound the runs come. What says most comes first.
package mining
