package services

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
)

// Options are the rules of a ranking.
type Options struct {
	MaxP  float64 // level at which a change counts
	WeakP float64 // level at which it counts for services of which no change does at MaxP, which stand behind the others; 0: none
	FDR   float64 // rate of false discoveries among verdicts
	Floor float64 // share of the mean duration of a baseline request that does not matter
	Drift float64 // relative change that happens without a fault
}

// Defaults returns the rules for services under load.
func Defaults() Options { return Options{MaxP: .001, WeakP: .02, FDR: .01, Floor: .002, Drift: .25} }

// The verdicts on a change.
const (
	Regressed = "regressed" // a time or a share of errors is shown to be greater by more than services drift
	Changed   = "changed"   // the same of a number of calls, more or less
	Candidate = "candidate" // significant by itself, but not among all that was asked, or not beyond what services drift
	Weak      = "weak"      // significant at WeakP alone, as something is by chance in most comparisons: where to look if all else is innocent
)

// Verdicts are all of them, the strongest first.
var Verdicts = []string{Regressed, Changed, Candidate, Weak}

// Reason is a change that is put down to a service.
type Reason struct {
	Kind                Kind
	Component, Function schema.Code // the operation; of an edge its caller, and NoCode for the calls to all services
	Peer                schema.Code // the callee of an edge, the service that was called last; else NoCode
	Verdict             string
	Score               float64 // logarithm of the ratio, twice that of numbers
	Base, Cand          float64 // means over the requests that show it: ns, calls or shares
	Shared              float64 // of an edge: the part of the change in ns that all calls of its caller have
	Requests            [2]int  // requests that show it, of the baseline and of the candidate
	P, Q                float64 // that it is none; that it is none beyond Drift, among all that was asked
	Example             int     // position of the candidate's request that shows it most
}

// Service is a service with what is put down to it.
type Service struct {
	Component schema.Code
	Verdict   string   // of its strongest verdict
	Score     float64  // of its first reason
	Reasons   []Reason // the greatest first
}

// Ranking is what differs between the requests of two sides.
type Ranking struct {
	Services []Service // the first one is most likely at fault
	FloorNs  float64   // change of a time that does not matter
	Asked    int       // hypotheses
}

// Rank ranks the services of candidate requests. Both sides have codes of the same names.
func Rank(base, cand []Request, o Options) *Ranking {
	m := new(measurer)
	r := &ranker{Options: o, measurer: m, base: m.side(base), cand: m.side(cand), found: make(map[schema.Code]*Service)}
	if len(base) > 0 {
		r.floorNs = o.Floor * r.base.totalNs / float64(len(base))
	}
	r.compareAll()
	r.blameAll()
	return &Ranking{Services: append(r.services(), r.weakServices()...), FloorNs: r.floorNs, Asked: r.asked}
}

// weakServices are services with changes that are significant at WeakP alone, in the order of the greatest. A fault that shows in few requests, such as
// orders of which some end early, has no more evidence in a minute.
func (r *ranker) weakServices() []Service {
	w := *r
	w.MaxP, w.found = max(r.MaxP, r.WeakP), make(map[schema.Code]*Service)
	w.blameAll()
	all := slices.DeleteFunc(w.services(), func(s Service) bool { return r.found[s.Component] != nil })
	for i := range all {
		all[i].Verdict = Weak
		for k := range all[i].Reasons {
			all[i].Reasons[k].Verdict = Weak
		}
	}
	return all
}

// blameAll puts all changes that count down to services.
func (r *ranker) blameAll() {
	r.blameOwn()
	r.blameEdges()
	r.blameCounts(Calls)
	r.blameCounts(Errors)
}

// ranker is a ranking in the making.
type ranker struct {
	Options
	*measurer
	base, cand *side
	floorNs    float64
	changes    [kinds][]*change // by number; nil where requests are on one side only, or too few
	asked      int
	found      map[schema.Code]*Service
}

// countOffset is the number of calls, and the share of errors, that has to be reached to matter.
const countOffset = .2

// offset is what is added to values before their logarithms are taken.
func (r *ranker) offset(k Kind) float64 {
	if k == Own || k == Edge {
		return max(r.floorNs, 1)
	}
	return countOffset
}

// compareAll compares all subjects and adjusts the p-values of the hypotheses that they change by no more than Drift.
func (r *ranker) compareAll() {
	var p []float64
	var all []*change
	for k := range r.changes {
		first := len(all)
		common := min(len(r.base.samples[k]), len(r.cand.samples[k]))
		r.changes[k] = make([]*change, common)
		for i := range common {
			a, b := r.base.samples[k][i], r.cand.samples[k][i]
			if len(a) < 2 || len(b) < 2 {
				continue // a single request is no evidence
			}
			c := compare(a, b, r.offset(Kind(k)))
			if c == nil || (k == int(Errors) && c.base == 0 && c.cand == 0) {
				continue
			}
			r.changes[k][i], all = c, append(all, c)
		}
		judge(all[first:])
	}
	for _, c := range all {
		p = append(p, c.beyondDrift(math.Log1p(r.Drift)))
	}
	for i, q := range stats.BenjaminiHochberg(p) {
		all[i].q = q
	}
	r.asked = len(all)
}

// slower reports whether a time is shown to be longer, by more than the floor.
func (r *ranker) slower(c *change) bool {
	return c != nil && c.p < r.MaxP && c.Estimate > 0 && c.cand-c.base > r.floorNs
}

// reason makes a reason of a change.
func (r *ranker) reason(k Kind, c *change) Reason {
	verdict := Candidate
	switch {
	case c.q <= r.FDR && k == Calls:
		verdict = Changed
	case c.q <= r.FDR && c.Estimate > 0:
		verdict = Regressed
	}
	return Reason{
		Kind: k, Function: schema.NoCode, Peer: schema.NoCode, Verdict: verdict, Score: c.log, Base: c.base, Cand: c.cand,
		Requests: c.requests, P: c.p, Q: c.q, Example: int(c.extreme),
	}
}

// blame puts a reason down to a service.
func (r *ranker) blame(service schema.Code, why Reason) {
	s := r.found[service]
	if s == nil {
		s = &Service{Component: service}
		r.found[service] = s
	}
	s.Reasons = append(s.Reasons, why)
}

// services returns the services in the order of their greatest change.
func (r *ranker) services() []Service {
	all := make([]Service, 0, len(r.found))
	for _, s := range r.found {
		slices.SortFunc(s.Reasons, func(a, b Reason) int {
			return cmp.Or(-cmp.Compare(a.Score, b.Score), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Component, b.Component),
				cmp.Compare(a.Function, b.Function), cmp.Compare(a.Peer, b.Peer))
		})
		s.Score = s.Reasons[0].Score
		for _, word := range Verdicts {
			if slices.ContainsFunc(s.Reasons, func(why Reason) bool { return why.Verdict == word }) {
				s.Verdict = word
				break
			}
		}
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b Service) int {
		return cmp.Or(-cmp.Compare(a.Score, b.Score), cmp.Compare(a.Component, b.Component))
	})
	return all
}
