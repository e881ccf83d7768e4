package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/tracelake/tracelake/cmd/internal/testdata/browser"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/workers"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/text"
	"github.com/tracelake/tracelake/testdata/expect"
)

// request is a request that a takes, for which b works, as text of a trace. Times are ms.
func request(at, works float64) string {
	return fmt.Sprintf("%.9f e a > main\n%.9f e a > ask !q\n%.9f f b > work ?q\n%.9f f b < work !r\n%.9f e a < ask ?r\n%.9f e a < main\n",
		at/1e3, (at+1)/1e3, (at+1.1)/1e3, (at+1.1+works)/1e3, (at+1.2+works)/1e3, (at+2+works)/1e3)
}

// usual is how long b works for a request when nothing is amiss.
func usual(i int) float64 { return 2 + float64(i%7)/10 }

// storeCalm makes a run of a system that takes 2 ms for a request, give or take, 50 times a second for a minute, and cleans up at its end.
func storeCalm(t *testing.T, l *lake.Lake, run string) {
	t.Helper()
	var b strings.Builder
	for i := range 3000 {
		b.WriteString(request(20*float64(i), usual(i)))
	}
	b.WriteString("60.000000000 z cleaner > clean\n60.001000000 z cleaner < clean\n")
	path := filepath.Join(t.TempDir(), "calm.tmsctrace")
	expect.OK(t, os.WriteFile(path, []byte(b.String()), 0o600))
	detect := func(string, []byte) (schema.Format, error) { return text.Tmsctrace(), nil }
	_, _, err := ingest.Run(t.Context(), ingest.Job{Lake: l, Run: run, Paths: []string{path}, Detect: detect, Incomplete: "complete", Untraced: "ignore", Jobs: 1})
	expect.OK(t, err)
}

// TestFramesAgainst compares a recording with a stored run: a frame that waits for the baseline has all of it, a stream has it when it was read, and
// what a baseline cannot be is said.
func TestFramesAgainst(t *testing.T) {
	l := newLake(t)
	storeCalm(t, l, "calm")
	address, _, client := start(t, l)
	r, d := recording(t, l, "now")
	for i := range 100 {
		expect.OK(t, d.Take([]byte(request(20*float64(i), usual(i)*[]float64{1, 4}[i/50])), time.Now()))
	}
	sight := func(at int) string {
		return fmt.Sprintf("at=%d&interval=500000000&span=2000000000&metric=mean&against=calm&component=b&function=work&times=real", at*1_000_000)
	}
	var f shownFrame
	expect.OK(t, json.Unmarshal(get(t, client, address+"/api/live/now/frame?"+sight(900)), &f))
	expect.Equal(t, f.Against.Cause, "", "why nothing is compared")
	expect.Slice(t, f.Against.Judged.Candidates, nil, "candidates before")
	expect.Slice(t, f.Components, []string{"a", "b"}, "components")
	expect.Slice(t, f.Against.Difference, []int{-9, 0}, "difference before: a request begins where the window ends, and counts, which few windows have")
	expect.OK(t, json.Unmarshal(get(t, client, address+"/api/live/now/frame?"+sight(1900)), &f))
	expect.Slice(t, f.Against.Difference, []int{-1, 100}, "difference after, in real time")
	expect.Equal(t, len(f.Against.Judged.Candidates), 1, "candidates after")
	c := f.Against.Judged.Candidates[0]
	expect.Equal(t, fmt.Sprintf("%s.%s %d %d", f.Components[c.Component], f.Functions[c.Function], c.MeanNs, c.BaseNs), "b.work 9104000 2299800", "the candidate")
	expect.Equal(t, f.Against.Chart.Calls, int64(95), "calls of the chart")
	expect.Equal(t, f.Against.Chart.Beyond, 45, "points outside of the limits")

	next := framesOf(t, client, address+"/api/live/now/frames?"+sight(1900)+"&speed=100")
	for judged := false; !judged; {
		event, f := next()
		expect.Equal(t, event, "", "an event")
		expect.Equal(t, f.Against.Run, "calm", "the baseline")
		judged = f.Against.Judged != nil
	}
	for path, code := range map[string]int{"/api/live/now/frame?against=nothing": 404, "/api/live/now/frames?against=nothing": 404} {
		r := expect.Value(client.Get(address + path))(t)
		expect.OK(t, r.Body.Close())
		expect.Equal(t, r.StatusCode, code, "%s", path)
	}
	expect.OK(t, errors.Join(d.Close(), r.Remove()))
}

// TestSlowerWhileItRuns looks at a system beside a stored run, and makes a function of it slower: the component turns red, the function is a candidate
// with a control chart that leaves its limits, and a drag of the time scale leads to the moment before.
func TestSlowerWhileItRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser that looks at a system for some seconds takes some time")
	}
	page := browser.New(t, 1300, 1500)
	l := newLake(t)
	storeCalm(t, l, "calm")
	address, token, _ := start(t, l)
	r, d := recording(t, l, "now")
	over := make(chan struct{})
	var slow atomic.Bool
	var system workers.Group
	system.Go(func() error {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		began := time.Now()
		for i := 0; ; i++ {
			works := usual(i)
			if slow.Load() {
				works *= 5
			}
			at := float64(time.Since(began).Microseconds())/1e3 - 2 - works // it has just ended
			if at > 0 {
				if err := d.Take([]byte(request(at, works)), time.Now()); err != nil {
					return err
				}
			}
			select {
			case <-over:
				return nil
			case <-tick.C:
			}
		}
	})
	page.Do(chromedp.Navigate(address + "/?token=" + token))
	page.Do(chromedp.Navigate(address + "/live/now#/?" + url.Values{"against": {"calm"}, "metric": {"mean"}, "times": {"real"}, "interval": {"500000000"}, "span": {"6000000000"}}.Encode()))
	hotness := `Number(document.querySelector('.ebd .part[data-component="b"]')?.dataset.hotness ?? -1000)`
	page.Wait(fmt.Sprintf("Math.abs(%s) < 30 && Number(document.querySelector('main').dataset.now) > 3e9 && document.body.textContent.includes('Nothing strikes')", hotness))

	began := time.Now()
	slow.Store(true)
	page.Wait(hotness + " > 80")
	red := time.Since(began)
	t.Logf("it is red after %v", red.Round(time.Millisecond))
	if red > 3*time.Second { // a second was asked; the machine may be busy
		t.Errorf("it is red after %v", red)
	}
	fill := browser.Eval[string](page, `document.querySelector('.ebd .part[data-component="b"] rect').getAttribute("fill")`)
	var rgb [3]int
	fmt.Sscanf(fill, "rgb(%d %d %d)", &rgb[0], &rgb[1], &rgb[2])
	if rgb[0] < 200 || rgb[1] > 120 || rgb[2] > 120 {
		t.Errorf("its colour is %s", fill)
	}
	page.Wait(`document.querySelector('.ebd .part.unseen[data-component="cleaner"]')?.textContent.includes("not seen yet")`)
	page.Wait(`document.querySelector(".candidates tbody tr")?.textContent.startsWith("b.work")`)
	// A mouse aims where the button was: what stands above it may have grown by then.
	page.Do(chromedp.Evaluate(`[...document.querySelectorAll(".candidates button")].find((b) => b.textContent.startsWith("b.work")).click()`, nil))
	page.Wait(`document.querySelectorAll(".controlchart circle.outside").length > 5 && document.querySelector(".controlchart .band") !== null`)
	lastLook(t, page, "slower")

	// The moment before is one drag away.
	box := browser.Eval[[]float64](page, `(() => { const b = document.querySelector(".scale").getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()`)
	back := (time.Since(began) + time.Second).Seconds() / 6 * box[2]
	x, y := box[0]+20, box[1]+8
	page.Do(input.DispatchMouseEvent(input.MousePressed, x, y).WithButton(input.Left).WithClickCount(1),
		input.DispatchMouseEvent(input.MouseMoved, x+back/2, y).WithButton(input.Left), input.DispatchMouseEvent(input.MouseMoved, x+back, y).WithButton(input.Left),
		input.DispatchMouseEvent(input.MouseReleased, x+back, y).WithButton(input.Left).WithClickCount(1))
	page.Wait(fmt.Sprintf(`Math.abs(%s) < 30 && document.querySelector("h1").textContent.includes("paused") && document.body.textContent.includes("Nothing strikes")`, hotness))
	lastLook(t, page, "before")
	page.Quiet()
	close(over)
	expect.OK(t, errors.Join(system.Wait(), d.Close(), r.Remove()))
}

// lastLook keeps a picture of the page where the variable TRACELAKE_LOOK names a folder, for whoever wants to see what the test saw.
func lastLook(t *testing.T, page *browser.Page, name string) {
	t.Helper()
	if dir := os.Getenv("TRACELAKE_LOOK"); dir != "" {
		var picture []byte
		page.Do(chromedp.FullScreenshot(&picture, 100))
		expect.OK(t, os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o600))
	}
}
