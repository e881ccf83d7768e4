package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/tracelake/tracelake/cmd/internal/testdata/browser"
	"github.com/tracelake/tracelake/testdata/expect"
)

// axeFile is axe-core, which checks whether pages are accessible.
var axeFile = func() string {
	path, _ := filepath.Abs("../internal/web/testdata/axe/axe.min.js") // tests change their folder
	return path
}()

// sights are the ways in which a page is looked at, one after the other, with the rules of axe that may find there what they did not find before: all of WCAG 2.2 AA
// in the light, then what depends on colours, and what depends on the size of the window. Rules about names, roles and structure see the same page each
// time, and it takes them longest.
var sights = []struct {
	name  string
	begin chromedp.Action
	run   map[string]any
}{
	{"light", emulation.SetEmulatedMedia(), map[string]any{"type": "tag", "values": []string{"wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"}}},
	{"dark", emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}),
		map[string]any{"type": "rule", "values": []string{"color-contrast", "link-in-text-block"}}},
	{"dark at 400 %", emulation.SetDeviceMetricsOverride(350, 250, 1, false), // what a window of 1,400 pixels shows at 400 %
		map[string]any{"type": "rule", "values": []string{"target-size", "scrollable-region-focusable"}}},
}

// faultsOf returns what is wrong with a page in each of some sights: what axe finds, and what is wider than the window.
func faultsOf(t *testing.T, p *browser.Page, between func(sight string), names ...string) (faults []string) {
	t.Helper()
	p.Do(chromedp.Evaluate(string(expect.Value(os.ReadFile(axeFile))(t))+"; true", nil))
	for _, s := range sights {
		if !slices.Contains(names, s.name) {
			continue
		}
		p.Do(s.begin)
		for _, f := range browser.Eval[[]string](p, fmt.Sprintf(`axe.run(document, {runOnly: %s, resultTypes: ["violations"]}).then(r => r.violations.map(v => v.id + ": " + v.help + ": " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(" | ")))`,
			expect.Value(json.Marshal(s.run))(t))) {
			faults = append(faults, s.name+": "+f)
		}
		if wide := browser.Eval[int](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
			faults = append(faults, fmt.Sprintf("%s: the page is %d pixels wider than the window, by %s", s.name, wide,
				browser.Eval[string](p, `[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth && !e.closest(".scrolls, .scroll, .timeline, svg")).map(e => e.outerHTML.slice(0, 90)).slice(0, 6).join(" | ")`)))
		}
		between(s.name)
	}
	p.Do(emulation.ClearDeviceMetricsOverride(), emulation.SetEmulatedMedia())
	return faults
}

// everySight looks at a page in light, in dark, at 400 %, by Tab alone and on paper.
func everySight(t *testing.T, p *browser.Page, hash string) {
	t.Helper()
	for _, f := range faultsOf(t, p, func(sight string) {
		if sight == "light" {
			byTabs(t, p, hash)
		}
	}, "light", "dark", "dark at 400 %") {
		t.Errorf("%s, %s", hash, f)
	}
	for _, e := range browser.Eval[[]string](p, `[...document.querySelectorAll("main table")].filter((e) => !e.closest("figure.picture")?.querySelector("details.numbers") && !e.parentElement.querySelector(":scope > .choice > button[aria-label$=' as CSV'], :scope > p > .file") && !document.querySelector("main .file")).map((e) => e.outerHTML.slice(0, 90))`) {
		t.Errorf("%s: no file is made of %s", hash, e)
	}
	onPaper(t, p, hash)
	p.Do(emulation.SetEmulatedMedia())
	p.Quiet()
}

// TestSightsFindFaults plants faults in a page, each of which one sight alone shows, and sees that this sight finds it, and that nothing is found in the page
// without them.
func TestSightsFindFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("planted faults are looked for in full tests")
	}
	const frame = `<!doctype html><html lang="en"><head><title>page</title><link rel="icon" href="data:,"><meta name="viewport" content="width=device-width"><style>
		p { color: #222; background: #fff } button { width: 30px; height: 30px } div { width: 250px; overflow: auto } %s</style></head>
		<body><main><h1>Page</h1>%s<p>Words to read, and <a href="#/" style="color: #0000c0">a link</a>.</p><button>1</button><button>2</button><div><p>First words.</p><p>Last words.</p></div></main></body></html>`
	faults := map[string]struct{ style, element, sight, found string }{
		"none":                    {},
		"a picture without words": {"", `<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="9" height="9">`, "light", "image-alt"},
		"a list without items":    {"", `<ul><p>no item</p></ul>`, "light", "list"},
		"a field without a name":  {"", `<input type="text">`, "light", "label"},
		"pale words in the light": {"@media (prefers-color-scheme: light) { p { color: #bbb } }", "", "light", "color-contrast"},
		"pale words in the dark":  {"@media (prefers-color-scheme: dark) { p { color: #bbb } }", "", "dark", "color-contrast"},
		"small targets if narrow": {"@media (max-width: 400px) { button { width: 12px; height: 12px; padding: 0; font-size: 6px } }", "", "dark at 400 %", "target-size"},
		"no way to scroll":        {"@media (max-width: 400px) { div { height: 40px } }", "", "dark at 400 %", "scrollable-region-focusable"},
		"wider than the window":   {"", `<p style="width: 700px">Words</p>`, "dark at 400 %", "pixels wider"},
	}
	pages := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		f := faults[r.URL.Query().Get("fault")]
		fmt.Fprintf(w, frame, f.style, f.element)
	}))
	t.Cleanup(pages.Close)
	p := browser.New(t, 1400, 1000)
	for name, f := range faults {
		p.Do(chromedp.Navigate(pages.URL + "/?fault=" + strings.ReplaceAll(name, " ", "+")))
		found := faultsOf(t, p, func(string) {}, "light", "dark", "dark at 400 %")
		if len(found) != min(1, len(f.found)) || len(found) == 1 && (!strings.HasPrefix(found[0], f.sight+": ") || !strings.Contains(found[0], f.found)) {
			t.Errorf("%s: found %q, want %s in the %s", name, found, f.found, f.sight)
		}
	}
}
