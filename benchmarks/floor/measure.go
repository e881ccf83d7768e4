package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/tracelake/tracelake/benchmarks/program"
)

// target is the file that is measured.
type target struct {
	path, dir    string // the trace; where DuckDB may write
	bytes, lines int64  // of the trace
}

// measure finds the size of the file; it also warms the page cache.
func (t *target) measure() error {
	return t.each(func(block []byte) {
		t.bytes += int64(len(block))
		t.lines += int64(bytes.Count(block, []byte{'\n'}))
	})
}

// blockBytes is the size of a read. It fits into the cache of a core, so that the memory behind it is not
// measured.
const blockBytes = 1 << 20

// each hands the file to f block by block.
// The block is used again after f returns.
func (t *target) each(f func(block []byte)) error {
	file, err := os.Open(t.path)
	if err != nil {
		return err
	}
	defer file.Close()
	buf := make([]byte, blockBytes)
	for {
		n, err := file.Read(buf)
		f(buf[:n]) // bytes may come with the end of the file
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// measurement is one way to go through the file.
type measurement struct {
	name string // as in -only and in the table
	run  func(context.Context, target) error
}

// row is what a measurement took.
type row struct {
	name      string
	cpu, wall time.Duration // of all threads; elapsed
}

// timed runs one measurement. Nothing else runs in this process meanwhile, so its CPU time is that of the process.
func timed(ctx context.Context, m measurement, t target) (row, error) {
	if err := ctx.Err(); err != nil {
		return row{}, err
	}
	before, start := program.CPU(), time.Now()
	err := m.run(ctx, t)
	return row{name: m.name, cpu: program.CPU() - before, wall: time.Since(start)}, err
}

// table prints lines and bytes per second of CPU time, which is what one core does in a second.
func table(w io.Writer, t target, rows []row) error {
	fmt.Fprintf(w, "%s: %d lines, %d bytes\n", t.path, t.lines, t.bytes)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "measurement\tcpu s\twall s\tM lines/s per core\tMB/s per core\t")
	for _, r := range rows {
		s := max(r.cpu, time.Microsecond).Seconds() // a tiny file may take less than the clock shows
		fmt.Fprintf(tw, "%s\t%.2f\t%.2f\t%.2f\t%.0f\t\n", r.name, r.cpu.Seconds(), r.wall.Seconds(),
			float64(t.lines)/s/1e6, float64(t.bytes)/s/1e6)
	}
	return tw.Flush()
}
