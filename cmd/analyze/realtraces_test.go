package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	readers "github.com/tracelake/tracelake/stages/ingest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// ingestReal makes a run of a trace as a user would, by its content alone.
func ingestReal(t *testing.T, name, path string) {
	t.Helper()
	l := expect.Value(lake.Open("lake", true))(t)
	_, _, err := ingest.Run(t.Context(), ingest.Job{
		Lake: l, Run: name, Paths: []string{path}, Incomplete: "complete", Untraced: "ignore", Jobs: 1, Memory: 64 << 20,
		Detect: ingest.DetectAmong(readers.Formats(), ingest.AnyFormat, schema.ReadingOptions{}), Find: ingest.FindAmong(readers.Formats(), ingest.AnyFormat),
		Options: schema.ReadingOptions{Clocks: schema.Clocks{Mode: schema.ClocksAuto}},
	})
	expect.OK(t, err)
	expect.OK(t, pipeline.WriteLosses(t.Context(), l, lake.Run(name)))
}

// answer is what the program says.
func answer(t *testing.T, args ...string) string {
	t.Helper()
	var out, told bytes.Buffer
	if err := run(t.Context(), args, nil, &out, &told); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, &told)
	}
	return out.String()
}

// asked is the answer to a query as words.
func asked(t *testing.T, query string) string {
	t.Helper()
	lines := strings.Split(answer(t, "query", "--format", "csv", query), "\n")
	return strings.Join(lines[1:len(lines)-1], " ")
}

// TestRealTraces asks of real traces what is known of them (stages/ingest/real-traces.md). They are among the recordings or beside them.
func TestRealTraces(t *testing.T) {
	root := os.Getenv("TRACELAKE_RECORDINGS")
	if root == "" || testing.Short() {
		t.Skip("TRACELAKE_RECORDINGS does not name the recordings, or -short leaves them out: no real traces were asked")
	}
	t.Chdir(t.TempDir())
	for _, c := range []struct{ row, trace, analysis, query, want string }{
		{"A1", "otf2/eztrace-netpipe-2ranks", "", "SELECT (SELECT count(*) FROM messages), -offset_most_ns, -offset_least_ns FROM clock_bounds", "7424,149160140,149160732"},
		{"A1", "otf2/eztrace-netpipe-2ranks", "", "SELECT count(*) FROM losses WHERE reason LIKE 'unmatched%' OR reason LIKE 'received%'", "0"},
		{"B3", "../third-party/ctf/tracecompass/many-threads.ctf.tar.zst", "run",
			"SELECT sum(finish_ns - start_ns) FROM executions WHERE function = 'syscall_exit'", "0"},
		{"C1", "chrome/node_2000_pending_promises.json.zst", "", "SELECT sum(count) FROM losses WHERE reason = 'open_at_end'", "4002"},
		{"C2", "chrome/clang14_O1_ftime_trace_1.json.zst", "", "SELECT (SELECT count(*) FROM signals WHERE name LIKE 'clang/Total %'), count(*) FILTER (function LIKE 'Total %') FROM events", "170,0"},
		{"C4", "chrome/gobuild_debug_trace.json.zst", "", "SELECT count(*), count(*) FILTER (synthetic) FROM events WHERE kind = 'enter'", "3776,0"},
		{"C6", "../third-party/kineto/simple_add.json.gz", "", "SELECT count(*) FROM messages WHERE label = 'ac2g'", "139"},
		{"C8", "chrome/tsc_generateTrace.json.zst", "run",
			"SELECT function FROM executions GROUP BY ALL ORDER BY sum(self_ns) DESC LIMIT 2", "checkSourceFile structuredTypeRelatedTo"},
		{"C10", "chrome/node_trace_events_base.json.zst", "", "SELECT sum(count) FROM losses WHERE reason IN ('open_at_end', 'unmatched_exit')", "51"},
	} {
		t.Run(c.row+" "+filepath.Base(c.trace), func(t *testing.T) {
			t.Chdir(t.TempDir())
			ingestReal(t, "real", filepath.Join(root, c.trace))
			if c.analysis != "" {
				answer(t, c.analysis, "--quiet", "real")
			}
			expect.Equal(t, asked(t, c.query), c.want, "%s", c.query)
		})
	}
}

// TestShortCallsOfClang compares the same compilation twice, and with another optimisation. Which of its calls are long enough to be recorded
// is chance, so that no step of it appeared or vanished.
func TestShortCallsOfClang(t *testing.T) {
	root := os.Getenv("TRACELAKE_RECORDINGS")
	if root == "" || testing.Short() {
		t.Skip("TRACELAKE_RECORDINGS does not name the recordings, or -short leaves them out: no compilations are compared")
	}
	t.Chdir(t.TempDir())
	for run, file := range map[string]string{"once": "O1_ftime_trace_1", "again": "O1_ftime_trace_2", "more": "O2_ftime_trace"} {
		ingestReal(t, run, filepath.Join(root, "chrome", "clang14_"+file+".json.zst"))
	}
	for cand, wants := range map[string][]string{
		"again": {"UNCHANGED: what is done is the same", "the same 151,242 calls, as many of each of 85 kinds", "none stands out from the noise"},
		"more":  {"NO VERDICT", "nothing", "stands out from the noise", "9 kinds of calls appeared", "no kind of calls vanished"},
	} {
		got := strings.Join(strings.Fields(answer(t, "compare", "--quiet", "--base", "once", "--cand", cand)), " ")
		for _, want := range append(wants, "Recorders left out calls that were too short for them") {
			if !strings.Contains(got, want) {
				t.Errorf("the comparison with %s does not say %q:\n%s", cand, want, got)
			}
		}
		expect.Equal(t, asked(t, "SELECT count(*) FROM findings WHERE comparison = 'once-vs-"+cand+"'"), "0", "findings")
	}
}

// TestExportKeepsCorrectedClocks exports a run of two ranks whose clocks were 149 ms apart. What is read again has its messages, which take as
// long.
func TestExportKeepsCorrectedClocks(t *testing.T) {
	root := os.Getenv("TRACELAKE_RECORDINGS")
	if root == "" || testing.Short() {
		t.Skip("TRACELAKE_RECORDINGS does not name the recordings, or -short leaves them out: no trace of two clocks is exported")
	}
	t.Chdir(t.TempDir())
	ingestReal(t, "real", filepath.Join(root, "otf2", "eztrace-netpipe-2ranks"))
	const query = "SELECT count(*), min(receive_ns - send_ns), max(receive_ns - send_ns) FROM messages WHERE run = "
	for _, name := range []string{"netpipe.otf", "netpipe.json", "netpipe.etf", "netpipe.txt"} {
		expect.OK(t, run(t.Context(), []string{"export", "real", "-o", name}, nil, io.Discard, io.Discard))
		ingestReal(t, name, name)
		expect.Equal(t, asked(t, query+"'"+name+"'"), "7424,295,29584940", "messages of %s", name)
	}
}

// TestChainOfCallbacks follows what is published from the timer of one node of ROS 2 to the last callback of a chain of three.
func TestChainOfCallbacks(t *testing.T) {
	root := os.Getenv("TRACELAKE_RECORDINGS")
	if root == "" {
		t.Skip("TRACELAKE_RECORDINGS does not name the recordings: no chain of callbacks is followed")
	}
	t.Chdir(t.TempDir())
	ingestReal(t, "robot", filepath.Join(root, "..", "third-party", "ctf", "tracecompass", "ros2.ctf.tar.zst"))
	answer(t, "run", "--quiet", "robot")
	got := answer(t, "critical-path", "robot", "--to", "sink.sink/topic_b", "--from", "source.source/timer")
	for _, want := range []string{
		"2,026 occurrences, from the start of source.source/timer", "communication  source -> sync_one_to_one.receive by /topic_a",
		"communication  sync_one_to_one -> sink.receive by /topic_b", "execution      sync_one_to_one.sync_one_to_one/topic_a",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
