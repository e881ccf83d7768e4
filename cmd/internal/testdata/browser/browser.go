// Package browser opens pages in a real browser, for tests: Debian's chromium, or what else is found. Where there is none, tests say so and
// are skipped. Only tests import it.
package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Page is a page of a browser, with what it complained about.
type Page struct {
	t   testing.TB
	ctx context.Context

	mu       sync.Mutex
	messages []string
}

// programs are names of browsers that the protocol of developer tools drives.
var programs = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}

// patience is how long a browser may take on a machine that is busy. Nothing is measured by it.
const patience = 8 * time.Minute

// New starts a browser with a window of some size; it ends with the test. The test is skipped where there is no browser.
func New(t testing.TB, width, height int) *Page {
	t.Helper()
	path := ""
	for _, name := range programs {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("no browser is installed, so that pages are not looked at: make peers installs chromium")
	}
	home := homeOf(t)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(width, height),
		chromedp.UserDataDir(filepath.Join(home, "profile")), chromedp.Env("TMPDIR="+home),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(patience))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	// A newer browser sends values that the package does not know yet, and it logs each of them.
	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {}))
	t.Cleanup(cancel)
	p := &Page{t: t, ctx: ctx}
	chromedp.ListenTarget(ctx, p.hear)
	return p
}

// homeOf makes a folder for all files of a browser: its profile and what it leaves among temporary files. It goes with the test. It has a short name, as
// the browser has a socket in it, whose path may have 107 bytes; the folder of a test may have a longer one.
func homeOf(t testing.TB) string {
	t.Helper()
	home, err := os.MkdirTemp("", "browser-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// Processes of a browser that was killed write for some time yet.
		for end := time.Now().Add(patience); os.RemoveAll(home) != nil; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Errorf("%s stays", home)
				return
			}
		}
	})
	return home
}

// Another opens another page of the same browser, which shares with it what pages of a browser share.
func (p *Page) Another() *Page {
	p.t.Helper()
	ctx, cancel := chromedp.NewContext(p.ctx)
	p.t.Cleanup(cancel)
	other := &Page{t: p.t, ctx: ctx}
	chromedp.ListenTarget(ctx, other.hear)
	return other
}

// hear notes complaints: exceptions, errors on the console, refusals by the policy of the page, and dialogs, which a page that runs a name
// of a trace as script would open.
func (p *Page) hear(event any) {
	note := func(format string, args ...any) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.messages = append(p.messages, fmt.Sprintf(format, args...))
	}
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		note("exception: %s", e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			note("console: %v", e.Args)
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError || e.Entry.Level == log.LevelWarning {
			note("log: %s", e.Entry.Text)
		}
	case *page.EventJavascriptDialogOpening:
		note("dialog: %s", e.Message)
		go chromedp.Run(p.ctx, page.HandleJavaScriptDialog(false))
	}
}

// Quiet reports what the page complained about since it was last asked.
func (p *Page) Quiet() {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.messages {
		p.t.Errorf("the browser says: %s", m)
	}
	p.messages = nil
}

// Do does something with the page, or ends the test.
func (p *Page) Do(actions ...chromedp.Action) {
	p.t.Helper()
	if err := chromedp.Run(p.ctx, actions...); err != nil {
		p.t.Fatalf("browser: %v", err)
	}
}

// Open goes to an address, and waits until the page has a heading. A file is read anew where only what stands behind # differs.
func (p *Page) Open(address string) {
	p.t.Helper()
	p.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(address), chromedp.WaitVisible("main h1", chromedp.ByQuery))
}

// Click clicks what a selector finds first.
func (p *Page) Click(selector string) {
	p.t.Helper()
	p.Do(chromedp.Click(selector, chromedp.ByQuery, chromedp.NodeVisible))
}

// Press presses a key as often as said, with the focus where it is.
func (p *Page) Press(key string, times int) {
	p.t.Helper()
	for range times {
		p.Do(chromedp.KeyEvent(key))
	}
}

// Wait waits until an expression of JavaScript is true, also while the page makes way for another one.
func (p *Page) Wait(expression string) {
	p.t.Helper()
	for {
		err := chromedp.Run(p.ctx, chromedp.Poll(expression, nil, chromedp.WithPollingInterval(50*time.Millisecond), chromedp.WithPollingTimeout(patience)))
		if err == nil {
			return
		}
		leaving := func(words string) bool { return strings.Contains(err.Error(), words) }
		if !leaving("Cannot find context") && !leaving("context was destroyed") && !leaving("target navigated") {
			p.t.Fatalf("browser: %s: %v", expression, err)
		}
	}
}

// Text is the text of what a selector finds first, as people see it.
func (p *Page) Text(selector string) (text string) {
	p.t.Helper()
	p.Do(chromedp.Text(selector, &text, chromedp.ByQuery))
	return strings.Join(strings.Fields(text), " ")
}

// Eval evaluates an expression of JavaScript into a value.
func Eval[T any](p *Page, expression string) (value T) {
	p.t.Helper()
	p.Do(chromedp.Evaluate(expression, &value, func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
	return value
}
