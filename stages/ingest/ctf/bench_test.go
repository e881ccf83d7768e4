package ctf

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// benchmark reads a trace over and over and throws the blocks away.
func benchmark(b *testing.B, fsys fs.FS, dirs ...string) {
	var bytes, events int64
	reading := schema.Reading{Options: schema.ReadingOptions{Clocks: schema.Clocks{Mode: schema.ClocksAuto}}}
	for _, dir := range dirs {
		reading.Traces = append(reading.Traces, schema.Trace{FS: fsys, Path: dir})
		files := expect.Value(fs.Glob(fsys, dir+"/*"))(b)
		for _, file := range files {
			if info, err := fs.Stat(fsys, file); err == nil && !info.IsDir() {
				bytes += info.Size()
			}
		}
	}
	b.SetBytes(bytes)
	b.ReportAllocs()
	start := cpuTime(b)
	for b.Loop() {
		reading.Ledger = new(schema.Ledger)
		r := newReader(&reading)
		var block schema.Block
		_ = r.Read(func(*schema.Block) (*schema.Block, error) {
			block.Reset()
			return &block, nil
		})
		for _, s := range r.sources {
			for _, p := range s.plan.plans() {
				events += p.count
			}
		}
	}
	b.ReportMetric(float64(events)/(cpuTime(b)-start).Seconds(), "events/cpu-s")
}

// cpuTime is the processor time of all threads so far, which says more than elapsed time on a shared machine.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	expect.OK(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// millions is how many calls the generated trace has: a million events.
const millions = 500_000

func BenchmarkFunctions(b *testing.B) {
	cpu0, cpu1 := program(millions)
	benchmark(b, layout{align: 8}.trace(cpu0, cpu1), "t")
}

func BenchmarkFunctionsCompact(b *testing.B) {
	cpu0, cpu1 := program(millions)
	benchmark(b, layout{align: 8, compact: true}.trace(cpu0, cpu1), "t")
}

func BenchmarkFunctionsBigEndianAligned(b *testing.B) {
	cpu0, cpu1 := program(millions)
	benchmark(b, layout{align: 64, big: true}.trace(cpu0, cpu1), "t")
}

// BenchmarkFunctionsLong reads events whose numbers stand behind an escape.
func BenchmarkFunctionsLong(b *testing.B) {
	cpu0, cpu1 := program(millions)
	benchmark(b, layout{align: 8}.trace(escaped(cpu0), escaped(cpu1)), "t")
}

func benchmarkRecorded(b *testing.B, archive string) {
	root := unpacked(b, archive)
	benchmark(b, os.DirFS(root), tracesIn(b, root)...)
}

func BenchmarkRecordedUser(b *testing.B) {
	benchmarkRecorded(b, "ctf/curl-8.14.1-http-fast-run1.ctf.tar.zst")
}

func BenchmarkRecordedKernel(b *testing.B) {
	benchmarkRecorded(b, "../third-party/ctf/tracecompass/many-threads.ctf.tar.zst")
}

func BenchmarkRecordedSequences(b *testing.B) {
	benchmarkRecorded(b, "../third-party/ctf/tracecompass/hello-lost.ctf.tar.zst")
}

// BenchmarkRecordedHosts reads the kernels of two hosts, whose clocks are aligned by a scan beforehand.
func BenchmarkRecordedHosts(b *testing.B) {
	benchmarkRecorded(b, compass+"synctraces.ctf.tar.zst")
}

// TestWriteTrace writes the trace of BenchmarkFunctions into a folder, for other programs to read.
func TestWriteTrace(t *testing.T) {
	to := os.Getenv("TRACELAKE_WRITE_CTF")
	if to == "" {
		t.Skip("set TRACELAKE_WRITE_CTF to a folder to write a trace of a million events there")
	}
	cpu0, cpu1 := program(millions)
	expect.OK(t, os.CopyFS(filepath.Clean(to), layout{align: 8}.trace(cpu0, cpu1)))
}

func BenchmarkRecordedROS2(b *testing.B) {
	benchmarkRecorded(b, compass+"ros2.ctf.tar.zst")
}
