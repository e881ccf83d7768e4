package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/tracelake/tracelake/benchmarks/machine"
	"github.com/tracelake/tracelake/cmd/internal/testdata/browser"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestPlantedCauseInFiveClicks makes two releases of a machine, in the second of which one function takes longer. Somebody who opens the lake finds the
// function, how much slower it is, and the window in which it runs, with five clicks at most.
func TestPlantedCauseInFiveClicks(t *testing.T) {
	if testing.Short() {
		t.Skip("the planted cause is looked for in full tests")
	}
	const planted = "lens_ctrl.lens_ctrl_update_model"
	t.Chdir(t.TempDir())
	for i := range 6 {
		release, slow := "1", []machine.Slow(nil)
		if i >= 3 {
			release, slow = "2", []machine.Slow{expect.Value(machine.ParseSlow(planted + "=2"))(t)}
		}
		name := fmt.Sprintf("r%d", i+1)
		file := expect.Value(os.Create(name + ".txt"))(t)
		m := expect.Value(machine.Build(0, 1, slow...))(t)
		w := expect.Value(machine.NewWriter(file, m, "thesis"))(t)
		_, _, err := m.Run(machine.Run{Seed: uint64(i + 1), Events: 300_000}, w.Write)
		expect.OK(t, err)
		expect.OK(t, w.Flush())
		expect.OK(t, file.Close())
		expect.OK(t, load(t.Context(), []string{name + ".txt", "release=" + release}, nil, io.Discard, io.Discard))
	}
	said(t, "run")
	said(t, "compare", "--base", "release=1", "--cand", "release=2")
	address := served(t)
	p := browser.New(t, 1400, 1000)
	p.Do(chromedp.Navigate(address))
	_, base := admitted(t, address)
	p.Open(base)
	clicks := 0
	click := func(selector, text string) {
		t.Helper()
		clicks++
		found := fmt.Sprintf(`[...document.querySelectorAll(%q)].find(a => a.textContent.includes(%q))`, selector, text)
		p.Wait("!!" + found)
		p.Do(chromedp.Evaluate(found+".click()", nil))
	}
	p.Wait(`(document.querySelector(".entries")?.textContent ?? "").includes("regressed")`)
	contains(t, p.Text(".entries"), planted, "the verdict on the first page")
	click(".entries a", "whole report")
	p.Wait(`location.pathname.startsWith("/report/") && !!document.querySelector(".findings a")`)
	click(".findings a", planted)
	p.Wait(`location.hash.startsWith("#/finding/1") && !!document.querySelector(".window.cand svg .chosen")`)
	contains(t, p.Text("main h1"), planted, "the root cause")
	contains(t, p.Text("main"), "regressed", "its verdict")
	click(".window.cand figcaption a", "timeline")
	p.Wait(`location.pathname === "/" && !!document.querySelector("canvas")?.list && document.querySelector("canvas").list().length > 0 && document.querySelector(".label.path") !== null`)
	if drawn(p, strings.Split(planted, ".")[1]) == 0 {
		t.Errorf("%s is not in its window of the timeline", planted)
	}
	if clicks > 5 {
		t.Errorf("it took %d clicks", clicks)
	}
	p.Quiet()
}
