package serve

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/testdata/browser"
	"github.com/tracelake/tracelake/pipeline/workers"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestSixPages has six pages of a browser look at a system that runs, which a browser allows six connections to: all go on, also when a seventh one
// asks for something else. A page that sleeps gets nothing and goes on when it wakes, and all go on when the server was started again.
func TestSixPages(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser with seven pages takes some time")
	}
	first := browser.New(t, 1300, 1000)
	l := newLake(t)
	listener := expect.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	address, token := listener.Addr().String(), newToken()
	var server *http.Server
	var serving workers.Group
	serve := func(on net.Listener) {
		f := &command{Globals: &console.Globals{Lake: "lake", Memory: 512 << 20, Jobs: 1}}
		server = f.server(t.Context(), l, token, "127.0.0.1")
		own := server
		serving.Go(func() error {
			if err := own.Serve(on); !errors.Is(err, http.ErrServerClosed) {
				return err
			}
			return nil
		})
	}
	serve(listener)
	r, d := recording(t, l, "now")
	over := make(chan struct{})
	var system workers.Group
	system.Go(func() error { // the traced system: b becomes slower and slower
		for i := 0; ; i++ {
			at := float64(i) / 10
			err := d.Take(fmt.Appendf(nil, "%.9f e a > main\n%.9f f b > work\n%.9f f b < work\n%.9f e a < main\n", at, at+.01, at+.02+float64(i%50)/1000, at+.08), time.Now())
			if err != nil {
				return err
			}
			select {
			case <-over:
				return nil
			case <-time.After(100 * time.Millisecond):
			}
		}
	})
	pages := []*browser.Page{first}
	first.Do(chromedp.Navigate("http://" + address + "/?token=" + token))
	for range 5 {
		pages = append(pages, first.Another())
	}
	const now = `document.querySelector(".ebd .part") ? Number(document.querySelector("main").dataset.now) : 0`
	at := func(p *browser.Page) int64 { return browser.Eval[int64](p, now) }
	goOn := func(why string) {
		t.Helper()
		for i, p := range pages {
			before := at(p)
			p.Wait(fmt.Sprintf("(%s) > %d", now, before+300_000_000))
			if p.Quiet(); t.Failed() {
				t.Fatalf("page %d: %s", i, why)
			}
		}
	}
	for i, p := range pages {
		p.Do(chromedp.Navigate(fmt.Sprintf("http://%s/live/now#/?metric=%s", address, []string{"overall", "mean", "calls"}[i%3])))
		p.Wait(now + " > 0")
	}
	goOn("six pages at once")
	seventh := first.Another()
	seventh.Open("http://" + address + "/live/")
	goOn("beside a seventh page")
	visible := func(state string) string {
		return fmt.Sprintf(`Object.defineProperty(document, "visibilityState", { value: %q, configurable: true }); document.dispatchEvent(new Event("visibilitychange")), true`, state)
	}
	browser.Eval[bool](first, visible("hidden"))
	time.Sleep(300 * time.Millisecond)
	asleep := at(first)
	pages[1].Wait(fmt.Sprintf("(%s) > %d", now, asleep+1_000_000_000))
	expect.Equal(t, at(first), asleep, "the page that sleeps")
	browser.Eval[bool](first, visible("visible"))
	goOn("when it wakes")

	expect.OK(t, server.Close())
	again := expect.Value(net.Listen("tcp", address))(t)
	serve(again)
	for _, p := range pages {
		before := at(p)
		p.Wait(fmt.Sprintf("(%s) > %d", now, before+300_000_000))
	}
	close(over)
	expect.OK(t, errors.Join(system.Wait(), d.Close(), r.Remove()))
	expect.OK(t, errors.Join(server.Close(), serving.Wait()))
}

// TestBrowserLeavesNothing sees that the files of a browser are gone when the process of the tests that shared it has ended.
func TestBrowserLeavesNothing(t *testing.T) {
	const inner = "TRACELAKE_BROWSER_LEAVES"
	if os.Getenv(inner) != "" {
		browser.New(t, 800, 600).Do(chromedp.Navigate("about:blank"))
		if left := expect.Value(os.ReadDir(os.TempDir()))(t); len(left) != 1 { // or the browser has its files elsewhere
			t.Errorf("while it runs: %v", left)
		}
		return
	}
	temporary := expect.Value(os.MkdirTemp("/tmp", "t"))(t) // any other folder has too long a name for the socket of a browser
	defer os.RemoveAll(temporary)
	tests := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v")
	tests.Env = append(os.Environ(), "TMPDIR="+temporary, inner+"=yes")
	said, err := tests.CombinedOutput()
	switch {
	case err != nil:
		t.Errorf("%v: %s", err, said)
	case bytes.Contains(said, []byte("--- SKIP")):
		t.Skipf("%s", said)
	}
	expect.Slice(t, expect.Value(os.ReadDir(temporary))(t), nil, "what is left")
}
