package main

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestAsked breaks one limit after the other, and sees that this one is named, and no other.
func TestAsked(t *testing.T) {
	fine := func() *trial {
		return &trial{
			options: options{length: time.Minute, pages: 2, keep: 1e9, check: true, sleeps: true, restarts: true, against: time.Minute}, out: io.Discard,
			frames: []int{1500, 1490}, bytes: []float64{15_000}, made: []float64{1}, late: []float64{50, 90}, moments: []float64{10}, painted: []float64{60},
			woken: []float64{300}, wakings: 2, returned: []float64{800, 900, 1000}, compared: 9, left: 2, most: [2]int64{80_000, 90_000}, disk: 9e8, sealed: 1.1,
		}
	}
	expect.OK(t, fine().asked(20))
	percent := 20.0
	for words, broken := range map[string]func(*trial){
		"ms between frames":                   func(t *trial) { t.frames[1] = 1300 },
		"ms to make a frame":                  func(t *trial) { t.made[0] = 2.5 },
		"bytes of a frame":                    func(t *trial) { t.bytes[0] = 21_000 },
		"ms to the page at the median":        func(t *trial) { t.late = []float64{99, 101, 102} },
		"ms to the page at p95":               func(t *trial) { t.late = []float64{50, 50, 201} },
		"ms for two moments at p95":           func(t *trial) { t.moments[0] = 101 },
		"% of a core":                         func(*trial) { percent = 31 },
		"MB of memory":                        func(t *trial) { t.most[0] = 211_000 },
		"painted at the median":               func(t *trial) { t.painted = []float64{101, 102} },
		"painted at p95":                      func(t *trial) { t.painted = []float64{1, 1, 201} },
		"times an ingest":                     func(t *trial) { t.sealed = 1.3 },
		"a page that woke":                    func(t *trial) { t.woken = []float64{300, 2100} },
		"goes on after its server was killed": func(t *trial) { t.returned[1] = 5100 },
		"bytes of the disk":                   func(t *trial) { t.disk = 1.1e9 },
		"no event was seen":                   func(t *trial) { t.late = nil },
		"no frame had a difference":           func(t *trial) { t.compared = 0 },
		"3 recordings are left":               func(t *trial) { t.left = 3 },
		"no moment":                           func(t *trial) { t.moments = nil },
		"no page slept":                       func(t *trial) { t.woken = nil },
		"after 2 of 3 wakings":                func(t *trial) { t.wakings = 3 },
		"2 of 3 pages went on":                func(t *trial) { t.returned = t.returned[:2] },
	} {
		one := fine()
		percent = 20
		broken(one)
		if err := one.asked(percent); err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", words, err)
		}
		one.check = false
		expect.OK(t, one.asked(percent))
	}
	if got := fine().between(); got < 39 || got > 39.5 {
		t.Errorf("%.2f ms between frames at the page that got fewest", got)
	}
}

// TestNumbered finds the last execution of the marker of a run that begins with any.
func TestNumbered(t *testing.T) {
	for first := int64(1); first < 40; first += 13 {
		sum := int64(0)
		for n := first; n < first+30; n++ {
			sum += n
			expect.Equal(t, numbered(n-first+1, sum), n, "the last one")
		}
	}
	expect.Equal(t, numbered(0, 0), 0, "none")
}

// TestTake reads frames of a page that measures and woke while its server was started again.
func TestTake(t *testing.T) {
	began := time.Now()
	one := &trial{sent: map[int64]time.Time{2: began, 3: began, 4: began}, killed: began.Add(-time.Minute)}
	p := &page{trial: one, measures: true, since: began, stale: true, newest: 3, returns: true}
	p.take([]byte(`{"components":["a","marker"],"calls":[9,1],"busy_ns":[9,2],"running":[0,0],"made_us":700}`), began.Add(40*time.Millisecond))
	expect.Equal(t, len(one.woken), 0, "the third one was sent when it woke, and does not show")
	p.take([]byte(`{"calls":[9,3],"busy_ns":[9,20],"running":[0,1],"made_us":700}`), began.Add(60*time.Millisecond))
	expect.Equal(t, len(one.sent), 2, "one that runs has no time yet")
	p.take([]byte(`{"calls":[9,2],"busy_ns":[9,5],"running":[0,0],"made_us":900}`), began.Add(80*time.Millisecond))
	expect.Slice(t, one.late, []float64{40, 80}, "how late events were")
	expect.Slice(t, one.woken, []float64{80}, "when it was up to date")
	expect.Slice(t, one.returned, []float64{40}, "when it went on")
	expect.Equal(t, p.frames, 3, "frames")

	sleeper := &page{trial: &trial{}, awake: time.Second, marker: -1, since: began}
	sleeper.take([]byte(`{"components":["a","marker"],"calls":[9,1],"busy_ns":[9,1],"running":[0,0]}`), began)
	sleeper.stale, sleeper.newest = true, 2
	sleeper.take([]byte(`{"calls":[9,2],"busy_ns":[9,3],"running":[0,0]}`), began.Add(30*time.Millisecond))
	expect.Slice(t, sleeper.woken, []float64{30}, "a page that slept had the names before")
}
