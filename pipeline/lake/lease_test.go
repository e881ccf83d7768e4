package lake_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
)

// holdLease names the lake of which this process is to hold a lease, when a test started it for that.
const holdLease = "TRACELAKE_TEST_HOLD_LEASE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(holdLease); dir != "" {
		os.Exit(hold(dir))
	}
	os.Exit(m.Run())
}

// hold takes a lease, says so, and keeps it until the standard input ends.
func hold(dir string) int {
	l, err := lake.Open(dir, false)
	if err == nil {
		_, err = l.Lease(context.Background(), run)
	}
	fmt.Println(err)
	bufio.NewReader(os.Stdin).ReadByte()
	return 0
}

// again opens a lake as another process would.
func again(t *testing.T, l *lake.Lake) *lake.Lake {
	t.Helper()
	return open(t, l.Dir)
}

// busy checks that another process has the lease of the run, and returns the sentence about that.
func busy(t *testing.T, l *lake.Lake) (said string) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	l.Waiting = func(b *lake.BusyError) {
		said = b.Error()
		stop()
	}
	if _, err := l.Lease(ctx, run); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want a wait", err)
	}
	return said
}

// TestLease checks that a partition has one writer: a second process is told who the first is and waits, others may change
// other partitions, and the lease goes with the first, even when that is killed.
func TestLease(t *testing.T) {
	l := open(t, t.TempDir())
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), holdLease+"="+l.Dir)
	stdin, err := c.StdinPipe()
	noError(t, err)
	defer stdin.Close()
	stdout, err := c.StdoutPipe()
	noError(t, err)
	noError(t, c.Start())
	if said, _ := bufio.NewReader(stdout).ReadString('\n'); said != "<nil>\n" {
		t.Fatalf("the other process has no lease: %s", said)
	}
	if said := busy(t, l); !strings.HasPrefix(said, fmt.Sprintf("run a: process %d on ", c.Process.Pid)) {
		t.Errorf("it says %q", said)
	}
	if tidied, err := l.Tidy(t.Context()); err != nil || len(tidied.Busy) != 1 {
		t.Errorf("tidying: %+v, %v", tidied, err)
	}
	release, err := l.Lease(t.Context(), lake.Run("b"))
	noError(t, err)
	release()
	// What the process was making when it was killed goes with the lease.
	write(t, filepath.Join(l.Dir, "events/run=a/part-00000-deadbeef.parquet"), "half")
	c.Process.Kill()
	c.Wait()
	noError(t, l.Recover(run))
	if files := dataFiles(t, l); len(files) > 0 {
		t.Errorf("a killed process leaves %q", files)
	}
	if left, _ := os.ReadDir(filepath.Join(l.Dir, "_leases")); len(left) > 0 {
		t.Errorf("leases are left: %v", left)
	}
}

// TestStalledCommit has a process of another machine, as it seems, lose its lease while it stands still, and commit then: it
// is refused, and what its successor committed stays.
func TestStalledCommit(t *testing.T) {
	stalled := open(t, t.TempDir())
	commit(t, stalled, "old")
	s, manifests := generation(t, stalled, "stalled")
	release, err := stalled.Lease(t.Context(), run)
	noError(t, err)
	// From here on the holder looks like a process of which nothing is known.
	disguise(t, stalled)
	successor := again(t, stalled)
	successor.SetExpiry(time.Millisecond)
	commit(t, successor, "new")
	fails(t, s.Commit(manifests...), "took over", "run it again")
	release()
	for table, want := range wanted("new") {
		if got := read(t, stalled, table); got != want {
			t.Errorf("%s holds %q", table, got)
		}
	}
	if v := len(dataFiles(t, stalled)); v < 3 {
		t.Errorf("%d files are left", v)
	}
	commit(t, stalled, "last") // the process goes on with a lease of its own
	if got := read(t, stalled, "runs"); got != "last runs" {
		t.Errorf("runs hold %q", got)
	}
}

// disguise makes the leases of a lake those of another machine.
func disguise(t *testing.T, l *lake.Lake) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(l.Dir, "_leases", "*.json"))
	noError(t, err)
	for _, name := range names {
		text, err := os.ReadFile(name)
		noError(t, err)
		i := strings.Index(string(text), `"machine":"`) + len(`"machine":"`)
		noError(t, os.WriteFile(name, []byte(string(text[:i])+"elsewhere"+string(text[i+8:])), 0o666))
	}
}

// TestLeaseOfAnotherMachine is not taken over before it expires.
func TestLeaseOfAnotherMachine(t *testing.T) {
	l := open(t, t.TempDir())
	_, err := l.Lease(t.Context(), run)
	noError(t, err)
	disguise(t, l)
	if said := busy(t, again(t, l)); said == "" {
		t.Error("nothing is said of the wait")
	}
}

// TestOneHolder has many processes, as it seems, fight for one partition, of whom most die with the lease. One at a time has
// it, and what each adds to the table is there at the end.
func TestOneHolder(t *testing.T) {
	l := open(t, t.TempDir())
	var inside, committed sync.Map
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			mine := again(t, l)
			for round := range 10 {
				release, err := mine.Lease(t.Context(), run)
				if err != nil {
					t.Error(err)
					return
				}
				if other, taken := inside.LoadOrStore("holder", n); taken {
					t.Errorf("%v and %d hold the lease at once", other, n)
				}
				table := fmt.Sprintf("table%d_%d", n, round)
				s, err := mine.Stage("stage", run, lake.Fingerprint(table, 1, nil, nil))
				if err == nil {
					err = s.Commit(&lake.Manifest{Table: table})
				}
				if err != nil {
					t.Error(err)
				}
				committed.Store(table, true)
				inside.Delete("holder")
				release()
			}
		})
	}
	all.Wait()
	v, err := l.Inventory(run)
	noError(t, err)
	if len(v.Tables) != 80 {
		t.Errorf("%d tables are left of 80", len(v.Tables))
	}
}
