package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/cmd/internal/testdata/browser"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/testdata/expect"

	"github.com/chromedp/chromedp"
)

// TestServedStories looks at the pages that the demo has no tables for: behaviours and values of attributes of a small pipeline, the
// history of nine releases, and the clocks of two units that became one run.
func TestServedStories(t *testing.T) {
	if testing.Short() {
		t.Skip("the served pages of stories are looked at in full tests")
	}
	storiesLake(t)
	address := served(t)
	servedPages(t, address, "#/behaviours/tight?item=id", "#/timeline/tight?colour=attribute:id", "#/timeline/tight?colour=attribute:id&only=1", "#/timeline/tight?colour=behaviour:id&alike=name&signals=clients", "#/timeline/wide?colour=difference:tight&with=tight", "#/durations/tight?with=wide", "#/history/releases", "#/clocks/rig")
	t.Run("numbers", func(t *testing.T) { sameOfStories(t, address) })
	t.Run("legend", func(t *testing.T) { chosenValue(t, address) })
}

// sameOfStories compares the pages of a history, of clocks and of behaviours with what commands print.
func sameOfStories(t *testing.T, address string) {
	l := lookAt(t, address)
	row := l.row

	duration := func(v any) string { t.Helper(); return texttab.Duration(must(t, v)) }

	// Change points, and the series of the first one.
	printed := into[map[string]any](t, said(t, "history", "--id", "again", "--top", "100", "--format", "json"))
	l.open("#/history/releases")
	points := printed["change_points"].([]any)
	for _, one := range points {
		p := one.(map[string]any)
		ratio := expect.Value(p["ratio"].(json.Number).Float64())(t)
		row(count(t, p["rank"])+" | ", fmt.Sprint(p["release"], " | "), fmt.Sprint(p["verdict"]), fmt.Sprint(p["subject"]), duration(p["before_ns"])+" | ", duration(p["after_ns"])+" | ",
			texttab.Change(must(t, p["effect_ns"])), texttab.Relative(ratio-1)+" | ", texttab.Interval(must(t, p["effect_lo_ns"]), must(t, p["effect_hi_ns"]))+" | ")
	}
	shown := points[0].(map[string]any)["series"]
	releases := 0
	for _, one := range printed["values"].([]any) {
		if v := one.(map[string]any); v["series"] == shown {
			releases++
			alone := map[any]string{true: "yes", false: ""}[v["outlier"]]
			row(fmt.Sprint(v["release"], " | ", v["runs"], " | ", duration(v["value_ns"]), " | ", v["segment"], " | ", alone))
		}
	}
	expect.Equal(t, releases, 9, "releases of the series")

	// Clocks: bounds, and relations between occurrences.
	l.open("#/clocks/rig")
	difference := func(v any) string {
		t.Helper()
		if v == nil {
			return "no bound"
		}
		return texttab.Change(must(t, v))
	}
	for _, b := range queried(t, "SELECT * FROM clock_bounds WHERE run = 'rig'") {
		row(fmt.Sprint(b["unit"], " | ", b["reference"], " | ", count(t, b["forth"]), " | ", count(t, b["back"]), " | ", difference(b["offset_ns"]), " | "),
			fmt.Sprintf("%.3f ppm | ", expect.Value(b["drift_ppm"].(json.Number).Float64())(t)), difference(b["gap_ns"])+" | ", count(t, b["moved"])+" | ")
	}
	relations := queried(t, `SELECT o.*, r.time_ns - l.time_ns AS later_ns FROM occurrences o JOIN events l ON l.run = o.run AND l.seq = o.left_seq JOIN events r ON r.run = o.run AND r.seq = o.right_seq`)
	expect.Equal(t, len(relations), 6, "relations")
	for _, r := range relations {
		row(fmt.Sprint(r["constraint_name"], " | ", r["relation"], " | ", r["left_clock"], "#", r["left_index"], " | ", r["right_clock"], "#", r["right_index"], " | ", difference(r["later_ns"])))
	}

	// Behaviours.
	for _, run := range []string{"tight", "wide"} {
		l.open("#/behaviours/" + run + "?item=id")
		found := into[struct {
			Items   int64
			Classes []struct {
				Items            int64
				Representative   string
				RepresentativeNs int64 `json:"representative_ns"`
				Members, Claims  []string
			}
		}](t, said(t, "behaviours", run, "--item", "id", "--format", "json"))
		row(texttab.Plural(found.Items, "item") + " in " + texttab.Plural(len(found.Classes), "behaviour"))
		for i, c := range found.Classes {
			row(fmt.Sprint(i+1, " | ", c.Items, " | ", texttab.Percent(c.Items, found.Items), " | id=", c.Representative, " | ", texttab.Duration(c.RepresentativeNs), " | ", strings.Join(c.Claims, " "), " | ", strings.Join(c.Members, ", ")))
		}
	}
	if l.compared < 25 {
		t.Errorf("only %d rows were compared", l.compared)
	}
	l.page.Quiet()
}

// storiesLake makes a lake in a new folder, of what the demo has no tables for: claims with attributes, nine releases, clocks of two units.
func storiesLake(t *testing.T) {
	t.Helper()
	var stories []*txtar.Archive
	for _, name := range []string{"claims", "history", "reconcile"} {
		stories = append(stories, expect.Value(txtar.ParseFile("testdata/"+name+".txtar"))(t))
	}
	t.Chdir(t.TempDir())
	for _, story := range stories {
		for _, file := range story.Files {
			if file.Name == "story" {
				loadAll(t, string(file.Data))
				continue
			}
			expect.OK(t, os.WriteFile(file.Name, file.Data, 0o666))
		}
	}
	said(t, "reconcile", "rig", "robot=robot", "base=base", "--spec", "robot.lc", "--reference", "base")
	said(t, "run")
	said(t, "history", "--id", "releases")
}

// loadAll runs the lines of a story that load traces.
func loadAll(t *testing.T, story string) {
	t.Helper()
	for line := range strings.Lines(story) {
		if words := strings.Fields(line); len(words) > 2 && words[0] == "$" && words[1] == "load" {
			expect.OK(t, load(t.Context(), words[2:], nil, io.Discard, io.Discard))
		}
	}
}

// chosenValue chooses a value of an attribute in the legend by keyboard, which the address then has, and follows it to the behaviours.
func chosenValue(t *testing.T, address string) {
	p := browser.New(t, 1400, 1000)
	p.Do(chromedp.Navigate(address))
	_, base := admitted(t, address)
	p.Open(base + "#/timeline/tight?colour=attribute:id")
	p.Wait(`document.querySelectorAll(".legend.values button").length === 3`)
	p.Do(chromedp.Focus(".legend.values button", chromedp.ByQuery))
	p.Press("\r", 1)
	p.Wait(`location.hash.includes("only=0") && document.querySelector(".legend.values button[aria-pressed=true]")?.textContent.includes("0")`)
	p.Click(".legend.values a")
	p.Wait(`document.querySelector("main h1")?.textContent.includes("Behaviours in tight") && document.querySelectorAll("main table.plain tbody tr").length > 0`)
	p.Quiet()
}
