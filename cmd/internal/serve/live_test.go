package serve

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/live"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/text"
	"github.com/tracelake/tracelake/testdata/expect"
)

// recording begins to record a run of the dialect of trace.
func recording(t *testing.T, l *lake.Lake, run string) (*live.Recording, *live.Decoder) {
	t.Helper()
	r := expect.Value(live.Open(l, run, "x.tmsctrace"))(t)
	d := expect.Value(r.Show(live.Reading{
		File: "x.tmsctrace", Say: func(string) {}, Detect: func(string, []byte) (schema.Format, error) { return text.Tmsctrace(), nil },
	}))(t)
	return r, d
}

// framesOf reads a stream of frames and events; each is a line.
func framesOf(t *testing.T, client *http.Client, address string) (next func() (event string, f shownFrame)) {
	t.Helper()
	r := expect.Value(client.Get(address))(t)
	t.Cleanup(func() { r.Body.Close() })
	expect.Equal(t, r.StatusCode, http.StatusOK, "the stream")
	in := bufio.NewReader(r.Body)
	return func() (event string, f shownFrame) {
		t.Helper()
		for {
			line := strings.TrimSpace(expect.Value(in.ReadString('\n'))(t))
			if word, is := strings.CutPrefix(line, "event: "); is {
				event = word
			}
			if data, is := strings.CutPrefix(line, "data: "); is {
				if event == "" {
					expect.OK(t, json.Unmarshal([]byte(data), &f))
				}
				return event, f
			}
		}
	}
}

// TestFrames looks at a run while it is recorded: frames follow each other, what runs counts up to now, and two pages have frames of their own.
// When the recording is taken away the stream says so, and the stored run has the same numbers.
func TestFrames(t *testing.T) {
	l := newLake(t)
	address, _, client := start(t, l)
	r, d := recording(t, l, "now")
	lines := strings.SplitAfter(trace, "\n")
	took := func(from, to int) {
		t.Helper()
		expect.OK(t, d.Take([]byte(strings.Join(lines[from:to], "")), time.Now()))
	}
	took(0, 3)
	next := framesOf(t, client, address+"/api/live/now/frames?interval=100000000000000&pixels=100&times=real")
	event, f := next()
	expect.Equal(t, event, "", "the first event")
	expect.Equal(t, f.Number, int64(1), "the first frame")
	expect.Slice(t, f.Components, []string{"a", "b"}, "components")
	expect.Slice(t, f.Calls, []int64{1, 1}, "executions so far")
	expect.Slice(t, f.Running, []int64{1, 1}, "running")
	expect.Equal(t, f.Alive, true, "alive")
	if f.SelfNs[0] != 100 || f.SelfNs[1] <= 0 || f.Hotness[1] != 100 { // a waits for b, which goes on
		t.Errorf("while b runs: %+v", f.Frame)
	}
	took(3, 6)
	for range 100 { // a frame that shows what came
		before := f.Number
		if _, f = next(); f.Number != before+1 {
			t.Fatalf("frame %d follows %d", f.Number, before)
		}
		if f.Running[0] == 0 {
			break
		}
	}
	expect.Slice(t, f.BusyNs, []int64{2000, 700}, "raw times")
	expect.Slice(t, f.SelfNs, []int64{1100, 700}, "real times")
	_, other := framesOf(t, client, address+"/api/live/now/frames?metric=calls&interval=100000000000000")()
	expect.Slice(t, other.Hotness, []int{100, 100}, "by calls")
	var listed struct{ Recordings []string }
	expect.OK(t, json.Unmarshal(get(t, client, address+"/api/live"), &listed))
	expect.Slice(t, listed.Recordings, []string{"now"}, "recordings")
	expect.OK(t, d.Close())
	expect.OK(t, r.Remove())
	for event == "" {
		event, _ = next()
	}
	expect.Equal(t, event, "ended", "the last event")

	var stored shownFrame
	expect.OK(t, json.Unmarshal(get(t, client, address+"/api/live/r2/frame?at=2000&interval=2000&span=2000&pixels=1000"), &stored))
	expect.Slice(t, stored.BusyNs, []int64{2000, 700}, "raw times of the stored run")
	expect.Slice(t, stored.SelfNs, []int64{1100, 700}, "real times of the stored run")
	expect.Slice(t, stored.Boxes.StartNs, []int64{0, 200}, "executions begin")
	expect.Slice(t, stored.Boxes.EndNs, []int64{2000, 900}, "and end")
	expect.Slice(t, stored.Boxes.WorkFrom, []int64{0, 200, 1000}, "work begins")
	expect.Slice(t, stored.Boxes.WorkTo, []int64{100, 900, 2000}, "and ends")
	if links := stored.Links; len(links) != 2 || links[0].From+links[1].From != -1 {
		t.Errorf("links: %+v", links) // nobody calls main, a calls b
	}
	// A window that cuts b.
	expect.OK(t, json.Unmarshal(get(t, client, address+"/api/live/r2/frame?at=2000&offset=1500&interval=200"), &stored))
	expect.Slice(t, stored.BusyNs, []int64{200, 200}, "in a window")
	for path, code := range map[string]int{"/api/live/nothing/frame": 404, "/api/live/r2/frame?metric=x": 400, "/api/live/r2/frames?colour=x": 400, "/live/r2": 200, "/live/": 200, "/assets/live.js": 200} {
		r := expect.Value(client.Get(address + path))(t)
		r.Body.Close()
		expect.Equal(t, r.StatusCode, code, "%s", path)
	}
}

// get reads an answer.
func get(t *testing.T, client *http.Client, address string) []byte {
	t.Helper()
	r := expect.Value(client.Get(address))(t)
	defer r.Body.Close()
	var b strings.Builder
	_, err := bufio.NewReader(r.Body).WriteTo(&b)
	expect.OK(t, err)
	if r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", address, b.String())
	}
	return []byte(b.String())
}

// TestLeftBehind sees that a recording of a program that does not show it is told as one.
func TestLeftBehind(t *testing.T) {
	l := newLake(t)
	address, _, client := start(t, l)
	r := expect.Value(live.Open(l, "left", "x"))(t)
	expect.OK(t, r.Append([]byte("something"), time.Now()))
	expect.OK(t, r.Close())
	answer := expect.Value(client.Get(address + "/api/live/left/frame"))(t)
	defer answer.Body.Close()
	expect.Equal(t, answer.StatusCode, http.StatusNotFound, "its frame")
	_, err := os.Stat(live.Folder(l, "left"))
	expect.OK(t, err)
}

// TestSeries looks at a series by its name: the stream shows the recording at hand, and ends when the next one begins, which the name stands for then.
func TestSeries(t *testing.T) {
	l := newLake(t)
	address, _, client := start(t, l)
	first := strings.Join(strings.SplitAfter(trace, "\n")[:3], "")
	r, d := recording(t, l, "s-0001")
	expect.OK(t, d.Take([]byte(first), time.Now()))
	next := framesOf(t, client, address+"/api/live/s/frames")
	_, f := next()
	expect.Equal(t, f.Run, "s-0001", "the run at hand")
	later, also := recording(t, l, "s-0002")
	expect.OK(t, also.Take([]byte(first), time.Now()))
	event := ""
	for event == "" {
		event, _ = next()
	}
	expect.Equal(t, event, "ended", "the last event")
	_, f = framesOf(t, client, address+"/api/live/s/frames")()
	expect.Equal(t, f.Run, "s-0002", "the run at hand")
	expect.OK(t, json.Unmarshal(get(t, client, address+"/api/live/s-0001/frame"), &f))
	expect.Equal(t, f.Run, "s-0001", "a run by its own name")
	expect.OK(t, errors.Join(d.Close(), also.Close(), r.Remove(), later.Remove()))
	answer := expect.Value(client.Get(address + "/api/live/s/frame"))(t)
	expect.OK(t, answer.Body.Close())
	expect.Equal(t, answer.StatusCode, http.StatusNotFound, "a series of which nothing is there")
}

// TestPagesShareAStream has one stream for six pages: of two runs, with sights of their own, of a run that ends, and of one that there is not. Each gets
// frames with all names first, and what ends for one goes on for the others.
func TestPagesShareAStream(t *testing.T) {
	l := newLake(t)
	address, _, client := start(t, l)
	r, d := recording(t, l, "now")
	expect.OK(t, d.Take([]byte(strings.Join(strings.SplitAfter(trace, "\n")[:3], "")), time.Now()))
	query := make(url.Values)
	for i, page := range []string{"now?interval=1000000", "now?metric=calls", "now?times=real", "r2?at=0&speed=100", "r2?at=0&speed=1", "nothing?x=y"} {
		query.Add("page", fmt.Sprint(i+1, " ", page))
	}
	a := expect.Value(client.Get(address + "/api/frames?" + query.Encode()))(t)
	defer a.Body.Close()
	in := bufio.NewReader(a.Body)
	frames, events := make(map[string]int), make(map[string]string)
	until := func(enough func() bool) {
		t.Helper()
		event := ""
		for begins := time.Now(); !enough(); {
			if time.Since(begins) > 20*time.Second {
				t.Fatalf("frames %v, events %v", frames, events)
			}
			line := strings.TrimSpace(expect.Value(in.ReadString('\n'))(t))
			if word, is := strings.CutPrefix(line, "event: "); is {
				event = word
			}
			if data, is := strings.CutPrefix(line, "data: "); is {
				page, text, _ := strings.Cut(data, " ")
				if event != "" {
					events[page], event = event, ""
					continue
				}
				var f shownFrame
				expect.OK(t, json.Unmarshal([]byte(text), &f))
				expect.Equal(t, f.Number, int64(frames[page]+1), "the frame of page %s", page)
				if frames[page]++; f.Number == 1 {
					expect.Slice(t, f.Components, []string{"a", "b"}, "components of page %s", page)
				}
			}
		}
	}
	until(func() bool {
		return frames["1"] > 2 && frames["2"] > 2 && frames["3"] > 2 && frames["4"] > 0 && frames["5"] > 0 && events["6"] != ""
	})
	expect.OK(t, errors.Join(d.Close(), r.Remove()))
	until(func() bool { return len(events) == 4 })
	expect.Deep(t, events, map[string]string{"1": "ended", "2": "ended", "3": "ended", "6": "failed"}, "what ends")
	for _, wrong := range []string{"", "?" + strings.Repeat("page=1+now&", 65)} {
		a := expect.Value(client.Get(address + "/api/frames" + wrong))(t)
		expect.OK(t, a.Body.Close())
		expect.Equal(t, a.StatusCode, http.StatusBadRequest, "a stream for too few or too many")
	}
}
