package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/tracelake/tracelake/cmd/internal/testdata/browser"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/live"
	"github.com/tracelake/tracelake/testdata/expect"
)

// served starts analyze serve for the lake in the current folder, and returns the address that it prints. It ends with the test.
func served(t *testing.T, flags ...string) (address string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	in, out := io.Pipe()
	ended := make(chan error)
	go func() {
		ended <- run(ctx, append([]string{"serve", "--quiet"}, flags...), strings.NewReader(""), out, io.Discard)
	}()
	t.Cleanup(func() {
		cancel()
		expect.OK(t, <-ended)
	})
	line := make([]byte, 400)
	n := expect.Value(in.Read(line))(t)
	return strings.TrimSpace(string(line[:n]))
}

// admitted returns a client that has opened the address, and what stands before paths.
func admitted(t *testing.T, address string) (client *http.Client, base string) {
	t.Helper()
	client = &http.Client{Jar: expect.Value(cookiejar.New(nil))(t)}
	r := expect.Value(client.Get(address))(t)
	r.Body.Close()
	expect.Equal(t, r.StatusCode, http.StatusOK, "the first page")
	at := expect.Value(url.Parse(address))(t)
	return client, "http://" + at.Host + "/"
}

// TestServedDemo looks at the pages of the demo as a reader does: every page, each interaction of the timeline, by keyboard alone, narrow, dark and
// printed. The numbers of critical paths are those that analyze critical-path prints.
func TestServedDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("the served pages of the demo are looked at in full tests")
	}
	compared := demoLake(t)
	said(t, "run")
	levels := said(t, "levels", "server=fast", "server=slow", "--id", "behaviour", "--top", "1000")
	said(t, "baseline", "set", "good", "server=fast")
	if err := run(t.Context(), []string{"check", "server=slow", "--spec", "requirements.etl", "--quiet"}, strings.NewReader(""), io.Discard, io.Discard); err == nil {
		t.Error("the slow server keeps all requirements")
	}
	address := served(t, "--sql")
	t.Run("numbers", func(t *testing.T) { samePaths(t, address) })
	t.Run("tables", func(t *testing.T) { sameTables(t, address) })
	t.Run("live", func(t *testing.T) { sameLive(t, address) })
	t.Run("all pages", func(t *testing.T) { sameOnPages(t, address, string(compared)) })
	t.Run("levels", func(t *testing.T) { sameLevels(t, address, string(levels)) })
	t.Run("pages", func(t *testing.T) { everyServedPage(t, address) })
	t.Run("timeline", func(t *testing.T) { timelineByHand(t, address) })
	t.Run("printed early", func(t *testing.T) { printedEarly(t, address) })
	t.Run("critical paths", func(t *testing.T) { fromPathsToTimeline(t, address) })
	t.Run("two runs", func(t *testing.T) { besideEachOther(t, address) })
	if *update {
		t.Run("pictures", func(t *testing.T) { picturesOfPages(t, address) })
	}
	t.Run("links", func(t *testing.T) { linkFromElsewhere(t, address) })
	t.Run("rebinding", func(t *testing.T) { rebound(t, address) })
}

// samePaths compares what the page of critical paths is sent with what analyze critical-path prints.
func samePaths(t *testing.T, address string) {
	client, base := admitted(t, address)
	r := expect.Value(client.Get(base + "api/run/slow-1/paths?to=lib_select_c.Curl_poll&deadline=5000000"))(t)
	got := expect.Value(io.ReadAll(r.Body))(t)
	r.Body.Close()
	parts := into[map[string]json.RawMessage](t, got)
	for name, printed := range map[string][]byte{
		"composed": said(t, "critical-path", "slow-1", "--to", "lib_select_c.Curl_poll", "--format", "json"),
		"missed":   said(t, "critical-path", "slow-1", "--to", "lib_select_c.Curl_poll", "--deadline", "5ms", "--format", "json"),
	} {
		want := into[any](t, printed)
		expect.Deep(t, into[any](t, parts[name]), want, "%s", name)
	}
}

// sameTables compares the tables of pages with what commands print, row by row and word by word, but for the commas of large numbers.
func sameTables(t *testing.T, address string) {
	p := browser.New(t, 1400, 1000)
	p.Do(chromedp.Navigate(address))
	_, base := admitted(t, address)
	// printed are the rows of the table that a command prints.
	printed := func(args ...string) (rows []string) {
		t.Helper()
		for i, line := range strings.Split(strings.TrimSpace(string(said(t, args...))), "\n") {
			if i > 0 && !strings.HasPrefix(line, "--") && !strings.HasPrefix(line, "(") && !strings.Contains(line, "--top") {
				rows = append(rows, strings.ReplaceAll(strings.Join(strings.Fields(line), " "), ",", ""))
			}
		}
		return rows
	}
	shown := func(hash string) []string {
		t.Helper()
		p.Open(base + hash)
		p.Wait(`document.querySelector(".waiting") === null && document.querySelector("main table.plain tbody tr") !== null`)
		return browser.Eval[[]string](p, `(() => { let group = ""; return [...document.querySelectorAll("main table.plain tbody tr")].map(r => { const cells = [...r.children].map(c => (c.querySelector(".name[title]")?.title ?? c.textContent).trim()); if (cells[0]) group = cells[0]; else cells[0] = group; return cells.join(" ").replace(/\s+/g, " ").replaceAll(",", "").trim() }) })()`)
	}
	same := func(what string, rows, want []string) {
		t.Helper()
		expect.Equal(t, len(rows), len(want), "rows of %s", what)
		for i := range min(len(rows), len(want)) {
			if rows[i] != want[i] {
				t.Errorf("%s, row %d: the page has %q, the command %q", what, i, rows[i], want[i])
				return
			}
		}
	}
	for _, name := range []string{
		"slowest-fragments", "most-called", "self-time", "waiting", "critical-share", "message-latency", "losses", "component-load", "longest-executions", "component-times",
	} {
		want := printed("query", name, "--param", "run=fast-1")
		if len(want) == 0 {
			t.Errorf("%s prints nothing", name)
		}
		same(name, shown("#/query/"+name+"?run=fast-1"), want)
	}
	for _, name := range []string{"findings", "changed", "lost-most-time", "first-change", "undetermined"} {
		same(name, shown("#/query/"+name), printed("query", name))
	}
	durations := shown("#/durations/fast-1?with=fast-2")
	want := printed("durations", "fast-1", "fast-2", "--by", "name", "--top", "0")
	same("durations", durations, want[:len(durations)])
	rows := strings.Join(shown("#/"), "\n")
	for _, line := range printed("runs") { // run format events executions messages components duration labels
		words := strings.Fields(line)
		contains(t, rows, strings.Join([]string{words[6], words[7], words[2], words[3], words[4], words[5]}, " "), words[0])
	}
}

// sameLevels compares the page of levels with what analyze levels prints: the rows of its tables, each entity that differs, and what became of all.
func sameLevels(t *testing.T, address, printed string) {
	p := browser.New(t, 1400, 1000)
	p.Do(chromedp.Navigate(address))
	_, base := admitted(t, address)
	p.Open(base + "#/")
	p.Do(chromedp.Evaluate(`[...document.querySelectorAll("main a")].find(a => a.textContent === "behaviour").click()`, nil))
	p.Wait(`document.querySelector(".matrix") !== null`)
	rows := "\n" + strings.Join(browser.Eval[[]string](p, `[...document.querySelectorAll("main tr, main [role=row], main .lead, main .over")].map(e => [...(e.matches("tr, [role=row]") ? e.children : [e])].map(c => c.textContent.trim()).join(" ").replace(/\s+/g, " ").replace(/–/g, "-"))`), "\n") + "\n"
	level, entities := "", 0
	for _, line := range strings.Split(printed, "\n") {
		words := strings.Fields(line)
		if !strings.HasPrefix(line, "  ") { // the heading of a level, or of a step
			level, _, _ = strings.Cut(line, " ")
			if _, summary, is := strings.Cut(line, ": "); is && level == "From" {
				contains(t, rows, "\n"+summary+"\n", "the step")
			}
			continue
		}
		switch {
		case level == "1":
			contains(t, rows, "\n"+strings.Join([]string{words[0], words[1], words[2], words[4], words[5]}, " ")+"\n", "level 1")
		case level == "3" && len(words) == 3:
			contains(t, rows, "\n"+strings.Join(words, " ")+"\n", "level 3")
		case level == "4" && len(words) > 2 && len(words[0]) == 1:
			if entities++; entities < 30 { // those in sight
				contains(t, rows, "\n"+strings.Join(append(words[2:], words[0], words[1]), " ")+"\n", "level 4")
			}
		}
	}
	if entities == 0 {
		t.Fatalf("no fragment differs: %s", printed)
	}
	// Levels 5 and 6: the greatest difference in structure, which the name of its fragment leads to.
	_, six, _ := strings.Cut(printed, "\n6  ")
	first := strings.Fields(strings.Split(six, "\n")[1]) // A | B +31 -4 lib_multi_c curl_multi_perform from lib_easy_c
	name := strings.Join(first[5:], " ")
	p.Do(chromedp.Evaluate(fmt.Sprintf(`[...document.querySelectorAll(".rows a")].find(a => a.textContent === %q).click()`, name), nil))
	p.Wait(fmt.Sprintf(`document.querySelector(".lattice[aria-label*='%s']") !== null`, strings.Join(first[:5], " ")))
	contains(t, browser.Eval[string](p, `document.querySelector(".lattice").closest("section").textContent`), name, "the chosen fragment")
	// An example of what only one of two variants can do, for each pair that one chooses.
	lattice := queried(t, fmt.Sprintf("SELECT chr(64 + lower::INT) AS lower, chr(64 + upper::INT) AS upper, lower_word, upper_word FROM lattice WHERE comparison = 'behaviour' AND lower > 0 AND component = '%s' AND entity LIKE '%%%s' ORDER BY ALL", first[5], strings.Join(first[6:], " ")))
	for _, pair := range lattice {
		p.Do(chromedp.Evaluate(fmt.Sprintf(`[...document.querySelectorAll("#example button")].find(b => b.textContent.replace(/[() ]/g, "").match(/^%s[|→]%s$/)).click()`, pair["lower"], pair["upper"]), nil))
		p.Wait(fmt.Sprintf(`location.hash.includes("pair=%s-%s")`, pair["lower"], pair["upper"]))
		var want []string
		for _, word := range []any{pair["upper_word"], pair["lower_word"]} {
			if word != nil {
				want = append(want, fmt.Sprint(word))
			}
		}
		expect.Slice(t, browser.Eval[[]string](p, `[...document.querySelectorAll("#example ol")].map(l => [...l.children].map(e => e.textContent).join("\n"))`), want, "examples of %s and %s", pair["lower"], pair["upper"])
	}
	if len(lattice) == 0 || lattice[0]["upper_word"] == nil {
		t.Errorf("no example of %s: %v", name, lattice)
	}
	p.Quiet()
}

// everyServedPage opens all pages of the demo.
func everyServedPage(t *testing.T, address string) {
	servedPages(t, address,
		"#/timeline/fast-1?colour=critical:claims:0&with=fast-2",
		"#/", "#/query/slowest-fragments", "#/query/callers-of?run=slow-1&function=Curl_poll", "#/comparison/fast-vs-slow",
		"#/levels/behaviour?set=fast&with=slow&entity=2", "#/baseline/good", "#/checks/slow-1", "#/checks/fast-1", "#/timeline/slow-1?checks=1",
		"#/sql?q=SELECT+component,+count(*)+AS+n+FROM+executions+GROUP+BY+ALL+ORDER+BY+n+DESC+LIMIT+5", "#/timeline/slow-1?group=function&find=poll",
		"#/paths/slow-1?to=lib_select_c.Curl_poll&deadline=5000000&with=fast-1", "#/paths/slow-1", "#/timeline/slow-1", "#/durations/slow-1?with=fast-1", "#/timeline/slow-1?colour=difference:fast-1&with=fast-1&signals=usage",
		"#/timeline/slow-1?path=src_tool_main_c.main%231&signals=wip&late=lib_select_c.Curl_poll&deadline=5000000&marks=4000000,12000000&sel=11897&near=6302948&with=fast-1&colour=duration",
		"live/slow-1", "live/")
}

// servedPages opens pages in light, in dark, at 400 %, by Tab alone and on paper: each draws itself without a complaint, nothing is wider than the
// window, and axe finds nothing.
func servedPages(t *testing.T, address string, hashes ...string) {
	p := browser.New(t, 1400, 1000)
	p.Do(chromedp.Navigate(address))
	_, base := admitted(t, address)
	for _, hash := range hashes {
		p.Open(base + hash)
		p.Wait(`document.querySelector(".waiting") === null && [...document.querySelectorAll(".drawn")].every(d => d.firstChild) && (!location.hash.includes("timeline") || document.querySelector("canvas").list().length > 0) && (!location.pathname.startsWith("/live/slow") || document.querySelector(".ebd .part") !== null && document.querySelector(".tbd canvas") !== null)`)
		if hash == "#/" { // it leads to what is recorded, and to runs in time
			expect.OK(t, os.MkdirAll(live.Folder(expect.Value(lake.Open("lake", false))(t), "now"), 0o777))
			p.Wait(`document.querySelector("main a[href='/live/now']") !== null && document.querySelector("main a[href='/live/slow-1']") !== null`)
			expect.OK(t, os.RemoveAll("lake/_live"))
		}
		everySight(t, p, hash)
	}
}

// drawn are the boxes that the picture has of a function.
func drawn(p *browser.Page, function string) int {
	return browser.Eval[int](p, fmt.Sprintf(`document.querySelector("canvas").list().filter(b => b.function === %q).length`, function))
}

// timelineByHand goes through a timeline with keys alone: zoom, move, select from the table, jump to caller, callee, neighbours, mark, help.
func timelineByHand(t *testing.T, address string) {
	p := browser.New(t, 1400, 1000)
	p.Do(chromedp.Navigate(address))
	_, base := admitted(t, address)
	p.Open(base + "#/timeline/slow-1")
	p.Wait(`document.querySelector("canvas").list().length > 100`)
	if drawn(p, "Curl_poll") < 2 {
		t.Error("Curl_poll is not in the picture of the whole run")
	}
	p.Do(chromedp.Focus("canvas", chromedp.ByQuery))
	span := `(() => { const q = new URLSearchParams(location.hash.split("?")[1]); return q.get("to") - q.get("from") })()`
	p.Press("w", 3)
	p.Wait(span + ` < 15000000 && ` + span + ` > 10000000`)
	p.Press("d", 1)
	p.Press("s", 1)
	p.Wait(span + ` > 15000000`)
	p.Press("0", 1)
	p.Wait(span + ` > 26000000`)
	p.Press("m", 1)
	p.Press(kb.ArrowRight, 2)
	p.Press("m", 1)
	p.Wait(`document.querySelectorAll("#marks tbody tr").length === 2`)
	contains(t, p.Text("#marks"), "5.32 ms", "the distance of the marks") // twice a tenth of the run
	// A row of the table selects, without a mouse.
	p.Do(chromedp.Focus("details.astable summary", chromedp.ByQuery))
	p.Press(kb.Enter, 1)
	p.Wait(`document.querySelector(".astable button.link") !== null`)
	p.Do(chromedp.Evaluate(`[...document.querySelectorAll(".astable button.link")].find(b => b.textContent === "Curl_poll" && b.closest("tr").firstChild.textContent === "lib_select_c").focus()`, nil))
	p.Press(kb.Enter, 1)
	p.Wait(`document.querySelector("#selection") && (document.querySelector("#selection")?.textContent ?? "").includes("lib_select_c.Curl_poll#5")`)
	contains(t, p.Text("#selection"), "19.4 ms (19,420,834 ns)", "its duration")
	p.Wait(`document.querySelector(".around") !== null`)
	p.Do(chromedp.Focus("canvas", chromedp.ByQuery))
	p.Press("[", 1)
	p.Wait(`(document.querySelector("#selection")?.textContent ?? "").includes("lib_select_c.Curl_poll#4")`)
	p.Wait(`document.querySelector(".around") !== null`)
	p.Do(chromedp.Focus("canvas", chromedp.ByQuery))
	p.Press("]", 1)
	p.Wait(`(document.querySelector("#selection")?.textContent ?? "").includes("lib_select_c.Curl_poll#5")`)
	// Its sender is the call of another component.
	p.Wait(`[...document.querySelectorAll(".around button.link")].some(b => b.textContent.startsWith("from lib_multi_c"))`)
	p.Do(chromedp.Evaluate(`[...document.querySelectorAll(".around button.link")].find(b => b.textContent.startsWith("from lib_multi_c")).click()`, nil))
	p.Wait(`(document.querySelector("#selection")?.textContent ?? "").includes("lib_multi_c.Curl_poll#5")`)
	p.Do(chromedp.Focus("canvas", chromedp.ByQuery))
	p.Press("u", 1)
	p.Wait(`(document.querySelector("#selection")?.textContent ?? "").includes("lib_multi_c.curl_multi_poll#5")`)
	p.Wait(`document.querySelector(".around") !== null`)
	p.Do(chromedp.Focus("canvas", chromedp.ByQuery))
	p.Press("c", 1)
	p.Wait(`(document.querySelector("#selection")?.textContent ?? "").includes("lib_multi_c.Curl_poll#5")`)
	p.Do(chromedp.NavigateBack())
	p.Wait(`(document.querySelector("#selection")?.textContent ?? "").includes("lib_multi_c.curl_multi_poll#5")`)
	p.Do(chromedp.Focus("canvas", chromedp.ByQuery))
	p.Press(kb.Escape, 1)
	p.Wait(`document.querySelector("#selection") === null`)
	p.Press("?", 1)
	p.Wait(`document.querySelector("dialog#keys").open`)
	p.Press(kb.Escape, 1)
	p.Wait(`!document.querySelector("dialog#keys").open`)
	p.Press("/", 1)
	p.Wait(`document.activeElement.matches("input[data-search]")`)
	p.Quiet()
}

// fromPathsToTimeline asks for a deadline, and follows the late occurrence into the timeline.
func fromPathsToTimeline(t *testing.T, address string) {
	p := browser.New(t, 1400, 1000)
	p.Do(chromedp.Navigate(address))
	_, base := admitted(t, address)
	p.Open(base + "#/paths/slow-1")
	p.Press("/", 1)
	p.Wait(`document.activeElement.matches(".query input[type=search]")`)
	browser.Eval[any](p, `document.activeElement.select()`)
	p.Do(chromedp.KeyEvent("lib_select_c.Curl_poll"))
	p.Press(kb.Tab, 1)
	p.Do(chromedp.KeyEvent("5ms"))
	p.Press(kb.Enter, 1)
	p.Wait(`document.querySelector("main").textContent.includes("1 of 5")`)
	contains(t, p.Text("main"), "lib_select_c.Curl_poll 19.4 ms 2.47 ms", "why it was late")
	p.Do(chromedp.Evaluate(`[...document.querySelectorAll("td a")].find(a => a.textContent === "#5").click()`, nil))
	p.Wait(`location.hash.startsWith("#/timeline/slow-1?")`)
	p.Wait(`document.querySelector("canvas") && document.querySelector("canvas").list().length > 0 && document.querySelector(".label.late") !== null && document.querySelector(".label.path") !== null`)
	contains(t, browser.Eval[string](p, `document.querySelector(".label.late").textContent`), "lib_select_c.Curl_poll, 5.00 ms", "the lane of the deadline")
	p.Quiet()
}

// besideEachOther aligns two runs at the start of the same execution.
func besideEachOther(t *testing.T, address string) {
	p := browser.New(t, 1400, 1000)
	p.Do(chromedp.Navigate(address))
	_, base := admitted(t, address)
	p.Open(base + "#/timeline/slow-1?with=fast-1&sel=11897&near=6302948&sel2=1")
	p.Wait(`document.querySelectorAll("canvas").length === 2 && [...document.querySelectorAll("canvas")].every(c => c.list().length > 0)`)
	p.Wait(`[...document.querySelectorAll("button")].some(b => b.textContent.startsWith("Align"))`)
	p.Do(chromedp.Evaluate(`[...document.querySelectorAll("button")].find(b => b.textContent.startsWith("Align")).click()`, nil))
	p.Wait(`location.hash.includes("shift=-630")`) // the first execution of fast-1 begins with the run, the other one 6.30 ms later
	p.Quiet()
}

// pagesFile is the picture of four pages in the README.
var pagesFile = func() string {
	path, _ := filepath.Abs("../../testdata/demo/pages.png")
	return path
}()

// picturesOfPages writes the picture of the README: four pages, two beside each other.
func picturesOfPages(t *testing.T, address string) {
	const width, height, gap = 1240, 800, 20
	all := image.NewRGBA(image.Rect(0, 0, 2*width+gap, 2*height+gap))
	draw.Draw(all, all.Bounds(), image.NewUniform(color.Gray{Y: 0xa0}), image.Point{}, draw.Src)
	p := browser.New(t, width, height)
	p.Do(chromedp.Navigate(address), emulation.SetDeviceMetricsOverride(width, height, 1, false))
	_, base := admitted(t, address)
	for i, hash := range []string{
		"#/", "#/timeline/slow-1?from=4300000&to=6600000&path=src_tool_main_c.main%231&signals=wip&marks=5252282,6302948&messages=0",
		"#/paths/slow-1?to=src_tool_main_c.main&with=fast-1", "#/query/slowest-fragments?run=slow-1",
	} {
		p.Open(base + hash)
		p.Wait(`document.querySelector(".waiting") === null && [...document.querySelectorAll(".drawn")].every(d => d.firstChild) && (!location.hash.includes("timeline") || document.querySelector(".label.path") !== null && document.querySelector("canvas").list().length > 0) && (location.hash !== "#/" || document.querySelector(".entries .verdict") !== null)`)
		var shot []byte
		p.Do(chromedp.CaptureScreenshot(&shot))
		one := expect.Value(png.Decode(bytes.NewReader(shot)))(t)
		at := image.Pt(i%2*(width+gap), i/2*(height+gap))
		draw.Draw(all, image.Rectangle{Min: at, Max: at.Add(image.Pt(width, height))}, one, image.Point{}, draw.Src)
	}
	var out bytes.Buffer
	expect.OK(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, all))
	expect.OK(t, os.WriteFile(pagesFile, out.Bytes(), 0o644))
}

// linkFromElsewhere follows a link on another site, as from a comment of a build: to nothing before the first visit, to the page after it.
func linkFromElsewhere(t *testing.T, address string) {
	p := browser.New(t, 1000, 800)
	_, base := admitted(t, address)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><link rel="icon" href="data:,"><h1>a comment</h1><a id="page" href="%s#/timeline/slow-1">the timeline</a> <a id="report" href="%sreport/none#/finding/1">a finding</a>`, base, base)
	}))
	t.Cleanup(elsewhere.Close)
	other := strings.Replace(elsewhere.URL, "127.0.0.1", "localhost", 1) // another site for a browser
	p.Do(chromedp.Navigate(other), chromedp.Click("#page", chromedp.ByQuery))
	p.Wait(`(document.body?.textContent ?? "").includes("This browser is not admitted")`)
	p.Do(chromedp.Navigate(address), chromedp.Navigate(other), chromedp.Click("#page", chromedp.ByQuery))
	p.Wait(`document.querySelector("main h1") && document.querySelector("main h1").textContent.includes("Timeline of slow-1")`)
	p.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(address+"#/checks/fast-1")) // with the token, which is not kept
	p.Wait(`location.hash === "#/checks/fast-1" && location.search === "" && document.querySelector("main h1")?.textContent.includes("Checks of fast-1")`)
	p.Do(chromedp.Navigate(other), chromedp.Click("#report", chromedp.ByQuery))
	p.Wait(`(document.body?.textContent ?? "").includes("no comparison") && location.hash === "#/finding/1"`) // it was asked for by a page of this server
}

// rebound asks as a page of another name does that was made to point here.
func rebound(t *testing.T, address string) {
	client, base := admitted(t, address)
	for _, host := range []string{"evil.example", "evil.example:80", "127.0.0.1.evil.example"} {
		r := expect.Value(http.NewRequest(http.MethodGet, base+"api/lake", nil))(t)
		for _, c := range client.Jar.Cookies(r.URL) { // the browser took the cookie from this server; a client may look for one of the other name
			r.AddCookie(c)
		}
		r.Host = host
		got := expect.Value((&http.Client{}).Do(r))(t)
		body := string(expect.Value(io.ReadAll(got.Body))(t))
		got.Body.Close()
		expect.Equal(t, got.StatusCode, http.StatusForbidden, "%s", host)
		contains(t, body, "This server is not "+host, "why "+host+" is refused")
		if strings.Contains(body, "slow-1") {
			t.Errorf("%s: %s", host, body)
		}
	}
}

// TestHostilePages shows a run whose names were made to deceive: they are text on every page.
func TestHostilePages(t *testing.T) {
	if testing.Short() {
		t.Skip("hostile names are looked at in the pages in full tests")
	}
	t.Chdir(t.TempDir())
	hostileRun(t, "a.json", 7, 0)
	expect.OK(t, load(t.Context(), []string{"a.json", "side=<img src=x onerror=alert(2)>"}, nil, io.Discard, io.Discard))
	said(t, "run")
	address := served(t)
	p := browser.New(t, 1280, 900)
	p.Do(chromedp.Navigate(address))
	_, base := admitted(t, address)
	for _, hash := range []string{"#/", "#/timeline/a?colour=component", "#/paths/a", "#/query/slowest-fragments", "#/<script>alert(1)<%2Fscript>", "#/timeline/%3Cscript%3Ealert(1)%3C%2Fscript%3E"} {
		p.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(base+hash))
		p.Wait(`document.querySelector("main").textContent.length > 10 && document.querySelector(".waiting") === null`)
		if n := browser.Eval[int](p, `document.querySelectorAll("main script, main img, main iframe").length`); n > 0 {
			t.Errorf("%s: %d elements are made of names", hash, n)
		}
		if text := browser.Eval[string](p, `document.body.textContent`); strings.ContainsAny(text, "\u202e\u009b\x1b\x00") {
			t.Errorf("%s: marks that nobody sees stand on the page", hash)
		}
	}
}
