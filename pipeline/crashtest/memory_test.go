package crashtest

import (
	"strings"
	"syscall"
	"testing"
)

// TestPeakMemory checks that programs keep within 1.1 times the least memory that may be asked for, as the system counts the pages
// that they have resident, with traces that are longer than what ingest looks at before it weaves anything, and that have more subjects
// to compare than fit into it together with all that they are judged by: 70,000, of a machine of 600 components.
func TestPeakMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("a trace of 1.5 million events takes some seconds, and its comparison more")
	}
	const most = 256 << 20 / 10 * 11
	lake := t.TempDir()
	for _, args := range [][]string{
		{"ingest", "--run", "a", trace(t, "1.5e6", "-components", "600")},
		{"ingest", "--run", "b", trace(t, "1.5e6", "-components", "600", "-seed", "2")},
		{"analyze", "run"},
		{"analyze", "compare", "--base", "a", "--cand", "b"},
	} {
		c, stderr := program(lake, append(args, "--quiet", "--jobs", "2", "--memory", "256MiB")...)
		if err := c.Run(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, stderr)
		}
		used, ok := c.ProcessState.SysUsage().(*syscall.Rusage)
		if !ok {
			t.Skip("this system does not say how much memory a process had")
		}
		if peak := used.Maxrss << 10; peak > most { // kilobytes, on Linux
			t.Errorf("%s has %d MB of memory at its peak, and may have %d", strings.Join(args[:2], " "), peak/1e6, most/1_000_000)
		}
	}
}
