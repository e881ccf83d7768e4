package serve

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"
	"time"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

var (
	benchLake = flag.String("bench-lake", "", "the lake whose run is looked at by benchmarks")
	benchRun  = flag.String("bench-run", "base", "the run")
)

// cpu is what the process has used so far.
func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkWindows answers random windows of a run at 1,600 pixels, of 40 lanes with all that is nested and of all lanes collapsed, and states the CPU time of the
// first answer, which may decode row groups, and of the next one, and the size of an answer: go test ./cmd/internal/serve -run '^$' -bench Windows -benchtime 40x -bench-lake LAKE
func BenchmarkWindows(b *testing.B) {
	if *benchLake == "" {
		b.Skip("no lake is given: -bench-lake")
	}
	l := expect.Value(lake.Open(*benchLake, false))(b)
	c := &command{Globals: &console.Globals{Lake: *benchLake, Memory: 4 << 30, Jobs: 2}}
	g := c.server(b.Context(), l, "token", "127.0.0.1").Handler.(*guard)
	ask := func(path string) []byte {
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1/api/run/"+*benchRun+"/"+path, nil).WithContext(b.Context())
		r.AddCookie(&http.Cookie{Name: g.cookie(), Value: "token"})
		w := httptest.NewRecorder()
		if g.ServeHTTP(w, r); w.Code != http.StatusOK {
			b.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		return w.Body.Bytes()
	}
	var run struct {
		Duration int64 `json:"duration_ns"`
		Lanes    []any `json:"lanes"`
	}
	expect.OK(b, json.Unmarshal(ask("lanes"), &run))
	for _, span := range []int64{run.Duration, run.Duration / 10, run.Duration / 100, int64(time.Second), int64(time.Millisecond)} {
		for _, what := range []struct {
			name, path    string
			lanes, depths int
		}{
			{"nested", "window?packed=1&", min(40, len(run.Lanes)), 64}, {"nested-json", "window?", min(40, len(run.Lanes)), 64},
			{"collapsed", "window?packed=1&", len(run.Lanes), 1}, {"messages", "messages?", min(40, len(run.Lanes)), 64},
		} {
			b.Run(fmt.Sprintf("%v/%s-%d", time.Duration(span), what.name, what.lanes), func(b *testing.B) {
				rng := rand.New(rand.NewSource(1))
				bytes := 0
				var first, again time.Duration
				for range b.N {
					from := rng.Int63n(max(1, run.Duration-span))
					path := fmt.Sprintf("%sfrom=%d&to=%d&pixels=1600&depths=%d&lanes=0-%d&most=1500", what.path, from, from+span, what.depths, what.lanes-1)
					at := cpu()
					bytes = max(bytes, len(ask(path)))
					now := cpu()
					ask(path)
					first, again = first+now-at, again+cpu()-now
				}
				b.ReportMetric(float64(first.Microseconds())/1000/float64(b.N), "first-cpu-ms/op")
				b.ReportMetric(float64(again.Microseconds())/1000/float64(b.N), "again-cpu-ms/op")
				b.ReportMetric(float64(bytes), "most-bytes")
			})
		}
	}
}
