package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// seen is what is read of a frame.
type seen struct {
	Components []string `json:"components"`
	Calls      []int64  `json:"calls"`
	BusyNs     []int64  `json:"busy_ns"`
	Running    []int64  `json:"running"`
	MadeUs     int64    `json:"made_us"`
	Against    *struct {
		Difference []int `json:"difference"`
	} `json:"against"`
	NowNs int64 `json:"now_ns"`
}

// page reads frames as a page does, of one run of a series after the other, and from a server that is started again.
type page struct {
	*trial
	measures bool          // it says what frames cost, and when events come
	awake    time.Duration // it sleeps whenever it was awake for so long; 0: never

	marker  int       // the place of the marker among the components; -1: it was not seen
	frames  int       // that came
	opened  time.Time // the stream
	since   time.Time // when it began to be awake
	stale   bool      // it woke, and is not up to date yet
	newest  int64     // the marker that had been sent then
	returns bool      // the server was started again, and no frame came since
	back    bool      // one came
}

// asleep is how long a page sleeps that does.
const asleep = 20 * time.Second

// watch reads until ctx ends.
func (p *page) watch(ctx context.Context) error {
	p.since = time.Now()
	for ctx.Err() == nil {
		err := p.stream(ctx)
		switch {
		case err == nil || ctx.Err() != nil:
		case p.outage(p.opened):
			p.returns = !p.back
			time.Sleep(frameEvery)
		case p.roll == "" || !errors.Is(err, io.EOF):
			return err
		}
	}
	return nil
}

// compares is what the address of a page says of the baseline.
func (t *trial) compares() string {
	if t.against == 0 {
		return ""
	}
	return "&against=" + baseline + "&component=component-7&function=f"
}

// frameEvery is how often frames are asked for: 25 times a second.
const frameEvery = 40 * time.Millisecond

// stream reads frames until the stream ends.
func (p *page) stream(ctx context.Context) error {
	p.opened = time.Now()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.address+"/api/live/x/frames?interval=1000000000000000000&pixels=0"+p.compares(), nil)
	if err != nil {
		return err
	}
	a, err := p.client().Do(r)
	if err != nil {
		return err
	}
	defer a.Body.Close()
	if a.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(a.Body)
		return fmt.Errorf("the stream of a page: %s", text)
	}
	lines := bufio.NewReaderSize(a.Body, 1<<20)
	p.marker = -1
	for {
		if p.awake > 0 && time.Since(p.since) >= p.awake {
			p.sleep(ctx)
		}
		line, err := lines.ReadBytes('\n')
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("the stream of a page: %w", err)
		}
		if data, is := bytes.CutPrefix(line, []byte("data: ")); is {
			p.take(data, time.Now())
		}
	}
}

// sleep reads nothing for a time, while the server goes on to send.
func (p *page) sleep(ctx context.Context) {
	select {
	case <-time.After(asleep):
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.since, p.stale, p.newest = time.Now(), true, int64(len(p.markers))
	p.wakings++
}

// take takes a frame.
func (p *page) take(data []byte, now time.Time) {
	unplaced := p.awake > 0 && p.marker < 0                 // the names come once: a page that sleeps needs them when it wakes
	if !p.measures && !p.stale && !p.returns && !unplaced { // only the number of frames counts
		p.frames++
		return
	}
	var f seen
	if err := json.Unmarshal(data, &f); err != nil {
		return // the word that the run of a series ended
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frames++
	if p.returns {
		p.returns, p.back = false, true
		p.returned = append(p.returned, ms(min(now.Sub(p.killed), now.Sub(p.since)))) // one that slept cannot be earlier
	}
	if p.measures && (p.against == 0 || f.Against != nil && f.Against.Difference != nil) { // else the baseline is being read
		p.compared++
		p.bytes, p.made = append(p.bytes, float64(len(data))), append(p.made, float64(f.MadeUs)/1e3)
	}
	if len(f.Components) > 0 {
		p.marker = slices.Index(f.Components, "marker")
	}
	if p.marker < 0 || p.marker >= len(f.Calls) || f.Running[p.marker] > 0 {
		return
	}
	last := numbered(f.Calls[p.marker], f.BusyNs[p.marker])
	if p.stale && last >= p.newest {
		p.woken = append(p.woken, ms(now.Sub(p.since)))
		p.stale = false
	}
	if !p.measures {
		return
	}
	for n, at := range p.sent {
		if n <= last {
			if at.After(p.killed.Add(outageAtMost)) || now.Before(p.killed) || p.killed.IsZero() {
				p.late = append(p.late, ms(now.Sub(at)))
			}
			delete(p.sent, n)
		}
	}
}

// admitted keeps the cookie of a server.
type admitted struct{ cookie string }

func (a *admitted) RoundTrip(r *http.Request) (*http.Response, error) {
	if a.cookie != "" {
		r.Header.Set("Cookie", a.cookie)
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && answer.Header.Get("Set-Cookie") != "" {
		a.cookie, _, _ = strings.Cut(answer.Header.Get("Set-Cookie"), ";")
	}
	return answer, err
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }
