// Package crashtest plays nasty tricks on the real programs: it kills them, interrupts them, takes their disk
// and their memory away, and checks that the lake is always one that an undisturbed run could have left.
package crashtest

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/pipeline/process"
	"github.com/tracelake/tracelake/testdata/expect"
)

// home is the folder with the programs and traces of all tests; curlTrace is a trace of curl, compressed, of which the ingest is one task.
var home, curlTrace string

func TestMain(m *testing.M) {
	if cut, asked := cuts[filepath.Base(os.Args[0])]; asked {
		os.Exit(ingestCut(cut, os.Args[1:]))
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if home, err = process.FolderIn(laketest.Memory(), "crashtest"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer process.RemoveFolder(home)
	os.Setenv("TMPDIR", home)
	build := exec.Command("go", "build", "-o", home, "../../cmd/ingest", "../../cmd/analyze", "../../benchmarks/generate")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%s%v\n", out, err)
		return 1
	}
	if curlTrace, err = filepath.Abs("../../testdata/demo/slow/slow-1.txt.zst"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	self, err := os.Executable()
	for name := range cuts {
		err = errors.Join(err, os.Symlink(self, filepath.Join(home, name)))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	// A program that is killed, or that waits for what is sent, leaves the cores to others.
	flag.Parse()
	if err = flag.Set("test.parallel", "4"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// making is held by a test that makes what others use, too.
var making sync.Mutex

// trace is a trace of the simulated machine with so many events, made once. Options of the generator give another one.
func trace(t *testing.T, events string, options ...string) string {
	t.Helper()
	making.Lock()
	defer making.Unlock()
	path := filepath.Join(home, strings.Join(append(options, events+".txt"), ""))
	if _, err := os.Stat(path); err == nil {
		return path
	}
	if out, err := exec.Command(filepath.Join(home, "generate"), append(options, "-events", events, "-o", path)...).CombinedOutput(); err != nil {
		t.Fatalf("%s%v", out, err)
	}
	return path
}

// engineEvents is how long run a of the tests of engines is: five tasks of an ingest.
const engineEvents = "1e5"

// ingestBoth makes the runs of the tests of engines: a of the simulated machine, and b of a recording.
func ingestBoth(t *testing.T, lake string, flags ...string) {
	t.Helper()
	must(t, lake, append([]string{"ingest", "--run", "a", trace(t, engineEvents)}, flags...)...)
	must(t, lake, append([]string{"ingest", "--run", "b", curlTrace}, flags...)...)
}

// engineLakes are the lakes of lakesOfEngines, once a test has made them.
var engineLakes struct{ ingested, analyzed string }

// lakesOfEngines are the runs of the tests of engines, ingested and analyzed by one process each. A test changes copies of them only.
func lakesOfEngines(t *testing.T) (ingested, analyzed string) {
	t.Helper()
	if engineLakes.analyzed == "" {
		dir := filepath.Join(home, "engines")
		expect.OK(t, os.Mkdir(dir, 0o700))
		engineLakes.ingested = filepath.Join(dir, "ingested")
		ingestBoth(t, engineLakes.ingested)
		analyzed := filepath.Join(dir, "analyzed")
		expect.OK(t, os.CopyFS(analyzed, os.DirFS(engineLakes.ingested)))
		must(t, analyzed, "analyze", "run")
		engineLakes.analyzed = analyzed
	}
	return engineLakes.ingested, engineLakes.analyzed
}

// analyzedOne returns the hashes of a lake of these runs in which run a is analyzed by one process, and the other one is not.
func analyzedOne(t *testing.T, ingested string) map[string]string {
	t.Helper()
	lake := copyLake(t, ingested)
	must(t, lake, "analyze", "run", "a")
	return laketest.Hashes(t, lake)
}

// program prepares a command with a lake; its standard error is kept.
func program(lake string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	c := exec.Command(filepath.Join(home, args[0]), append(args[1:], "--lake", lake)...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	return c, &stderr
}

// must runs a program to its end.
func must(t *testing.T, lake string, args ...string) {
	t.Helper()
	c, stderr := program(lake, args...)
	if err := c.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, stderr)
	}
}

// exitCode is the code with which a program ended, -1 when a signal ended it.
func exitCode(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if err == nil {
		return 0
	}
	return exit.ExitCode()
}

// timed runs a program three times, each in a lake that prepare makes, and returns the longest time.
func timed(t *testing.T, prepare func() string, args ...string) (longest time.Duration) {
	t.Helper()
	for range 3 {
		lake := prepare()
		started := time.Now()
		must(t, lake, args...)
		longest = max(longest, time.Since(started))
		os.RemoveAll(lake)
	}
	return longest
}

// copyLake copies a lake into a fresh folder.
func copyLake(t *testing.T, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "lake")
	expect.OK(t, os.CopyFS(to, os.DirFS(from)))
	return to
}
