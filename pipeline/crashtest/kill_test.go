package crashtest

import (
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// kills is how often each program is killed, and killedEvents how long the trace is: a run of one bucket, whose tasks are those of a trace that is three times
// as long.
const (
	kills        = 50
	killedEvents = "5e4"
)

// TestKilledIngest kills ingest at instants spread over its whole run. The next run must leave the lake
// that an undisturbed run leaves.
func TestKilledIngest(t *testing.T) {
	t.Parallel()
	path := trace(t, killedEvents)
	want := filepath.Join(t.TempDir(), "lake")
	fresh := func() string { return filepath.Join(t.TempDir(), "lake") }
	must(t, want, "ingest", "--run", "a", path)
	killed(t, fresh, laketest.Hashes(t, want), "ingest", "--run", "a", path)
}

// TestKilledReplacement kills an ingest that replaces a run and everything derived from it.
func TestKilledReplacement(t *testing.T) {
	t.Parallel()
	path := trace(t, killedEvents)
	old := filepath.Join(t.TempDir(), "lake")
	must(t, old, "ingest", "--run", "a", trace(t, "2e4"))
	must(t, old, "analyze", "run")
	want := copyLake(t, old)
	must(t, want, "ingest", "--replace", "--run", "a", path)
	must(t, want, "analyze", "run")
	analyzed := laketest.Hashes(t, want)
	const every = 5 // instants: a round is three programs long
	span := timed(t, func() string { return copyLake(t, old) }, "ingest", "--replace", "--run", "a", path)
	for n := 0; n < kills; n += every {
		lake := copyLake(t, old)
		when := killAt(t, lake, n, span, "ingest", "--replace", "--run", "a", path)
		checkWhole(t, lake, when)
		must(t, lake, "ingest", "--replace", "--run", "a", path)
		must(t, lake, "analyze", "run")
		laketest.CheckSame(t, when, laketest.Hashes(t, lake), analyzed)
	}
}

// TestKilledAnalyze does the same with analyze run.
func TestKilledAnalyze(t *testing.T) {
	t.Parallel()
	ingested := filepath.Join(t.TempDir(), "lake")
	must(t, ingested, "ingest", "--run", "a", trace(t, killedEvents))
	want := copyLake(t, ingested)
	must(t, want, "analyze", "run")
	fresh := func() string { return copyLake(t, ingested) }
	killed(t, fresh, laketest.Hashes(t, want), "analyze", "run")
}

func killed(t *testing.T, fresh func() string, want map[string]string, args ...string) {
	t.Helper()
	span := timed(t, fresh, args...)
	for n := range kills {
		lake := fresh()
		when := killAt(t, lake, n, span, args...)
		checkWhole(t, lake, when)
		must(t, lake, args...)
		laketest.CheckSame(t, when, laketest.Hashes(t, lake), want)
		os.RemoveAll(lake)
	}
}

// killAt starts a program and kills it at the n-th of the instants that are spread over a time, each a random
// bit off its place.
func killAt(t *testing.T, lake string, n int, span time.Duration, args ...string) string {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(n), 1))
	delay := time.Duration((float64(n) + random.Float64()) / kills * float64(span))
	c, _ := program(lake, args...)
	expect.OK(t, c.Start())
	time.Sleep(delay)
	c.Process.Signal(syscall.SIGKILL) // it may be done already
	c.Wait()
	return fmt.Sprintf("killed after %v of %v", delay, span)
}

// checkWhole checks that what a reader may find after a crash is whole: every manifest can be read, and every
// file that it names is there with the bytes that it had.
func checkWhole(t *testing.T, dir, when string) {
	t.Helper()
	l, err := lake.Open(dir, false)
	if err != nil {
		return // killed before there was a lake
	}
	all, err := l.Inventories()
	if err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	for _, v := range all {
		for _, m := range v.Tables {
			for _, f := range m.Files {
				data, err := os.ReadFile(l.Path(f))
				sum := fmt.Sprintf("%08x", crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)))
				if err != nil || sum != f.Crc32c {
					t.Errorf("%s: %s is not what its manifest says: %v", when, f.Path, err)
				}
			}
		}
	}
}
