package crashtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// patience is how long an interrupted program may take. It stops within a second; a test that shares its
// machine with others must not hold it to that. One that goes on is told by its exit code and what it says.
const patience = 30 * time.Second

// TestInterruptedIngest presses Ctrl-C while ingest reads.
func TestInterruptedIngest(t *testing.T) {
	t.Parallel()
	path := trace(t, "1.5e6")
	lake := filepath.Join(t.TempDir(), "lake")
	interrupt(t, lake, "ingest", "--run", "a", path)
	must(t, lake, "ingest", "--run", "a", path)
	want := filepath.Join(t.TempDir(), "lake")
	must(t, want, "ingest", "--run", "a", path)
	laketest.CheckSame(t, "interrupted", laketest.Hashes(t, lake), laketest.Hashes(t, want))
}

// TestInterruptedAnalyze presses Ctrl-C while analyze works.
func TestInterruptedAnalyze(t *testing.T) {
	t.Parallel()
	ingested := filepath.Join(t.TempDir(), "lake")
	must(t, ingested, "ingest", "--run", "a", trace(t, "3e5"))
	lake := copyLake(t, ingested)
	interrupt(t, lake, "analyze", "run")
	must(t, lake, "analyze", "run")
	must(t, ingested, "analyze", "run")
	laketest.CheckSame(t, "interrupted", laketest.Hashes(t, lake), laketest.Hashes(t, ingested))
}

// TestInterruptedWait presses Ctrl-C while ingest waits for a pipe into which nobody writes.
func TestInterruptedWait(t *testing.T) {
	t.Parallel()
	reader, writer, err := os.Pipe()
	expect.OK(t, err)
	defer writer.Close()
	defer reader.Close()
	lake := filepath.Join(t.TempDir(), "lake")
	c, stderr := program(lake, "ingest", "--run", "a", "-")
	c.Stdin = reader
	expect.OK(t, c.Start())
	awaitFile(lake)
	code, in := stopped(t, c)
	if code != 1 || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("exit code %d after %v, and it says %q", code, in, stderr)
	}
}

// interrupt interrupts a program that has begun to write.
func interrupt(t *testing.T, lake string, args ...string) {
	t.Helper()
	c, stderr := program(lake, args...)
	expect.OK(t, c.Start())
	awaitFile(filepath.Join(lake, "_work", "*", "*"))
	code, in := stopped(t, c)
	if code != 1 || !strings.Contains(stderr.String(), "interrupted; the lake is sound, run the same command to go on") {
		t.Errorf("exit code %d after %v, and it says %q", code, in, stderr)
	}
}

// awaitFile waits, for a minute at most, until there is a file of a pattern.
func awaitFile(pattern string) {
	for range 6000 {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// stopped interrupts a program and returns its exit code and how long it took to end.
func stopped(t *testing.T, c *exec.Cmd) (int, time.Duration) {
	t.Helper()
	started := time.Now()
	c.Process.Signal(os.Interrupt)
	late := time.AfterFunc(patience, func() { c.Process.Kill() })
	err := c.Wait()
	if !late.Stop() {
		t.Errorf("it did not stop within %v", patience)
	}
	return exitCode(t, err), time.Since(started)
}

// TestTemporaryFolders kills a query that DuckDB spills for, which leaves a folder outside of the lake, and interrupts another one. The next
// command leaves none of them.
func TestTemporaryFolders(t *testing.T) {
	t.Parallel()
	lake := filepath.Join(t.TempDir(), "lake")
	must(t, lake, "ingest", "--run", "a", curlTrace)
	temporary := t.TempDir()
	folders := func() int { return len(expect.Value(os.ReadDir(temporary))(t)) }
	for _, signal := range []os.Signal{os.Kill, os.Interrupt} {
		c, _ := program(lake, "analyze", "query", "SELECT sum(a.seq * b.seq) FROM events a, events b", "--quiet")
		c.Env = append(os.Environ(), "TMPDIR="+temporary)
		expect.OK(t, c.Start())
		for folders() == 0 {
			time.Sleep(time.Millisecond)
		}
		c.Process.Signal(signal)
		c.Wait()
		if left := folders(); (left > 0) != (signal == os.Kill) {
			t.Errorf("%v: %d folders are left", signal, left)
		}
		c, stderr := program(lake, "analyze", "query", "SELECT 1")
		c.Env = append(os.Environ(), "TMPDIR="+temporary)
		if err := c.Run(); err != nil {
			t.Fatalf("%v\n%s", err, stderr)
		}
		expect.Equal(t, folders(), 0, "folders after the next command")
	}
}
