package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// recordings is the folder of recorded traces, of which some are the same executions in several formats.
func recordings(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("TRACELAKE_RECORDINGS")
	if folder == "" {
		t.Skip("skipped: recordings of the same executions in several formats are compared only where TRACELAKE_RECORDINGS names their folder")
	}
	return folder
}

// ingested puts a trace into a lake and returns that.
func ingested(t *testing.T, args ...string) *lake.Lake {
	t.Helper()
	dir := t.TempDir()
	var out, told bytes.Buffer
	if err := run(t.Context(), append([]string{"--quiet", "--lake", dir, "--run", "a"}, args...), nil, &out, &told); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, told.String())
	}
	l := expect.Value(lake.Open(dir, false))(t)
	return l
}

// row is an event of a trace as it compares with that of another format.
type row struct {
	ns                  int64 // since the first event
	component, function string
	kind                schema.Kind
	direction           schema.Direction
}

// rows counts the events of a lake's run, as far as keep has them.
func rows(t *testing.T, l *lake.Lake, keep func(*row, string) bool) map[row]int {
	t.Helper()
	all := make(map[row]int)
	first, begun := int64(0), false
	ev := schema.NewEvents()
	expect.OK(t, l.ScanEvents(t.Context(), "a", ev, lake.ScanOptions{}, func() error {
		for i := range ev.Seq {
			if !begun {
				first, begun = ev.TimeNs[i], true
			}
			peer := ""
			if ev.Peer[i] != schema.NoCode {
				peer = ev.Names.Components.Name(ev.Peer[i])
			}
			r := row{ev.TimeNs[i] - first, ev.Names.Components.Name(ev.Component[i]), ev.Names.Functions.Name(ev.Function[i]), ev.Kind[i], ev.Direction[i]}
			if keep(&r, peer) {
				all[r]++
			}
		}
		return nil
	}))
	return all
}

// calls are the enters and exits of functions, wherever they belong.
func calls(r *row, _ string) bool {
	r.component = ""
	return !strings.HasPrefix(r.function, "linux:")
}

// equal says where two traces differ.
func equal(t *testing.T, what string, a, b map[row]int, least int) {
	t.Helper()
	if len(a) < least {
		t.Errorf("%s: only %d distinct events", what, len(a))
	}
	differ := 0
	for _, r := range slices.Concat(slices.Collect(maps.Keys(a)), slices.Collect(maps.Keys(b))) {
		if a[r] != b[r] {
			if differ++; differ < 4 {
				t.Errorf("%s: %+v is there %d and %d times", what, r, a[r], b[r])
			}
		}
	}
	if differ > 0 {
		t.Errorf("%s: %d of %d events differ", what, differ, len(a))
	}
}

// TestSameCalls ingests recordings of one execution in several formats.
func TestSameCalls(t *testing.T) {
	from := recordings(t)
	for _, test := range []struct {
		what   string
		least  int
		traces []string
	}{
		{"OTF2 and the raw log", 10_000, []string{"otf2/curl-8.14.1-http-fast-run-01/traces.otf2", "curl-quiet/8.14.1/http-fast/run-01.raw.log.zst"}},
		{"OTF2 and the raw log, slow", 10_000, []string{"otf2/curl-8.14.1-http-slow20ms-run-01/traces.otf2", "curl-quiet/8.14.1/http-slow20ms/run-01.raw.log.zst"}},
		{"uftrace's data, dump and Chrome trace", 10_000, []string{
			"uftrace/curl/curl-8.14.1-http-fast-run1.data.tar.zst", "uftrace/curl/curl-8.14.1-http-fast-run1.dump.txt.zst",
			"uftrace/curl/curl-8.14.1-http-fast-run1.chrome.json.zst"}},
		{"CTF and babeltrace2's text", 10_000, []string{"ctf/curl-8.14.1-http-fast-run1.ctf.tar.zst", "ctf/curl-8.14.1-http-fast-run1.babeltrace2.txt.zst"}},
		{"CTF and babeltrace2's text, slow", 10_000, []string{
			"ctf/curl-8.14.1-http-slow20ms-run1.ctf.tar.zst", "ctf/curl-8.14.1-http-slow20ms-run1.babeltrace2-clockseconds.txt.zst"}},
		{"OTF 1 in short and long words", 10_000, []string{"otf1/netpipe-2ranks/netpipe.otf", "otf1/variants/longformat/netpipe.otf"}},
		{"OTF 1 plain and compressed", 10_000, []string{"otf1/netpipe-2ranks/netpipe.otf", "otf1/variants/otfmerge-z/otfmerge-z.otf", "otf1/variants/otfcompress-z/netpipe.otf"}},
	} {
		var first map[row]int
		for i, path := range test.traces {
			args := []string{"--calls", "nested", filepath.Join(from, path)}
			if strings.Contains(path, "raw.log") {
				args = append(args, "--symbols", filepath.Join(from, "curl-quiet/8.14.1/symbols.tsv"))
			}
			here := rows(t, ingested(t, args...), calls)
			if i == 0 {
				first = here
			} else {
				equal(t, fmt.Sprint(test.what, ", ", path), first, here, test.least)
			}
		}
	}
}

// TestSameMessages compares the calls between components that are made of a log of all calls with the text that was made
// of the same log by others. The text puts the second line of each pair a nanosecond later, and knows calls from outside,
// by "ext".
func TestSameMessages(t *testing.T) {
	from := recordings(t)
	for _, run := range []string{"http-fast/run-01", "http-fast/run-02", "http-slow20ms/run-01"} {
		path := filepath.Join(from, "curl-quiet/8.14.1", run)
		text := rows(t, ingested(t, path+".txt.zst"), func(r *row, peer string) bool {
			if r.direction == schema.Receive {
				r.ns--
			}
			return r.component != "ext" && peer != "ext"
		})
		symbols := filepath.Join(from, "curl-quiet/8.14.1/symbols.tsv")
		made := rows(t, ingested(t, "--symbols", symbols, path+".raw.log.zst"), func(r *row, peer string) bool {
			return r.direction != schema.NoMessage && r.component != "ext" && peer != "ext"
		})
		equal(t, run, text, made, 10_000)
	}
}
