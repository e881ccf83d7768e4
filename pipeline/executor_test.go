package pipeline_test

import (
	"sync"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline"
)

// load records how many tasks and how many bytes are under way, and the most that ever were.
type load struct {
	sync.Mutex
	tasks, mostTasks int
	bytes, mostBytes int64
	alone            bool // a task as large as the budget ran, and always alone
}

func (l *load) enter(bytes, budget int64) {
	l.Lock()
	defer l.Unlock()
	l.tasks++
	l.bytes += bytes
	l.mostTasks, l.mostBytes = max(l.mostTasks, l.tasks), max(l.mostBytes, l.bytes)
	if bytes >= budget {
		l.alone = l.tasks == 1
	}
}

func (l *load) leave(bytes int64) {
	l.Lock()
	defer l.Unlock()
	l.tasks--
	l.bytes -= bytes
}

// measured is a stage whose tasks only record the load.
func measured(l *load, bytesPerRow, budget int64) pipeline.Stage {
	return pipeline.Stage{
		Name: "measured", Reads: []string{"given"}, Writes: []string{"measured"}, BytesPerRow: bytesPerRow,
		Run: func(t *pipeline.Task) error {
			bytes := t.Rows("given") * bytesPerRow
			l.enter(bytes, budget)
			defer l.leave(bytes)
			time.Sleep(2 * time.Millisecond) // long enough for others to come
			return pipeline.WriteRows(t, "measured", []number{})
		},
	}
}

// TestBudgets sees that tasks neither exceed the number of jobs nor the memory, and that both are used.
func TestBudgets(t *testing.T) {
	for _, c := range []struct {
		what              string
		jobs              int
		bytesPerRow       int64
		memory            int64
		mostTasks         int
		mostBytes         int64
		largestRunsAlone  bool
		tasksNeedNotReach bool
	}{
		{what: "one job", jobs: 1, bytesPerRow: 1, memory: 1000, mostTasks: 1, mostBytes: 6},
		{what: "jobs are the limit", jobs: 3, bytesPerRow: 1, memory: 1000, mostTasks: 3, mostBytes: 15},
		{what: "memory is the limit", jobs: 6, bytesPerRow: 100, memory: 700, mostTasks: 3, mostBytes: 700, tasksNeedNotReach: true},
		{what: "a task larger than the memory", jobs: 6, bytesPerRow: 100, memory: 500, mostTasks: 2, mostBytes: 600, largestRunsAlone: true, tasksNeedNotReach: true},
		{what: "every task larger than the memory", jobs: 6, bytesPerRow: 100, memory: 50, mostTasks: 1, mostBytes: 600, largestRunsAlone: true},
	} {
		var l load
		e := engine(toyLake(t), measured(&l, c.bytesPerRow, c.memory))
		e.Jobs, e.Memory = c.jobs, c.memory
		mustRun(t, e)
		if l.mostTasks > c.mostTasks || l.mostTasks < c.mostTasks && !c.tasksNeedNotReach {
			t.Errorf("%s: %d tasks at a time, want %d", c.what, l.mostTasks, c.mostTasks)
		}
		if l.mostBytes > c.mostBytes {
			t.Errorf("%s: %d bytes at a time, at most %d may be", c.what, l.mostBytes, c.mostBytes)
		}
		if c.largestRunsAlone && !l.alone {
			t.Errorf("%s: it did not run alone", c.what)
		}
	}
}
