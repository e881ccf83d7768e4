package crashtest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
)

// writers is how many processes write into one lake at once, and manyRuns how many runs they share: every run belongs to two
// of them, so that they meet.
const writers, manyRuns = 8, 8

// manyRounds is how often all of it is killed. A hundred rounds, which take three minutes, were
// played once, and four of 16 processes over 64 runs.
const manyRounds = 2

// TestManyProcesses has processes ingest and analyze runs into one lake at once, undisturbed and then each killed at a random
// instant and started again, while a reader of inventories and a DuckDB client look on. The lake must be the one that a single
// process makes, neither may see half a run, and in the end the client must see all.
func TestManyProcesses(t *testing.T) {
	dir := t.TempDir()
	for n := range manyRuns {
		if err := os.WriteFile(smallTrace(dir, n), []byte(small(n)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	one := filepath.Join(dir, "one")
	for n := range manyRuns {
		must(t, one, "ingest", "--quiet", "--run", fmt.Sprint("r", n), smallTrace(dir, n))
	}
	must(t, one, "analyze", "--quiet", "run")
	want := laketest.Hashes(t, one)
	for round := range 1 + manyRounds {
		many := filepath.Join(dir, fmt.Sprint("many", round))
		writeTogether(t, dir, many, round)
		laketest.CheckSame(t, fmt.Sprintf("%d processes, round %d", writers, round), laketest.Hashes(t, many), want)
		os.RemoveAll(many)
	}
}

// smallTrace is the path of the trace of a run.
func smallTrace(dir string, n int) string { return filepath.Join(dir, fmt.Sprintf("r%d.txt", n)) }

// small is a trace of a few calls, whose times are those of its run.
func small(n int) string {
	var b strings.Builder
	for k := range 5 {
		at := func(offset int) string { return fmt.Sprintf("%d.%06d", k, 1000*n+offset) }
		fmt.Fprintf(&b, "%s client > fetch\n%s client > lookup !q%d\n%s server > lookup ?q%d\n%s server < lookup !r%d\n%s client < lookup ?r%d\n%s client < fetch\n",
			at(0), at(100), k, at(150), k, at(500), k, at(560), k, at(700))
	}
	return b.String()
}

// writeTogether runs all writers to their end, while a reader looks on. In rounds after the first each is killed once.
func writeTogether(t *testing.T, dir, many string, round int) {
	var ended atomic.Bool
	var all, reader sync.WaitGroup
	reader.Go(func() {
		for !ended.Load() {
			lookOn(t, many)
		}
	})
	answers := 0
	reader.Go(func() { answers = askOn(t, many, &ended) })
	for w := range writers {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(round), uint64(w)))
			if round > 0 {
				c, _ := program(many, "ingest", "--quiet", "--run", fmt.Sprint("r", w), smallTrace(dir, w))
				killAfter(c, time.Duration(random.IntN(100))*time.Millisecond)
			}
			for own := w; own < manyRuns; own += writers {
				for _, n := range []int{own, (own + 1) % manyRuns} {
					run := fmt.Sprint("r", n)
					if code := inTurn(many, "ingest", "--quiet", "--run", run, smallTrace(dir, n)); code != "" {
						t.Error(code)
					}
					if round > 0 {
						c, _ := program(many, "analyze", "--quiet", "run", run)
						killAfter(c, time.Duration(random.IntN(400))*time.Millisecond)
					}
					if code := inTurn(many, "analyze", "--quiet", "run", run); code != "" {
						t.Error(code)
					}
				}
			}
		})
	}
	all.Wait()
	ended.Store(true)
	reader.Wait()
	if analyzed, answered := wholeRuns(t, many); !answered || analyzed != manyRuns || answers == 0 {
		t.Errorf("in the end a DuckDB client sees %d analyzed runs, and was answered %d times before", analyzed, answers)
	}
}

// inTurn runs a program to its end and returns what it says if it fails.
func inTurn(many string, args ...string) string {
	c, stderr := program(many, args...)
	if err := c.Run(); err != nil {
		return fmt.Sprintf("%q: %v\n%s", args, err, stderr)
	}
	return ""
}

// killAfter starts a program and kills it, unless it has ended by then.
func killAfter(c *exec.Cmd, delay time.Duration) {
	if c.Start() == nil {
		time.Sleep(delay)
		c.Process.Kill()
		c.Wait()
	}
}

// lookOn checks every run that is there: it has all tables of one ingest, and all files that its inventory names, unless the
// inventory was replaced meanwhile.
func lookOn(t *testing.T, dir string) {
	l, err := lake.Open(dir, false)
	if err != nil {
		return // there is no lake yet
	}
	partitions, err := l.Partitions("run")
	if err != nil {
		t.Error(err)
	}
	for _, p := range partitions {
		v, err := l.Inventory(p)
		if err != nil {
			t.Error(err)
			continue
		}
		runs := v.Table("runs")
		for _, table := range []string{"events", "messages", "annotations"} {
			if m := v.Table(table); runs == nil || m == nil || m.Fingerprint != runs.Fingerprint {
				t.Errorf("%s is half there: it lacks %s", p, table)
			}
		}
		for _, m := range v.Tables {
			for _, f := range m.Files {
				info, err := os.Stat(l.Path(f))
				if now, again := l.Inventory(p); again == nil && now == v && (err != nil || info.Size() != f.Bytes) {
					t.Errorf("%s: %s is not whole: %v", p, f.Path, err)
				}
			}
		}
	}
}
