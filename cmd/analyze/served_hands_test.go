package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/tracelake/tracelake/cmd/internal/testdata/browser"
)

// hands is JavaScript that notes all elements of a page that somebody may use, and each that gets the focus, with whether that is seen.
const hands = `(() => {
	const usable = 'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])';
	const shown = (e) => e.checkVisibility({visibilityProperty: true}) && !e.disabled;
	window.reached = new Map();
	window.usable = () => [...document.querySelectorAll(usable)].filter((e) => shown(e) && !e.closest("dialog:not([open]), .rows .body")); // rows of a long table come and go as it scrolls
	window.named = (e) => e.outerHTML.slice(0, 110);
	document.addEventListener("focusin", (event) => {
		const seen = (e) => { const s = getComputedStyle(e); return s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0 };
		const e = event.target;
		const stroke = e.querySelector(":scope > .hit, :scope > .body");
		window.reached.set(e, seen(e) || (stroke !== null && getComputedStyle(stroke).stroke !== "none"));
	});
	// What hears a click and has no focus is of use to mice alone, unless something within it or around it has one.
	window.deaf = () => [...document.querySelectorAll("#page *")].filter((e) => Object.keys(e.l ?? {}).some((k) => /^(click|mousedown|pointerdown)/i.test(k)) && shown(e) && !e.closest(usable + ", [aria-hidden=true]") && e.querySelector(usable) === null);
	return window.usable().length;
})()`

// byTabs goes through a page with Tab alone: every element that somebody may use gets the focus, and that is seen.
func byTabs(t *testing.T, p *browser.Page, hash string) {
	t.Helper()
	n := browser.Eval[int](p, hands)
	p.Do(chromedp.Evaluate(`document.activeElement?.blur(); scrollTo(0, 0)`, nil))
	// Links of long tables take a Tab each, too, and more of them come as the table scrolls.
	n += browser.Eval[int](p, `document.querySelectorAll(".rows .body :is(a[href], button)").length`)
	for range 2*n + 8 {
		p.Press(kb.Tab, 1)
		if browser.Eval[bool](p, `window.usable().every((e) => window.reached.has(e))`) {
			break
		}
	}
	for _, e := range browser.Eval[[]string](p, `window.usable().filter((e) => !window.reached.has(e) && !(e.type === "radio" && !e.checked)).slice(0, 5).map(window.named)`) {
		t.Errorf("%s: Tab never comes to %s", hash, e)
	}
	for _, e := range browser.Eval[[]string](p, `[...window.reached].filter(([, seen]) => !seen).slice(0, 5).map(([e]) => window.named(e))`) {
		t.Errorf("%s: nobody sees the focus on %s", hash, e)
	}
	p.Do(chromedp.Evaluate(`document.activeElement?.blur(); for (const e of document.querySelectorAll(".rows")) e.scrollTo(0, 0)`, nil))
	for _, e := range browser.Eval[[]string](p, `window.deaf().slice(0, 5).map(window.named)`) {
		t.Errorf("%s: only a mouse can use %s", hash, e)
	}
}

// timelineOnPaper is JavaScript that is true once all boxes of timelines are on paper.
const timelineOnPaper = `(() => {
	const canvases = [...document.querySelectorAll(".timeline canvas")], figures = [...document.querySelectorAll("svg.paper")];
	const drawn = canvases.reduce((n, c) => n + c.list().length, 0);
	const printed = figures.flatMap((f) => [...f.querySelectorAll("path")]).reduce((n, e) => n + (e.getAttribute("d").match(/z/g) ?? []).length, 0);
	return figures.length === canvases.length && document.querySelector("svg.paper > svg > text") !== null && drawn > 0 && printed >= drawn;
})()`

// printedEarly prints a timeline before its data have come.
func printedEarly(t *testing.T, address string) {
	p := browser.New(t, 1400, 1000)
	p.Do(chromedp.Navigate(address))
	_, base := admitted(t, address)
	p.Do(emulation.SetEmulatedMedia().WithMedia("print"))
	p.Open(base + "#/timeline/slow-1")
	p.Wait(timelineOnPaper)
}

// onPaper prints a page: its figures are lines and letters, not a bitmap, on white, and nothing to press is left.
func onPaper(t *testing.T, p *browser.Page, hash string) {
	t.Helper()
	p.Do(emulation.SetEmulatedMedia().WithMedia("print"))
	for _, e := range browser.Eval[[]string](p, `[...document.querySelectorAll("canvas, button:not(.link):not(.rows .head button), select, nav")].filter((e) => e.checkVisibility({visibilityProperty: true})).slice(0, 5).map((e) => e.outerHTML.slice(0, 90))`) {
		t.Errorf("%s: on paper there is %s", hash, e)
	}
	if ground := browser.Eval[string](p, `getComputedStyle(document.body).backgroundColor`); ground != "rgb(255, 255, 255)" {
		t.Errorf("%s: the paper is %s", hash, ground)
	}
	if strings.Contains(hash, "timeline") { // whatever the screen shows is on paper, once its data have come
		p.Wait(timelineOnPaper)
	}
	p.Do(emulation.SetEmulatedMedia())
	var pdf []byte
	p.Do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		pdf, _, err = page.PrintToPDF().WithPrintBackground(true).Do(ctx)
		return err
	}))
	if !bytes.HasPrefix(pdf, []byte("%PDF")) {
		t.Errorf("%s: printed as %q", hash, pdf[:min(20, len(pdf))])
	}
	if n := bytes.Count(pdf, []byte("/Subtype /Image")); n > 0 {
		t.Errorf("%s: the print has %d bitmaps", hash, n)
	}
}
