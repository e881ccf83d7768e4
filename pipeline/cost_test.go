package pipeline

import (
	"os"
	"testing"
	"time"
)

// TestAccounts sees that two tasks that run together are charged what the process used between them, and one that runs
// alone all of it.
func TestAccounts(t *testing.T) {
	var a accounts
	spin := func() {
		for began := used().CPUNs; used().CPUNs-began < (20 * time.Millisecond).Nanoseconds(); {
		}
	}
	first := a.open()
	spin()
	second := a.open()
	spin()
	two := a.close(second)
	one := a.close(first)
	if one.CPUNs < two.CPUNs+(20*time.Millisecond).Nanoseconds() || two.CPUNs < (10*time.Millisecond).Nanoseconds() {
		t.Errorf("the tasks are charged %d and %d ns", one.CPUNs, two.CPUNs)
	}
	if _, err := os.Stat("/proc/self/io"); err == nil && one.ReadBytes == 0 {
		t.Error("reading /proc/self/io is not counted")
	}
	if len(a.running) > 0 {
		t.Error("tasks are left open")
	}
}

// TestCounter reads numbers as the kernel writes them.
func TestCounter(t *testing.T) {
	text := []byte("rchar: 3980\nwchar: 12\nsyscr: 9\n")
	if r, w, x := counter(text, "rchar: "), counter(text, "wchar: "), counter(text, "none: "); r != 3980 || w != 12 || x != 0 {
		t.Errorf("got %d, %d and %d", r, w, x)
	}
}
