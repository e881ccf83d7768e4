package main

import (
	"context"
	"path/filepath"
	"time"

	"github.com/chromedp/chromedp"
)

// warmUp is for how long a browser may start and lay the components out before anything is measured.
const warmUp = 10 * time.Second

// watchPaint notes in the page when each number of executions of the marker was painted first, in ms of the clock of this machine, and counts pictures
// that differ. A callback before a frame is painted asks for one behind it.
const watchPaint = `(() => {
  window.painted = {}; window.pictures = 0;
  let before = "";
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    const now = document.querySelector("main").dataset.now;
    if (now !== before) window.pictures++;
    before = now;
    const title = document.querySelector('.ebd .part[data-component="marker"] title')?.textContent ?? "";
    const calls = Number((/([0-9,]+) executions?/.exec(title)?.[1] ?? "0").replaceAll(",", ""));
    if (!(calls in window.painted)) window.painted[calls] = performance.timeOrigin + performance.now();
  };
  const each = () => { channel.port2.postMessage(0); requestAnimationFrame(each); };
  requestAnimationFrame(each);
  return true;
})()`

// paint has a browser look at the system until ctx ends, without the timing diagram, and takes when events were painted.
func (t *trial) paint(ctx context.Context) error {
	own, cancel := chromedp.NewExecAllocator(context.WithoutCancel(ctx), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.WindowSize(1300, 1000),
		chromedp.UserDataDir(filepath.Join(t.dir, "browser")), chromedp.Env("TMPDIR="+t.dir))...) // which goes with the trial
	defer cancel()
	own, cancel = chromedp.NewContext(own, chromedp.WithErrorf(func(string, ...any) {}))
	defer cancel()
	var ready bool
	if err := chromedp.Run(own, chromedp.Navigate(t.visit), chromedp.Navigate(t.address+"/live/x#/?interval=1000000000000000000&timing=false"),
		chromedp.Poll(`document.querySelector('.ebd .part[data-component="marker"]') !== null`, &ready)); err != nil {
		return err
	}
	deadline, _ := ctx.Deadline()
	if rest := time.Until(deadline); rest > t.length-warmUp { // the same time is measured, however fast the browser is
		time.Sleep(rest - t.length + warmUp)
	}
	measured := time.Now()
	if err := chromedp.Run(own, chromedp.Evaluate(watchPaint, &ready)); err != nil {
		return err
	}
	<-ctx.Done()
	var seen map[int64]float64
	if err := chromedp.Run(own, chromedp.Evaluate("window.painted", &seen), chromedp.Evaluate("window.pictures", &t.paints)); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for n, at := range t.markers { // a picture may have several more
		first := 0.0
		for calls, ms := range seen {
			if calls > int64(n) && (first == 0 || ms < first) {
				first = ms
			}
		}
		if first > 0 && at.After(measured) {
			t.painted = append(t.painted, first-float64(at.UnixMicro())/1e3)
		}
	}
	return nil
}
