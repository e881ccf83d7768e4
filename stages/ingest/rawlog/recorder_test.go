package rawlog

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/symbols"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// recorder is the program's own recorder.
const recorder = "../../../cmd/ingest/recorder/tracelake_recorder.c"

// program calls itself, starts threads one after the other and forks.
const program = `#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int leaf(int x) { return x + 1; }
int deep(int n) { return n == 0 ? leaf(0) : deep(n - 1) + 1; }
void *work(void *p) { deep(*(int *)p); return 0; }
int main(int argc, char **argv) {
	int n = atoi(argv[1]);
	for (int i = 0; i < 3; i++) { pthread_t t; pthread_create(&t, 0, work, &n); pthread_join(t, 0); }
	if (argc > 2 && write(1, "x", 1)) pause();
	if (fork() == 0) { leaf(7); exit(0); }
	wait(0);
	return 0;
}
`

// build compiles the program and the recorder, as a library of its own or into the program.
func build(t *testing.T, linked bool) (run *exec.Cmd, binary string) {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not installed: the recorder was not compiled and not tried")
	}
	dir := t.TempDir()
	source, err := filepath.Abs(recorder)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "story.c"), []byte(program), 0o666)
	}
	expect.OK(t, err)
	flags := []string{"-g", "-O1", "-fno-inline", "-finstrument-functions", "-o", "prog", "story.c"}
	commands := [][]string{{"-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", "recorder.so", source}, append(flags, "-lpthread")}
	if linked {
		commands = [][]string{append(flags, source, "-lpthread")}
	}
	for _, args := range commands {
		c := exec.Command(gcc, args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("gcc %v: %v: %s", args, err, out)
		}
	}
	run = exec.Command("./prog")
	run.Dir = dir
	run.Env = append(os.Environ(), "TRACELAKE_LOG=run.raw")
	if !linked {
		run.Env = append(run.Env, "LD_PRELOAD="+filepath.Join(dir, "recorder.so"))
	}
	return run, filepath.Join(dir, "prog")
}

// recorded reads a log of the program with its symbols.
func recorded(t *testing.T, path, binary string) ([]event, *schema.Ledger) {
	t.Helper()
	log := expect.Value(os.ReadFile(path))(t)
	if !Detect(log[:min(len(log), 1<<16)]) {
		t.Error("not detected")
	}
	file := expect.Value(os.Open(binary))(t)
	defer file.Close()
	reading := readingOf(log)
	reading.Options.Symbols = expect.Value(symbols.FromELF(file))(t)
	events := expect.Value(collect(reading))(t)
	return events, reading.Ledger
}

// stories writes each lifeline's events as words.
func stories(events []event) []string {
	of := make(map[string]string)
	for _, e := range events {
		of[e.Key.Lifeline] += fmt.Sprintf("%c%s.%s ", "><"[e.Key.Kind], e.Key.Component, e.Key.Function)
	}
	var out []string
	for lifeline, story := range of {
		out = append(out, lifeline+" "+strings.TrimSpace(strings.ReplaceAll(story, "story_c.", "")))
	}
	slices.Sort(out)
	return out
}

func TestRecorder(t *testing.T) {
	for _, linked := range []bool{false, true} {
		run, prog := build(t, linked)
		run.Args = append(run.Args, "1")
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		logs, err := filepath.Glob(filepath.Join(run.Dir, "run.raw*"))
		if err != nil || len(logs) != 2 {
			t.Fatal(logs, err)
		}
		const work = ">work >deep >deep >leaf <leaf <deep <deep <work"
		events, ledger := recorded(t, logs[0], prog)
		want := []string{"prog/1 >main <main", "prog/2 " + work, "prog/3 " + work, "prog/4 " + work}
		if got := stories(events); !slices.Equal(got, want) || readertest.Losses(ledger) != "" {
			t.Errorf("linked %v: %q, %s; want %q", linked, got, readertest.Losses(ledger), want)
		}
		events, ledger = recorded(t, logs[1], prog)
		if got := stories(events); !slices.Equal(got, []string{"prog/1 >leaf <leaf"}) || readertest.Losses(ledger) != "" {
			t.Errorf("linked %v: the child: %q, %s", linked, got, readertest.Losses(ledger))
		}
	}
}

// TestRecorderFull gives the recorder 1 MiB, of which the first remarks take a page and 16 rooms of 64 KiB do not
// fit: what is not recorded it must count.
func TestRecorderFull(t *testing.T) {
	run, prog := build(t, false)
	run.Args = append(run.Args, "20000")
	run.Env = append(run.Env, "TRACELAKE_LOG_MAX=1")
	out, err := run.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "run.raw is full") {
		t.Fatalf("%v: %s", err, out)
	}
	events, ledger := recorded(t, filepath.Join(run.Dir, "run.raw"), prog)
	// main, and three times work, 20001 times deep and leaf, in and out
	if n := int64(len(events)) + ledger.Count(schema.LostByTracer); n != 2+3*2*20003 || len(events) < 2000 {
		t.Errorf("%d events and %s are %d", len(events), readertest.Losses(ledger), n)
	}
}

// TestRecorderKilled kills the program: what it has recorded is there, the rest of its room is counted.
func TestRecorderKilled(t *testing.T) {
	run, prog := build(t, false)
	run.Args = append(run.Args, "100", "wait")
	out, err := run.StdoutPipe()
	if err == nil {
		err = run.Start()
	}
	expect.OK(t, err)
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Error(err)
	}
	if err := run.Process.Kill(); err != nil {
		t.Error(err)
	}
	if err := run.Wait(); err == nil {
		t.Error("it was not killed")
	}
	events, ledger := recorded(t, filepath.Join(run.Dir, "run.raw"), prog)
	const room = 1 << 16 / recordBytes // of main, and of the three others one after the other
	if len(events) != 1+3*2*103 || readertest.Losses(ledger) != fmt.Sprintf("torn_record %d", 2*room-len(events)) {
		t.Errorf("%d events, %s", len(events), readertest.Losses(ledger))
	}
}

// TestRecorderStreams sends records to a socket while the program runs, and into a file in the same way: both have all calls. What watches the log
// understands it while it comes. A child that is forked is not recorded.
func TestRecorderStreams(t *testing.T) {
	run, prog := build(t, false)
	run.Args = append(run.Args, "1")
	dir := t.TempDir()
	listener := expect.Value(net.Listen("unix", filepath.Join(dir, "socket")))(t)
	defer listener.Close()
	got := make(chan []byte, 1)
	go func() {
		if c, err := listener.Accept(); err == nil {
			all, _ := io.ReadAll(c)
			got <- all
		}
	}()
	run.Env = append(run.Env, "TRACELAKE_LOG=unix:"+filepath.Join(dir, "socket"))
	if out, err := run.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v: %s", err, out)
	}
	expect.OK(t, os.WriteFile(filepath.Join(dir, "sent.raw"), <-got, 0o666))
	again := exec.Command("./prog", "1")
	again.Dir, again.Env = run.Dir, append(run.Env, "TRACELAKE_LOG=run.raw", "TRACELAKE_LOG_STREAM=1")
	if out, err := again.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v: %s", err, out)
	}
	const work = ">work >deep >deep >leaf <leaf <deep <deep <work"
	want := []string{"prog/1 >main <main", "prog/2 " + work, "prog/3 " + work, "prog/4 " + work}
	for _, path := range []string{filepath.Join(dir, "sent.raw"), filepath.Join(run.Dir, "run.raw")} {
		events, ledger := recorded(t, path, prog)
		if got := stories(events); !slices.Equal(got, want) || readertest.Losses(ledger) != "" {
			t.Errorf("%s: %q, %s; want %q", filepath.Base(path), got, readertest.Losses(ledger), want)
		}
	}
	logs, err := filepath.Glob(filepath.Join(run.Dir, "run.raw*"))
	if err != nil || len(logs) != 1 {
		t.Errorf("logs: %v, %v", logs, err)
	}
}

// clocked works for some ms in each of its calls, and writes when each began and ended by the clock of the system.
const clocked = `#include <stdio.h>
#include <time.h>
__attribute__((no_instrument_function)) static long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000L + t.tv_nsec; }
void work(void) { for (long until = now() + 3000000; now() < until;) {} }
int main(void) { for (int i = 0; i < 100; i++) { long a = now(); work(); printf("%ld %ld\n", a, now()); } return 0; }
`

// TestRecorderClock has a program say when its calls began and ended, which what is sent agrees with: the recorder makes times of the counter of the processor,
// between readings of the clock that are 40 ms apart. A call begins and ends within what the program says, and is not much shorter than that.
func TestRecorderClock(t *testing.T) {
	run, prog := build(t, false)
	expect.OK(t, os.WriteFile(filepath.Join(run.Dir, "story.c"), []byte(clocked), 0o666))
	compile := exec.Command("gcc", "-g", "-O1", "-fno-inline", "-finstrument-functions", "-o", "prog", "story.c")
	compile.Dir = run.Dir
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	run.Args, run.Env = []string{"./prog"}, append(run.Env, "TRACELAKE_LOG=run.raw", "TRACELAKE_LOG_STREAM=1")
	said := strings.Fields(string(expect.Value(run.Output())(t)))
	events, ledger := recorded(t, filepath.Join(run.Dir, "run.raw"), prog)
	expect.Equal(t, readertest.Losses(ledger), "", "losses")
	var times []int64
	for _, e := range events {
		if e.Key.Function == "work" {
			times = append(times, e.Ns)
		}
	}
	if len(times) != 200 || len(said) != 200 {
		t.Fatalf("%d times of %d", len(times), len(said))
	}
	const near = 5000 // ns between a reading of the clock and that of the counter, by far
	var shorter []int64
	for i := 0; i < len(times); i += 2 {
		from, to := expect.Value(strconv.ParseInt(said[i], 10, 64))(t), expect.Value(strconv.ParseInt(said[i+1], 10, 64))(t)
		if times[i] < from-near || times[i+1] > to+near || times[i+1] < times[i] {
			t.Errorf("call %d: from %d to %d, and recorded from %d to %d", i/2, from, to, times[i], times[i+1])
		}
		shorter = append(shorter, (to-from)-(times[i+1]-times[i]))
	}
	slices.Sort(shorter)
	if half := shorter[len(shorter)/2]; half < -near || half > near {
		t.Errorf("half of the calls are recorded at least %d ns too short", half)
	}
}
