// Package claimorder compares the order of claims of several runs, and finds which items of a run were treated alike (Hendriks et al.
// 2024, sections 6.4.2 and 6.6).
//
// A claim A is before a claim B iff A has ended when B starts. The graph of a run has the start and the end of every claim and the
// regular events as vertices, which are equal where their attributes are, and an edge from the end of A to the start of B for every A
// before B. The distance of two graphs is the number of vertices and edges that only one of them has, as multisets, and their
// F-measure is twice what both have by the sizes of both. Claims of no length have no order.
//
// Of the order only the transitive reduction is compared unless the full order is asked for. A is a reduced predecessor of B iff no
// claim lies between them: with m the latest start of a claim that has ended when B starts, iff m < end(A) <= start(B). So the
// predecessors of B are a stretch of the claims in the order of their ends, which only moves forward with the start of B: a sweep
// gives them in n log n and the number of edges, and edges between equal attributes are counted together.
//
// Items are behaviourally equivalent iff their distance is 0 once the item is left out of their attributes (Definition 23). Equal
// graphs get equal numbers, so that finding the classes takes time linear in the items instead of their pairs.
package claimorder
