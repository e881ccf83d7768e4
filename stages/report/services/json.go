package services

import (
	"encoding/json"
	"io"

	"github.com/tracelake/tracelake/stages/change/services"
)

// service is a Service as JSON has it.
type service struct {
	Rank    int      `json:"rank"`    // from 1, the most likely at fault
	Service string   `json:"service"` // its component
	Verdict string   `json:"verdict"` // of its strongest reason
	Score   float64  `json:"score"`   // of the first reason
	Reasons []reason `json:"reasons"` // the strongest first
}

// reason is a Reason as JSON has it. Values are ns for own and edge, numbers for calls, shares for errors.
type reason struct {
	Kind         string  `json:"kind"`                // own, edge, calls or errors
	Verdict      string  `json:"verdict"`             // on this reason alone
	Component    string  `json:"component"`           // of an edge: the caller
	Function     string  `json:"function,omitempty"`  // of own time, calls and errors; empty for an edge
	Peer         string  `json:"peer,omitempty"`      // of an edge: the callee; of calls: the service that is called last
	Score        float64 `json:"score"`               // logarithm of the ratio; twice that of numbers
	Base         float64 `json:"base"`                // mean over these requests of the baseline
	Cand         float64 `json:"cand"`                // mean over those of the candidate
	SharedNs     float64 `json:"shared_ns,omitempty"` // of an edge: the part of it that all calls of the caller share
	RequestsBase int     `json:"requests_base"`       // of the baseline that show it
	RequestsCand int     `json:"requests_cand"`       // of the candidate that show it
	P            float64 `json:"p"`                   // that there is no change
	Q            float64 `json:"q"`                   // that there is none beyond the usual drift, among all that was asked
	Example      example `json:"example"`             // a candidate request
}

// example is a request that shows a change most.
type example struct {
	Run        string `json:"run"`                // name of its run
	Request    string `json:"request"`            // as --to of critical-path takes it
	Trace      string `json:"trace_id,omitempty"` // of its trace, where the run has it
	StartNs    int64  `json:"start_ns"`           // of its root, in ns of the trace's clock
	DurationNs int64  `json:"duration_ns"`        // of its root
}

// WriteJSON writes the report for programs: all services, with all reasons.
func (r *Report) WriteJSON(out io.Writer) error {
	doc := struct {
		Base         []string  `json:"base"`          // names of the baseline's runs, with a window RUN,FROM..TO
		Cand         []string  `json:"cand"`          // names of the candidate's
		RequestsBase int       `json:"requests_base"` // of the baseline
		RequestsCand int       `json:"requests_cand"` // of the candidate
		Asked        int       `json:"asked"`         // questions; p and q are about that many
		FloorNs      int64     `json:"floor_ns"`      // change of a time that does not matter
		Services     []service `json:"services"`      // the most likely at fault first
		Doubts       []string  `json:"doubts"`        // what makes every service doubtful, in a few words
		Warnings     []string  `json:"warnings"`      // the same with the names of runs
	}{
		namesOf(r.Base), namesOf(r.Cand), r.baseCount, len(r.requests), r.Asked, int64(r.FloorNs), []service{},
		append([]string{}, r.About.Doubts...), append([]string{}, r.About.Warnings...),
	}
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

// reasonJSON writes names for the codes of a reason. Empty names, as of an edge's function, are left out.
func (r *Report) reasonJSON(why *services.Reason) reason {
	q := &r.requests[why.Example]
	return reason{
		Kind: services.KindWords[why.Kind], Verdict: why.Verdict, Component: r.names.Components.Name(why.Component),
		Function: r.names.Functions.Name(why.Function), Peer: r.names.Components.Name(why.Peer), Score: why.Score,
		Base: why.Base, Cand: why.Cand, SharedNs: why.Shared, RequestsBase: why.Requests[0], RequestsCand: why.Requests[1], P: why.P, Q: why.Q,
		Example: example{r.Runs()[q.Run], r.requestName(q), r.traceOf(q), q.Spans[0].StartNs, q.DurationNs()},
	}
}
