package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/plan"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/ingest/otlp"
	"github.com/tracelake/tracelake/stages/report/verdict"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/testdata/expect"
)

// seeds is how many times every planted change of services is generated anew; twenty are played before a release.
var seeds = flag.Uint64("seeds", 2, "seeds of the planted changes of services")

// serviceRun generates the spans of one run of small services.
type serviceRun struct {
	*rand.Rand
	candidate bool
	index     int // of the run in its side
	spans     map[string][]map[string]any
	ids       int
}

const ms = int64(1e6)

// around returns a time of about ns: up to a share less or more.
func (r *serviceRun) around(ns int64, share float64) int64 {
	return int64(float64(ns) * (1 - share + 2*share*r.Float64()))
}

// id returns the identifier of a new span.
func (r *serviceRun) id() string {
	r.ids++
	return fmt.Sprintf("%016x", r.ids)
}

// The kinds of spans in OTLP.
const (
	internal = 1
	server   = 2
	client   = 3
)

// span adds a span.
func (r *serviceRun) span(service string, trace int, id, parent, name string, kind int, start, end int64) {
	s := map[string]any{
		"traceId": fmt.Sprintf("%032x", trace), "spanId": id, "name": name, "kind": kind,
		"startTimeUnixNano": fmt.Sprint(int64(1e18) + start), "endTimeUnixNano": fmt.Sprint(int64(1e18) + end),
	}
	if parent != "" {
		s["parentSpanId"] = parent
	}
	r.spans[service] = append(r.spans[service], s)
}

// call adds a call of one service by another, in which request, work and reply take about ns each, and the reply some more. It returns
// when the reply arrives.
func (r *serviceRun) call(trace int, parent, caller, callee, name string, start, ns, more int64) int64 {
	ask, work, reply := r.around(ns, .2), r.around(ns, .2), r.around(ns, .2)
	asks, does, end := r.id(), r.id(), start+ask+work+reply+more
	r.span(caller, trace, asks, parent, name, client, start, end)
	r.span(callee, trace, does, asks, name, server, start+ask, start+ask+work)
	return end
}

// late is what something takes longer in the candidate.
func (r *serviceRun) late(ns int64) int64 {
	if r.candidate {
		return ns
	}
	return 0
}

// skewed plays web, which calls db, whose clock shows a reply as received some ns before it was sent; none: 0. The candidate's replies
// take a second longer.
func skewed(ns int64) func(*serviceRun) {
	return func(r *serviceRun) {
		t := int64(0)
		for k := 1; k <= 20; k++ {
			ask, work, reply := r.around(ms, .1), r.around(10*ms, .1), r.around(ms, .1)
			if ns > 0 {
				reply = -ns
			}
			root, asks, does := r.id(), r.id(), r.id()
			end := t + ask + work + reply + r.late(1000*ms)
			r.span("web", k, root, "", "GET /", server, t-ms, end+ms)
			r.span("web", k, asks, root, "db call", client, t, end)
			r.span("db", k, does, asks, "query", server, t+ask, t+ask+work)
			t = end + 100*ms
		}
	}
}

// rare plays 80 requests of which three call pay, in all runs but some of six. The candidate's replies of pay take longer.
func rare(empty int, longer int64) func(*serviceRun) {
	return func(r *serviceRun) {
		t := int64(0)
		for k := 1; k <= 80; k++ {
			root, begin := r.id(), t
			t = r.call(k, root, "web", "db", "query", t+ms/10, 2*ms, 0) + ms/10
			if (k == 11 || k == 41 || k == 71) && r.index < 6-empty {
				t = r.call(k, root, "web", "pay", "charge", t, 2*ms, r.late(longer)) + ms/10
			}
			r.span("web", k, root, "", "GET /", server, begin, t)
			t += 100 * ms
		}
	}
}

// early plays requests that call cart, ten times prices, and ads; half of the candidate's end behind cart.
func early(r *serviceRun) {
	t := int64(0)
	for k := 1; k <= 60; k++ {
		root, begin := r.id(), t
		t = r.call(k, root, "front", "cart", "cart", t+ms/10, 2*ms, 0) + ms/10
		if !r.candidate || r.Float64() >= .5 {
			for range 10 {
				t = r.call(k, root, "front", "prices", "prices", t, 2*ms, 0) + ms/10
			}
			t = r.call(k, root, "front", "ads", "ads", t, 2*ms, 0) + ms/10
		}
		r.span("front", k, root, "", "GET /", server, begin, t)
		t += 100 * ms
	}
}

// crossing plays a gateway whose two spans of a request overlap, neither of them inside the other. The candidate's work takes a second
// longer.
func crossing(r *serviceRun) {
	t := int64(0)
	for k := 1; k <= 20; k++ {
		end := t + 3*ms + r.around(10*ms, .1) + r.late(1000*ms)
		root, handle, post, work := r.id(), r.id(), r.id(), r.id()
		r.span("gateway", k, root, "", "GET /*", server, t, end+4*ms)
		r.span("gateway", k, handle, root, "handle", internal, t+ms, end+2*ms)
		r.span("gateway", k, post, root, "HTTP POST", client, t+2*ms, end+3*ms)
		r.span("svc", k, work, post, "work", server, t+3*ms, end)
		t = end + 100*ms
	}
}

// chance plays x and y, which call insure twice by chance: x in a baseline run, and y in a candidate run.
func chance(r *serviceRun) {
	who := ""
	switch {
	case !r.candidate && r.index == 2:
		who = "x"
	case r.candidate && r.index == 3:
		who = "y"
	}
	t := int64(0)
	for k := range 60 {
		service := string("xy"[k%2])
		root, asks, does := r.id(), r.id(), r.id()
		asked := t + r.around(ms, .2)
		begin := asked + r.around(ms, .2)
		end := begin + 5*r.around(ms, .2)
		if service == who && (k == 30 || k == 31 || k == 32 || k == 33) {
			c, s := r.id(), r.id()
			r.span(service, k+1, c, does, "GET insure", client, begin+r.around(ms, .2), end+3*ms)
			r.span("insure", k+1, s, c, "/insure", server, begin+2*ms, end+2*ms)
			end += 4 * ms
		}
		r.span(service, k+1, does, asks, "/"+service, server, begin, end)
		r.span("web", k+1, asks, root, "call "+service, client, asked, end+ms)
		r.span("web", k+1, root, "", "GET /", server, t, end+2*ms)
		t = end + 100*ms
	}
}

// verdictOnServices is the part of the JSON of a comparison that these tests look at.
type verdictOnServices struct {
	Verdict  string
	Findings []struct {
		Verdict, Component, Function, Caller, Callee, Subject string
		Effect                                                float64 `json:"effect_ns"`
		Base                                                  float64 `json:"count_base"`
	}
	Paths struct {
		Base      int64 `json:"base_ns"`
		Cand      int64 `json:"cand_ns"`
		Mix       int64 `json:"mix_ns"`
		Uncovered int64 `json:"uncovered_ns"`
		Parts     []struct {
			Part   string
			Base   int64 `json:"base_ns"`
			Effect int64 `json:"effect_ns"`
		}
	} `json:"path_account"`
}

// TestServicesFindThePlantedChange plays every case with several seeds. The change that was planted has to be the only finding, and the
// account along critical paths has to add up.
func TestServicesFindThePlantedChange(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: more than a hundred runs")
	}
	edge := func(caller, callee string, effect float64) func(*testing.T, *verdictOnServices) {
		return func(t *testing.T, v *verdictOnServices) {
			expect.Equal(t, v.Verdict, "regressed", "verdict")
			if len(v.Findings) != 1 || v.Findings[0].Caller != caller || v.Findings[0].Callee != callee {
				t.Fatalf("one finding, edge %s -> %s, was expected: %+v", caller, callee, v.Findings)
			}
			if each := v.Findings[0].Effect / v.Findings[0].Base; math.Abs(each-effect) > .02*effect {
				t.Errorf("a call takes %.0f ns longer, where %.0f were planted", each, effect)
			}
		}
	}
	for _, c := range []struct {
		name string
		runs int
		play func(*serviceRun)
		want func(*testing.T, *verdictOnServices)
	}{
		{"skew 0", 5, skewed(0), edge("web", "db", 1e9)},
		{"skew 1", 5, skewed(1), edge("web", "db", 1e9)},
		{"skew 500000", 5, skewed(500_000), edge("web", "db", 1e9)},
		{"rare 0", 6, rare(0, 500*ms), edge("web", "pay", 5e8)},
		{"rare 1", 6, rare(1, 500*ms), edge("web", "pay", 5e8)},
		{"rare 2", 6, rare(2, 500*ms), edge("web", "pay", 5e8)},
		{"rare 5", 6, rare(5, 5000*ms), func(t *testing.T, v *verdictOnServices) { // only the first run of a side has such calls, 5 s longer
			if v.Verdict == "unchanged" {
				t.Error("three requests take 5 s longer, and that is unchanged")
			}
		}},
		{"early 50", 5, early, func(t *testing.T, v *verdictOnServices) {
			expect.Equal(t, v.Verdict, "changed", "verdict")
			if len(v.Findings) != 1 || v.Findings[0].Verdict != schema.CountChanged || v.Findings[0].Function != "GET /" || v.Findings[0].Subject != "calls to ads, prices" {
				t.Errorf("one finding, fewer calls of GET / to ads and prices, was expected: %+v", v.Findings)
			}
		}},
		{"cross", 5, crossing, func(t *testing.T, v *verdictOnServices) {
			expect.Equal(t, v.Verdict, "regressed", "verdict")
			if len(v.Findings) != 1 || v.Findings[0].Component+"."+v.Findings[0].Function != "svc.work" || math.Abs(v.Findings[0].Effect-1e9) > 2e7 {
				t.Errorf("one finding, svc.work +1 s, was expected: %+v", v.Findings)
			}
		}},
		{"moved", 6, chance, func(t *testing.T, v *verdictOnServices) {
			if len(v.Findings) != 0 || v.Verdict != "unchanged" && v.Verdict != "undetermined" {
				t.Errorf("%s: nothing was planted: %+v", v.Verdict, v.Findings)
			}
		}},
	} {
		for seed := range *seeds {
			t.Run(fmt.Sprintf("%s seed %d", c.name, seed), func(t *testing.T) {
				v := compareServices(t, c.runs, seed, c.play)
				c.want(t, v)
				v.addsUp(t)
				if strings.HasPrefix(c.name, "skew") {
					v.pathLeadsThrough(t, "execution db.query", 10*ms)
				}
			})
		}
	}
}

// addsUp checks that the account along critical paths adds up to the difference of the root executions, and covers all of it.
func (v *verdictOnServices) addsUp(t *testing.T) {
	t.Helper()
	sum := v.Paths.Mix + v.Paths.Uncovered
	for _, p := range v.Paths.Parts {
		sum += p.Effect
	}
	expect.Equal(t, sum, v.Paths.Cand-v.Paths.Base, "sum of the account")
	if off := max(v.Paths.Uncovered, -v.Paths.Uncovered); off > 20 {
		t.Errorf("critical paths leave %d ns of the difference out", off)
	}
}

// pathLeadsThrough checks how long the critical paths of the baseline stay in a part.
func (v *verdictOnServices) pathLeadsThrough(t *testing.T, part string, ns int64) {
	t.Helper()
	for _, p := range v.Paths.Parts {
		if p.Part == part && p.Base > ns*95/100 && p.Base < ns*105/100 {
			return
		}
	}
	t.Errorf("critical paths do not have %d ns of %s: %+v", ns, part, v.Paths.Parts)
}

// compareServices generates runs of both sides, and compares them with a gate that closes when something changed.
func compareServices(t *testing.T, runs int, seed uint64, play func(*serviceRun)) *verdictOnServices {
	t.Helper()
	dir, random := t.TempDir(), rand.New(rand.NewPCG(seed, 21))
	l := expect.Value(lake.Open(filepath.Join(dir, "lake"), true))(t)
	sides := make(map[string][]string)
	for i := range runs {
		for _, side := range []string{"base", "cand"} {
			r := &serviceRun{Rand: random, candidate: side == "cand", index: i, spans: make(map[string][]map[string]any)}
			play(r)
			name := fmt.Sprint(side, i)
			ingestServices(t, l, name, filepath.Join(dir, name+".json"), r)
			sides[side] = append(sides[side], name)
		}
	}
	engine := &pipeline.Engine{Lake: l, Stages: plan.Stages(plan.Options{Constraints: constraints.Defaults()}), Jobs: 1}
	var all []lake.Partition
	for _, run := range slices.Concat(sides["base"], sides["cand"]) {
		all = append(all, lake.Run(run))
	}
	expect.Value(engine.Run(t.Context(), all))(t)
	j := compare.Job{Engine: engine, ID: "planted", Spec: compare.Spec{
		Base: sides["base"], Cand: sides["cand"], ByRuns: true, Verdicts: verdicts.Defaults(), Matching: matching.ByDifference,
		Options: samplechanges.Options{Method: sampletests.DYN, Normalisation: schema.NormFragmentAbsolute, Thresholds: sampletests.Defaults()},
	}}
	result, _, err := compare.Run(t.Context(), j)
	expect.OK(t, err)
	report := verdict.New(verdict.Comparison{
		ID: j.ID, Base: j.Base, Cand: j.Cand, Method: verdict.MethodRuns, Rules: j.Verdicts, Contributions: result.Contributions,
		Gate: verdict.Gate{Words: []string{"changed"}, ExitCode: 3},
	}, result.Changes, result.Findings)
	var out bytes.Buffer
	expect.OK(t, report.Write(&out, verdict.JSON, 10))
	v := new(verdictOnServices)
	expect.OK(t, json.Unmarshal(out.Bytes(), v))
	expect.Equal(t, report.Failed(), len(v.Findings) > 0, "the gate closes")
	return v
}

// ingestServices puts the spans of a run into the lake.
func ingestServices(t *testing.T, l *lake.Lake, name, file string, r *serviceRun) {
	t.Helper()
	var resources []map[string]any
	for _, service := range slices.Sorted(maps.Keys(r.spans)) {
		resources = append(resources, map[string]any{
			"resource":   map[string]any{"attributes": []any{map[string]any{"key": "service.name", "value": map[string]any{"stringValue": service}}}},
			"scopeSpans": []any{map[string]any{"spans": r.spans[service]}},
		})
	}
	data := expect.Value(json.Marshal(map[string]any{"resourceSpans": resources}))(t)
	expect.OK(t, os.WriteFile(file, data, 0o666))
	_, _, err := ingest.Run(t.Context(), ingest.Job{
		Lake: l, Run: name, Paths: []string{file}, Incomplete: "complete", Untraced: "ignore", Jobs: 1, Memory: 64 << 20,
		Options: schema.ReadingOptions{Clocks: schema.Clocks{Mode: schema.ClocksAuto}},
		Detect:  func(string, []byte) (schema.Format, error) { return otlp.Format(), nil },
	})
	expect.OK(t, err)
}
