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
	path, dir    string
	bytes, lines int64
}

// measure finds the size of the file; it also warms the page cache.
func (t *target) measure() error {
	return t.each(func(block []byte) {
		t.bytes += int64(len(block))
		t.lines += int64(bytes.Count(block, []byte{'\n'}))
	})
}

const blockBytes = 1 << 20

// each hands the file to f block by block.
func (t *target) each(f func(block []byte)) error {
	file, err := os.Open(t.path)
	if err != nil {
		return err
	}
	defer file.Close()
	buf := make([]byte, blockBytes)
	for {
		n, err := file.Read(buf)
		f(buf[:n])
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
	name string
	run  func(context.Context, target) error
}

// row is what a measurement took.
type row struct {
	name      string
	cpu, wall time.Duration
}

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
		s := max(r.cpu, time.Microsecond).Seconds()
		fmt.Fprintf(tw, "%s\t%.2f\t%.2f\t%.2f\t%.0f\t\n", r.name, r.cpu.Seconds(), r.wall.Seconds(),
			float64(t.lines)/s/1e6, float64(t.bytes)/s/1e6)
	}
	return tw.Flush()
}
