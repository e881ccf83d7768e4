package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/tracelake/tracelake/cmd/internal/testdata/browser"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/process"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// said runs a command and returns its standard output.
func said(t *testing.T, args ...string) []byte {
	t.Helper()
	var out, log bytes.Buffer
	if err := run(t.Context(), append(args, "--quiet"), strings.NewReader(""), &out, &log); err != nil {
		t.Fatalf("analyze %s: %v\n%s", strings.Join(args, " "), err, log.Bytes())
	}
	return out.Bytes()
}

// demoLake changes into a folder with the lake of the demo, whose servers are compared, and returns what analyze compare printed. The lake is made once; each
// test has a copy.
func demoLake(t *testing.T) (compared []byte) {
	t.Helper()
	folder := expect.Value(filepath.Abs("../../testdata/demo"))(t)
	t.Chdir(t.TempDir())
	if compared, made := madeDemo.printed, madeDemo.folder; made != "" {
		expect.OK(t, os.CopyFS(".", os.DirFS(made)))
		return compared
	}
	expect.OK(t, demo(folder)(t.Context(), nil, nil, io.Discard, io.Discard))
	compared = said(t, "compare", "--base", "server=fast", "--cand", "server=slow")
	checkReadme(t, filepath.Join(folder, "../../README.md"), compared)
	made := expect.Value(process.Folder("demo"))(t)
	expect.OK(t, os.CopyFS(made, os.DirFS(".")))
	madeDemo.folder, madeDemo.printed = made, compared
	return compared
}

// madeDemo is the lake of the demo that demoLake makes, and what analyze compare prints there.
var madeDemo struct {
	folder  string
	printed []byte
}

// TestMain ends what tests share.
func TestMain(m *testing.M) {
	code := browser.Main(m)
	process.RemoveFolder(madeDemo.folder) // nothing, where it was not made
	os.Exit(code)
}

// checkReadme checks that the README shows what the demo prints, from its first line on.
func checkReadme(t *testing.T, path string, printed []byte) {
	t.Helper()
	_, shown, begins := strings.Cut(string(expect.Value(os.ReadFile(path))(t)), "<!-- demo -->\n```\n")
	shown, _, ends := strings.Cut(shown, "...\n```\n<!-- /demo -->")
	if !begins || !ends || !strings.HasPrefix(string(printed), shown) {
		t.Errorf("README.md shows\n%s\nand the demo prints\n%s", shown, printed)
	}
}

// resources takes the data of a report out of its file.
func resources(t *testing.T, file []byte) map[string]json.RawMessage {
	t.Helper()
	all := make(map[string]json.RawMessage)
	for _, m := range regexp.MustCompile(`(?s)<script type="application/json" data-resource="([^"]*)">(.*?)</script>`).FindAllSubmatch(file, -1) {
		all[string(m[1])] = m[2]
	}
	if len(all) == 0 {
		t.Fatal("the report has no data")
	}
	return all
}

// into reads JSON, numbers as they are written.
func into[T any](t *testing.T, data []byte) (v T) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	expect.OK(t, d.Decode(&v))
	return v
}

// contains reports a text that lacks a part.
func contains(t *testing.T, text, part, what string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%s: %q is not in %.400q", what, part, text)
	}
}

// columnsOf puts rows that came as columns together again.
func columnsOf(t *testing.T, data any) []map[string]any {
	t.Helper()
	table := data.(map[string]any)
	n := int(expect.Value(table["rows"].(json.Number).Int64())(t))
	rows := make([]map[string]any, n)
	for i := range rows {
		rows[i] = make(map[string]any)
	}
	for name, column := range table["columns"].(map[string]any) {
		for i, value := range decoded(t, column, n) {
			rows[i][name] = value
		}
	}
	return rows
}

func decoded(t *testing.T, column any, n int) []any {
	t.Helper()
	values := make([]any, n)
	at := func(x any) int64 { return expect.Value(x.(json.Number).Int64())(t) }
	switch c := column.(type) {
	case []any:
		return c
	case map[string]any:
		if words, has := c["words"].([]any); has {
			for i, k := range c["at"].([]any) {
				if at(k) >= 0 {
					values[i] = words[at(k)]
				}
			}
			return values
		}
		for i, row := range c["rows"].([]any) {
			values[at(row)] = c["values"].([]any)[i]
		}
	}
	return values
}

// TestReportOfDemo sees that a report has the numbers of analyze compare, the same bytes every time, and no more than it may; then it goes
// the ways of a reader in a browser.
func TestReportOfDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("the report of the demo is looked at in full tests")
	}
	demoLake(t)
	said(t, "report", "fast-vs-slow", "-o", "report.html")
	address := "file://" + expect.Value(filepath.Abs("report.html"))(t)
	file := expect.Value(os.ReadFile("report.html"))(t)
	data := resources(t, file)
	t.Run("numbers", func(t *testing.T) { sameNumbers(t, data) })
	t.Run("bytes", func(t *testing.T) {
		if again := said(t, "report", "fast-vs-slow", "-o", "-"); !bytes.Equal(again, file) {
			t.Error("the same report has other bytes the second time")
		}
		small := said(t, "report", "fast-vs-slow", "-o", "-", "--max-size", "900KB")
		left := into[map[string]any](t, resources(t, small)["report"])["left_out"].([]any)
		if len(small) > 900_000 || len(left) == 0 {
			t.Errorf("a report of at most 900 kB has %d bytes, and says that %v was left out", len(small), left)
		}
	})
	t.Run("windows", func(t *testing.T) { sameWindows(t, data) })
	t.Run("read at once", readAtOnce)
	t.Run("run", reportOfRun)
	t.Run("three clicks", func(t *testing.T) { threeClicks(t, address) })
	t.Run("keyboard", func(t *testing.T) { byKeyboard(t, address) })
	t.Run("previews", func(t *testing.T) { sparks(t, address, data) })
	t.Run("files", func(t *testing.T) { bands(t, address, data) })
	t.Run("chosen", func(t *testing.T) { chooseTimes(t, address) })
	t.Run("pages", func(t *testing.T) { everyPage(t, address) })
}

// sameNumbers compares the data of the page with what analyze compare prints.
func sameNumbers(t *testing.T, data map[string]json.RawMessage) {
	printed := into[map[string]any](t, said(t, "compare", "--base", "server=fast", "--cand", "server=slow", "--format", "json", "--by", "function", "--top", "1000000"))
	page := into[map[string]any](t, data["report"])["comparison"].(map[string]any)
	for key, want := range printed {
		if key != "changes" && key != "queueing" { // the page has these rows in its table of all changes
			expect.Deep(t, page[key], want, "%s of the page", key)
		}
	}
	expect.Equal(t, len(page), len(printed)-1, "keys of the page")
	// Every change that is printed is on the page with all of its columns; those of the table of all changes have the same values.
	details := into[map[string]any](t, data["details"])
	byRank := make(map[string]map[string]any)
	for _, row := range columnsOf(t, details["changes"]) {
		byRank[row["rank"].(json.Number).String()] = row
	}
	all := columnsOf(t, into[any](t, data["changes"]))
	compared := 0
	sameInTable := func(row map[string]any) (rank json.Number) {
		rank = row["rank"].(json.Number)
		short := all[expect.Value(rank.Int64())(t)-1]
		for name, value := range row {
			if has, there := short[name]; there {
				expect.Deep(t, has, value, "%s of change %s in the table", name, rank)
			}
		}
		return rank
	}
	for _, want := range printed["changes"].([]any) {
		row := want.(map[string]any)
		if row["verdict"] == "not_asked" {
			continue
		}
		compared++
		rank := sameInTable(row)
		for name, value := range row {
			expect.Deep(t, byRank[rank.String()][name], value, "%s of change %s", name, rank)
		}
	}
	for _, want := range printed["queueing"].([]any) {
		sameInTable(want.(map[string]any))
	}
	if compared < 100 {
		t.Errorf("only %d changes were compared", compared)
	}
}

// sameWindows sees that the executions whose windows the page has are those of the lake, and the longest of their function in their run.
func sameWindows(t *testing.T, data map[string]json.RawMessage) {
	type window struct {
		Run        string `json:"run"`
		Execution  string `json:"execution"`
		DurationNs int64  `json:"duration_ns"`
	}
	type windows struct {
		Function string   `json:"function"`
		Sides    []window `json:"sides"`
	}
	w := into[windows](t, data["window/0"])
	expect.Equal(t, len(w.Sides), 2, "sides of the first root cause")
	for _, side := range w.Sides {
		rows := into[[]map[string]any](t, said(t, "query", "--format", "json", fmt.Sprintf(`SELECT number, duration_ns FROM executions
			WHERE run = '%s' AND component || '.' || "function" = '%s' ORDER BY duration_ns DESC, execution LIMIT 1`, side.Run, w.Function)))
		expect.Equal(t, side.Execution, fmt.Sprintf("%s#%v", w.Function, rows[0]["number"]), "the longest execution of %s", side.Run)
		expect.Equal(t, fmt.Sprint(side.DurationNs), fmt.Sprint(rows[0]["duration_ns"]), "its duration")
	}
}

// readAtOnce sees that fragments that are read together are those that are read one by one, whatever memory there is.
func readAtOnce(t *testing.T) {
	l := expect.Value(lake.Open("lake", false))(t)
	one, several := expect.Value(runs.OpenCompared(l, "fast-vs-slow"))(t), expect.Value(runs.OpenCompared(l, "fast-vs-slow"))(t)
	names := []string{"lib_select_c.Curl_poll from lib_multi_c", "lib_multi_c.curl_multi_poll from lib_easy_c", "lib_easy_c.curl_easy_perform from src_tool_operate_c",
		"lib_multi_c.curl_multi_perform from lib_easy_c"}
	norms := []string{schema.NormFragmentAbsolute, schema.NormRelative}
	for _, memory := range []int64{0, 5_000, 1 << 30} {
		kept, passes := 0, 0
		for i, name := range names {
			if i == kept {
				kept += expect.Value(several.Keep(t.Context(), names[i:], norms, memory))(t)
				passes++
			}
			want, has := expect.Value(one.Fragment(t.Context(), name))(t), expect.Value(several.Fragment(t.Context(), name))(t)
			expect.Deep(t, has, want, "%s", name)
			expect.Deep(t, expect.Value(several.Times(t.Context(), has, norms[1]))(t), expect.Value(one.Times(t.Context(), want, norms[1]))(t), "other times of %s", name)
		}
		if want := map[int64]int{0: len(names), 1 << 30: 1}[memory]; want != 0 && passes != want || passes == 0 {
			t.Errorf("with %d bytes it reads %d times", memory, passes)
		}
	}
}

// reportOfRun sees that the page of a run has the numbers of named queries, and draws itself.
func reportOfRun(t *testing.T) {
	said(t, "report", "slow-1", "-o", "run.html")
	data := resources(t, expect.Value(os.ReadFile("run.html"))(t))
	for resource, query := range map[string][]string{
		"paths": {"critical-share"}, "fragments": {"slowest-fragments"},
	} {
		rows := into[[]map[string]any](t, said(t, append([]string{"query", query[0], "--param", "run=slow-1", "--param", "limit=1000000", "--format", "json"}, query[1:]...)...))
		page := columnsOf(t, into[any](t, data[resource]))
		expect.Equal(t, len(page), len(rows), "%s of the page", resource)
		sum := func(all []map[string]any, column string) (n int64) {
			for _, row := range all {
				n += expect.Value(row[column].(json.Number).Int64())(t)
			}
			return n
		}
		for _, column := range []string{"total_ns", "max_ns"} {
			expect.Equal(t, sum(page, column), sum(rows, column), "sum of %s of %s", column, resource)
		}
	}
	p := browser.New(t, 1280, 1000)
	address := "file://" + expect.Value(filepath.Abs("run.html"))(t)
	for _, hash := range []string{"", "#/fragment/lib_multi_c.curl_multi_perform%20from%20lib_easy_c?step=1"} {
		p.Open(address + hash)
		p.Wait(`document.querySelector(".waiting") === null`)
		for _, f := range faultsOf(t, p, func(string) {}, "light") {
			t.Errorf("%s: %s", hash, f)
		}
		p.Quiet()
	}
	p.Open(address)
	p.Wait(`document.querySelector(".waiting") === null`)
	contains(t, p.Text(".parts tbody tr"), "execution lib_select_c.Curl_poll", "the greatest part of the critical paths")
	contains(t, p.Text("#window figcaption"), "ext.main#1 takes", "the window")
	p.Quiet()
}

// threeClicks goes from the verdict to the step that became slower, why, and who waits for it.
func threeClicks(t *testing.T, address string) {
	p := browser.New(t, 1280, 1000)
	p.Open(address)
	contains(t, p.Text("main h1"), "REGRESSED: one root cause makes a root execution 20.4 ms slower", "the verdict")
	p.Click(".findings a") // the first click
	p.Wait(`document.querySelector("#step table") !== null`)
	contains(t, p.Text("main h1"), "lib_select_c.Curl_poll", "the cause")
	contains(t, p.Text("main"), "some of the calls take longer: +17.3 ms by slower calls", "in which way")
	contains(t, p.Text("#step"), "exit Curl_poll", "the step")
	contains(t, p.Text("#step .why"), "442 us → 20.7 ms", "its cost")
	contains(t, p.Text("#step .flow .decides"), "yes, by its cost: q <0.001 ▲ regressed", "the question that decided")
	contains(t, browser.Eval[string](p, `document.querySelector("#step .chart39").getAttribute("aria-label")`), "KS: p below 0.05, p 0.043: holds; MWU: p below 0.05, p 0.142: does not hold; "+
		"SHIFT: all deciles one way, no: does not hold; ABS: at least 100 us, +20.2 ms: holds; ABS: at least 6.00 ms, +20.2 ms: holds. Together: changed.", "the flow chart of the thesis")
	expect.Equal(t, browser.Eval[int](p, `document.querySelectorAll("#step .picture svg[role=img]").length`), 6, "pictures of the step")
	// The window in which it waits is there as well: the execution that runs while all of its callers wait.
	contains(t, p.Text("#window .window.base figcaption"), "lib_select_c.Curl_poll#4 takes 267 us", "the window of the baseline")
	contains(t, p.Text("#window .window.cand figcaption"), "lib_select_c.Curl_poll#5 takes 19.4 ms", "the window of the candidate")
	expect.Equal(t, browser.Eval[string](p, `[...document.querySelectorAll("#window .window.cand .lane text")].map(t => t.firstChild.data).join(" ")`),
		"ext src_tool_main_c src_tool_operate_c lib_easy_c lib_multi_c lib_select_c", "lanes of the candidate")
	if *update { // the picture of the README
		var png []byte
		p.Do(emulation.SetDeviceMetricsOverride(1280, 1215, 1, false), chromedp.CaptureScreenshot(&png), emulation.ClearDeviceMetricsOverride()) // both windows are in it
		expect.OK(t, os.WriteFile(pictureFile, png, 0o644))
	}
	p.Click(`section[aria-label="What follows from it"] a[href^="#/fragment/lib_multi_c"]`) // the second: who waits for it
	p.Wait(`document.querySelector("main h1").textContent.includes("curl_multi_poll")`)
	p.Wait(`document.querySelector(".transition.live") !== null`)
	p.Do(chromedp.NavigateBack())
	p.Wait(`document.querySelector("main h1").textContent.includes("Root cause 1")`)
	p.Quiet()
}

// byKeyboard goes the same way with Tab and Enter alone.
func byKeyboard(t *testing.T, address string) {
	p := browser.New(t, 1280, 1000)
	p.Open(address)
	until := func(focused string) {
		t.Helper()
		for range 60 {
			p.Press(kb.Tab, 1)
			if browser.Eval[bool](p, fmt.Sprintf(`document.activeElement.matches(%q)`, focused)) {
				return
			}
		}
		t.Fatalf("Tab never comes to %s", focused)
	}
	until(".findings a")
	p.Press(kb.Enter, 1)
	p.Wait(`location.hash === "#/finding/1" && document.querySelector(".transition.live") !== null`)
	until(".transition.live")
	p.Press(kb.Enter, 1)
	p.Wait(`location.hash.includes("step=")`)
	p.Press("/", 1)
	p.Wait(`document.activeElement.type === "search"`)
	browser.Eval[any](p, `document.activeElement.select()`) // the protocol sends the letter even of a key whose default the page prevents
	p.Do(chromedp.KeyEvent("exit"))
	p.Wait(`document.querySelector(".transition.found") !== null && location.hash.includes("find=exit")`)
	p.Press(kb.Escape, 1)
	p.Quiet()
}

// everyPage opens all pages: each draws itself without a complaint, and axe finds nothing.
func everyPage(t *testing.T, address string) {
	p := browser.New(t, 1280, 1000)
	for _, hash := range []string{"", "#/overview", "#/changes", "#/changes?verdict=regressed&sort=-effect", "#/finding/1", "#/finding/2", "#/communication", "#/change/1", "#/help",
		"#/fragment/lib_multi_c.curl_multi_poll%20from%20lib_easy_c"} {
		p.Open(address + hash)
		p.Wait(`document.querySelector(".waiting") === null`)
		everySight(t, p, hash)
	}
	p.Open(address + "#/changes?q=curl_poll&level=fragment")
	contains(t, p.Text("main output"), "of 10,308", "the number of rows that are found")
	p.Quiet()
}

// pictureFile is the picture of the page in the README.
var pictureFile = func() string {
	path, _ := filepath.Abs("../../testdata/demo/report.png")
	return path
}()

// TestHostileReport opens the report of traces whose names were made to deceive.
func TestHostileReport(t *testing.T) {
	if testing.Short() {
		t.Skip("hostile names are looked at in the report in full tests")
	}
	t.Chdir(t.TempDir())
	for i := range 3 {
		for _, side := range []struct {
			name   string
			slowNs int
		}{{"a", 0}, {"b", 3_000_000}} {
			file := fmt.Sprintf("%s%d.json", side.name, i)
			hostileRun(t, file, i*7, side.slowNs)
			expect.OK(t, load(t.Context(), []string{file, "release=" + side.name}, nil, io.Discard, io.Discard))
		}
	}
	said(t, "compare", "--base", "release=a", "--cand", "release=b", "--id", "x")
	said(t, "report", "x", "-o", "report.html")
	file := expect.Value(os.ReadFile("report.html"))(t)
	resources(t, file)
	if n := bytes.Count(file, []byte("<script>")); n != 1 {
		t.Errorf("the file has %d scripts, not one", n)
	}
	for _, mark := range []string{"\u202e", "\u009b", "\x1b", "\x00"} {
		if bytes.Contains(file, []byte(mark)) {
			t.Errorf("the file has %q as it is", mark)
		}
	}
	p := browser.New(t, 1280, 1000)
	p.Open("file://" + expect.Value(filepath.Abs("report.html"))(t))
	p.Click(".findings a")
	p.Wait(`document.querySelector("main h1").textContent.includes("<script>alert(1)</script>")`)
	p.Wait(`document.querySelector(".waiting") === null`)
	contains(t, p.Text("main h1"), `\u202e`, "a mark that turns the direction of writing is shown in letters")
	hostileFile(t, p)
	p.Quiet()
}
