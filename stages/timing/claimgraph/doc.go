// Package claimgraph finds the critical paths of claims and holds a trace against the dependencies of another one (Hendriks et al.
// 2024, sections 6.1, 6.2 and 6.4.3).
//
// A constraint graph has edges (u, w, v), which mean t(v) >= t(u) + w. All graphs here have the edges (start, d, end) and
// (end, -d, start) of every claim of duration d, a source before all events and a sink behind them, with weight 0. Beyond that
//
//	Ends          has an edge of weight 0 from the end of c to the start of c' iff 0 <= start(c') - end(c) <= epsilon
//	Dependencies  has an edge of a given weight for every dependency of the trace
//
// A critical path is a longest path from the source to the sink (Definition 22). With F(v) the weight of the longest path from the
// source to v, B(v) that from v to the sink and W that of the whole, an edge (u, w, v) is critical iff F(u) + w + B(v) = W. All
// weights are whole nanoseconds, so that equality is exact.
//
// In the graph of Ends only starts receive such edges, so the edge back from the end of a claim never lengthens a path, and one pass
// in the order of time gives F, one in the other direction B: F(start) is the greatest F(end) of a claim that ended within epsilon,
// which a queue of falling values holds. That takes time n log n, whatever epsilon is, although there may be n^2 edges. Critical edges
// are counted and not listed: they lead from ends to starts of the same F.
//
// In the graph of Dependencies a claim is one vertex, as its end lies exactly its duration behind its start. Strongly connected
// parts (Tarjan 1972) are taken in the order of edges, and within a part Bellman, Ford and Moore's algorithm runs. A cycle of
// positive weight means that no trace satisfies the graph: *CycleError walks around it.
package claimgraph
