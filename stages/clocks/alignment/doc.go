// Package alignment finds how the clocks within one trace are apart, and corrects its times. Hosts, pods and ranks have
// clocks of their own; what shares a clock is a domain.
//
// In come, for pairs of domains, what happened on one before something on the other: a request is sent before it is
// received, and a reply likewise on its way back. Each pair gathers the bounds of both directions (package offset). Out
// comes one line a domain, an offset and a drift to the clock of a reference, or the reason why a domain keeps its times:
//
//	0 possible      clocks that may agree are left as they are
//	0 excluded      the line in the middle of what is possible (package offset), from the reference outwards over the pairs
//	                that go both ways, those with most messages first
//	drifts          those that suit the fastest messages as well as chance allows are many; of them the latencies of all messages
//	                decide, those of all pairs of a tree together, where it has up to 24 (see settleDrifts)
//	contradiction   where these lines break an order of a pair beside them, those of one linear programme of all pairs (package
//	                timebase), for up to 24 clocks
//	one way only    0 is excluded, but no other line is better than the next: left, with a sentence
//	no line         a clock that was set in between, or that does not run evenly: left, with a sentence
//
// Times that a trace has cut to microseconds or milliseconds are known no better than that, and bounds hold as far.
package alignment
