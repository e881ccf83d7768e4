package main

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/tracelake/tracelake/cmd/internal/testdata/browser"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/testdata/expect"
)

// componentLoad is what a component did in a run, by SQL.
type componentLoad struct{ calls, rawNs, realNs float64 }

// loadsOf are the loads of all components of a run, and how long it is. Executions of a component begin where others call it; what its calls of others wait is
// not its own (section 6.2.6 of Tavares de Sousa 2016).
func loadsOf(t *testing.T, run string) (loads map[string]componentLoad, lengthNs float64) {
	t.Helper()
	loads = make(map[string]componentLoad)
	for _, r := range queried(t, `SELECT component, count(*) FILTER (depth = 0) AS calls, sum(duration_ns) FILTER (depth = 0)::BIGINT AS raw_ns,
		coalesce(sum(self_ns) FILTER (role IS DISTINCT FROM 'blocking_call'), 0)::BIGINT AS real_ns FROM executions WHERE run = '`+run+`' GROUP BY ALL`) {
		loads[fmt.Sprint(r["component"])] = componentLoad{float64(must(t, r["calls"])), float64(must(t, r["raw_ns"])), float64(must(t, r["real_ns"]))}
	}
	return loads, float64(must(t, queried(t, "SELECT duration_ns FROM runs WHERE run = '"+run+"'")[0]["duration_ns"]))
}

// metricsOfLoads are the metrics of section 6.2 of the thesis, and ours, by their words in addresses: a number of a load, whether its least is 0, and whether it grows
// with the time.
var metricsOfLoads = map[string]struct {
	of        func(l componentLoad, timeNs float64) float64
	fromLeast bool
	grows     bool
}{
	"overall":    {func(_ componentLoad, timeNs float64) float64 { return timeNs }, false, true},
	"mean":       {func(l componentLoad, timeNs float64) float64 { return timeNs / l.calls }, false, false},
	"normalised": {func(l componentLoad, timeNs float64) float64 { return timeNs / l.calls }, true, false},
	"self":       {func(l componentLoad, _ float64) float64 { return l.realNs }, false, true},
	"calls":      {func(l componentLoad, _ float64) float64 { return l.calls }, false, true},
}

// sameLive compares the page of a run as of a system that runs with the tables of the lake: the hotness of each component by every metric, the difference to
// another run, the functions that strike beside it, and the times of executions that one chooses.
func sameLive(t *testing.T, address string) {
	l := lookAt(t, address)
	now, lengthNs := loadsOf(t, "slow-1")
	base, baseLengthNs := loadsOf(t, "fast-1")
	drawn := func() map[string]int {
		return browser.Eval[map[string]int](l.page, `Object.fromEntries([...document.querySelectorAll(".ebd .part")].map((e) => [e.dataset.component, +e.dataset.hotness]))`)
	}
	shown := func(hash string) map[string]int {
		t.Helper()
		l.page.Open(l.base + hash)
		against := strings.Contains(hash, "against")
		l.page.Wait(fmt.Sprintf(`(() => { const all = [...document.querySelectorAll(".ebd .part")]; return all.length === %d && all.every((e) => !e.querySelector("title").textContent.includes("; 0 executions")) && (%t || all.some((e) => +e.dataset.hotness === 100)) && (!%t || document.querySelector(".hottest b") !== null) })()`, len(now), against, against))
		return drawn()
	}
	// On a busy machine the loads of the baseline come in several pieces, and what is drawn follows them.
	settles := func(hash string, want map[string]int, name string) {
		t.Helper()
		got := shown(hash)
		for end := time.Now().Add(20 * time.Second); !maps.Equal(got, want) && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
			got = drawn()
		}
		expect.Deep(t, got, want, "%s", name)
	}
	apart := make(map[string]bool)
	for word, m := range metricsOfLoads {
		for _, times := range []string{"raw", "real"} {
			if times == "real" && (word == "self" || word == "calls") {
				continue // whichever times are shown
			}
			value := func(load componentLoad) float64 {
				return m.of(load, map[string]float64{"raw": load.rawNs, "real": load.realNs}[times])
			}
			most, least := 0.0, math.Inf(1)
			for _, load := range now {
				most, least = max(most, value(load)), min(least, value(load))
			}
			if !m.fromLeast {
				least = 0
			}
			want := make(map[string]int)
			for name, load := range now {
				want[name] = int(math.Round(100 * (value(load) - least) / (most - least)))
			}
			apart[fmt.Sprint(want)] = true
			settles(fmt.Sprintf("live/slow-1#/?metric=%s&times=%s", word, times), want, fmt.Sprintf("hotness by %s, %s times", word, times))

			// The difference to another run: of what grows with the time, a second of each. What is small beside the greatest number of the baseline is no 100.
			if m.fromLeast {
				continue
			}
			changes, most := make(map[string]float64), 0.0
			for name, load := range now {
				a, b := value(load), 0.0
				if of, had := base[name]; had {
					b = value(of)
				}
				if m.grows {
					a, b = a*1e9/lengthNs, b*1e9/baseLengthNs
				}
				changes[name] = a - b
				most = max(most, b/4, math.Abs(a-b))
			}
			differences := make(map[string]int)
			for name, d := range changes {
				differences[name] = int(math.Round(100 * d / most))
			}
			settles(fmt.Sprintf("live/slow-1#/?metric=%s&times=%s&against=fast-1", word, times), differences, fmt.Sprintf("difference by %s, %s times", word, times))
		}
	}
	if len(apart) < 4 {
		t.Errorf("the metrics have only %d different answers", len(apart))
	}

	// Functions that strike, with their real times a call in both runs.
	l.page.Open(l.base + "live/slow-1#/?against=fast-1")
	l.page.Wait(`document.querySelectorAll(".candidates tbody tr").length > 0`)
	means := make(map[string][2]string) // by function: calls and mean
	for _, r := range queried(t, `SELECT run, component || '.' || "function" AS name, count(*) AS calls, round(avg(self_ns))::BIGINT AS mean_ns FROM executions
		WHERE run IN ('slow-1', 'fast-1') AND role IS DISTINCT FROM 'blocking_call' GROUP BY ALL`) {
		means[fmt.Sprint(r["run"], " ", r["name"])] = [2]string{count(t, r["calls"]), texttab.Duration(must(t, r["mean_ns"]))}
	}
	for _, row := range browser.Eval[[][]string](l.page, `[...document.querySelectorAll(".candidates tbody tr")].map((r) => [...r.cells].map((c) => c.textContent))`) {
		in := means["slow-1 "+row[0]]
		expect.Slice(t, row[2:4], in[:], "calls of %s, and their mean", row[0])
		if of, known := means["fast-1 "+row[0]]; known {
			contains(t, row[4], of[1]+", ", "the mean of the baseline of "+row[0])
		} else {
			expect.Equal(t, row[4], "not there", "the baseline of %s", row[0])
		}
	}

	sameQuantiles(t, l, len(now), shown("live/slow-1#/?metric=p95&times=raw"))
	samePoints(t, l)

	// Executions that one chooses, from the last one on.
	l.page.Open(l.base + "live/slow-1")
	l.page.Wait(`document.querySelector(".tbd canvas") !== null`)
	l.page.Do(chromedp.Focus(".tbd canvas", chromedp.ByQuery))
	executions := make(map[string]bool)
	for _, r := range queried(t, `SELECT e.component || '.' || e."function" AS name, e.start_ns - r.start_ns AS from_ns, e.finish_ns - r.start_ns AS to_ns, e.duration_ns,
		coalesce((SELECT sum(i.self_ns) FROM executions i WHERE i.run = e.run AND i.lifeline = e.lifeline AND i.execution >= e.execution AND i.finish_seq <= e.finish_seq AND i.role IS DISTINCT FROM 'blocking_call'), 0)::BIGINT AS real_ns
		FROM executions e JOIN runs r USING (run) WHERE e.run = 'slow-1' AND e.depth = 0`) {
		ms := func(name string) string { return fmt.Sprint(float64(must(t, r[name])) / 1e6) }
		executions[fmt.Sprintf("%s begins at %s ms, ends at %s ms; %s raw, %s real", r["name"], ms("from_ns"), ms("to_ns"), texttab.Duration(must(t, r["duration_ns"])), texttab.Duration(must(t, r["real_ns"])))] = true
	}
	says := regexp.MustCompile(`^(\S+) on .*: (begins at .* real) within the scale`)
	chosen := ""
	found := 0
	for range 40 {
		l.page.Press("[", 1)
		l.page.Wait(fmt.Sprintf(`[...document.querySelectorAll(".livebar")].some((e) => e.textContent.includes("begins at") && e.textContent !== %q)`, chosen))
		chosen = browser.Eval[string](l.page, `[...document.querySelectorAll(".livebar")].find((e) => e.textContent.includes("begins at")).textContent`)
		if strings.Contains(chosen, "within a pixel") {
			continue
		}
		if said := says.FindStringSubmatch(chosen); said == nil || !executions[said[1]+" "+said[2]] {
			t.Errorf("no execution is like %q", chosen)
		}
		found++
	}
	if found < 10 {
		t.Errorf("only %d executions were compared", found)
	}
	l.page.Quiet()
}

// sameQuantiles compares the time that 95 % of the executions of each component stay below with SQL: it is rounded up by at most an eighth. The hotness is
// that time as a share of the longest.
func sameQuantiles(t *testing.T, l *look, components int, hotness map[string]int) {
	t.Helper()
	frame := browser.Eval[struct {
		Components []string `json:"components"`
		P95Ns      []int64  `json:"p95_ns"`
	}](l.page, `fetch("/api/live/slow-1/frame?metric=p95").then((r) => r.json())`)
	exact := make(map[string]int64)
	for _, r := range queried(t, `SELECT component, quantile_disc(duration_ns, 0.95)::BIGINT AS p95_ns FROM executions WHERE run = 'slow-1' AND depth = 0 GROUP BY ALL`) {
		exact[fmt.Sprint(r["component"])] = must(t, r["p95_ns"])
	}
	expect.Equal(t, len(frame.Components), components, "components of the frame")
	most := int64(0)
	for _, ns := range frame.P95Ns {
		most = max(most, ns)
	}
	for i, name := range frame.Components {
		if of, ns := exact[name], frame.P95Ns[i]; ns < of || ns > of+of/8+1 {
			t.Errorf("95 %% of the executions of %s stay below %d ns, by SQL below %d", name, ns, of)
		}
		expect.Equal(t, hotness[name], int(math.Round(100*float64(frame.P95Ns[i])/float64(most))), "hotness of %s by the 95th percentile", name)
	}
}

// samePoints compares the points of a control chart, which are calls where there are few, with the executions of the function.
func samePoints(t *testing.T, l *look) {
	t.Helper()
	for times, column := range map[string]string{"raw": "duration_ns", "real": "self_ns"} {
		l.page.Open(l.base + "live/slow-1#/?times=" + times + "&against=fast-1&component=lib_select_c&function=Curl_poll")
		l.page.Wait(fmt.Sprintf(`document.querySelectorAll(".controlchart circle").length > 0 && document.querySelector(".controlchart figcaption").textContent.includes(%q)`, times+" time"))
		var want []string
		for _, r := range queried(t, `SELECT e.`+column+` AS ns, e.finish_ns - r.start_ns AS at_ns FROM executions e JOIN runs r USING (run)
			WHERE e.run = 'slow-1' AND component = 'lib_select_c' AND "function" = 'Curl_poll' AND role IS DISTINCT FROM 'blocking_call' ORDER BY at_ns`) {
			want = append(want, fmt.Sprintf("%s, 1 calls, at %s", texttab.Duration(must(t, r["ns"])), texttab.Duration(must(t, r["at_ns"]))))
		}
		expect.Slice(t, browser.Eval[[]string](l.page, `[...document.querySelectorAll(".controlchart circle title")].map((e) => e.textContent)`), want, "points of the control chart, %s times", times)
	}
}
