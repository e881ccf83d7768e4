package services

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// shop writes requests of a small system: a gateway with a filter beside its call, front, which calls cart, prices and ads, and
// carts in a database that is an operation of cart. Times differ by a fifth.
type shop struct {
	names *schema.Names
	rng   *rand.Rand
	now   int64
	all   []Request
	fault fault
}

// fault is what is wrong with a system. Times are in ms.
type fault struct {
	own      map[string]float64 // added to what an operation takes by itself
	way      map[string]float64 // added to each way of calls to a service
	of       map[string]float64 // added to all calls that a service makes, on the way
	less     bool               // front calls cart alone
	ends     bool               // front ends where it has called ads
	fails    string             // an operation that fails, and its callers with it
	searches float64            // share of requests that search, which takes ten times as long
	ahead    map[string]int64   // of the clocks of services, in ns
}

func newShop(names *schema.Names, seed uint64, f fault) *shop {
	return &shop{names: names, rng: rand.New(rand.NewPCG(seed, 21)), fault: f, now: 1e18}
}

// ms is a time that differs from request to request.
func (s *shop) ms(ms float64) int64 { return int64(ms * (0.8 + 0.4*s.rng.Float64()) * 1e6) }

// open starts a span, and returns its position.
func (s *shop) open(r *Request, parent int32, component, function string) int32 {
	r.Spans = append(r.Spans, Span{
		Component: s.names.Components.Code(component), Function: s.names.Functions.Code(function), StartNs: s.now + s.fault.ahead[component],
		Parent: parent,
	})
	return int32(len(r.Spans) - 1)
}

func (s *shop) close(r *Request, at int32) {
	r.Spans[at].FinishNs = s.now + s.fault.ahead[s.names.Components.Name(r.Spans[at].Component)]
}

// work is an operation that calls nobody.
func (s *shop) work(r *Request, parent int32, component, function string, ms float64) {
	at := s.open(r, parent, component, function)
	s.now += s.ms(ms + s.fault.own[function])
	s.close(r, at)
}

// call is a call from one service to another, whose work is a function.
func (s *shop) call(r *Request, parent int32, caller, callee, function string, work func(int32)) {
	at := s.open(r, parent, caller, "call "+function)
	way := .5 + s.fault.way[callee] + s.fault.of[caller]
	s.now += s.ms(way)
	served := s.open(r, at, callee, function)
	s.now += s.ms(1 + s.fault.own[function])
	work(served)
	s.close(r, served)
	s.now += s.ms(way)
	s.close(r, at)
}

// request is one request.
func (s *shop) request() {
	r := Request{Root: int64(len(s.all) + 1)}
	root := s.open(&r, -1, "gateway", "GET /*")
	filter := s.open(&r, root, "gateway", "filter")
	s.now += s.ms(.2)
	target := "view"
	if s.rng.Float64() < s.fault.searches {
		target = "search"
	}
	s.call(&r, root, "gateway", "front", target, func(front int32) {
		s.calls(&r, front)
		switch {
		case target == "search":
			s.work(&r, front, "front", "render", 20)
		case !s.fault.ends:
			s.work(&r, front, "front", "render", 2)
		}
	})
	s.close(&r, filter)
	s.now += s.ms(.1)
	s.close(&r, root)
	for i := range r.Spans {
		if s.names.Functions.Name(r.Spans[i].Function) == s.fault.fails {
			for at := int32(i); at >= 0; at = r.Spans[at].Parent {
				r.Spans[at].Failed = true
			}
		}
	}
	s.now += s.ms(10)
	s.all = append(s.all, r)
}

// calls are those of front.
func (s *shop) calls(r *Request, front int32) {
	nothing := func(int32) {}
	s.call(r, front, "front", "cart", "get cart", func(cart int32) { s.work(r, cart, "cart", "select", 3) })
	if s.fault.less {
		return
	}
	for range 3 {
		s.call(r, front, "front", "prices", "get price", nothing)
	}
	s.call(r, front, "front", "ads", "get ads", func(ads int32) { s.work(r, ads, "ads", "choose", 1) })
	if s.fault.ends {
		return
	}
	for range 4 {
		s.call(r, front, "front", "prices", "convert", nothing)
	}
}

// requests are a number of requests.
func requests(names *schema.Names, n int, seed uint64, f fault) []Request {
	s := newShop(names, seed, f)
	for range n {
		s.request()
	}
	return s.all
}

// TestRankBlames plants a fault for every rule, and sees who is blamed, why, and with which verdict.
func TestRankBlames(t *testing.T) {
	for name, test := range map[string]struct {
		fault   fault
		service string
		kind    Kind
		verdict string
	}{
		"slow operation":      {fault{own: map[string]float64{"select": 20}}, "cart", Own, Regressed},
		"slow way":            {fault{way: map[string]float64{"ads": 20}}, "ads", Edge, Regressed},
		"all calls slow":      {fault{of: map[string]float64{"front": 20}}, "front", Edge, Regressed},
		"the same, and one":   {fault{of: map[string]float64{"front": 2}, way: map[string]float64{"cart": 50}}, "cart", Edge, Candidate},
		"calls less":          {fault{less: true}, "front", Calls, Changed},
		"ends after a call":   {fault{ends: true}, "ads", Calls, Changed},
		"fails":               {fault{fails: "select"}, "cart", Errors, Regressed},
		"gateway's other one": {fault{way: map[string]float64{"front": 30}}, "front", Edge, Regressed},
	} {
		t.Run(name, func(t *testing.T) {
			names := new(schema.Names)
			base, cand := requests(names, 40, 1, fault{}), requests(names, 30, 2, test.fault)
			r := Rank(base, cand, Defaults())
			if len(r.Services) == 0 {
				t.Fatal("nobody is blamed")
			}
			first := r.Services[0]
			expect.Equal(t, names.Components.Name(first.Component), test.service, "the first service")
			expect.Equal(t, first.Reasons[0].Kind, test.kind, "why")
			expect.Equal(t, first.Reasons[0].Verdict, test.verdict, "the verdict")
		})
	}
}

// TestRankNothing sees that requests alike blame nobody, however the kinds of requests are mixed.
func TestRankNothing(t *testing.T) {
	for seed := range uint64(20) {
		names := new(schema.Names)
		base, cand := requests(names, 60, 2*seed, fault{searches: .1}), requests(names, 60, 2*seed+1, fault{searches: .9})
		for _, s := range Rank(base, cand, Defaults()).Services {
			if s.Verdict != Candidate && s.Verdict != Weak {
				t.Errorf("seed %d: %s %s", seed, names.Components.Name(s.Component), s.Verdict)
			}
		}
	}
}

// TestRankNamesTheWeakLast sees that a fault that shows in too few requests for a candidate is named behind those that are, and as weak: all requests are
// slow in one service, and a third calls less of another.
func TestRankNamesTheWeakLast(t *testing.T) {
	names := new(schema.Names)
	base := requests(names, 18, 1, fault{})
	cand := slices.Concat(requests(names, 12, 2, fault{own: map[string]float64{"select": 20}}), requests(names, 6, 3, fault{own: map[string]float64{"select": 20}, less: true}))
	strict := Defaults()
	strict.WeakP = 0
	sure := Rank(base, cand, strict).Services
	all := Rank(base, cand, Defaults()).Services
	expect.Equal(t, len(sure), 1, "services of which a change is significant")
	expect.Equal(t, len(all), 2, "services with the weak one")
	sameServices(t, all[:1], sure)
	last := all[len(all)-1]
	expect.Equal(t, names.Components.Name(last.Component), "front", "the weak service")
	expect.Equal(t, last.Verdict+" "+last.Reasons[0].Verdict, Weak+" "+Weak, "its verdict")
	if p := last.Reasons[0].P; p < strict.MaxP || p >= Defaults().WeakP {
		t.Errorf("p of what is weak: %g", p)
	}
}

// TestRankIgnores sees that the order of requests and the clocks of services make no difference to the ranking.
func TestRankIgnores(t *testing.T) {
	names := new(schema.Names)
	slow := fault{way: map[string]float64{"prices": 9}, own: map[string]float64{"select": 4}}
	rank := func(slow fault) []Service {
		base, cand := requests(names, 30, 1, fault{}), requests(names, 30, 2, slow)
		return Rank(base, cand, Defaults()).Services
	}
	want := rank(slow)
	expect.Equal(t, len(want), 2, "services")
	t.Run("order", func(t *testing.T) {
		base, cand := requests(names, 30, 1, fault{}), requests(names, 30, 2, slow)
		slices.Reverse(base)
		slices.Reverse(cand)
		sameServices(t, Rank(base, cand, Defaults()).Services, want)
	})
	t.Run("clocks", func(t *testing.T) {
		skewed := slow
		skewed.ahead = map[string]int64{"prices": 7_000, "cart": -5_000}
		sameServices(t, rank(skewed), want)
	})
}

// sameServices reports services that differ by more than rounding.
func sameServices(t *testing.T, got, want []Service) {
	t.Helper()
	expect.Equal(expect.Must(t), len(got), len(want), "services")
	for i := range got {
		expect.Equal(t, got[i].Component, want[i].Component, "service %d", i)
		if d := got[i].Score - want[i].Score; d > 1e-6 || d < -1e-6 {
			t.Errorf("score of service %d: %g, and %g before", i, got[i].Score, want[i].Score)
		}
	}
}

// TestRankOfFew sees that requests of one kind on one side alone, or single ones, are no evidence.
func TestRankOfFew(t *testing.T) {
	names := new(schema.Names)
	all := requests(names, 2, 1, fault{})
	for name, sides := range map[string][2][]Request{
		"none": {nil, nil}, "no candidate": {all, nil}, "one": {all, all[:1]},
		"another kind": {all, requests(names, 2, 1, fault{searches: 1})},
	} {
		r := Rank(sides[0], sides[1], Defaults())
		expect.Equal(t, len(r.Services), 0, "%s: services", name)
	}
}
