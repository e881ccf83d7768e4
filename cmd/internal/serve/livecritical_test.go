package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/tracelake/tracelake/cmd/internal/testdata/browser"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/plan"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/text"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/testdata/expect"
)

// storeOverlapping makes a run of requests, and of a cleaner beside them whose executions are roots of their own. It does not begin at 0. Nothing is
// analyzed.
func storeOverlapping(t *testing.T, l *lake.Lake, run string) {
	t.Helper()
	type event struct {
		ms   float64
		text string
	}
	var events []event
	add := func(ms float64, text string) { events = append(events, event{ms, text}) }
	for i := range 30 {
		at, works := 5000+20*float64(i), usual(i)
		add(at, "e a > main")
		add(at+1, fmt.Sprintf("e a > ask !q%d", i))
		add(at+1.1, fmt.Sprintf("f b > work ?q%d", i))
		add(at+1.1+works, fmt.Sprintf("f b < work !r%d", i))
		add(at+1.2+works, fmt.Sprintf("e a < ask ?r%d", i))
		add(at+2+works, "e a < main")
		if i%3 == 1 {
			add(at-7, "z cleaner > clean")
			add(at+1.05, "z cleaner < clean")
		}
	}
	slices.SortStableFunc(events, func(a, b event) int { return int(1e6*a.ms) - int(1e6*b.ms) })
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "%.9f %s\n", e.ms/1e3, e.text)
	}
	path := filepath.Join(t.TempDir(), "overlapping.tmsctrace")
	expect.OK(t, os.WriteFile(path, []byte(b.String()), 0o600))
	detect := func(string, []byte) (schema.Format, error) { return text.Tmsctrace(), nil }
	_, _, err := ingest.Run(t.Context(), ingest.Job{Lake: l, Run: run, Paths: []string{path}, Detect: detect, Incomplete: "complete", Untraced: "ignore", Jobs: 1})
	expect.OK(t, err)
}

// analyzeSteps runs all stages of a run, and that of the steps of critical paths.
func analyzeSteps(t *testing.T, l *lake.Lake, run string) {
	t.Helper()
	stages := expect.Value(pipeline.Order(plan.Stages(plan.Options{Constraints: constraints.Defaults(), Steps: true}), plan.Given...))(t)
	e := &pipeline.Engine{Lake: l, Stages: stages, Jobs: 1}
	expect.Value(e.Run(t.Context(), []lake.Partition{lake.Run(run)}))(t)
}

// TestCriticalShares compares the shares of critical paths in windows of a run with SQL on the table of their steps. Where the run has no such table the
// frame says which command makes it, and has it when it was made; while a run is recorded it says that it has none yet.
func TestCriticalShares(t *testing.T) {
	l := newLake(t)
	storeOverlapping(t, l, "o")
	address, _, client := startWith(t, l, func(c *command) { c.sql = true })
	frame := func(run, sight string) (f shownFrame) {
		t.Helper()
		expect.OK(t, json.Unmarshal(get(t, client, address+"/api/live/"+run+"/frame?metric=critical&"+sight), &f))
		return f
	}
	const whole = "at=1000000000&interval=1000000000"
	f := frame("o", whole)
	expect.Equal(t, f.Critical.Cause, "Run o has no table critical_steps: make it with analyze run o --stage critical_steps", "why there is none")
	expect.Slice(t, f.Hotness, []int{0, 0, 0}, "hotness without paths")
	r, d := recording(t, l, "now")
	expect.OK(t, d.Take([]byte(request(0, 2)), time.Now()))
	expect.Equal(t, frame("now", whole).Critical.Cause, "Critical paths are known when a run has ended: after that, analyze run now --stage critical_steps finds them", "of a recording")
	expect.OK(t, errors.Join(d.Close(), r.Remove()))

	analyzeSteps(t, l, "o")
	sums := func(question string) (ns map[string]int64, all int64) {
		t.Helper()
		var a struct {
			Rows []struct {
				Component string
				Ns        int64
			}
		}
		expect.OK(t, json.Unmarshal(get(t, client, address+"/api/sql?q="+url.QueryEscape(question)), &a))
		ns = make(map[string]int64)
		for _, r := range a.Rows {
			ns[r.Component] = r.Ns
			all += r.Ns
		}
		return ns, all
	}
	rng := rand.New(rand.NewPCG(1, 20))
	some := 0
	for i := range 12 {
		from := rng.Int64N(600_000_000)
		to := from + rng.Int64N(60_000_000)
		if i == 0 {
			from, to = 0, 600_000_000
		}
		f := frame("o", fmt.Sprintf("at=%d&interval=%d", to, max(1, to-from)))
		from, to = f.FromNs, f.ToNs // a window ends with the run
		want, all := sums(fmt.Sprintf(`WITH first AS (SELECT min(time_ns) AS t FROM events WHERE run = 'o')
			SELECT component, sum(greatest(0, least(start_ns + duration_ns - t, %d) - greatest(start_ns - t, %d)))::BIGINT AS ns FROM critical_steps, first WHERE run = 'o' GROUP BY component`, to, from))
		expect.Equal(t, f.Critical.AllNs, all, "from %d to %d: all", from, to)
		most := int64(0)
		for _, n := range want {
			most = max(most, n)
		}
		for c, name := range f.Components {
			expect.Equal(t, f.Critical.Ns[c], want[name], "from %d to %d: %s", from, to, name)
			hot := 0
			if most > 0 {
				hot = int(float64(100*want[name])/float64(most) + 0.5)
			}
			expect.Equal(t, f.Hotness[c], hot, "from %d to %d: hotness of %s", from, to, name)
			if want[name] > 0 && want[name] < all {
				some++
			}
		}
	}
	if some < 10 {
		t.Errorf("only %d shares are neither nothing nor all", some)
	}
	f = frame("o", whole)
	all, total := sums("SELECT component, sum(total_ns)::BIGINT AS ns FROM compositions WHERE run = 'o' GROUP BY component")
	expect.Equal(t, f.Critical.AllNs, total, "all of the run, as in compositions")
	expect.Equal(t, f.Critical.Ns[slices.Index(f.Components, "b")], all["b"], "of b, as in compositions")

	// Beside a baseline.
	f = frame("o", whole+"&against=o")
	expect.Slice(t, f.Against.Difference, []int{0, 0, 0}, "to itself")
	expect.Equal(t, f.Against.Uncompared, "", "why it is not compared")
	f = frame("o", whole+"&against=r1")
	before, totalBefore := sums("SELECT component, sum(total_ns)::BIGINT AS ns FROM compositions WHERE run = 'r1' GROUP BY component")
	share := func(name string) float64 {
		return float64(all[name])/float64(total) - float64(before[name])/float64(totalBefore)
	}
	expect.Equal(t, f.Components[slices.Index(f.Against.Difference, 100)], "cleaner", "the greatest difference: r1 does not have it")
	for c, name := range f.Components {
		expect.Equal(t, f.Against.Difference[c], int(math.Round(100*share(name)/share("cleaner"))), "the difference of %s to r1", name)
	}
	f = frame("o", whole+"&against=r2")
	expect.Slice(t, f.Against.Difference, []int{0, 0, 0}, "to a run without paths")
	expect.Equal(t, f.Against.Uncompared, "run r2 has no table compositions: analyze it first, with analyze run r2", "why it is not compared")

	// What others make and drop meanwhile.
	analyze(t, l, "r2")
	expect.Slice(t, frame("o", whole+"&against=r2").Against.Difference, frame("o", whole+"&against=r1").Against.Difference, "to r2, which is as r1")
	expect.OK(t, l.DropTables(t.Context(), lake.Run("o"), "critical_steps"))
	expect.Equal(t, frame("o", whole).Critical.AllNs, int64(0), "without the table")
}

// TestCriticalMetric chooses the metric on the page: without the table it says which command makes it, and with it components have their shares.
func TestCriticalMetric(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes some time")
	}
	page := browser.New(t, 1300, 1000)
	l := newLake(t)
	storeOverlapping(t, l, "o")
	address, token, _ := start(t, l)
	page.Do(chromedp.Navigate(address + "/?token=" + token))
	page.Do(chromedp.Navigate(address + "/live/o"))
	page.Wait(`document.querySelector('.livecontrols option[value="critical"]')?.textContent === "Share of critical paths"`)
	const choose = `(() => { const s = document.querySelector('.livecontrols option[value="critical"]').parentElement; s.value = "critical"; s.dispatchEvent(new Event("change", { bubbles: true })); return true; })()`
	expect.Equal(t, browser.Eval[bool](page, choose), true, "chosen")
	page.Wait(`document.querySelector(".hottest")?.textContent.includes("analyze run o --stage critical_steps")`)
	lastLook(t, page, "withoutpaths")
	analyzeSteps(t, l, "o")
	page.Wait(`location.href.includes("metric=critical")`) // the address follows after a moment
	here := browser.Eval[string](page, "location.href")
	page.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(here))
	const small = `document.querySelector('.ebd .part[data-component="b"] .small')?.textContent ?? ""`
	page.Wait(`(` + small + `).endsWith("% critical")`)
	title := browser.Eval[string](page, `document.querySelector('.ebd .part[data-component="b"] title').textContent`)
	if !strings.Contains(title, "on critical paths, "+strings.TrimSuffix(browser.Eval[string](page, small), " critical")+" of all") {
		t.Errorf("the title is %q, the text %q", title, browser.Eval[string](page, small))
	}
	page.Wait(`document.querySelector(".hottest").textContent.includes("Critical paths take")`)
	lastLook(t, page, "paths")
	page.Quiet()
	page.Do(chromedp.Navigate("about:blank")) // the server ends when nobody has a stream
}
