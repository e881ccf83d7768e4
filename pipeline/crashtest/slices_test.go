package crashtest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/schema"
	readers "github.com/tracelake/tracelake/stages/ingest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// cuts are programs of this test: the name under which it runs itself, and how the trace is cut. The command ingest cuts only
// traces of half a gigabyte and more, which no test has the time to ingest again and again; here there are some twenty slices.
var cuts = map[string]ingest.Cut{"slices": {Bytes: 1 << 19, Watch: 1 << 16}, "whole": {Bytes: -1}}

// ingestCut is such a program, with the arguments --run RUN PATH --lake LAKE.
func ingestCut(cut ingest.Cut, args []string) int {
	l, err := lake.Open(args[4], true)
	if err == nil {
		_, _, err = ingest.Run(context.Background(), ingest.Job{
			Lake: l, Run: args[1], Paths: args[2:3], Detect: ingest.DetectAmong(readers.Formats(), "auto", schema.ReadingOptions{}),
			Incomplete: "complete", Untraced: "ignore", Format: "auto", Labels: map[string]string{}, Jobs: 2, Memory: 1 << 30, Cut: cut,
		})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// TestKilledSlices kills an ingest in slices twice, at any two instants. Then the next attempt goes on behind the tasks that
// are recorded, and leaves the lake of one pass that nobody disturbed.
func TestKilledSlices(t *testing.T) {
	t.Parallel()
	path := trace(t, "2e5")
	want := filepath.Join(t.TempDir(), "lake")
	must(t, want, "whole", "--run", "a", path)
	whole := laketest.Hashes(t, want)
	args := []string{"slices", "--run", "a", path}
	fresh := func() string { return filepath.Join(t.TempDir(), "lake") }
	span := timed(t, fresh, args...)
	resumed := 0
	const every = 4 // instants: a round is three programs long
	for n := 0; n < kills; n += every {
		dir := fresh()
		when := killAt(t, dir, n, span, args...)
		checkWhole(t, dir, when)
		if records, _ := filepath.Glob(filepath.Join(dir, "_work", "*", "*", "done-*")); len(records) > 1 {
			resumed++
		}
		second := time.Duration(rand.New(rand.NewPCG(uint64(n), 2)).Float64() * float64(span))
		c, _ := program(dir, args...)
		expect.OK(t, c.Start())
		time.Sleep(second)
		c.Process.Signal(syscall.SIGKILL)
		c.Wait()
		when += fmt.Sprintf(", and again after %v", second)
		checkWhole(t, dir, when)
		must(t, dir, args...)
		laketest.CheckSame(t, when, laketest.Hashes(t, dir), whole)
		if left, _ := filepath.Glob(filepath.Join(dir, "_work", "*", "*")); len(left) > 0 {
			t.Errorf("%s: %v is left", when, left)
		}
		os.RemoveAll(dir)
	}
	if resumed == 0 {
		t.Error("no kill came between two tasks: there was nothing to go on with")
	}
}
