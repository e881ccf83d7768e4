package crashtest

import (
	"flag"
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
	"github.com/tracelake/tracelake/testdata/expect"
)

// How many processes write into one lake at once, how many runs they share, and how often all of it is killed. Every run belongs to
// two processes, so that they meet. A hundred rounds of sixteen processes over 64 runs are
//
//	go test -count=1 -timeout 2h ./pipeline/crashtest -run TestManyProcesses -v -writers 16 -runs 64 -rounds 100
var (
	writers    = flag.Int("writers", 8, "processes of TestManyProcesses")
	manyRuns   = flag.Int("runs", 8, "runs of TestManyProcesses")
	manyRounds = flag.Int("rounds", 2, "rounds of TestManyProcesses in which every process is killed")
)

// TestManyProcesses has processes ingest and analyze runs into one lake at once, undisturbed and then each killed at a random
// instant and started again, while a reader of inventories and a DuckDB client look on. The lake must be the one that a single
// process makes, neither may see half a run, and in the end the client must see all.
func TestManyProcesses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var names, traces []string
	for n := range *manyRuns {
		names, traces = append(names, fmt.Sprint("r", n)), append(traces, smallTrace(dir, n))
		expect.OK(t, os.WriteFile(traces[n], []byte(small(n)), 0o666))
	}
	one := filepath.Join(dir, "one")
	for n := range names {
		must(t, one, "ingest", "--quiet", traces[n])
		must(t, one, "analyze", "--quiet", "run", names[n])
	}
	want := laketest.Hashes(t, one)
	spans := make([][2]time.Duration, *writers)
	for round := range 1 + *manyRounds {
		began, many := time.Now(), filepath.Join(dir, fmt.Sprint("many", round))
		writeTogether(t, dir, many, round, spans)
		must(t, many, "analyze", "--quiet", "tidy") // takes away what killed processes left of the database of views
		laketest.CheckSame(t, fmt.Sprintf("%d processes, round %d", *writers, round), laketest.Hashes(t, many), want)
		os.RemoveAll(many)
		t.Logf("round %d took %.1f s", round, time.Since(began).Seconds())
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

// writeTogether runs all writers to their end, while readers look on. Each ingests its runs and those of its neighbour with one
// command, and analyzes them with another, in an order of its own. The first round notes how long these take; in every later one
// each command is killed once within that time, before it is run to its end.
func writeTogether(t *testing.T, dir, many string, round int, spans [][2]time.Duration) {
	var ended atomic.Bool
	var all, reader sync.WaitGroup
	reader.Go(func() {
		for !ended.Load() {
			lookOn(t, many)
			time.Sleep(10 * time.Millisecond)
		}
	})
	answers := 0
	reader.Go(func() { answers = askOn(t, many, &ended) })
	for w := range spans {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(round), uint64(w)))
			for k, command := range commandsOf(dir, w, random) {
				if round > 0 {
					c, _ := program(many, command...)
					killAfter(c, time.Duration(random.Float64()*float64(spans[w][k])))
				}
				began := time.Now()
				if failure := inTurn(many, command...); failure != "" {
					t.Error(failure)
				}
				if round == 0 {
					spans[w][k] = time.Since(began)
				}
			}
		})
	}
	all.Wait()
	ended.Store(true)
	reader.Wait()
	if analyzed, answered := wholeRuns(t, many); !answered || analyzed != *manyRuns || answers == 0 {
		t.Errorf("in the end a DuckDB client sees %d analyzed runs, and was answered %d times before", analyzed, answers)
	}
}

// commandsOf are the commands of a writer.
func commandsOf(dir string, w int, random *rand.Rand) [2][]string {
	var own []int
	for n := w; n < *manyRuns; n += *writers {
		own = append(own, n, (n+1)%*manyRuns)
	}
	random.Shuffle(len(own), func(i, j int) { own[i], own[j] = own[j], own[i] })
	commands := [2][]string{{"ingest", "--quiet"}, {"analyze", "--quiet", "run"}}
	for _, n := range own {
		commands[0], commands[1] = append(commands[0], smallTrace(dir, n)), append(commands[1], fmt.Sprint("r", n))
	}
	return commands
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

// madeTogether are tables of runs that one command makes: there are all of them or none.
var madeTogether = [][]string{
	{"checks", "check_failures", "check_intervals"},
	{"derived_signals", "fragments_of_derived_signals"},
}

// lookOn checks every comparison and every run that is there: a comparison has all tables of one pair of sides; a run has all
// tables of one ingest, and all files that its inventory names, unless the inventory was replaced meanwhile.
func lookOn(t *testing.T, dir string) {
	l, err := lake.Open(dir, false)
	if err != nil {
		return // there is no lake yet
	}
	lookAtComparisons(t, l)
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
		if len(v.Tables) == 0 {
			continue // it was dropped meanwhile
		}
		runs := v.Table("runs")
		// Of a run whose summaries are kept all three are gone, never one of them.
		kept := v.Table("events") == nil && v.Table("messages") == nil && v.Table("annotations") == nil && v.Table("summaries") != nil
		for _, table := range []string{"events", "messages", "annotations"} {
			if m := v.Table(table); !kept && (runs == nil || m == nil || m.Fingerprint != runs.Fingerprint) {
				t.Errorf("%s is half there: it lacks %s", p, table)
			}
		}
		for _, group := range madeTogether {
			for _, table := range group[1:] {
				if one, other := v.Table(group[0]), v.Table(table); (one == nil) != (other == nil) || one != nil && one.Fingerprint != other.Fingerprint {
					t.Errorf("%s is half there: of %s and %s one is missing or older", p, group[0], table)
				}
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

// lookAtComparisons checks that every comparison has all its tables, of the same sides.
func lookAtComparisons(t *testing.T, l *lake.Lake) {
	partitions, err := l.Partitions("comparison")
	if err != nil {
		t.Error(err)
	}
	for _, p := range partitions {
		v, err := l.Inventory(p)
		if err != nil {
			t.Error(err)
			continue
		}
		changes := v.Table("changes")
		if len(v.Tables) == 0 || changes == nil {
			continue // it was dropped meanwhile, or is of another kind
		}
		for _, table := range []string{"findings", "contributions", "estimates", "run_factors"} {
			if m := v.Table(table); m == nil || m.Fingerprint != changes.Fingerprint {
				t.Errorf("%s is half there: it lacks %s", p, table)
			}
		}
	}
}
