package services

import (
	"encoding/json"
	"io"

	"github.com/tracelake/tracelake/stages/change/services"
)

// service is a Service as JSON has it.
type service struct {
	Rank    int      `json:"rank"`
	Service string   `json:"service"`
	Verdict string   `json:"verdict"`
	Score   float64  `json:"score"` // of the first reason
	Reasons []reason `json:"reasons"`
}

// reason is a Reason as JSON has it. Values are ns for own and edge, numbers for calls, shares for errors.
type reason struct {
	Kind         string  `json:"kind"`
	Verdict      string  `json:"verdict"`
	Component    string  `json:"component"` // of an edge: the caller
	Function     string  `json:"function,omitempty"`
	Peer         string  `json:"peer,omitempty"` // of an edge: the callee; of calls: the service that is called last
	Score        float64 `json:"score"`          // logarithm of the ratio; twice that of numbers
	Base         float64 `json:"base"`
	Cand         float64 `json:"cand"`
	SharedNs     float64 `json:"shared_ns,omitempty"`
	RequestsBase int     `json:"requests_base"`
	RequestsCand int     `json:"requests_cand"`
	P            float64 `json:"p"`
	Q            float64 `json:"q"`
	Example      example `json:"example"`
}

// example is a request that shows a change most.
type example struct {
	Run        string `json:"run"`
	Request    string `json:"request"` // as --to of critical-path takes it
	StartNs    int64  `json:"start_ns"`
	DurationNs int64  `json:"duration_ns"`
}

// WriteJSON writes the report for programs: all services, with all reasons.
func (r *Report) WriteJSON(out io.Writer) error {
	doc := struct {
		Base         []string  `json:"base"`
		Cand         []string  `json:"cand"`
		RequestsBase int       `json:"requests_base"`
		RequestsCand int       `json:"requests_cand"`
		Asked        int       `json:"asked"`
		FloorNs      int64     `json:"floor_ns"`
		Services     []service `json:"services"`
	}{r.Base, r.Cand, r.baseCount, len(r.requests), r.Asked, int64(r.FloorNs), []service{}}
	for i := range r.Services {
		s := &r.Services[i]
		row := service{Rank: i + 1, Service: r.names.Components.Name(s.Component), Verdict: s.Verdict, Score: s.Score}
		for k := range s.Reasons {
			row.Reasons = append(row.Reasons, r.reasonJSON(&s.Reasons[k]))
		}
		doc.Services = append(doc.Services, row)
	}
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(doc)
}

func (r *Report) reasonJSON(why *services.Reason) reason {
	q := &r.requests[why.Example]
	return reason{
		Kind: services.KindWords[why.Kind], Verdict: why.Verdict, Component: r.names.Components.Name(why.Component),
		Function: r.names.Functions.Name(why.Function), Peer: r.names.Components.Name(why.Peer), Score: why.Score,
		Base: why.Base, Cand: why.Cand, SharedNs: why.Shared, RequestsBase: why.Requests[0], RequestsCand: why.Requests[1], P: why.P, Q: why.Q,
		Example: example{r.Runs()[q.Run], r.requestName(q), q.Spans[0].StartNs, q.DurationNs()},
	}
}
