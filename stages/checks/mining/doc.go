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
// # Rates
//
// Five runs of curl of a cell are mined, in ten random splits of ten runs. Failing are checks that one of the five others does not keep,
// and found is a delay of 10 ms, injected into one call of one of these, that breaks a check which names the function or one that was
// open while it was (benchmarks/mining):
//
//	runs of curl                   checks  failing, mean  most   found
//	7.88.0, quiet, fast server      1,252          0.2 %  1.3 %  100 of 100
//	7.88.0, quiet, slow server      1,242          0.1 %  0.3 %   96 of 100
//	7.88.0, loaded, slow server     1,156          0.7 %  1.3 %   97 of 100
//
// Not found were delays in tool_setopt (four times), ossl_init, Curl_splay and curl_easy_perform. Wherever a delay is, idle time behind it may take it up, so that callers
// need not be late.
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
