package chrome

import (
	"bufio"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// unpacked is a recording.
func unpacked(t testing.TB, path string) string { return string(readertest.Load(t, path)) }

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
		if r.err != nil || len(r.losses) > 0 || len(got) != 2 {
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
