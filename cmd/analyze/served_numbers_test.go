package main

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/tracelake/tracelake/cmd/internal/testdata/browser"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/testdata/expect"
)

// rowsShown is JavaScript that lists the rows and the sentences of a page, cells apart by a bar.
const rowsShown = `[...document.querySelectorAll("main h1, main figcaption strong, main tr, main [role=row], main p, main li")].map(e => [...(e.matches("tr, [role=row]") ? e.children : [e])].map(c => c.textContent.trim()).join(" | ").replace(/\s+/g, " ").replaceAll("→", "->"))`

// gaps are what stands between the columns of a table that a command prints.
var gaps = regexp.MustCompile(` {2,}`)

// sameOnPages compares what pages of the demo show with what commands print: the comparison, its findings and its account, all changes, the timing
// overview, communication, critical paths, checks, the runs of a baseline, the report of a run, and its components as of a system that runs. compared is what analyze compare printed.
func sameOnPages(t *testing.T, address, compared string) {
	l := lookAt(t, address)
	open, row := l.open, l.row
	table := func(args ...string) []map[string]any { return queried(t, args...) }

	// The comparison, and its report.
	sentence, _, _ := strings.Cut(compared, "\n\n")
	sentence = strings.Join(strings.Fields(sentence), " ")
	_, summary, _ := strings.Cut(sentence, ": ")
	var findings [][]string
	var account [][2]string
	for line := range strings.Lines(compared) {
		line = strings.TrimRight(line, "\n")
		cells := gaps.Split(strings.TrimSpace(line), -1)
		switch {
		case regexp.MustCompile(`^\d+  \w`).MatchString(line) && len(cells) == 8:
			findings = append(findings, cells)
		case regexp.MustCompile(`^(= |  ) *[+-][0-9]`).MatchString(line):
			effect, of, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "=")), "  ")
			account = append(account, [2]string{effect, of})
		}
	}
	if len(findings) == 0 || len(account) < 6 {
		t.Fatalf("%d findings and %d lines of accounts in %s", len(findings), len(account), compared)
	}
	open("#/comparison/fast-vs-slow")
	row(summary)
	for _, f := range findings {
		before, after, _ := strings.Cut(f[4], " -> ")
		row(f[0]+" | ", f[1], f[7], " | "+f[2]+" | ", f[3]+" | ", before+" | ", after+" | ", f[5]+" | ", f[6]+" | ")
	}
	open("report/fast-vs-slow")
	row(sentence)
	for _, f := range findings {
		row(f[7], f[1], f[2], f[3], f[4], f[5], f[6])
	}
	for _, line := range account {
		row(line[0], " | "+line[1])
	}

	// How fragments communicate, which is of level 4: those in sight, which take most time.
	open("report/fast-vs-slow#/communication")
	communicates(l, table("SELECT fragment, metric, cost_base_ns, cost_cand_ns FROM changes WHERE comparison = 'fast-vs-slow' AND level = 'metric' AND cost_base_ns IS NOT NULL"))

	sums := make(map[string]string)
	for _, r := range table("SELECT fragment, metric, list(total_ns ORDER BY run) AS all_ns FROM summaries WHERE level = 'metric' AND fragment IS NOT NULL GROUP BY ALL") {
		var texts []string
		for _, ns := range r["all_ns"].([]any) {
			texts = append(texts, texttab.Duration(must(t, ns)))
		}
		if len(texts) == 10 { // five runs a side
			sums[fmt.Sprint(strings.ReplaceAll(fmt.Sprint(r["metric"]), "_", " "), " of ", r["fragment"])] = "baseline " + strings.Join(texts[:5], ", ") + "; candidate " + strings.Join(texts[5:], ", ")
		}
	}
	runMarks := 0
	for _, label := range browser.Eval[[]string](l.page, `[...document.querySelectorAll(".runmarks")].map((e) => e.getAttribute("aria-label"))`) {
		what, says, _ := strings.Cut(label, ": ")
		if want, has := sums[what]; has {
			runMarks++
			expect.Equal(t, says, want, "runs of %s", what)
		}
	}
	if runMarks < 5 {
		t.Errorf("only %d metrics were compared run by run", runMarks)
	}

	// All changes, and the fragments of the component that changed most.
	open("report/fast-vs-slow#/changes")
	for _, r := range table("SELECT rank, verdict, component, median_base_ns, effect_ns, fragment FROM changes WHERE comparison = 'fast-vs-slow' ORDER BY rank LIMIT 25") {
		effect := texttab.Change(must(t, r["effect_ns"]))
		row(fmt.Sprint(r["rank"])+" | ", strings.ReplaceAll(fmt.Sprint(r["verdict"]), "_", " "), " | "+effect+" | ", fmt.Sprint(r["fragment"]))
	}
	open("report/fast-vs-slow#/overview")
	component := browser.Eval[string](l.page, `document.querySelector("details.component[open] summary .name").textContent`)
	fragments := table("SELECT * FROM changes WHERE comparison = 'fast-vs-slow' AND level = 'fragment' AND component = '" + component + "' ORDER BY rank LIMIT 40")
	if len(fragments) == 0 {
		t.Fatalf("no fragments of %s", component)
	}
	for _, r := range fragments {
		for side, name := range map[string]string{"base": "baseline", "cand": "candidate"} {
			cells := []string{name, texttab.Count(must(t, r["n_"+side]))}
			for _, q := range []string{"min", "q25", "median", "q75", "max"} {
				cells = append(cells, texttab.Duration(must(t, r[q+"_"+side+"_ns"])))
			}
			row(strings.Join(cells, " | "))
		}
	}

	// Critical paths, of which the page has the greatest parts.
	open("#/paths/slow-1?to=src_tool_main_c.main")
	_, parts, _ := strings.Cut(string(said(t, "critical-path", "slow-1", "--to", "src_tool_main_c.main", "--top", "15")), "share ")
	for line := range strings.Lines(parts) {
		if c := regexp.MustCompile(`^ *\S+ %  +(\S+ \w+) +([0-9,]+)  (\w+)  (\S+)\n`).FindStringSubmatch(line); c != nil {
			row(c[3]+" "+c[4]+" | 1 | "+c[2]+" | "+c[1], c[1])
		}
	}
	// Checks, with the verdict, how often they were asked and failed, and the margin.
	open("#/checks/slow-1")
	var checks strings.Builder // an error is that some are broken
	run(t.Context(), []string{"check", "slow-1", "--spec", "requirements.etl", "--quiet"}, strings.NewReader(""), &checks, io.Discard)
	for line := range strings.Lines(checks.String()) {
		verdict, rest, is := strings.Cut(line, " ")
		name, facts, has := strings.Cut(strings.TrimSpace(rest), ": ")
		if !is || !has || !regexp.MustCompile(`^[A-Z_]+$`).MatchString(verdict) {
			continue
		}
		words := []string{name, strings.ToLower(strings.ReplaceAll(verdict, "_", " "))}
		for _, f := range []string{`asked ([0-9]+) `, `failed ([0-9]+)`, `margin ([-0-9.]+ \w+)`, `bound ([0-9.]+ \w+)`} {
			if found := regexp.MustCompile(f).FindStringSubmatch(facts); found != nil && !strings.Contains(facts, " values") {
				words = append(words, found[1])
			}
		}
		row(words...)
	}
	// The runs of a baseline.
	open("#/baseline/good")
	for line := range strings.Lines(string(said(t, "runs"))) {
		if w := strings.Fields(line); strings.HasPrefix(w[0], "fast-") { // run format events executions messages components duration labels
			row(w[0], w[6]+" "+w[7], w[2], w[3], w[4], w[5])
		}
	}
	// The report of a run: what its critical paths consist of, its slowest fragments and functions, and its losses.
	open("report/slow-1")
	described := table("SELECT * FROM runs WHERE run = 'slow-1'")[0]
	row("slow-1 takes " + texttab.Duration(must(t, described["duration_ns"])))
	row(count(t, described["executions"])+" executions, ", count(t, described["messages"])+" messages and ", count(t, described["events"])+" events of ", count(t, described["components"])+" component")
	for _, r := range table("critical-share", "--param", "run=slow-1", "--param", "limit=15") {
		where := fmt.Sprint(r["component"])
		if r["function"] != nil {
			where += fmt.Sprint(".", r["function"])
		}
		row(texttab.Duration(must(t, r["total_ns"]))+" | ", " | "+fmt.Sprint(r["category"])+" | ", where, " | "+count(t, r["occurrences"])+" | ", texttab.Duration(must(t, r["max_ns"])))
	}
	slowestOf(l, "fragments", "fragment", "level = 'metric' AND metric = 'runtime'", table)
	slowestOf(l, "functions", "component || '.' || function", "level = 'function'", table)
	for _, r := range table("losses", "--param", "run=slow-1") {
		row(count(t, r["count"])+" | ", fmt.Sprint("(", r["reason"], ") | "), fmt.Sprint(r["first_position"], " | ", r["stage"]))
	}

	// A run of the lake on the page of systems that run: what every component did in all of it. Executions of a component begin where others call it, and
	// what its calls of others wait is not its own (section 6.2.6 of Tavares de Sousa 2016).
	l.page.Open(l.base + "live/slow-1")
	loads := table(`SELECT component, count(*) FILTER (depth = 0) AS calls, sum(duration_ns) FILTER (depth = 0) AS raw_ns, coalesce(sum(self_ns) FILTER (role IS DISTINCT FROM 'blocking_call'), 0) AS real_ns
		FROM executions WHERE run = 'slow-1' GROUP BY ALL`)
	const titles = `[...document.querySelectorAll(".ebd .part title")].map(e => e.textContent)`
	l.page.Wait(fmt.Sprintf(`%s.length === %d && %s.every(e => !e.includes("; 0 executions"))`, titles, len(loads), titles))
	l.at, l.rows = "live/slow-1", browser.Eval[[]string](l.page, titles)
	for _, r := range loads {
		row(fmt.Sprint(r["component"], ": hotness "), "; "+count(t, r["calls"])+" executions, "+texttab.Duration(must(t, r["raw_ns"]))+" raw, "+texttab.Duration(must(t, r["real_ns"]))+" real")
	}
	if l.compared < 250 {
		t.Errorf("only %d rows were compared", l.compared)
	}
	l.page.Quiet()
}

// slowestOf compares a table of the report of slow-1, of those that take most time, with their summaries. Quantiles are told from each other by
// those that are called often: some of them have all quantiles apart.
func slowestOf(l *look, what, name, where string, table func(...string) []map[string]any) {
	l.t.Helper()
	apart := 0
	for _, r := range table("SELECT " + name + ` AS name, total_ns, n, min_ns, round(q50_ns)::BIGINT AS q50_ns, round(q90_ns)::BIGINT AS q90_ns, round(q99_ns)::BIGINT AS q99_ns, max_ns
		FROM summaries WHERE run = 'slow-1' AND ` + where + " ORDER BY total_ns DESC, name LIMIT 12") {
		cells, different := []string{fmt.Sprint(r["name"]), texttab.Duration(must(l.t, r["total_ns"])), count(l.t, r["n"])}, make(map[string]bool)
		for _, q := range []string{"min_ns", "q50_ns", "q90_ns", "q99_ns", "max_ns"} {
			text := "" // a quantile for which there are too few
			if r[q] != nil {
				text = texttab.Duration(must(l.t, r[q]))
				different[text] = true
			}
			cells = append(cells, text)
		}
		if len(different) >= 4 {
			apart++
		}
		l.row(strings.Join(strings.Fields(strings.Join(cells, " | ")), " ")) // as rowsShown writes an empty cell
	}
	if apart < 3 {
		l.t.Errorf("only %d of the slowest %s have a minimum, a median, a ninth decile and a maximum that are written apart", apart, what)
	}
}

// communicates compares the table of communication with metrics of fragments: times of both sides and their ratio (Hilbig 2023, Fig. 3.17).
func communicates(l *look, metrics []map[string]any) {
	l.t.Helper()
	heads := browser.Eval[[]string](l.page, `[...document.querySelectorAll("main [role=columnheader] button")].map(b => b.firstChild.textContent)`)
	cells := make(map[string][]string) // of a fragment, in the order of the columns
	for _, r := range browser.Eval[[][]string](l.page, `[...document.querySelectorAll("main .body [role=row]")].map(r => [...r.children].map(c => (c.querySelector(".name[title]")?.title ?? c.textContent).replace("▲ ", "")))`) {
		cells[r[0]] = r
	}
	titles := map[string]string{
		"blocked": "blocked", "waited": "async wait", "fcn_wait": "callback wait", "sync_handling": "sync handler", "async_handling": "async handler", "trigger_handling": "trigger handler",
		"event_handling": "event handler",
	}
	sums := make(map[string][2]int64)
	check := func(fragment, title string, base, cand int64) {
		at := slices.Index(heads, title+": base")
		if at < 0 || cells[fragment] == nil {
			return // beyond what is in sight
		}
		l.compared++
		ratio := "–"
		switch x := float64(cand) / float64(base); {
		case base == 0:
		case x < 10:
			ratio = fmt.Sprintf("%.2f", x)
		default:
			ratio = fmt.Sprintf("%.0f", x)
		}
		expect.Slice(l.t, cells[fragment][at:at+3], []string{texttab.Duration(base), ratio, texttab.Duration(cand)}, "%s of %s", title, fragment)
	}
	for _, r := range metrics {
		title, is := titles[fmt.Sprint(r["metric"])]
		if !is || r["fragment"] == nil {
			continue
		}
		fragment, base, cand := fmt.Sprint(r["fragment"]), must(l.t, r["cost_base_ns"]), must(l.t, r["cost_cand_ns"])
		sums[fragment] = [2]int64{sums[fragment][0] + base, sums[fragment][1] + cand}
		check(fragment, title, base, cand)
	}
	for fragment, s := range sums {
		check(fragment, "sum", s[0], s[1])
	}
}

// queried are the rows that analyze query prints.
func queried(t *testing.T, args ...string) []map[string]any {
	t.Helper()
	return into[[]map[string]any](t, said(t, append(append([]string{"query"}, args...), "--format", "json")...))
}

// look is a browser that reads pages as rows of text.
type look struct {
	t        *testing.T
	page     *browser.Page
	base     string   // of all addresses
	at       string   // what was opened last
	rows     []string // that it shows
	compared int
}

// lookAt opens a served lake.
func lookAt(t *testing.T, address string) *look {
	p := browser.New(t, 1400, 1000)
	p.Do(chromedp.Navigate(address))
	_, base := admitted(t, address)
	return &look{t: t, page: p, base: base}
}

// open opens a page and reads it.
func (l *look) open(hash string) {
	l.t.Helper()
	before, _, _ := strings.Cut(l.at, "#")
	path, _, leads := strings.Cut(hash, "#")
	if leads && l.at != hash && before == path && strings.HasPrefix(path, "report/") { // the server need not make the report again
		browser.Eval[bool](l.page, fmt.Sprintf(`new Promise((done) => { addEventListener("hashchange", () => requestAnimationFrame(() => requestAnimationFrame(() => done(true))), {once: true}); location.href = %q })`, l.base+hash))
	} else {
		l.page.Open(l.base + hash)
	}
	l.page.Wait(`document.querySelector(".waiting") === null`)
	l.at, l.rows = hash, browser.Eval[[]string](l.page, rowsShown)
	if len(l.rows) < 5 {
		l.t.Fatalf("%s has %d rows", hash, len(l.rows))
	}
}

// row finds a row with all of some words, in their order.
func (l *look) row(words ...string) {
	l.t.Helper()
	l.compared++
	for _, left := range l.rows {
		all := true
		for _, w := range words {
			at := strings.Index(left, w)
			if all = all && at >= 0; all {
				left = left[at+len(w):]
			}
		}
		if all {
			return
		}
	}
	l.t.Errorf("%s: no row has %q", l.at, words)
}

// count is a whole number of a row, with commas.
func count(t *testing.T, v any) string {
	t.Helper()
	return texttab.Count(must(t, v))
}

// must is a whole number of a row.
func must(t *testing.T, v any) int64 {
	t.Helper()
	n, err := v.(json.Number).Int64()
	if err != nil {
		t.Fatal(err)
	}
	return n
}
