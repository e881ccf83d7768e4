package main

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/tracelake/tracelake/cmd/internal/testdata/browser"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// rowsShown is JavaScript that lists the rows and the sentences of a page, cells apart by a bar.
const rowsShown = `[...document.querySelectorAll("main h1, main tr, main [role=row], main p, main li")].map(e => [...(e.matches("tr, [role=row]") ? e.children : [e])].map(c => c.textContent.trim()).join(" | ").replace(/\s+/g, " ").replaceAll("→", "->"))`

// gaps are what stands between the columns of a table that a command prints.
var gaps = regexp.MustCompile(` {2,}`)

// sameOnPages compares what pages of the demo show with what commands print: the comparison, its findings and its account, all changes, the timing
// overview, critical paths, checks, and the runs of a baseline. compared is what analyze compare printed.
func sameOnPages(t *testing.T, address, compared string) {
	p := browser.New(t, 1400, 1000)
	p.Do(chromedp.Navigate(address))
	_, base := admitted(t, address)
	page, rows := "", []string(nil)
	open := func(hash string) {
		t.Helper()
		p.Open(base + hash)
		p.Wait(`document.querySelector(".waiting") === null`)
		page, rows = hash, browser.Eval[[]string](p, rowsShown)
		if len(rows) < 5 {
			t.Fatalf("%s has %d rows", hash, len(rows))
		}
	}
	compares := 0
	// row finds a row with all of some words.
	row := func(words ...string) {
		t.Helper()
		compares++
		for _, r := range rows {
			left := r
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
		t.Errorf("%s: no row has %q", page, words)
	}

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

	// All changes, and the fragments of the component that changed most.
	table := func(question string) (all []map[string]any) {
		return into[[]map[string]any](t, said(t, "query", question, "--format", "json"))
	}
	open("report/fast-vs-slow#/changes")
	for _, r := range table("SELECT rank, verdict, component, median_base_ns, effect_ns, fragment FROM changes WHERE comparison = 'fast-vs-slow' ORDER BY rank LIMIT 25") {
		effect := texttab.Change(must(t, r["effect_ns"]))
		row(fmt.Sprint(r["rank"])+" | ", strings.ReplaceAll(fmt.Sprint(r["verdict"]), "_", " "), " | "+effect+" | ", fmt.Sprint(r["fragment"]))
	}
	open("report/fast-vs-slow#/overview")
	component := browser.Eval[string](p, `document.querySelector("details.component[open] summary .name").textContent`)
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
	if compares < 60 {
		t.Errorf("only %d rows were compared", compares)
	}
	p.Quiet()
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
