package pipeline

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
)

// accounts share out what the process uses among the tasks that it runs. The system counts by process, and a task may have
// several goroutines, so between two changes of the set of running tasks each is charged an equal part. That is exact with
// one job, and right on average where tasks that run together keep their cores busy.
type accounts struct {
	mu      sync.Mutex
	running []*running
	before  lake.Cost // of the process, at the last change
}

// running is a task under way.
type running struct {
	cost    lake.Cost
	started time.Time
}

// open begins to charge a task.
func (a *accounts) open() *running {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.share()
	r := &running{started: time.Now()}
	a.running = append(a.running, r)
	return r
}

// close ends it and returns what it cost.
func (a *accounts) close(r *running) *lake.Cost {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.share()
	a.running = slices.DeleteFunc(a.running, func(other *running) bool { return other == r })
	r.cost.WallNs = time.Since(r.started).Nanoseconds()
	return &r.cost
}

// share charges what was used since the last change.
func (a *accounts) share() {
	now := used()
	if n := int64(len(a.running)); n > 0 {
		for _, r := range a.running {
			r.cost.CPUNs += (now.CPUNs - a.before.CPUNs) / n
			r.cost.ReadBytes += (now.ReadBytes - a.before.ReadBytes) / n
			r.cost.WrittenBytes += (now.WrittenBytes - a.before.WrittenBytes) / n
		}
	}
	a.before = now
}

// used is what this process has used so far. Bytes are known on Linux only.
func used() (c lake.Cost) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) == nil {
		c.CPUNs = u.Utime.Nano() + u.Stime.Nano()
	}
	io, err := os.ReadFile("/proc/self/io")
	if err == nil {
		c.ReadBytes, c.WrittenBytes = counter(io, "rchar: "), counter(io, "wchar: ")
	}
	return c
}

// counter is the number behind a name in the lines of /proc/self/io; 0 where it is missing.
func counter(text []byte, name string) int64 {
	_, rest, _ := bytes.Cut(text, []byte(name))
	digits, _, _ := bytes.Cut(rest, []byte{'\n'})
	n, _ := strconv.ParseInt(string(digits), 10, 64)
	return n
}
