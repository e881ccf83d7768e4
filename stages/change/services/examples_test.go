package services

import (
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestExamples asks for the requests in which a function and an edge take most: by itself, and less what the callee takes.
func TestExamples(t *testing.T) {
	request := func(web, toDB, db int64) Request { // web.get calls db.query over web.ask
		return Request{Spans: []Span{
			{Component: 0, Function: 0, StartNs: 0, FinishNs: web + toDB + db, Parent: -1},
			{Component: 0, Function: 1, StartNs: web, FinishNs: web + toDB + db, Parent: 0},
			{Component: 1, Function: 2, StartNs: web, FinishNs: web + db, Parent: 1},
		}}
	}
	requests := []Request{request(5, 3, 20), request(7, 3, 1), request(6, 9, 2), request(7, 1, 1)}
	all := Longest(requests, []Place{FunctionAt(0, 0), FunctionAt(1, 2), EdgeBetween(0, 1), EdgeBetween(1, 0), FunctionAt(1, 0)})
	expect.Equal(t, all[FunctionAt(0, 0)], Example{1, 7}, "the first with the longest own time of web.get")
	expect.Equal(t, all[FunctionAt(1, 2)], Example{0, 20}, "of db.query")
	expect.Equal(t, all[EdgeBetween(0, 1)], Example{2, 9}, "between web and db")
	expect.Equal(t, all[EdgeBetween(1, 0)].Request, -1, "nobody is called by db")
	expect.Equal(t, all[FunctionAt(1, 0)].Request, -1, "no such function")
	expect.Equal(t, Longest(requests, []Place{EdgeBetween(0, 1)})[EdgeBetween(0, 1)], all[EdgeBetween(0, 1)], "a place by itself")
}
