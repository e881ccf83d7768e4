package services

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// blameOwn puts operations that take longer by themselves down to their services.
func (r *ranker) blameOwn() {
	for i, c := range r.changes[Own] {
		if !r.slower(c) || c.log <= 0 {
			continue
		}
		why := r.reason(Own, c)
		why.Component, why.Function = r.operations.pairs[i][0], r.operations.pairs[i][1]
		r.blame(why.Component, why)
	}
}

// edge is a change of the calls from one service to another.
type edge struct {
	*change
	caller, callee schema.Code
	log, ns        float64 // how much slower it is, 0 where that is not significant
}

// blameEdges divides the changes of calls between callers and callees. What all calls of a caller have in common is the lower
// median of their changes, as in a median polish (Tukey 1977) of which only the callers' half is done: half of the calls are
// slowed at least as much.
func (r *ranker) blameEdges() {
	byCaller := make(map[schema.Code][]edge)
	for i, c := range r.changes[Edge] {
		if c == nil {
			continue
		}
		e := edge{change: c, caller: r.edges.pairs[i][0], callee: r.edges.pairs[i][1]}
		if c.p < looseP && c.Estimate > 0 && c.cand-c.base > r.floorNs {
			e.log, e.ns = max(0, c.log), c.cand-c.base
		}
		byCaller[e.caller] = append(byCaller[e.caller], e)
	}
	for caller, edges := range byCaller {
		shared := r.blameCaller(caller, edges)
		for i := range edges {
			r.blameCallee(&edges[i], shared)
		}
	}
}

// looseP is the level at which a call counts as slower for what all calls of its caller have in common: that most of them are
// slower needs less evidence of each.
const looseP = .05

// blameCaller puts what all calls of a service have in common down to it, and returns that part: nil for none. One call says
// nothing of what is common.
func (r *ranker) blameCaller(caller schema.Code, edges []edge) *edge {
	if len(edges) < 2 {
		return nil
	}
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(a.log, b.log) })
	common := &edges[(len(edges)-1)/2]
	if common.log <= 0 || common.p >= r.MaxP {
		return nil
	}
	shared := *common
	why := r.reason(Edge, common.change)
	why.Component = caller
	r.blame(caller, why)
	return &shared
}

// blameCallee puts what a call takes longer than all calls of its caller down to its callee.
func (r *ranker) blameCallee(e *edge, shared *edge) {
	if !r.slower(e.change) {
		return
	}
	why := r.reason(Edge, e.change)
	why.Component, why.Peer = e.caller, e.callee
	if shared != nil {
		why.Score, why.Shared = why.Score-shared.log, shared.ns
		why.Verdict = Candidate // the test knows nothing of the shared part
	}
	if why.Score > 0 && e.cand-e.base-why.Shared > r.floorNs {
		r.blame(e.callee, why)
	}
}

// blameCounts puts other numbers of calls, or more errors, down to the services where they are.
func (r *ranker) blameCounts(k Kind) {
	for i, c := range r.changes[k] {
		if c == nil || c.p >= r.MaxP || (k == Errors && c.Estimate < 0) {
			continue
		}
		why := r.reason(k, c)
		why.Component, why.Function = r.operations.pairs[i][0], r.operations.pairs[i][1]
		why.Score = 2 * math.Abs(why.Score)
		service := why.Component
		if k == Calls && c.Estimate < 0 {
			if last := r.lastCalled(uint32(i)); last != schema.NoCode {
				service, why.Peer = last, last
			}
		}
		r.blame(service, why)
	}
}

// mostlyLast is by how much the share of executions that call a service last has to grow, for it to be what ends them.
const mostlyLast = .2

// lastCalled returns the service that executions of an operation call last more often than before, by most; NoCode where that
// is none.
func (r *ranker) lastCalled(operation uint32) schema.Code {
	var executions [2]float64 // that call anything or nothing, of each side
	for n, pair := range r.lasts.pairs {
		if pair[0] == operation {
			executions[0] += at(r.base.last, n)
			executions[1] += at(r.cand.last, n)
		}
	}
	best, most := schema.NoCode, mostlyLast
	for n, pair := range r.lasts.pairs {
		if pair[0] != operation || pair[1] == schema.NoCode {
			continue
		}
		if gain := at(r.cand.last, n)/executions[1] - at(r.base.last, n)/executions[0]; gain > most {
			best, most = pair[1], gain
		}
	}
	return best
}

// at returns an element of a table by number, 0 beyond its end.
func at(table []int, n int) float64 {
	if n >= len(table) {
		return 0
	}
	return float64(table[n])
}
