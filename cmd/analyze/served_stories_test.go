package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/cmd/internal/testdata/browser"
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
	t.Run("legend", func(t *testing.T) { chosenValue(t, address) })
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
