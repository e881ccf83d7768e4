package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// spanSeeds is how many draws of each case TestSpanCases plays. One draw leaves out the easier ones of cases that differ in a number alone.
//
//	go test ./cmd/analyze -run TestSpanCases -seeds 20 -timeout 1h
var spanSeeds = flag.Int("seeds", 1, "draws of each planted case of services that TestSpanCases plays")

const msNs = 1_000_000

// planted writes the spans of one run of a small system of services, as OTLP.
type planted struct {
	rng      *rand.Rand
	services map[string][]map[string]any
	ids      int
	now      int64       // when the next request starts
	drawn    []drawnSpan // the same, as numbers
}

// about draws a time within a fifth of another.
func (p *planted) about(ns int64) int64 { return int64(float64(ns) * (.8 + .4*p.rng.Float64())) }

func (p *planted) id() string {
	p.ids++
	return fmt.Sprintf("%016x", p.ids)
}

// span adds a span; kind is 1 within a service, 2 of a server, 3 of a client.
func (p *planted) span(service string, request int, id, parent, name string, kind int, start, end int64) {
	s := map[string]any{
		"traceId": fmt.Sprintf("%032x", request), "spanId": id, "name": name, "kind": kind,
		"startTimeUnixNano": fmt.Sprint(start), "endTimeUnixNano": fmt.Sprint(end),
	}
	if parent != "" {
		s["parentSpanId"] = parent
	}
	p.services[service] = append(p.services[service], s)
	p.drawn = append(p.drawn, drawnSpan{service, name, id, parent, end - start})
}

// call adds a client's span and the server's within it, and returns when the reply, which takes longer by extra, has arrived.
func (p *planted) call(request int, parent, caller, callee, asks, does string, start, work, extra int64) int64 {
	ask, do, reply := p.about(work), p.about(work), p.about(work)
	client, server, end := p.id(), p.id(), start+ask+do+reply+extra
	p.span(caller, request, client, parent, asks, 3, start, end)
	p.span(callee, request, server, client, does, 2, start+ask, start+ask+do)
	return end
}

// write writes a file of the spans so far.
func (p *planted) write(t *testing.T, path string) {
	var resources []any
	for _, name := range slices.Sorted(maps.Keys(p.services)) {
		resources = append(resources, map[string]any{
			"resource":   map[string]any{"attributes": []any{map[string]any{"key": "service.name", "value": map[string]any{"stringValue": name}}}},
			"scopeSpans": []any{map[string]any{"spans": p.services[name]}},
		})
	}
	text := expect.Value(json.Marshal(map[string]any{"resourceSpans": resources}))(t)
	expect.OK(t, os.WriteFile(path, text, 0o666))
}

// skewedReply is a web service that asks a database whose clock is ahead, so that replies are received ns before they are sent. A candidate's reply
// takes a second longer.
func skewedReply(ns int64) func(p *planted, cand bool, index int) {
	return func(p *planted, cand bool, _ int) {
		for k := 1; k <= 20; k++ {
			ask, work, reply := p.about(msNs), p.about(msNs), p.about(msNs)
			root, client, server := p.id(), p.id(), p.id()
			begin := p.now + ask
			done := begin + 10*work
			end := done + reply
			if ns != 0 {
				end = done - ns
			}
			if cand {
				end += 1000 * msNs
			}
			p.span("web", k, root, "", "GET /", 2, p.now-msNs, end+msNs)
			p.span("web", k, client, root, "db call", 3, p.now, end)
			p.span("db", k, server, client, "query", 2, begin, done)
			p.now = end + 100*msNs
		}
	}
}

// rare is a system in which three of 80 requests call pay, but none in some runs. A candidate's reply of pay takes half a second longer.
func rare(runsWithout int) func(p *planted, cand bool, index int) {
	return func(p *planted, cand bool, index int) {
		extra := int64(0)
		if cand {
			extra = 500 * msNs
		}
		for k := 1; k <= 80; k++ {
			root, begin := p.id(), p.now
			end := p.call(k, root, "web", "db", "query", "query", begin+msNs/10, 2*msNs, 0) + msNs/10
			if (k == 11 || k == 41 || k == 71) && index < 6-runsWithout {
				end = p.call(k, root, "web", "pay", "charge", "charge", end, 2*msNs, extra) + msNs/10
			}
			p.span("web", k, root, "", "GET /", 2, begin, end)
			p.now = end + 100*msNs
		}
	}
}

// early is a system in which a share of a candidate's requests stops after its first call.
func early(share float64) func(p *planted, cand bool, index int) {
	return func(p *planted, cand bool, _ int) {
		for k := 1; k <= 60; k++ {
			root, begin := p.id(), p.now
			end := p.call(k, root, "front", "cart", "get cart", "serve cart", begin+msNs/10, 2*msNs, 0) + msNs/10
			if !cand || p.rng.Float64() >= share {
				for range 10 {
					end = p.call(k, root, "front", "prices", "get prices", "serve prices", end, 2*msNs, 0) + msNs/10
				}
				end = p.call(k, root, "front", "ads", "get ads", "serve ads", end, 2*msNs, 0) + msNs/10
			}
			p.span("front", k, root, "", "GET /", 2, begin, end)
			p.now = end + 100*msNs
		}
	}
}

// crossing is a gateway whose two spans of a request overlap, neither within the other. A candidate's work takes a second longer.
func crossing(p *planted, cand bool, _ int) {
	for k := 1; k <= 20; k++ {
		end := p.now + 3*msNs + 10*p.about(msNs)
		if cand {
			end += 1000 * msNs
		}
		root, handle, post, work := p.id(), p.id(), p.id(), p.id()
		p.span("gateway", k, root, "", "GET /*", 2, p.now, end+4*msNs)
		p.span("gateway", k, handle, root, "handle", 1, p.now+msNs, end+2*msNs)
		p.span("gateway", k, post, root, "HTTP POST", 3, p.now+2*msNs, end+3*msNs)
		p.span("svc", k, work, post, "work", 2, p.now+3*msNs, end)
		p.now = end + 100*msNs
	}
}

// moving is a system of which x or y calls insure twice by chance: x in one run of the baseline, y in one of the candidate.
func moving(p *planted, cand bool, index int) {
	calls := map[bool]map[int]string{false: {2: "x"}, true: {3: "y"}}[cand][index]
	for k := range 60 {
		service := []string{"x", "y"}[k%2]
		root, client, server := p.id(), p.id(), p.id()
		asked := p.now + p.about(msNs)
		begin := asked + p.about(msNs)
		end := begin + 5*p.about(msNs)
		if service == calls && (k == 30 || k == 31) {
			c, s := p.id(), p.id()
			p.span(service, k+1, c, server, "GET insure", 3, begin+p.about(msNs), end+3*msNs)
			p.span("insure", k+1, s, c, "/insure", 2, begin+2*msNs, end+2*msNs)
			end += 4 * msNs
		}
		p.span(service, k+1, server, client, "/"+service, 2, begin, end)
		p.span("web", k+1, client, root, "call "+service, 3, asked, end+msNs)
		p.span("web", k+1, root, "", "GET /", 2, p.now, end+2*msNs)
		p.now = end + 100*msNs
	}
}

// TestSpanCases compares small systems of services of which it is known what changed, drawn anew for every seed: one cause is named where there is
// one, at the edge or function that it is planted in. Where nothing is planted, chance differs between the sides in some draws as a change would: what
// is claimed there must be in the times that were drawn, and be claimed in no more draws than the rate of false discoveries allows.
func TestSpanCases(t *testing.T) {
	if testing.Short() {
		t.Skip("five comparisons of ten and twelve runs take some seconds")
	}
	for _, c := range []struct {
		name     string
		runs     int
		plant    func(p *planted, cand bool, index int)
		verdicts string // any of these
		where    string // of the only great cause; "": there is none
		effectNs int64  // of it, a call; 0: not known
		easier   bool   // than a case beside it
	}{
		{"a second more", 5, skewedReply(0), "regressed", "regressed web -> db", 1000 * msNs, true},
		{"a clock ahead by 0.3 ms", 5, skewedReply(3 * msNs / 10), "regressed", "regressed web -> db", 1000 * msNs, false},
		{"rare", 6, rare(0), "regressed", "regressed web -> pay", 0, true},
		{"rarer", 6, rare(1), "regressed", "regressed web -> pay", 0, true},
		{"missing in two runs", 6, rare(2), "regressed", "regressed web -> pay", 0, false},
		{"a tenth ends early", 5, early(.1), "changed", "count_changed front.GET /", 0, false},
		{"a third ends early", 5, early(.3), "changed", "count_changed front.GET /", 0, true},
		{"crossing spans", 5, crossing, "regressed", "regressed svc.work", 1000 * msNs, false},
		{"by chance elsewhere", 6, moving, "unchanged undetermined", "", 0, false},
	} {
		if c.easier && *spanSeeds == 1 {
			continue
		}
		claims := 0 // draws in which something is claimed
		for seed := range *spanSeeds {
			t.Run(fmt.Sprintf("%s, seed %d", c.name, seed), func(t *testing.T) {
				t.Chdir(t.TempDir())
				args := []string{"--quiet", "compare", "--format", "json"}
				rng := rand.New(rand.NewPCG(uint64(seed), uint64(len(c.name))))
				var sides [2][]map[string]float64
				for index := range c.runs {
					for k, side := range []string{"base", "cand"} {
						p := &planted{rng: rng, services: make(map[string][]map[string]any), now: 1e18}
						c.plant(p, k == 1, index)
						sides[k] = append(sides[k], meansOf(p.drawn))
						name := fmt.Sprint(side, index)
						p.write(t, name+".json")
						ingestReal(t, name, name+".json")
						args = append(args, "--"+side, name)
					}
				}
				said := into[spanAnswer](t, []byte(answer(t, args...)))
				if c.where != "" || len(said.Findings) == 0 {
					said.judge(t, c.verdicts, c.where, c.effectNs)
					return
				}
				claims++
				for i := range said.Findings {
					f := &said.Findings[i]
					p := drawnP(f.at(), sides)
					if t.Logf("%s %s is claimed, and the times that were drawn differ by p = %.2g", f.Verdict, f.at(), p); p >= byChanceP {
						t.Errorf("%s did not differ", f.at())
					}
				}
			})
		}
		if c.where == "" && claims > mostClaims(*spanSeeds) {
			t.Errorf("%s: something is claimed in %d of %d draws", c.name, claims, *spanSeeds)
		}
	}
}

// spanAnswer is what a comparison says.
type spanAnswer struct {
	Verdict  string
	Findings []spanFinding
}

type spanFinding struct {
	Verdict, Component, Function, Caller, Callee string
	Effect                                       float64 `json:"effect_ns"`
	Minor                                        bool
}

// at is where a finding is: an edge by its ends, all else by its function.
func (f *spanFinding) at() string {
	if f.Callee != "" {
		return f.Caller + " -> " + f.Callee
	}
	return f.Component + "." + f.Function
}

// judge holds a comparison against what is known.
func (s *spanAnswer) judge(t *testing.T, verdicts, where string, effectNs int64) {
	t.Helper()
	if !slices.Contains(strings.Fields(verdicts), s.Verdict) {
		t.Errorf("the verdict is %s, not %s", s.Verdict, verdicts)
	}
	var great []string
	for i := range s.Findings {
		f := &s.Findings[i]
		if f.Minor || math.Abs(f.Effect) < math.Abs(s.Findings[0].Effect)/20 { // one of twenty such is false, by the rate
			continue
		}
		great = append(great, f.Verdict+" "+f.at())
		if effectNs > 0 && math.Abs(f.Effect-float64(effectNs)) > float64(effectNs)/100 {
			t.Errorf("%s: %g ns, not %d", great, f.Effect, effectNs)
		}
	}
	if got := strings.Join(great, ", "); got != where {
		t.Errorf("the causes are %q, not %q", got, where)
	}
}
