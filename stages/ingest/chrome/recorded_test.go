package chrome

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// unpacked is a recording.
func unpacked(t testing.TB, path string) string {
	text := readertest.Load(t, path)
	if strings.HasSuffix(path, ".gz") {
		text = expect.Value(io.ReadAll(expect.Value(gzip.NewReader(bytes.NewReader(text)))(t)))(t)
	}
	return string(text)
}

// dumped are the lines of uftrace's own dump, of every task: time in ns, kind, function and depth.
func dumped(t *testing.T, text string) map[string][]string {
	tasks := map[string][]string{}
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		f := strings.Fields(strings.NewReplacer("[exit ]", "[exit]").Replace(lines.Text()))
		if len(f) != 6 || f[4] != "depth:" {
			continue
		}
		ns := expect.Value(strconv.ParseInt(strings.Replace(f[0], ".", "", 1), 10, 64))(t)
		name := f[3][:strings.LastIndexByte(f[3], '(')]
		tasks[f[1]] = append(tasks[f[1]], fmt.Sprint(ns, " ", f[2], " ", name, " ", f[5]))
	}
	return tasks
}

// The calls of a dump for Chrome are those of the plain dump: names, times to the nanosecond, and nesting.
func TestUftrace(t *testing.T) {
	for _, scenario := range []string{"fast", "slow20ms"} {
		base := filepath.Join(readertest.Recordings(t), "uftrace", "curl", "curl-8.14.1-http-"+scenario+"-run1")
		got := map[string][]string{}
		r := read(unpacked(t, base+".chrome.json.zst"), options{})
		depth := map[string]int{}
		for _, e := range r.events {
			if e.Function == "linux:schedule" { // of which the plain dump has records of another kind
				continue
			}
			expect.Equal(expect.Must(t), e.Component, "curl", "component")
			word := "[entry]"
			if e.Kind == schema.Exit {
				word = "[exit]"
				depth[e.Lifeline]--
			}
			got[e.Lifeline] = append(got[e.Lifeline], fmt.Sprint(e.TimeNs, " ", word, " ", e.Function, " ", depth[e.Lifeline]))
			if e.Kind == schema.Enter {
				depth[e.Lifeline]++
			}
		}
		if r.err != nil || len(r.faults()) > 0 || len(got) != 2 {
			t.Fatalf("error %v, losses %v, lifelines %d", r.err, r.losses, len(got))
		}
		for task, want := range dumped(t, unpacked(t, base+".dump.txt.zst")) {
			lifeline := "curl"
			if strings.HasPrefix(task, "8734") || !strings.Contains(want[0], " main ") {
				lifeline = "curl#2"
			}
			lines := got[lifeline]
			t.Logf("%s %s: %d lines in the plain dump, %d events here", scenario, lifeline, len(want), len(lines))
			if len(want) > len(lines) {
				t.Fatalf("%s: %d events, want %d", lifeline, len(lines), len(want))
			}
			for i := range want {
				expect.Equal(expect.Must(t), lines[i], want[i], "%s, event %d", lifeline, i)
			}
			for _, closed := range lines[len(want):] { // which the dump for Chrome closes
				if !strings.Contains(closed, "[exit]") {
					t.Fatalf("%s: %s is not in the plain dump", lifeline, closed)
				}
			}
		}
	}
}

// TestSamples reads every sample of other projects without an error, and logs the losses of the largest.
func TestSamples(t *testing.T) {
	large := []string{"Trace-20230603T221323.json", "no-arg-data.json", "simple-timeline.json"}
	for path, text := range readertest.Texts(t, readertest.ThirdParty(t, "chrome-json", "speedscope-trace-event"), ".json") {
		r := read(text, options{})
		if detected := Detect([]byte(text[:min(len(text), 1<<16)])); r.err != nil || !detected {
			t.Errorf("%s: detected %v: %v", path, detected, r.err)
		}
		if slices.Contains(large, filepath.Base(path)) {
			t.Logf("%s: %d events, losses %v", path, len(r.events), r.losses)
		}
	}
}

// TestFlows reads the flows of real traces: every f of go build's has its s, each between the calls that they stand with,
// and a profile of PyTorch has its 139 launches, 18 of which have the f before the s. No call is invented.
func TestFlows(t *testing.T) {
	for path, want := range map[string]string{
		filepath.Join(readertest.Recordings(t), "chrome", "gobuild_debug_trace.json.zst"):         "3776 calls, 2613 messages",
		filepath.Join(readertest.ThirdParty(t, "kineto"), "simple_add.json.gz"):                   "840 calls, 139 messages",
		filepath.Join(readertest.ThirdParty(t, "kineto"), "cuda_event_sync_multi_stream.json.gz"): "59 calls, 8 messages",
	} {
		r := read(unpacked(t, path), options{})
		calls, messages, sent := 0, 0, map[int64]bool{}
		for _, e := range r.events {
			if e.Synthetic {
				t.Errorf("%s: %+v is invented", path, e)
			}
			if e.Kind == schema.Enter {
				calls++
			}
			if e.Direction == schema.Receive && sent[e.ID] && e.Label != awaitedLabel {
				messages++
			}
			sent[e.ID] = sent[e.ID] || e.Direction == schema.Send
		}
		expect.Equal(t, fmt.Sprintf("%d calls, %d messages", calls, messages), want, "%s", path)
	}
}
