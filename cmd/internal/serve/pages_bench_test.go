package serve

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"github.com/tracelake/tracelake/cmd/internal/testdata/browser"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

var benchReport = flag.String("bench-report", "", "the file of analyze report whose changes are looked at by benchmarks")

// script is how much CPU time, in ms, the page has spent on scripts so far.
func script(b *testing.B, p *browser.Page) (ms float64) {
	p.Do(chromedp.ActionFunc(func(ctx context.Context) error {
		all, err := performance.GetMetrics().Do(ctx)
		for _, m := range all {
			if m.Name == "ScriptDuration" {
				ms = m.Value * 1000
			}
		}
		return err
	}))
	return ms
}

// painted waits until the page has drawn twice.
const painted = `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`

// stepped presses a key and waits until the picture has moved, whose time it returns, and has been drawn anew.
const stepped = `(async () => {
	const at = performance.now();
	document.querySelector("canvas").dispatchEvent(new KeyboardEvent("keydown", {key: %q, bubbles: true}));
	for (let i = 0; i < 8; i++) await null; // what a framework has to do next
	const took = performance.now() - at;
	await new Promise(done => setTimeout(done, 120));
	return took;
})()`

// onThread makes the browser count CPU time of the page's thread.
func onThread(p *browser.Page) {
	p.Do(performance.Enable().WithTimeDomain(performance.EnableTimeDomainThreadTicks))
}

// BenchmarkTimeline moves and zooms the timeline of a whole run in a browser by keyboard, in windows of several heights. It states how many boxes are drawn, how long
// script takes until the picture has moved, the median, and the CPU time of script a step, with the drawing that follows: go test ./cmd/internal/serve -run '^$' -bench Timeline -benchtime 40x -bench-lake LAKE
func BenchmarkTimeline(b *testing.B) {
	if *benchLake == "" {
		b.Skip("no lake is given: -bench-lake")
	}
	address, token, _ := start(b, expect.Value(lake.Open(*benchLake, false))(b))
	for _, height := range []int64{900, 2400, 6000} {
		p := browser.New(b, 1600, 900)
		p.Do(chromedp.Navigate(address+"/?token="+token), emulation.SetDeviceMetricsOverride(1600, height, 1, false))
		onThread(p)
		p.Open(address + "/#/timeline/" + *benchRun + "?messages=0")
		p.Wait(`(document.querySelector("canvas")?.list?.() ?? []).length > 100`)
		browser.Eval[any](p, painted)
		boxes := browser.Eval[int](p, `document.querySelector("canvas").list().length`)
		p.Do(chromedp.Focus("canvas", chromedp.ByQuery))
		for _, way := range []struct{ name, forth, back string }{{"move", "d", "a"}, {"zoom", "w", "s"}} {
			b.Run(fmt.Sprintf("%s/%d-boxes", way.name, boxes), func(b *testing.B) {
				p.Wait(`document.querySelector("canvas").list().length > 0`)
				before := script(b, p)
				var moved []float64
				for i := range b.N {
					key := way.forth
					if i%2 == 1 {
						key = way.back
					}
					moved = append(moved, browser.Eval[float64](p, fmt.Sprintf(stepped, key)))
				}
				slices.Sort(moved)
				b.ReportMetric(moved[len(moved)/2], "until-moved-ms")
				b.ReportMetric((script(b, p)-before)/float64(b.N), "script-ms/op")
			})
		}
		p.Quiet()
	}
}

// BenchmarkFirstPaint opens the page of a lake with nothing in the browser's cache, and states when it is painted first, the median, and the CPU time of script until
// what the lake has is listed: go test ./cmd/internal/serve -run '^$' -bench FirstPaint -benchtime 10x -bench-lake LAKE
func BenchmarkFirstPaint(b *testing.B) {
	if *benchLake == "" {
		b.Skip("no lake is given: -bench-lake")
	}
	address, token, _ := start(b, expect.Value(lake.Open(*benchLake, false))(b))
	p := browser.New(b, 1600, 900)
	p.Do(chromedp.Navigate(address+"/?token="+token), network.Enable(), network.SetCacheDisabled(true))
	onThread(p)
	var shown []float64
	scripts := 0.0
	for range b.N {
		p.Open(address + "/")
		p.Wait(`document.querySelector(".waiting") === null && performance.getEntriesByName("first-contentful-paint").length > 0`)
		shown = append(shown, browser.Eval[float64](p, `performance.getEntriesByName("first-contentful-paint")[0].startTime`))
		scripts += script(b, p)
	}
	slices.Sort(shown)
	b.ReportMetric(shown[len(shown)/2], "painted-ms")
	b.ReportMetric(scripts/float64(b.N), "script-ms/op")
	p.Quiet()
}

// changesOf finds the changes in the file of a report.
var changesOf = regexp.MustCompile(`(?s)(<script[^>]*data-resource="changes"[^>]*>)(.*?)(</script>)`)

// BenchmarkRows scrolls, filters and sorts the table of changes of a report whose rows are repeated until there are 100,000, and states the CPU time of script a step:
// go test ./cmd/internal/serve -run '^$' -bench Rows -benchtime 40x -bench-report FILE.html
func BenchmarkRows(b *testing.B) {
	if *benchReport == "" {
		b.Skip("no report is given: -bench-report")
	}
	const most = 100_000
	text := string(expect.Value(os.ReadFile(*benchReport))(b))
	found := changesOf.FindStringSubmatch(text)
	var table struct {
		Rows    int                        `json:"rows"`
		Columns map[string]json.RawMessage `json:"columns"`
	}
	expect.OK(b, json.Unmarshal([]byte(found[2]), &table))
	for name, column := range table.Columns {
		table.Columns[name] = repeated(b, column, table.Rows, most)
	}
	table.Rows = most
	grown := expect.Value(json.Marshal(table))(b)
	path := filepath.Join(b.TempDir(), "report.html")
	text = strings.Replace(text, found[0], found[1]+string(grown)+found[3], 1)
	expect.OK(b, os.WriteFile(path, []byte(text), 0o600))
	p := browser.New(b, 1600, 900)
	p.Do(chromedp.Navigate("about:blank"))
	onThread(p)
	p.Open("file://" + path + "#/changes")
	p.Wait(`document.querySelectorAll(".rows .body [role=row]").length > 10`)
	if shown := p.Text(".grid output"); !strings.Contains(shown, "100,000 of 100,000") {
		b.Fatalf("the table has %s", shown)
	}
	b.Logf("until the table is there: %.0f ms of script", script(b, p))
	for _, step := range []struct{ name, does string }{
		{"scroll", `document.querySelector(".rows").scrollTop = (%d * 7919 %% 100000) * 32`},
		{"sort", `document.querySelectorAll(".rows .head button")[%d %% 2 ? 3 : 5].click()`},
		{"filter", `(() => { const q = document.querySelector(".grid input[type=search]"); q.value = ["poll", "curl"][%d %% 2]; q.dispatchEvent(new Event("input", {bubbles: true})) })()`},
	} {
		b.Run(step.name, func(b *testing.B) {
			before := script(b, p)
			for i := range b.N {
				browser.Eval[any](p, fmt.Sprintf(step.does, i)+", "+painted)
			}
			b.ReportMetric((script(b, p)-before)/float64(b.N), "script-ms/op")
		})
	}
	p.Quiet()
}

// repeated makes a column longer: a list of values, words with places, or the few values that there are with their rows.
func repeated(b *testing.B, column json.RawMessage, rows, most int) json.RawMessage {
	var list []any
	if json.Unmarshal(column, &list) == nil {
		for i := len(list); i < most; i++ {
			list = append(list, list[i-rows])
		}
		return expect.Value(json.Marshal(list))(b)
	}
	var few struct {
		Words  []string `json:"words,omitempty"`
		At     []int    `json:"at,omitempty"`
		Rows   []int    `json:"rows,omitempty"`
		Values []any    `json:"values,omitempty"`
	}
	expect.OK(b, json.Unmarshal(column, &few))
	if few.Words != nil {
		for i := len(few.At); i < most; i++ {
			few.At = append(few.At, few.At[i-rows])
		}
	}
	for i, n := 0, len(few.Rows); n > 0 && few.Rows[i]+rows < most; i++ {
		few.Rows, few.Values = append(few.Rows, few.Rows[i]+rows), append(few.Values, few.Values[i])
	}
	return expect.Value(json.Marshal(few))(b)
}
