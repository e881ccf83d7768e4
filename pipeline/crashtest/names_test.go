package crashtest

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestMemoryOfNames gives commands what takes memory by its number of names, components, threads or open calls and not of rows. Each
// keeps within 1.1 times --memory, or ends with a sentence that says what to raise.
func TestMemoryOfNames(t *testing.T) {
	if testing.Short() {
		t.Skip("traces of some hundred thousand functions take some seconds each, and their analysis more")
	}
	const many = 400_000
	calls := func(component, function string) func(i int) string {
		return func(i int) string {
			c, f := strings.ReplaceAll(component, "#", fmt.Sprint(i)), strings.ReplaceAll(function, "#", fmt.Sprint(i))
			return fmt.Sprintf("%d %s > %s\n%d %s < %s\n", 2*i, c, f, 2*i+1, c, f)
		}
	}
	functions := written(t, "functions.txt", many, calls("Parser", "function_number_#"))
	components := written(t, "components.txt", many, calls("Component#", "f"))
	leaked := written(t, "leaked.txt", 2*many, func(i int) string { return fmt.Sprintf("%d C > f\n", i) })
	threads := written(t, "threads.csv", many, func(i int) string {
		if i == 0 {
			return "time,component,thread,function,kind\n"
		}
		return fmt.Sprintf("%d,C,T%d,f,start\n%d,C,T%d,f,finish\n", 2*i, i, 2*i+1, i)
	})
	read := filepath.Join(t.TempDir(), "read")
	for _, path := range []string{functions, components, leaked, threads} {
		name, _, _ := strings.Cut(filepath.Base(path), ".")
		if !modest(t, read, "ingest", "--run", name, path) {
			must(t, read, "ingest", "--quiet", "--run", name, path)
		}
	}
	for _, run := range []string{"functions", "components", "leaked", "threads"} {
		modest(t, read, "analyze", "run", run)
	}
	analyzed := filepath.Join(t.TempDir(), "analyzed")
	fewer := written(t, "fewer.txt", many/4, calls("Parser", "function_number_#"))
	for _, run := range []string{"a", "b"} {
		must(t, analyzed, "ingest", "--quiet", "--label", "release="+run, "--run", run, fewer)
	}
	must(t, analyzed, "analyze", "run", "--quiet")
	for _, args := range [][]string{
		{"compare", "--base", "a", "--cand", "b"}, {"history"}, {"levels", "a", "b"}, {"what-if", "a"}, {"signals", "a"},
		{"timeline", "a", "-o", filepath.Join(t.TempDir(), "timeline.svg")}, {"critical-path", "a", "--to", "Parser.function_number_7"},
	} {
		modest(t, analyzed, append([]string{"analyze"}, args...)...)
	}
}

// modest checks that a program keeps within 1.1 times 256 MiB, and that it did its work or says what to raise. It reports whether it did.
func modest(t *testing.T, lake string, args ...string) (done bool) {
	t.Helper()
	const most = 256 << 20 / 10 * 11
	c, stderr := program(lake, append(args, "--quiet", "--jobs", "2", "--memory", "256MiB")...)
	err := c.Run()
	if err != nil && (exitCode(t, err) != 1 || !strings.Contains(stderr.String(), "raise it to 512MiB or more; the lake is sound\n")) {
		t.Errorf("%q: %v, and it says %q", args, err, stderr)
	}
	used, ok := c.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		t.Skip("this system does not say how much memory a process had")
	}
	if peak := used.Maxrss << 10; peak > most { // kilobytes, on Linux
		t.Errorf("%q has %d MB of memory at its peak, and may have %d", args, peak/1e6, most/1_000_000)
	}
	return err == nil
}

// written is a trace of so many parts.
func written(t *testing.T, name string, parts int, part func(i int) string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f := expect.Value(os.Create(path))(t)
	w := bufio.NewWriter(f)
	for i := range parts {
		w.WriteString(part(i))
	}
	expect.OK(t, w.Flush())
	expect.OK(t, f.Close())
	return path
}
