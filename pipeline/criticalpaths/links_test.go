package criticalpaths_test

import (
	"cmp"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/testdata/expect"
)

// linkedSpan is a span of a trace of its own, with links to others.
type linkedSpan struct {
	start, end int64
	links      []int // positions of spans
}

// otlp is the spans as OTLP in JSON: every one of a service of its own.
func otlp(list []linkedSpan) string {
	var groups []string
	for i, s := range list {
		var links []string
		for _, to := range s.links {
			links = append(links, fmt.Sprintf(`{"traceId":"%032x","spanId":"%016x"}`, to+1, to+1))
		}
		groups = append(groups, fmt.Sprintf(`{"scopeSpans":[{"spans":[{"links":[%s],"traceId":"%032x","spanId":"%016x","name":"f","startTimeUnixNano":"%d","endTimeUnixNano":"%d"}]}],
			"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"s%d"}}]}}`, strings.Join(links, ","), i+1, i+1, s.start, s.end, i))
	}
	return `{"resourceSpans":[` + strings.Join(groups, ",") + `]}`
}

// linked ingests spans and returns their couplings, in words.
func linked(t *testing.T, list []linkedSpan) (rows []string) {
	path := filepath.Join(t.TempDir(), "spans.json")
	expect.OK(t, os.WriteFile(path, []byte(otlp(list)), 0o666))
	j := prepared(t, path, "")
	m, err := j.Lake.Manifest("couplings", lake.Run(j.Run))
	expect.OK(t, err)
	if m == nil {
		return nil
	}
	for _, f := range m.Files {
		c := schema.NewCouplings(new(schema.Names))
		expect.OK(t, j.Lake.Scan(t.Context(), []lake.File{f}, c, lake.ScanOptions{}, func() error {
			for i := range c.Kind {
				rows = append(rows, fmt.Sprintf("%s at %d waits for %s at %d", c.Names.Components.Name(c.Target[i]), c.TargetNs[i], c.Names.Components.Name(c.Source[i]), c.SourceNs[i]))
			}
			return nil
		}))
	}
	slices.Sort(rows)
	return rows
}

// TestLinksAreCouplings compares the couplings of random spans, each in a trace of its own, with what their times say.
func TestLinksAreCouplings(t *testing.T) {
	if testing.Short() {
		t.Skip("couplings of random spans are looked for in full tests")
	}
	for seed := range int64(12) {
		rng := rand.New(rand.NewSource(seed))
		list := make([]linkedSpan, 2+rng.Intn(8))
		times := rng.Perm(4 * len(list)) // no two alike
		for i := range list {
			a, b := int64(times[2*i]+1), int64(times[2*i+1]+1)
			list[i] = linkedSpan{start: min(a, b), end: max(a, b)}
			for _, to := range rng.Perm(len(list))[:rng.Intn(3)] {
				if to != i {
					list[i].links = append(list[i].links, to)
				}
			}
		}
		first := slices.MinFunc(list, func(a, b linkedSpan) int { return cmp.Compare(a.start, b.start) }).start
		var want []string
		for i, s := range list {
			for _, to := range s.links {
				switch other := list[to]; {
				case other.end < s.start:
					want = append(want, fmt.Sprintf("s%d at %d waits for s%d at %d", i, s.start, to, other.end))
				case other.start < s.start:
					want = append(want, fmt.Sprintf("s%d at %d waits for s%d at %d", i, s.start, to, other.start))
				}
			}
		}
		slices.Sort(want)
		if got := linked(t, list); !slices.Equal(got, want) {
			t.Errorf("seed %d, from %d:\n got %q\nwant %q", seed, first, got, want)
		}
	}
}

// TestProducerAndConsumerAreOnePath follows the path to the end of a consumer that takes messages of two producers: it leads over its start to
// the end of the producer that was later, and through that one.
func TestProducerAndConsumerAreOnePath(t *testing.T) {
	path := filepath.Join(t.TempDir(), "spans.json")
	list := []linkedSpan{{start: 100, end: 200}, {start: 150, end: 400}, {start: 500, end: 900, links: []int{0, 1}}}
	expect.OK(t, os.WriteFile(path, []byte(otlp(list)), 0o666))
	j := prepared(t, path, "")
	o := expect.Value(j.Occurrences(t.Context(), "s2.f"))(t)[0]
	o.From, o.FromNs = criticalpath.Start, 0
	p := expect.Value(j.Trace(t.Context(), o, criticalpaths.Ask{}))(t)
	var got []string
	for _, s := range p.Steps {
		part := p.Parts[s.Part]
		got = append(got, fmt.Sprintf("%s %s %d to %d", schema.ConstraintKindWords[part.Kind], p.Names.Components.Name(part.Component), s.SourceNs, s.TargetNs))
	}
	expect.Slice(t, got, []string{"component s1 150 to 400", "link s2 400 to 500", "component s2 500 to 900"}, "path")
}

// TestSeveralParentsOfZipkin follows the path to the end of a server of Zipkin that shares the id of its client and names another parent, which
// ends later than the client's request is sent: the path leads over that one.
func TestSeveralParentsOfZipkin(t *testing.T) {
	span := func(service, rest string) string {
		return `{"traceId": "1", "name": "f", "localEndpoint": {"serviceName": "` + service + `"}, ` + rest + `}`
	}
	path := filepath.Join(t.TempDir(), "spans.json")
	expect.OK(t, os.WriteFile(path, []byte("["+strings.Join([]string{
		span("page", `"id": "1", "timestamp": 1000, "duration": 1000`),
		span("web", `"id": "2", "parentId": "1", "kind": "CLIENT", "timestamp": 1100, "duration": 800`),
		span("shop", `"id": "2", "parentId": "7", "shared": true, "timestamp": 1300, "duration": 400`),
		span("queue", `"id": "7", "parentId": "1", "kind": "PRODUCER", "timestamp": 1050, "duration": 200`),
	}, ",")+"]"), 0o666))
	j := prepared(t, path, "")
	o := expect.Value(j.Occurrences(t.Context(), "shop.f"))(t)[0]
	o.From, o.FromNs = criticalpath.Start, 0
	p := expect.Value(j.Trace(t.Context(), o, criticalpaths.Ask{}))(t)
	var got []string
	for _, s := range p.Steps {
		part := p.Parts[s.Part]
		got = append(got, fmt.Sprintf("%s %s %d to %d", schema.ConstraintKindWords[part.Kind], p.Names.Components.Name(part.Component), s.SourceNs, s.TargetNs))
	}
	expect.Slice(t, got[max(len(got)-3, 0):], []string{"component queue 1050000 to 1250000", "link shop 1250000 to 1300000", "component shop 1300000 to 1700000"}, "end of the path")
}
