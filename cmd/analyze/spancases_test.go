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

// spanSeeds is how many draws of each case TestSpanCases plays. Of twenty, one may have a false finding beside the true one, by the rate of false
// discoveries.
//
//	go test ./cmd/analyze -run TestSpanCases -seeds 20
var spanSeeds = flag.Int("seeds", 1, "draws of each planted case of services that TestSpanCases plays")

const msNs = 1_000_000

// planted writes the spans of one run of a small system of services, as OTLP.
type planted struct {
	rng      *rand.Rand
	services map[string][]map[string]any
	ids      int
	now      int64 // when the next request starts
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
// one, at the edge or function that it is planted in, and none where chance alone differs.
func TestSpanCases(t *testing.T) {
	if testing.Short() {
		t.Skip("nine comparisons of ten and twelve runs take some seconds")
	}
	for _, c := range []struct {
		name     string
		runs     int
		plant    func(p *planted, cand bool, index int)
		verdicts string // any of these
		where    string // of the only great cause; "": there is none
		effectNs int64  // of it, a call; 0: not known
	}{
		{"a second more", 5, skewedReply(0), "regressed", "regressed web -> db", 1000 * msNs},
		{"a clock ahead by 0.3 ms", 5, skewedReply(3 * msNs / 10), "regressed", "regressed web -> db", 1000 * msNs},
		{"rare", 6, rare(0), "regressed", "regressed web -> pay", 0},
		{"rarer", 6, rare(1), "regressed", "regressed web -> pay", 0},
		{"missing in two runs", 6, rare(2), "regressed", "regressed web -> pay", 0},
		{"a tenth ends early", 5, early(.1), "changed", "count_changed front.GET /", 0},
		{"a third ends early", 5, early(.3), "changed", "count_changed front.GET /", 0},
		{"crossing spans", 5, crossing, "regressed", "regressed svc.work", 1000 * msNs},
		{"by chance elsewhere", 6, moving, "unchanged undetermined", "", 0},
	} {
		for seed := range *spanSeeds {
			t.Run(fmt.Sprintf("%s, seed %d", c.name, seed), func(t *testing.T) {
				t.Chdir(t.TempDir())
				args := []string{"--quiet", "compare", "--format", "json"}
				rng := rand.New(rand.NewPCG(uint64(seed), uint64(len(c.name))))
				for index := range c.runs {
					for _, side := range []string{"base", "cand"} {
						p := &planted{rng: rng, services: make(map[string][]map[string]any), now: 1e18}
						c.plant(p, side == "cand", index)
						name := fmt.Sprint(side, index)
						p.write(t, name+".json")
						ingestReal(t, name, name+".json")
						args = append(args, "--"+side, name)
					}
				}
				judgeSpans(t, answer(t, args...), c.verdicts, c.where, c.effectNs)
			})
		}
	}
}

// judgeSpans holds a comparison against what is known.
func judgeSpans(t *testing.T, text, verdicts, where string, effectNs int64) {
	t.Helper()
	var said struct {
		Verdict  string
		Findings []struct {
			Verdict, Component, Function, Caller, Callee string
			Effect                                       float64 `json:"effect_ns"`
			Minor                                        bool
		}
	}
	expect.OK(t, json.Unmarshal([]byte(text), &said))
	if !slices.Contains(strings.Fields(verdicts), said.Verdict) {
		t.Errorf("the verdict is %s, not %s", said.Verdict, verdicts)
	}
	var great []string
	for _, f := range said.Findings {
		if f.Minor || math.Abs(f.Effect) < math.Abs(said.Findings[0].Effect)/20 { // one of twenty such is false, by the rate
			continue
		}
		at := f.Component + "." + f.Function
		if f.Callee != "" {
			at = f.Caller + " -> " + f.Callee
		}
		great = append(great, f.Verdict+" "+at)
		if effectNs > 0 && math.Abs(f.Effect-float64(effectNs)) > float64(effectNs)/100 {
			t.Errorf("%s: %g ns, not %d", great, f.Effect, effectNs)
		}
	}
	if got := strings.Join(great, ", "); got != where {
		t.Errorf("the causes are %q, not %q", got, where)
	}
}
