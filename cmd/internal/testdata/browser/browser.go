// Package browser opens pages in a real browser, for tests: Debian's chromium, or what else is found. Where there is none, tests say so and
// are skipped. Only tests import it.
package browser

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	protocol "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/tracelake/tracelake/pipeline/process"
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

// shared is the browser of all tests of a package: starting one takes some CPU seconds. It has no end of its own, but Main ends it.
var shared struct {
	once sync.Once
	ctx  context.Context // nil before, and where there is no browser
	err  error
	end  context.CancelFunc
	home string // of all of its files; "" before
}

// Main runs the tests of a package and then ends their browser; it is what TestMain of a package with browsers does.
func Main(m *testing.M) (code int) {
	defer func() {
		if shared.end != nil {
			shared.end()
			leave(shared.home)
		}
	}()
	return m.Run()
}

// leave removes the files of a browser that was ended. Processes of it write for some time yet.
func leave(home string) {
	for end := time.Now().Add(patience); process.RemoveFolder(home) != nil && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
}

// start starts the browser of a package, unless it runs.
func start() (context.Context, error) {
	shared.once.Do(func() {
		path := ""
		for _, name := range programs {
			if found, err := exec.LookPath(name); err == nil {
				path = found
				break
			}
		}
		if path == "" {
			return
		}
		// It has a short name, as the browser has a socket in it, whose path may have 107 bytes; the folder of a test may have a longer one. Its name
		// says whose it is, so that the next tests remove it where these are killed.
		if shared.home, shared.err = process.Folder("b"); shared.err != nil {
			return
		}
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
			chromedp.UserDataDir(filepath.Join(shared.home, "profile")), chromedp.Env("TMPDIR="+shared.home),
			chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(patience))
		ctx, endAll := chromedp.NewExecAllocator(context.Background(), options...)
		// A newer browser sends values that the package does not know yet, and it logs each of them.
		ctx, endBrowser := chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {}))
		shared.end = func() { endBrowser(); endAll() }
		shared.ctx, shared.err = ctx, chromedp.Run(ctx)
	})
	return shared.ctx, shared.err
}

// New opens a window of some size in the browser of the package; it ends with the test. It shares nothing with the windows of other tests: cookies,
// what is stored and what is cached are its own. The test is skipped where there is no browser.
func New(t testing.TB, width, height int) *Page {
	t.Helper()
	ctx, err := start()
	switch {
	case err != nil:
		t.Fatalf("browser: %v", err)
	case ctx == nil:
		t.Skip("no browser is installed, so that pages are not looked at: make peers installs chromium")
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	p := &Page{t: t, ctx: ctx}
	chromedp.ListenTarget(ctx, p.hear)
	p.Do(focused, chromedp.ActionFunc(func(ctx context.Context) error {
		c := chromedp.FromContext(ctx)
		ctx = cdp.WithExecutor(ctx, c.Browser)
		window, _, err := protocol.GetWindowForTarget().WithTargetID(c.Target.TargetID).Do(ctx)
		if err != nil {
			return err
		}
		return protocol.SetWindowBounds(window, &protocol.Bounds{Width: int64(width), Height: int64(height)}).Do(ctx)
	}))
	return p
}

// focused makes a page hear keys as the only one does, whichever window the browser takes to be in front.
var focused = emulation.SetFocusEmulationEnabled(true)

// Another opens another page of the same browser, which shares with it what pages of a browser share.
func (p *Page) Another() *Page {
	p.t.Helper()
	ctx, cancel := chromedp.NewContext(p.ctx)
	p.t.Cleanup(cancel)
	other := &Page{t: p.t, ctx: ctx}
	chromedp.ListenTarget(ctx, other.hear)
	other.Do(focused)
	return other
}

// SaveTo makes the page save files into a folder.
func (p *Page) SaveTo(folder string) {
	p.t.Helper()
	p.Do(chromedp.ActionFunc(func(ctx context.Context) error {
		own := chromedp.FromContext(ctx).BrowserContextID
		return protocol.SetDownloadBehavior(protocol.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(folder).WithBrowserContextID(own).Do(ctx)
	}))
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
