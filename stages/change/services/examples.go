package services

import "github.com/tracelake/tracelake/schema"

// Place is where requests spend time: a function of a component, or the calls from one component to another.
type Place struct {
	component, of schema.Code // of is the function, or the component that is called
	edge          bool
}

// FunctionAt returns the place that is a function of a component. Its time is that of all its executions in a request, each by itself.
func FunctionAt(component, function schema.Code) Place { return Place{component, function, false} }

// EdgeBetween returns the place that is the calls from one component to another. Its time is that of these calls, less that of the callee.
func EdgeBetween(caller, callee schema.Code) Place { return Place{caller, callee, true} }

// Example is the request that shows most of what a place takes.
type Example struct {
	Request int   // its position among the requests; -1 where none has the place
	Ns      int64 // what the place takes in it
}

// Longest returns the request of each place in which it takes most time, and of equal ones the first. The requests are read once.
func Longest(requests []Request, places []Place) map[Place]Example {
	best, sums, m := make(map[Place]Example, len(places)), make(map[Place]int64), new(measurer)
	for _, p := range places {
		best[p] = Example{Request: -1}
	}
	for k := range requests {
		spans := requests[k].Spans
		m.relate(spans)
		for i := range spans {
			x := &spans[i]
			if at := FunctionAt(x.Component, x.Function); has(best, at) {
				sums[at] += m.ownNs(spans, i)
			}
			if x.Parent < 0 {
				continue
			}
			caller := &spans[x.Parent]
			if at := EdgeBetween(caller.Component, x.Component); has(best, at) {
				sums[at] += caller.FinishNs - caller.StartNs - (x.FinishNs - x.StartNs)
			}
		}
		for at, sum := range sums {
			if e := best[at]; e.Request < 0 || sum > e.Ns {
				best[at] = Example{k, sum}
			}
		}
		clear(sums)
	}
	return best
}

func has(of map[Place]Example, p Place) bool {
	_, is := of[p]
	return is
}
