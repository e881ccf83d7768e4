package services

import "github.com/tracelake/tracelake/schema"

// Example is the request that shows most of what a place takes.
type Example struct {
	Request int   // its position among the requests; -1 where none has the place
	Ns      int64 // what the place takes in it
}

// LongestOf returns the request in which a function of a component takes most time by itself, in all of its executions together; of equal
// ones the first.
func LongestOf(requests []Request, component, function schema.Code) Example {
	return longest(requests, func(m *measurer, spans []Span, i int) (ns int64, is bool) {
		if spans[i].Component != component || spans[i].Function != function {
			return 0, false
		}
		return m.ownNs(spans, i), true
	})
}

// LongestBetween returns the request in which calls from one component to another take most time, less that of the callee.
func LongestBetween(requests []Request, caller, callee schema.Code) Example {
	return longest(requests, func(_ *measurer, spans []Span, i int) (ns int64, is bool) {
		p := spans[i].Parent
		if p < 0 || spans[i].Component != callee || spans[p].Component != caller {
			return 0, false
		}
		return spans[p].FinishNs - spans[p].StartNs - (spans[i].FinishNs - spans[i].StartNs), true
	})
}

// longest returns the request with the greatest sum of what is measured of its spans.
func longest(requests []Request, of func(m *measurer, spans []Span, i int) (ns int64, is bool)) Example {
	best, m := Example{Request: -1}, new(measurer)
	for k := range requests {
		spans := requests[k].Spans
		m.relate(spans)
		sum, any := int64(0), false
		for i := range spans {
			if ns, is := of(m, spans, i); is {
				sum, any = sum+ns, true
			}
		}
		if any && (best.Request < 0 || sum > best.Ns) {
			best = Example{k, sum}
		}
	}
	return best
}
