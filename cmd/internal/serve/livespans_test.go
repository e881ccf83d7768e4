package serve

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/live"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/otlp"
	"github.com/tracelake/tracelake/testdata/expect"
)

// otlpSpans makes requests that a service takes, works on, and passes to others, each a line, the ends of a request first.
func otlpSpans(rng *rand.Rand) (lines []string) {
	span := func(service, name string, trace, id, parent, kind int, start, end int64) {
		up := ""
		if parent > 0 {
			up = fmt.Sprintf("%016x", parent)
		}
		lines = append(lines, fmt.Sprintf(`{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":%q}}]},"scopeSpans":[{"spans":[{"traceId":"%032x",`+
			`"spanId":"%016x","parentSpanId":%q,"name":%q,"kind":%d,"startTimeUnixNano":"%d","endTimeUnixNano":"%d"}]}]}]}`+"\n", service, trace, id, up, name, kind, start, end))
	}
	at := int64(1_700_000_000_000_000_000)
	for trace := 1; trace <= 40; trace++ {
		at += rng.Int64N(400_000)
		id, length := trace*100, 100_000+rng.Int64N(2_000_000)
		// web: handle { internal step; call of shop: serve { call of store } }
		third := length / 3
		if rng.IntN(3) > 0 {
			span("store", "get", trace, id+5, id+4, 2, at+third+300, at+2*third-300)
			span("shop", "ask store", trace, id+4, id+3, 3, at+third+200, at+2*third-200)
		}
		span("shop", "serve", trace, id+3, id+2, 2, at+third+100, at+2*third-100)
		span("web", "ask shop", trace, id+2, id+1, 3, at+third, at+2*third)
		span("web", "parse", trace, id+6, id+1, 1, at+10, at+third-10)
		span("web", "handle", trace, id+1, 0, 2, at, at+length)
	}
	return lines
}

// TestSpansShow has spans show while they are sent: when all have come, any window has the numbers of the run that is made of them, and before, what has
// come of whole requests shows.
func TestSpansShow(t *testing.T) {
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 5))
		l := newLake(t)
		address, _, client := start(t, l)
		lines := otlpSpans(rng)
		r := expect.Value(live.Open(l, "now", "trace"))(t)
		detect := func(string, []byte) (schema.Format, error) { return otlp.Format(), nil }
		d := expect.Value(r.Show(live.Reading{File: "trace", Say: func(sentence string) { t.Error(sentence) }, Detect: detect}))(t)
		now := time.Now()
		frame := func(run, window string) (f shownFrame) {
			t.Helper()
			expect.OK(t, json.Unmarshal(get(t, client, address+"/api/live/"+run+"/frame?"+window), &f))
			return f
		}
		calls := func(f shownFrame) (n int64) {
			for _, c := range f.Calls {
				n += c
			}
			return n
		}
		half := len(lines) / 2
		for _, line := range lines[:half] {
			expect.OK(t, d.Take([]byte(line), now))
		}
		expect.OK(t, d.Idle(now.Add(time.Second)))
		// The clock of the spans stands in the past; what is open does not count on here.
		if some := calls(frame("now", "interval=100000000000")); some < int64(half)/3 {
			t.Errorf("seed %d: %d executions show of %d spans", seed, some, half)
		}
		for _, line := range lines[half:] {
			expect.OK(t, d.Take([]byte(line), now))
		}
		expect.OK(t, d.Idle(now.Add(20*time.Second)))
		path := filepath.Join(t.TempDir(), "trace")
		expect.OK(t, os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600))
		_, _, err := ingest.Run(t.Context(), ingest.Job{Lake: l, Run: "stored", Paths: []string{path}, Detect: detect, Incomplete: "complete", Untraced: "ignore", Jobs: 1})
		expect.OK(t, err)
		for range 20 {
			to := rng.Int64N(12_000_000)
			window := fmt.Sprintf("at=%d&interval=%d&times=real", to, 1+rng.Int64N(to+1))
			got, want := frame("now", window), frame("stored", window)
			for i, name := range want.Components {
				k := 0
				for k < len(got.Components) && got.Components[k] != name {
					k++
				}
				if k == len(got.Components) {
					if want.Calls[i] > 0 {
						t.Errorf("seed %d, %s: %s does not show", seed, window, name)
					}
					continue
				}
				expect.Slice(t, []int64{got.BusyNs[k], got.SelfNs[k], got.Calls[k], got.P95Ns[k]}, []int64{want.BusyNs[i], want.SelfNs[i], want.Calls[i], want.P95Ns[i]},
					"seed %d, %s: raw and real time, calls and quantile of %s", seed, window, name)
			}
		}
		links := make(map[string]bool)
		for _, link := range frame("now", "interval=1000").Links {
			links[fmt.Sprint(link.From, link.To)] = true
		}
		if f := frame("stored", "interval=1000"); len(f.Links) < 2 || len(links) != len(f.Links) {
			t.Errorf("seed %d: connections %v, and %v of the run", seed, links, f.Links)
		}
		expect.OK(t, d.Close())
		expect.OK(t, r.Remove())
	}
}
