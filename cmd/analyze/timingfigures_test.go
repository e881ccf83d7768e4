package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/tracelake/tracelake/cmd/internal/testdata/browser"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// unitTraces are the traces of Hilbig 2023, Fig. 3.2. A unit is a millisecond here, so that a unit of delay matters.
var unitTraces = map[string]string{
	"1": "0.011 component > f\n0.012 component > g\n0.013 component < g\n0.014 component < f\n",
	"2": "0.081 component > f\n0.083 component > g\n0.084 component < g\n0.085 component < f\n",
	"3": "0.081 component > f\n0.082 component > h\n0.084 component < h\n0.085 component < f\n",
}

// positioning is a trace of the second case of Hilbig 2023, section 4.3.2, in kind: a high-level function that is called once and whose automaton is long and
// without branches. It waits for two actions. The first ends 894.435 ms after its start where wait is 833.435 ms, as in Fig. 4.9b.
func positioning(waitUs, otherUs int) string {
	var out strings.Builder
	at := 0
	event := func(us int, what string) {
		at += us
		fmt.Fprintf(&out, "%d.%06d wafer_positioning %s\n", at/1e6, at%1e6, what)
	}
	several := func(n, us int, name string) {
		for i := range n {
			event(2000, fmt.Sprintf("> %s_%d", name, i))
			event(us, fmt.Sprintf("< %s_%d", name, i))
		}
	}
	event(0, "> wafer_positioning_function")
	several(12, 3000, "prepare")
	event(1000, "> wait_for_action_complete")
	event(waitUs, "< wait_for_action_complete")
	several(6, 5000, "move")
	event(1000, "> wait_for_other_complete")
	event(otherUs, "< wait_for_other_complete")
	several(6, 3000, "finish")
	event(1000, "< wafer_positioning_function")
	return out.String()
}

// sinceWhen is what pages say of the times of normalisations.
var sinceWhen = map[string]string{
	schema.NormAbsolute: "Times since the start of the trace", schema.NormRelative: "Times since the event before it, in one call", schema.NormStackBased: "Times since the enter of the call",
	schema.NormFragmentAbsolute: "Times since the start of the fragment, in one call",
}

// TestFiguresOfTiming shows figures of Hilbig 2023 on the pages of a report: the difference automata of Fig. 3.3 and 3.4 with the times of all four
// normalisations, and the case of Fig. 4.8 and 4.9, whose text has its numbers. The paper has one trace a side; here runs are compared with runs, five a side.
func TestFiguresOfTiming(t *testing.T) {
	if testing.Short() {
		t.Skip("the figures of timing are looked at in full tests")
	}
	t.Chdir(t.TempDir())
	sides := map[string]string{"left": positioning(833_435, 200_000), "right": positioning(833_435-117_054, 258_000)}
	for name, text := range unitTraces {
		sides["trace"+name] = text
	}
	for side, text := range sides {
		for i := range 5 {
			file := fmt.Sprintf("%s-%d.txt", side, i+1)
			expect.OK(t, os.WriteFile(file, []byte(text), 0o666))
			expect.OK(t, load(t.Context(), []string{file, "side=" + side}, nil, io.Discard, io.Discard))
		}
	}
	said(t, "run")
	p := browser.New(t, 1400, 1000)
	report := func(base, cand string) (address string) {
		t.Helper()
		said(t, "compare", "--base", "side="+base, "--cand", "side="+cand, "--id", base+"-"+cand)
		file := base + "-" + cand + ".html"
		said(t, "report", base+"-"+cand, "-o", file)
		return "file://" + expect.Value(filepath.Abs(file))(t)
	}
	open := func(address string) {
		t.Helper()
		p.Open(address)
		p.Wait(`document.querySelector(".waiting") === null`)
	}
	// lines are the lines of an automaton with their looks, in the order of its steps.
	lines := func() []string {
		t.Helper()
		return browser.Eval[[]string](p, `[...document.querySelectorAll(".canvas g.transition")].map(g => g.querySelector(".event").textContent + ": " + g.classList[1])`)
	}
	const median = `[...document.querySelectorAll("#step table.sides tr")].find(r => r.firstElementChild.textContent === "median")`

	// A time of a side, or a dash where the side does not take the step: T_L and T_R.
	type times map[string]string
	for _, f := range []struct {
		name, right string
		looks       []string
		times       map[string]times // by normalisation and step
	}{
		{"3.3", "trace2", []string{"enter f: unchanged", "enter g: changed", "exit g: follows", "exit f: follows"}, map[string]times{
			schema.NormAbsolute:         {"enter g": "12.0 ms 83.0 ms", "exit g": "13.0 ms 84.0 ms", "exit f": "14.0 ms 85.0 ms"},
			schema.NormRelative:         {"enter g": "1.00 ms 2.00 ms", "exit g": "1.00 ms 1.00 ms", "exit f": "1.00 ms 1.00 ms"},
			schema.NormStackBased:       {"exit g": "1.00 ms 1.00 ms", "exit f": "3.00 ms 4.00 ms"},
			schema.NormFragmentAbsolute: {"enter f": "0 ns 0 ns", "enter g": "1.00 ms 2.00 ms", "exit g": "2.00 ms 3.00 ms", "exit f": "3.00 ms 4.00 ms"},
		}},
		{"3.4", "trace3", []string{"enter f: unchanged", "− enter g: removed", "+ enter h: added", "− exit g: removed", "+ exit h: added", "exit f: follows"}, map[string]times{
			schema.NormAbsolute:         {"− enter g": "12.0 ms –", "+ enter h": "– 82.0 ms", "− exit g": "13.0 ms –", "+ exit h": "– 84.0 ms", "exit f": "14.0 ms 85.0 ms"},
			schema.NormRelative:         {"− enter g": "1.00 ms –", "+ enter h": "– 1.00 ms", "− exit g": "1.00 ms –", "+ exit h": "– 2.00 ms", "exit f": "1.00 ms 1.00 ms"},
			schema.NormStackBased:       {"− exit g": "1.00 ms –", "+ exit h": "– 2.00 ms", "exit f": "3.00 ms 4.00 ms"},
			schema.NormFragmentAbsolute: {"enter f": "0 ns 0 ns", "− enter g": "1.00 ms –", "+ enter h": "– 1.00 ms", "− exit g": "2.00 ms –", "+ exit h": "– 3.00 ms", "exit f": "3.00 ms 4.00 ms"},
		}},
	} {
		t.Run(f.name+" four normalisations", func(t *testing.T) {
			address := report("trace1", f.right) + "#/fragment/component.f"
			open(address)
			expect.Slice(t, lines(), f.looks, "removed is red, added green, changed purple, and what follows from it pale")
			got := make(map[string]times)
			for i, line := range f.looks {
				step, _, _ := strings.Cut(line, ": ")
				for norm, since := range sinceWhen {
					open(fmt.Sprintf("%s?step=%d&times=%s", address, i+1, norm))
					if !browser.Eval[bool](p, fmt.Sprintf(`[...document.querySelectorAll("#step figure.picture")].some(f => f.textContent.includes(%q))`, since)) {
						continue // the step has no such times
					}
					if got[norm] == nil {
						got[norm] = make(times)
					}
					got[norm][step] = browser.Eval[string](p, `[1, 2].map(i => `+median+`.children[i].textContent).join(" ")`)
				}
			}
			expect.Deep(t, got, f.times, "T_L and T_R")
		})
	}

	address := report("left", "right")
	const function = "wafer_positioning.wafer_positioning_function"
	t.Run("4.8 the function in the timing overview", func(t *testing.T) {
		open(address + "#/overview")
		const first = `document.querySelector("details.component[open] article.fragment")` // those that changed most come first
		contains(t, p.Text("details.component[open] article.fragment h3"), function+" ▼ improved", "the fragment that changed most")
		expect.Equal(t, browser.Eval[bool](p, first+`.classList.contains("changed")`), true, "its purple frame")
		contains(t, p.Text("details.component[open] article.fragment"), "-59.1 ms per root execution. Median run time 1.17 s → 1.11 s (-5.05 %).", "ca. 60 ms less")
		expect.Equal(t, browser.Eval[int](p, first+`.querySelectorAll(".thumb .transition").length`), 54, "transitions of the preview, which is large and very linear")
		expect.Equal(t, browser.Eval[int](p, first+`.querySelectorAll(".thumb .transition.changed").length`), 2, "purple ones")
		contains(t, p.Text("figure.picture table.top"), function, "the most called")
		p.Click("details.component[open] article.fragment > details summary")
		p.Wait(first + `.querySelectorAll("figure svg[role=img]").length >= 4`)
		// Called once in each trace: a point a run.
		expect.Deep(t, browser.Eval[[]string](p, `[...[...document.querySelectorAll("article.fragment figure")].find(f => f.querySelector("strong").textContent === "Control chart").querySelectorAll("tbody tr")].map(r => [...r.children].map(c => c.textContent).slice(1, 4).join(" "))`),
			append(strings.Split(strings.Repeat("baseline 1 1.17 s,", 5), ",")[:5], strings.Split(strings.Repeat("candidate 1 1.11 s,", 5), ",")[:5]...), "the control chart")
	})
	t.Run("4.9 the first purple transition and its panel", func(t *testing.T) {
		open(address + "#/fragment/" + function + "?fold=no")
		all := lines()
		var purple []string
		at := 0
		for i, line := range all {
			if strings.HasSuffix(line, ": changed") {
				purple = append(purple, line)
				if at == 0 {
					at = i + 1
				}
			}
		}
		expect.Slice(t, purple, []string{"exit wait_for_action_complete: changed", "exit wait_for_other_complete: changed"}, "the two distinct changes")
		p.Do(chromedp.Evaluate(`document.querySelector(".canvas g.transition.changed").dispatchEvent(new MouseEvent("click", {bubbles: true}))`, nil))
		p.Wait(fmt.Sprintf(`location.hash.includes("step=%d") && document.querySelector("#step .choice") !== null`, at))
		p.Do(chromedp.Evaluate(`[...document.querySelectorAll("#step .choice label")].find(l => l.textContent.includes("since the start of the fragment")).querySelector("input").click()`, nil))
		p.Wait(`location.hash.includes("times=fragment_absolute")`)
		contains(t, browser.Eval[string](p, median+`.textContent`), "median894 ms777 ms-117 ms", "894.435 and 777.381 ms, a change of -117.054 ms")
		contains(t, p.Text("#step .why"), "833 ms → 716 ms", "the box that says why")
		contains(t, p.Text("#step h3"), "exit wait_for_action_complete ▼ improved", "the right ones are faster than the left ones")
		expect.Deep(t, browser.Eval[[]string](p, `[...document.querySelectorAll("#step figure.picture strong")].map(e => e.textContent)`),
			[]string{"Every run, all calls together", "Histogram", "Density", "Cumulative distribution", "Control chart", "Shift function"}, "pictures")
		// The other change, which the engineers expected: +58 ms, in a similar function.
		p.Do(chromedp.Evaluate(`document.querySelectorAll(".canvas g.transition.changed")[1].dispatchEvent(new MouseEvent("click", {bubbles: true}))`, nil))
		p.Wait(`(document.querySelector("#step h3")?.textContent ?? "").includes("wait_for_other_complete")`)
		contains(t, p.Text("#step .why"), "200 ms → 258 ms", "the other one")
	})
	p.Quiet()
}
