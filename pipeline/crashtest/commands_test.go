package crashtest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// commandKills is how often each of the writing commands is killed. Without it, those are killed once that no other test stops.
//
//	go test ./pipeline/crashtest -run TestKilledCommands -kills 42 -timeout 0   # 1,008 times in all
//
// The instants follow from the number of the kill, so that -first goes on where an earlier call ended.
var (
	commandKills = flag.Int("kills", 0, "how often TestKilledCommands kills each writing command")
	firstKill    = flag.Int("first", 0, "the number of the first kill of TestKilledCommands")
)

// writing are the commands that change a lake, with what they are given beside it. NEW is a trace that the lake does not have, SPEC a
// specification, CLAIMS a transformation, and TASKS a program that does each task in a process of its own, which outlives what is killed.
var writing = []struct {
	name string
	args []string
	// gone says that the command finds nothing to do, which is wrong usage, once it has done its work.
	gone bool
	// elsewhere says that other tests kill it, or stop it after any number of its tasks.
	elsewhere bool
}{
	{"ingest", []string{"ingest", "--run", "new", "NEW"}, false, true},
	{"ingest --replace", []string{"ingest", "--replace", "--run", "r0", "NEW"}, false, true},
	{"run", []string{"analyze", "run", "late", "r0"}, false, true},
	{"compare", []string{"analyze", "compare", "--base", "release=1", "--cand", "release=2"}, false, true},
	{"compare again", []string{"analyze", "compare", "--id", "back", "--base", "release=2", "--cand", "release=1"}, false, true},
	{"history", []string{"analyze", "history"}, false, true},
	{"levels", []string{"analyze", "levels", "r0", "r4"}, false, true},
	{"reconcile", []string{"analyze", "reconcile", "rig", "a=r0", "b=r1"}, false, false},
	{"inject", []string{"analyze", "inject", "r0", "faulty", "--fault", "delay", "--factor", "3"}, false, false},
	{"evaluate", []string{"analyze", "evaluate", "--only", "aa", "--splits", "2", "release=1", "release=2"}, false, true},
	{"baseline", []string{"analyze", "baseline", "set", "night", "release=1"}, false, true},
	{"baseline drop", []string{"analyze", "baseline", "drop", "day"}, true, true},
	{"compare by tasks", []string{"analyze", "compare", "--id", "tasks", "--base", "release=1", "--cand", "release=2", "--executor", "TASKS"}, false, false},
	{"check", []string{"analyze", "check", "release=1", "--spec", "SPEC", "--intervals"}, false, false},
	{"signals", []string{"analyze", "run", "--stage", "signals"}, false, true},
	{"transform", []string{"analyze", "transform", "r0", "--spec", "CLAIMS", "--run", "made"}, false, false},
	{"gains", []string{"analyze", "what-if", "r0"}, false, false},
	{"distance", []string{"analyze", "distance", "r0", "r1", "r2"}, false, false},
	{"behaviours", []string{"analyze", "behaviours", "release=1", "--item", "function"}, false, false},
	{"critical claims", []string{"analyze", "critical-path", "r0", "--graph", "claims"}, false, false},
	{"drop", []string{"analyze", "drop", "r5"}, true, false},
	{"drop --keep-summaries", []string{"analyze", "drop", "--keep-summaries", "r5"}, false, true},
	{"drop --comparison", []string{"analyze", "drop", "--comparison", "back"}, true, false},
	{"tidy", []string{"analyze", "tidy"}, false, false},
}

// asked and claimed are what TestKilledCommands gives to check and to transform.
const (
	asked = `signal load : wip of root
check answered : globally if start {'function'='lookup'} then within 1 ms end {'function'='lookup'}
check few : globally load <= 2
`
	claimed = `transformation calls {
  def up : start {'function'='lookup'};
  claim-spec call : up, (end {'function'='lookup'}), {'resource'='client', 'action'='call'};
}
`
)

// commandsMade is the folder of the lake that the writing commands find, and of what stands beside it, once a test has made it.
var commandsMade string

// commandsLake is a lake that the writing commands find, and what stands in the place of the words in their arguments. It is made once, so that a test
// changes copies of it only.
func commandsLake(t *testing.T) (base string, given *strings.Replacer) {
	t.Helper()
	making.Lock()
	defer making.Unlock()
	if commandsMade == "" {
		dir := filepath.Join(home, "commands")
		expect.OK(t, os.Mkdir(dir, 0o700))
		makeCommandsLake(t, dir)
		commandsMade = dir
	}
	in := func(name string) string { return filepath.Join(commandsMade, name) }
	return in("base"), strings.NewReplacer("NEW", smallTrace(commandsMade, 7), "SPEC", in("asked.etl"), "CLAIMS", in("claimed.etl"), "TASKS", "exec:"+taskProgram(t))
}

func makeCommandsLake(t *testing.T, dir string) {
	t.Helper()
	base := filepath.Join(dir, "base")
	for n := range 8 {
		expect.OK(t, os.WriteFile(smallTrace(dir, n), []byte(small(n)), 0o666))
	}
	for n := range 6 {
		must(t, base, "ingest", "--quiet", "--run", fmt.Sprint("r", n), "--label", fmt.Sprint("release=", 1+n/3), smallTrace(dir, n))
	}
	must(t, base, "analyze", "--quiet", "run")
	must(t, base, "analyze", "--quiet", "compare", "--id", "back", "--base", "release=1", "--cand", "release=2")
	must(t, base, "analyze", "--quiet", "baseline", "set", "day", "release=1")
	must(t, base, "ingest", "--quiet", "--run", "late", smallTrace(dir, 6)) // which no command has analyzed
	expect.OK(t, os.WriteFile(filepath.Join(dir, "asked.etl"), []byte(asked), 0o666))
	expect.OK(t, os.WriteFile(filepath.Join(dir, "claimed.etl"), []byte(claimed), 0o666))
}

// TestKilledCommands kills each writing command at random instants, while a reader of inventories and a DuckDB client look on. Neither
// may ever see half of a change. The same command again must leave the lake that it leaves undisturbed.
func TestKilledCommands(t *testing.T) {
	t.Parallel()
	base, given := commandsLake(t)
	for _, w := range writing {
		if *commandKills == 0 && w.elsewhere {
			continue
		}
		t.Run(w.name, func(t *testing.T) {
			args := replaced(w.args, given)
			undisturbed := copyLake(t, base)
			started := time.Now()
			must(t, undisturbed, args...)
			span, want := time.Since(started), laketest.Hashes(t, undisturbed)
			for round := range max(*commandKills, 1) {
				random := rand.New(rand.NewPCG(uint64(*firstKill+round), uint64(len(w.name))))
				killedOnce(t, base, time.Duration(random.Int64N(int64(span))), w.gone, want, args)
			}
		})
	}
}

// replaced are arguments with what stands in the place of their words.
func replaced(args []string, given *strings.Replacer) (out []string) {
	for _, arg := range args {
		out = append(out, given.Replace(arg))
	}
	return out
}

// killedOnce kills a command after a while and runs it again to its end, in a copy of a lake.
func killedOnce(t *testing.T, base string, after time.Duration, gone bool, want map[string]string, args []string) {
	t.Helper()
	dir, when := copyLake(t, base), fmt.Sprintf("killed after %v", after)
	defer os.RemoveAll(dir)
	var ended atomic.Bool
	var readers sync.WaitGroup
	readers.Go(func() {
		for !ended.Load() {
			lookOn(t, dir)
			time.Sleep(time.Millisecond)
		}
	})
	readers.Go(func() { askOn(t, dir, &ended) })
	c, _ := program(dir, args...)
	killAfter(c, after)
	checkWhole(t, dir, when)
	again, stderr := program(dir, args...)
	if err := again.Run(); err != nil && !(gone && exitCode(t, err) == 2) {
		t.Errorf("%s, then again: %v\n%s", when, err, stderr)
	}
	ended.Store(true)
	readers.Wait()
	removeDatabases(t, dir)
	laketest.CheckSame(t, when, laketest.Hashes(t, dir), want)
}

// removeDatabases takes away databases of views that a killed process had begun. Nobody knows whose they are, so they wait for analyze tidy,
// which would take away all else that is left, too.
func removeDatabases(t *testing.T, dir string) {
	begun := expect.Value(filepath.Glob(filepath.Join(dir, "tracelake.duckdb.*.new")))(t)
	for _, path := range begun {
		expect.OK(t, os.Remove(path))
	}
}
