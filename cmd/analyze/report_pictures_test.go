package main

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/tracelake/tracelake/cmd/internal/testdata/browser"
	"github.com/tracelake/tracelake/stages/report/distribution"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/testdata/expect"
)

// pollFragment is the fragment of the demo in which time is lost.
const pollFragment = "lib_select_c.Curl_poll from lib_multi_c"

// fragmentOf is the resource of a fragment in a report, as far as its pictures need it.
func fragmentOf(t *testing.T, data map[string]json.RawMessage, name string) (steps []struct {
	Event string                                `json:"event"`
	Times map[string]*distribution.Distribution `json:"times"`
}) {
	t.Helper()
	var report struct {
		Fragments []struct{ Fragment, Resource string } `json:"fragments"`
	}
	expect.OK(t, json.Unmarshal(data["report"], &report))
	for _, f := range report.Fragments {
		if f.Fragment == name {
			expect.OK(t, json.Unmarshal(data[f.Resource], &struct{ Steps any }{&steps}))
			return steps
		}
	}
	t.Fatalf("the report has no %s", name)
	return nil
}

// sparks are previews of the timing overview: what they say and how they are drawn is what the data of the page have.
func sparks(t *testing.T, address string, data map[string]json.RawMessage) {
	p := browser.New(t, 1280, 1000)
	p.Open(address + "#/overview?open=lib_select_c")
	const row = `[...document.querySelectorAll("article.fragment")].find((e) => e.querySelector("h3").textContent.startsWith("` + pollFragment + `")).querySelector(".sparks")`
	p.Wait(`document.querySelector("article.fragment .sparks") !== null && ` + row + ` !== null`)
	step := browser.Eval[string](p, `new URLSearchParams(`+row+`.hash.split("?")[1]).get("step")`)
	d := fragmentOf(t, data, pollFragment)[expect.Value(strconv.Atoi(step))(t)-1].Times["fragment_absolute"]
	says := browser.Eval[[]string](p, `[...`+row+`.querySelectorAll("svg")].map((e) => e.getAttribute("aria-label"))`)
	var medians []string
	for _, r := range d.Runs {
		medians = append(medians, texttab.Duration(r.MedianNs))
	}
	side := func(s *distribution.Side) string {
		return fmt.Sprintf("%s times, %s to %s", texttab.Count(s.Samples), texttab.Duration(s.MinNs), texttab.Duration(s.MaxNs))
	}
	shifts := make([]string, 0, 3)
	for _, i := range []int{0, 8, 16} {
		shifts = append(shifts, fmt.Sprintf("%s at %.0f %%", signedDuration(d.Shift[i].Ns), 100*d.Shift[i].P))
	}
	expect.Slice(t, says, []string{
		"Histogram: " + side(d.Base) + ", candidate " + side(d.Cand), "Control chart: medians of runs " + strings.Join(medians, ", "), "Shift: " + strings.Join(shifts, ", "),
	}, "what previews say")
	// A bar has the height of a share, the greatest one 19 pixels; a point of a run is a mark.
	share, bars, points := 0.0, []float64{}, 0
	for i := range d.Histogram.Base {
		share = max(share, float64(d.Histogram.Base[i])/float64(d.Base.Samples), float64(d.Histogram.Cand[i])/float64(d.Cand.Samples))
	}
	for k, counts := range [][]int64{d.Histogram.Base, d.Histogram.Cand} {
		for _, n := range counts {
			if n > 0 {
				bars = append(bars, 19*float64(n)/float64([]int{d.Base.Samples, d.Cand.Samples}[k])/share)
			}
		}
	}
	drawn := browser.Eval[[]float64](p, `[...`+row+`.querySelectorAll("rect")].map((e) => +e.getAttribute("height"))`)
	expect.Equal(t, len(drawn), len(bars), "bars of the preview")
	for i := range drawn {
		if drawn[i] < bars[i]-.06 || drawn[i] > bars[i]+.06 {
			t.Errorf("bar %d is %g pixels high, not %.2f", i, drawn[i], bars[i])
		}
	}
	for _, r := range d.Runs {
		points += len(r.PointsNs)
	}
	expect.Equal(t, browser.Eval[int](p, `[...`+row+`.querySelectorAll("svg path.base, svg path.cand")].reduce((n, e) => n + e.getAttribute("d").match(/M/g).length, 0)`), points, "points of the control chart")
	expect.Equal(t, browser.Eval[int](p, row+`.querySelectorAll(".band").length`), 1, "bands")
	// The filter by verdict leaves what has it; all effects stand in one picture.
	p.Open(address + "#/overview?verdict=regressed")
	p.Wait(`document.querySelector("article.fragment .verdict") !== null`)
	expect.Slice(t, browser.Eval[[]string](p, `[...new Set([...document.querySelectorAll("article.fragment h3 .verdict")].map((e) => e.textContent.trim()))]`), []string{"▲ regressed"}, "verdicts that are left")
	p.Quiet()
}

// signedDuration writes a shift as pages do.
func signedDuration(ns int64) string {
	if ns > 0 {
		return "+" + texttab.Duration(ns)
	}
	return texttab.Duration(ns)
}

// bands are the boundaries of runs in the control chart of a step, and the band of its shift function, in the picture and in the numbers behind it.
func bands(t *testing.T, address string, data map[string]json.RawMessage) {
	steps := fragmentOf(t, data, pollFragment)
	at := slices.IndexFunc(steps, func(s struct {
		Event string                                `json:"event"`
		Times map[string]*distribution.Distribution `json:"times"`
	}) bool {
		return s.Times["relative"] != nil && len(s.Times["relative"].Shift) > 0
	})
	d := steps[at].Times["relative"]
	p := browser.New(t, 1280, 1000)
	p.Open(fmt.Sprintf("%s#/fragment/%s?step=%d&times=relative", address, strings.ReplaceAll(pollFragment, " ", "%20"), at+1))
	figure := func(title string) string {
		return fmt.Sprintf(`[...document.querySelectorAll("figure")].find((e) => e.querySelector("strong")?.textContent === %q)`, title)
	}
	p.Wait(figure("Shift function") + `?.querySelector("svg path") != null`)
	const rules = `.querySelectorAll('g[stroke="var(--muted)"][stroke-opacity="0.6"] line')`
	expect.Equal(t, browser.Eval[int](p, figure("Control chart")+rules+`.length`), len(d.Runs)-1, "lines between runs")
	expect.Equal(t, browser.Eval[int](p, `[...`+figure("Control chart")+rules+`].filter((e) => +e.getAttribute("stroke-width") > 2).length`), 1, "lines between the sides")
	expect.Equal(t, browser.Eval[int](p, figure("Shift function")+`.querySelectorAll('g[fill-opacity="0.14"] path').length`), 1, "bands")
	rows := browser.Eval[[][]string](p, `[...`+figure("Shift function")+`.querySelectorAll("tbody tr")].map((r) => [...r.cells].map((c) => c.textContent))`)
	expect.Equal(t, len(rows), len(d.Shift), "rows of the shift function")
	for i, s := range d.Shift {
		expect.Slice(t, rows[i], []string{fmt.Sprintf("%.0f %%", 100*s.P), signedDuration(s.Ns), signedDuration(*s.LoNs), signedDuration(*s.HiNs)}, "quantile %g", s.P)
	}
	// The same numbers as a file, in nanoseconds, and the picture without a colour that only the page knows.
	folder := t.TempDir()
	p.SaveTo(folder)
	press := func(label string) {
		p.Do(chromedp.Evaluate(fmt.Sprintf(`[...%s.querySelectorAll("button")].find((e) => e.textContent === %q).click()`, figure("Shift function"), label), nil))
	}
	press("Numbers as CSV")
	lines := expect.Value(csv.NewReader(strings.NewReader(saved(t, folder, "Shift-function.csv"))).ReadAll())(t)
	expect.Slice(t, lines[0], []string{"quantile", "candidate − baseline (ns)", "at least (ns)", "at most (ns)"}, "the head of the file")
	for i, s := range d.Shift {
		expect.Slice(t, lines[i+1], []string{fmt.Sprintf("%.0f %%", 100*s.P), fmt.Sprint(s.Ns), fmt.Sprint(*s.LoNs), fmt.Sprint(*s.HiNs)}, "quantile %g in the file", s.P)
	}
	// A plain table has its times in nanoseconds, too.
	p.Do(chromedp.Evaluate(`document.querySelector("#step button[aria-label='Times of both sides as CSV']").click()`, nil))
	lines = expect.Value(csv.NewReader(strings.NewReader(saved(t, folder, "Times-of-both-sides.csv"))).ReadAll())(t)
	expect.Slice(t, lines[0], []string{"one time", "baseline (ns)", "candidate (ns)", "change"}, "the head of the table")
	expect.Slice(t, lines[2][:3], []string{"minimum", fmt.Sprint(d.Base.MinNs), fmt.Sprint(d.Cand.MinNs)}, "a row of the table")
	sameDensity(t, p, figure("Density"), d)
	press("Picture as SVG")
	picture := saved(t, folder, "Shift-function.svg")
	for d := xml.NewDecoder(strings.NewReader(picture)); ; {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		expect.OK(t, err)
	}
	if strings.Contains(picture, "var(") || !strings.Contains(picture, "<path") {
		t.Errorf("the picture is %.300s", picture)
	}
	// A table that is filtered and sorted is saved as it is shown.
	p.Open(address + "#/changes?verdict=regressed&sort=-effect")
	p.Wait(`document.querySelector(".grid output") !== null`)
	p.Do(chromedp.Evaluate(`[...document.querySelectorAll(".grid button")].find((e) => e.textContent === "These as CSV").click()`, nil))
	lines = expect.Value(csv.NewReader(strings.NewReader(saved(t, folder, "all-changes.csv"))).ReadAll())(t)
	var want [][]string
	for _, row := range columnsOf(t, into[any](t, data["changes"])) {
		if row["verdict"] == "regressed" {
			want = append(want, []string{fmt.Sprint(row["rank"]), fmt.Sprint(row["subject"]), fmt.Sprint(row["effect_ns"])})
		}
	}
	expect.Equal(t, len(lines)-1, len(want), "rows of the file")
	column := func(name string) int { return slices.Index(lines[0], name) }
	effect := func(line []string) int64 { return expect.Value(strconv.ParseInt(line[column("effect_ns")], 10, 64))(t) }
	for i, line := range lines[1:] {
		if i > 0 && effect(line) > effect(lines[i]) {
			t.Errorf("row %d of the file has a greater effect than the row before it", i+1)
		}
		has := []string{line[column("rank")], line[column("subject")], line[column("effect_ns")]}
		if !slices.ContainsFunc(want, func(w []string) bool { return slices.Equal(w, has) }) {
			t.Errorf("the file has %q, which is none of the changes", has)
		}
	}
	p.Quiet()
}

// sameDensity holds the numbers of the densities to the definition (Silverman 1986, formulas 2.2 and 3.31), and to what they add up to.
func sameDensity(t *testing.T, p *browser.Page, figure string, d *distribution.Distribution) {
	t.Helper()
	rows := browser.Eval[[][]string](p, `[...`+figure+`.querySelectorAll("tbody tr")].map((r) => [...r.cells].map((c) => c.textContent))`)
	expect.Equal(t, len(rows), 21, "times of the density")
	on := func(ns float64) float64 { return ns }
	if d.Histogram.Logarithmic {
		on = func(ns float64) float64 { return math.Log(max(ns, 1)) }
	}
	edges := d.Histogram.EdgesNs
	from, to := on(float64(edges[0])), on(float64(edges[len(edges)-1]))
	bin := (to - from) / float64(len(edges)-1)
	for side, s := range []*distribution.Side{d.Base, d.Cand} {
		var x []float64
		mean, squares := 0.0, 0.0
		for _, ns := range s.StepsNs {
			x = append(x, on(float64(ns)))
			mean += on(float64(ns)) / float64(len(s.StepsNs))
		}
		for _, v := range x {
			squares += (v - mean) * (v - mean)
		}
		quartile := func(k int) float64 { return x[(k*len(x)+3)/4-1] }
		h := math.Sqrt(squares / float64(len(x)-1))
		if r := (quartile(3) - quartile(1)) / 1.34; r > 0 {
			h = min(h, r)
		}
		h = max(.9*h*math.Pow(float64(s.Samples), -.2), bin/2)
		for i, row := range rows {
			at, density := from+(to-from)*float64(i)/20, 0.0
			for _, v := range x {
				density += math.Exp(-(at-v)*(at-v)/2/h/h) / h / math.Sqrt(2*math.Pi) / float64(len(x))
			}
			expect.Equal(t, row[1+side], fmt.Sprintf("%.2f %%", 100*bin*density), "side %d at row %d", side, i)
		}
	}
}

// hostileFile saves a table of names that were made to deceive: each stays in its field, in letters that show, and none begins as a formula.
func hostileFile(t *testing.T, p *browser.Page) {
	folder := t.TempDir()
	p.SaveTo(folder)
	p.Do(chromedp.Evaluate(`location.hash = "#/changes"`, nil))
	p.Wait(`document.querySelector(".grid output") !== null`)
	p.Do(chromedp.Evaluate(`[...document.querySelectorAll(".grid button")].find((e) => e.textContent === "These as CSV").click()`, nil))
	text := saved(t, folder, "all-changes.csv")
	lines := expect.Value(csv.NewReader(strings.NewReader(text)).ReadAll())(t) // an error where a row has more fields than the head
	if !strings.Contains(text, `\u202e<script>alert(1)</script>""'`) || strings.ContainsAny(text, "\u202e\u009b\x1b\x00") {
		t.Errorf("the file is %.600q", text)
	}
	for _, field := range slices.Concat(lines...) {
		if _, err := strconv.ParseFloat(field, 64); err != nil && field != "" && strings.Contains("=+-@", field[:1]) {
			t.Errorf("a spreadsheet takes %.80q for a formula", field)
		}
	}
}

// saved waits for a file that a browser saves.
func saved(t *testing.T, folder, name string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	for range 2400 {
		if text, err := os.ReadFile(path); err == nil && len(text) > 0 {
			return string(text)
		}
		time.Sleep(50 * time.Millisecond)
	}
	found, _ := filepath.Glob(filepath.Join(folder, "*"))
	t.Fatalf("no %s was saved, but %q", name, found)
	return ""
}

// chooseTimes chooses a stretch of times of a step, by dragging in its histogram and in fields: every picture shows it, and the address has it. Areas of functions
// are as large as their own times.
func chooseTimes(t *testing.T, address string) {
	p := browser.New(t, 1280, 1000)
	p.Open(address + "#/finding/1")
	p.Wait(`document.querySelector("#step .brushed.x") !== null`)
	box := browser.Eval[[]float64](p, `(() => { const e = document.querySelector("#step .brushed.x"); e.scrollIntoView({ block: "center" }); const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height] })()`)
	x, y, right := box[0]+box[2]*0.75, box[1]+box[3]/2, box[0]+box[2]-10
	p.Do(input.DispatchMouseEvent(input.MousePressed, x, y).WithButton(input.Left).WithClickCount(1),
		input.DispatchMouseEvent(input.MouseMoved, right, y).WithButton(input.Left),
		input.DispatchMouseEvent(input.MouseReleased, right, y).WithButton(input.Left).WithClickCount(1))
	p.Wait(`location.hash.includes("chosen=") && document.querySelectorAll("#step .stretch[width]").length === 4`)
	contains(t, p.Text("#step output"), "baseline 0 of 20 samples in 0 of 5 runs; candidate 5 of 25 samples in 5 of 5 runs", "what was chosen by dragging")

	fields := `#step [aria-label="Times that are chosen in all pictures"] input`
	browser.Eval[any](p, fmt.Sprintf(`document.querySelector(%q).select()`, fields))
	p.Do(chromedp.SendKeys(fields, "500 us"+kb.Enter, chromedp.ByQuery))
	p.Wait(`location.hash.includes("chosen=500000-")`)
	contains(t, p.Text("#step output"), "candidate 10 of 25 samples in 5 of 5 runs", "what was chosen in fields")
	expect.Equal(t, browser.Eval[int](p, `[...document.querySelectorAll("#step .picture")].find((e) => e.textContent.includes("Control chart")).querySelectorAll("[fill-opacity='0.2']").length`), 35, "points that are not chosen")
	p.Click(`#step [aria-label="Times that are chosen in all pictures"] button:last-of-type`)
	p.Wait(`!location.hash.includes("chosen=") && document.querySelector("#step .stretch[width]") === null`)

	p.Open(address + "#/overview")
	p.Wait(`document.querySelector(".treemap a.area") !== null`)
	share := `(() => { const area = (r) => r.width.baseVal.value * r.height.baseVal.value; const all = [...document.querySelectorAll(".treemap .area rect")]; return area(document.querySelector(".treemap a.area.worse rect")) / all.reduce((n, r) => n + area(r), 0) })()`
	expect.Equal(t, browser.Eval[string](p, `document.querySelector(".treemap a.area title").textContent`), "Curl_poll: 443 us → 19.8 ms, regressed", "the greatest area")
	if of := browser.Eval[float64](p, share); math.Abs(of-19_813_086.0/25_827_878) > 0.02 {
		t.Errorf("the area of Curl_poll is %.3f of all, its own time %.3f", of, 19_813_086.0/25_827_878)
	}
	p.Click(`.treemap a.area`)
	p.Wait(`location.hash.startsWith("#/change/")`)
	contains(t, p.Text("main h1"), "Curl_poll", "where the greatest area leads")
	p.Quiet()
}
