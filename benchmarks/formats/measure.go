package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/tracelake/tracelake/benchmarks/program"
)

// bench is how everything is measured. Traces are made, summed up and read by processes of their own, since the
// greatest memory of a process counts that of the one that started it.
// It holds plain values, and each of its methods starts processes and waits for them: nothing runs side by side, since
// the machine would then measure itself.
type bench struct {
	self   []string // the command that makes and reads traces
	dir    string   // where traces are made and removed again
	events int      // of a trace, about
	runs   int      // of which the best counts
	memory int64    // bytes that a reader is given
}

// result is a line of the first table.
type result struct {
	subject              // the trace
	told                 // events and bytes of the reading
	ours    program.Cost // what the reader took
	floor   told         // bytes of all files, and the CPU time of adding up their words
	peers   []rival      // in the order of the subject
}

// rival is a peer and what it took.
type rival struct {
	peer          // the program and its arguments
	*contest      // its turns; none where it is missing
	missing  bool // it is not installed
}

// made makes the trace of a subject in a folder of its own, which discard removes.
// Making is a process too, so that its memory is not counted for the reader.
func (b bench) made(ctx context.Context, s subject, events int) (dir string, discard func() error, err error) {
	// Traces lie beside each other, each in its own folder.
	dir, err = os.MkdirTemp(b.dir, "trace-")
	if err != nil {
		return "", nil, err
	}
	discard = func() error { return os.RemoveAll(dir) }
	_, err = spend(ctx, nil, b.task("make", s.name, dir, strconv.Itoa(events)))
	return dir, discard, err
}

// task returns the command for a task of this program.
func (b bench) task(words ...string) []string {
	return append(append([]string(nil), b.self...), words...)
}

// reader is the reading of a trace in a process of its own.
// Its output has the numbers of events and bytes.
// The reader's memory is an argument, so that one program serves both tables.
func (b bench) reader(s subject, dir string, memory int64) *contest {
	return &contest{command: b.task("read", s.name, dir, strconv.FormatInt(memory, 10)), keep: true}
}

// told is what a process of ours told.
// The error is that of the run, or of an output that is not three numbers.
func (c *contest) told() (t told, err error) {
	if c.failed != nil {
		return t, c.failed
	}
	_, err = fmt.Sscan(c.output, &t.events, &t.bytes, &t.cpuNs)
	return t, err
}

// compare measures a subject beside its floor and its peers.
// Floor, reader and peers take turns, so that a slow minute of the machine hits all of them; of each the best turn
// counts, as noise only adds time. The trace is removed at the end, also after an error.
func (b bench) compare(ctx context.Context, s subject) (r result, err error) {
	dir, discard, err := b.made(ctx, s, b.events)
	if err != nil {
		return r, err
	}
	defer func() {
		if e := discard(); err == nil {
			err = e
		}
	}()
	// 1. Who takes part: floor and reader as processes of this program, and the peers that are installed.
	r.subject = s
	floor, ours := &contest{command: b.task("sum", dir), keep: true}, b.reader(s, dir, b.memory)
	all := []*contest{ours}
	for _, p := range s.peers {
		r.peers = append(r.peers, rival{peer: p, missing: !p.there(), contest: &contest{command: p.filled(filepath.Join(dir, s.path))}})
		if q := r.peers[len(r.peers)-1]; !q.missing {
			all = append(all, q.contest)
		}
	}
	// 2. The turns. The floor's figures are its own CPU time, without the start of a process.
	for range b.runs {
		floor.turn(ctx)
		t, err := floor.told()
		if err != nil {
			return r, err
		}
		if r.floor.cpuNs == 0 || t.cpuNs < r.floor.cpuNs {
			r.floor = t
		}
		for _, c := range all {
			c.turn(ctx)
		}
	}
	// 3. What the reader said, after its last turn.
	r.ours = ours.best
	if r.told, err = ours.told(); err != nil {
		return r, err
	}
	return r, ctx.Err()
}

// growth is a line of the second table: two traces of one format, one four times as long as the other.
type growth struct {
	subject
	events [2]int64         // of the short and of the long trace
	peaks  [2]int64         // maximum of resident memory in bytes
	cpu    [2]time.Duration // of the best run
}

// longer says how many times as long the second trace is.
const longer = 4

// grow measures how memory follows the length of a trace.
// With little memory a reader must spill to scratch files. If its peak grows with the trace nevertheless, it holds
// something that it should not.
func (b bench) grow(ctx context.Context, s subject, memory int64) (g growth, err error) {
	g.subject = s
	// Short first: where both peaks are equal, memory does not follow the length.
	for i, events := range []int{b.events, longer * b.events} {
		dir, discard, err := b.made(ctx, s, events)
		if err != nil {
			return g, err
		}
		// A reader of its own for each length: its peak is that of a process that read only this trace.
		c := b.reader(s, dir, memory)
		for range b.runs {
			c.turn(ctx)
		}
		t, err := c.told()
		if gone := discard(); err == nil {
			err = gone
		}
		if err != nil {
			return g, err
		}
		g.events[i], g.peaks[i], g.cpu[i] = t.events, c.best.PeakBytes, c.best.CPU
	}
	return g, nil
}

// tell passes on what a process found.
func (t told) tell() string { return fmt.Sprintln(t.events, t.bytes, t.cpuNs) }
