// Package rootcause turns the judged changes of a comparison into findings: one for every place that takes another
// time by its own doing, with all that only follows from it folded under it.
//
// A delay is seen in the step where it arises and in every fragment that waits for that step, up to the initial
// ones. What fragments wait for is known, so their differences have an account: that of a fragment is the sum of
// those of its own steps and of those that it waits in, and each of these is passed on from the fragment that is
// waited for (graph.go, walk.go). In that account
//
//	a root       is a changed step of a component's own time, or a message with a higher latency
//	inherited    is a change that what is below explains, within its interval or its margin
//	mixed        is one that it explains in part: it is folded where one finding explains half of it
//	moved cost   is a root whose time another one saves, below a fragment that is shown to be unchanged (after
//	             the cost shift of FBDetect, SOSP 2024)
//	edge         is the way of the messages of a call, request and reply together (edges.go)
//	beside       is an operation that overlaps what it waits for: critical paths lead through that, and it follows from it (beside.go)
//	calls        is a caller that calls otherwise, with all that happens more or less often for that reason (calls.go)
//	diffuse      is a changed fragment of which the findings explain less than half
//
// Where functions were compared as wholes, a function says of all its calls together whether it changed: steps of it that only one side
// has are parts of its time and no roots. Steps bear the names of the baseline; those of a function that moved, or of several that became
// one (Change.MovedFrom), belong to the function under its new name.
//
// Roots of one function are one finding: it is one place to look at. All times are per root execution, in ns.
//
// The difference d(n) of a fragment n with steps of own time S and waits W is, with the share s(w) of the callee's difference
// that arrives in a wait,
//
//	d(n) = sum over S of d(step) + sum over W of s(w) d(callee of w) + messages of w
//
// and every cause has its part in each term. Circles of callers make that a system of linear equations, which attributeCosts
// solves by passes in place; without circles one pass is exact. Phases are types that embed each other: graph (who waits for
// whom), registry (the causes), account (their parts in every fragment), finder (the phases that read the account).
package rootcause
