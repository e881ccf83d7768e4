package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestMain lets the test's own program be what is measured.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && tasks[os.Args[1]] != nil {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestEveryFormat makes and reads a short trace of every format, which fails where a reader finds a defect in it, where no
// peer is installed.
func TestEveryFormat(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	dir := t.TempDir()
	var out, log bytes.Buffer
	if err := run(context.Background(), &out, &log, []string{"-events", "20000", "-runs", "1", "-dir", dir}); err != nil || log.Len() > 0 {
		t.Fatal(err, log.String())
	}
	for _, s := range subjects {
		expect.Equal(t, strings.Count(out.String(), "\n"+s.name+" "), 2, "rows of %s", s.name)
		for _, p := range s.peers {
			if !strings.Contains(out.String(), p.name+": not installed\n") {
				t.Errorf("nothing is said of %s", p.name)
			}
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%d files are left: %v", len(left), err)
	}
	if t.Failed() {
		t.Log(out.String())
	}
}

// TestListedFormats checks that all traces that can be made are of listed formats with a Reader, and so are measured.
func TestListedFormats(t *testing.T) {
	made := 0
	for _, traces := range testTraces {
		made += len(traces)
	}
	if len(subjects) != made {
		t.Errorf("%d of %d traces are measured", len(subjects), made)
	}
	for _, s := range subjects {
		if s.format.NewReader == nil {
			t.Errorf("%s has no Reader to measure", s.name)
		}
	}
}

// TestPeers compares with a peer that works and with one that fails, and prints Markdown.
func TestPeers(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	for name, script := range map[string]string{"otfprint": "#!/bin/sh\necho much\n", "jq": "#!/bin/sh\necho no memory >&2\nexit 3\n"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var out, log bytes.Buffer
	args := []string{"-events", "2000", "-runs", "2", "-dir", t.TempDir(), "-format", "otf1,zipkin", "-little", "0", "-markdown"}
	if err := run(context.Background(), &out, &log, args); err != nil {
		t.Fatal(err)
	}
	expect.Equal(t, log.String(), "formats: zipkin: jq: exit status 3: no memory\n", "said")
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range []string{
		`^\| format \| M events `, `^\| --- \| --- \|`, `^\| otf1 .*\| 5 M/s \w+ \| otfprint \| [\d.]+ \| [\d.]+ \| [\d.]+ \| [\d.]+ \|$`,
		`^\| +\|.* otfprint -s +\| +[\d.]+ `, `^\| zipkin .*\| 300 MB/s \w+ +\| jq empty: failed +\| +\|`, `^\| +\| .* python json: not installed \| +\|`,
	} {
		if i >= len(lines) || !regexp.MustCompile(want).MatchString(lines[i]) || strings.Count(lines[i], "|") != strings.Count(lines[0], "|") {
			t.Fatalf("line %d is not as %s:\n%s", i, want, out.String())
		}
	}
	expect.Equal(t, len(lines), 6, "lines of %q", out.String())
}

// TestDefect finds that a trace is not as it should be.
func TestDefect(t *testing.T) {
	dir := t.TempDir()
	chosen, err := choose("otf1")
	if err != nil {
		t.Fatal(err)
	}
	s := chosen[0]
	if err := made(s, dir, 1000); err != nil {
		t.Fatal(err)
	}
	if got, err := read(s, dir, 1<<20); err != nil || got.events < 1000 {
		t.Error(got, err)
	}
	path := filepath.Join(dir, "trace.1.events")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := sum(dir); err != nil || got.bytes <= int64(len(text)) {
		t.Error(got, err)
	}
	if err := os.WriteFile(path, append(text, "!\n"...), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := read(s, dir, 1<<20); err == nil {
		t.Error(got)
	}
}

func TestWrongUsage(t *testing.T) {
	for _, args := range [][]string{{"x"}, {"-format", "abacus"}, {"-runs", "0"}, {"-events", "0"}, {"read"}, {"make", "otf1", "."}, {"sum", "/nowhere"}} {
		var out, log bytes.Buffer
		if err := run(context.Background(), &out, &log, args); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}

// TestWalk checks what the traces rely on: calls that nest, times that rise, messages between two threads.
func TestWalk(t *testing.T) {
	for _, events := range []int{1, 2, 5000} {
		var open [threads][]int
		last, n, from := int64(0), 0, map[int64]int{}
		walk(events, func(s step) {
			stack := open[s.thread]
			if s.ns <= last || s.enters && s.depth != len(stack) || !s.enters && (s.depth != len(stack)-1 || stack[s.depth] != s.function) {
				t.Fatalf("step %d: %+v on %v", n, s, stack)
			}
			if s.enters {
				stack = append(stack, s.function)
			} else {
				stack = stack[:s.depth]
			}
			if sender, sent := from[s.receives]; s.receives != 0 && (!sent || sender == s.thread) {
				t.Errorf("step %d receives %d of thread %d", n, s.receives, sender)
			}
			if delete(from, s.receives); s.sends != 0 {
				from[s.sends] = s.thread
			}
			open[s.thread], last = stack, s.ns
			n++
		})
		for i, stack := range open {
			if len(stack) > 0 || len(from) > 0 {
				t.Errorf("%d events: %d calls of thread %d and %d messages are open", events, len(stack), i, len(from))
			}
		}
		for number, x := range exchanges(events) {
			if x.sender.sends != number || x.receiver.receives != number || x.peer(x.sender) != x.receiver || x.peer(x.receiver) != x.sender {
				t.Errorf("message %d: %+v", number, x)
			}
		}
		if n < events || n > events+threads*deepest {
			t.Errorf("%d events, not %d", n, events)
		}
	}
}
