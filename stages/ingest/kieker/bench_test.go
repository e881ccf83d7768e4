package kieker

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
)

const benchMap = "$0=kieker.common.record.misc.KiekerMetadataRecord\n$1=kieker.common.record.controlflow.OperationExecutionRecord\n" +
	"$2=kieker.common.record.flow.trace.TraceMetadata\n$3=kieker.common.record.flow.trace.operation.BeforeOperationEvent\n" +
	"$4=kieker.common.record.flow.trace.operation.AfterOperationEvent\n$5=SRV0\n$6=<no-session-id>\n"

// signatureText is the i-th signature of the corpora: its class, and the whole.
func signatureText(i int) (class, text string) {
	class = fmt.Sprintf("org.example.shop.catalogue.Component%d", i%20)
	return class, fmt.Sprintf("public void %s.operation%d(java.lang.String, int)", class, i)
}

// flowing calls visit for every event of traces of about the same length, eight of them at a time; order is the
// position in the trace.
func flowing(records int, visit func(trace int64, order int, ns int64, signature int, starts bool)) {
	type flow struct {
		trace int64
		order int
		stack []int
	}
	rng := rand.New(rand.NewPCG(1, 2))
	flows := make([]flow, 8)
	next, ns := int64(1<<60), int64(1_500_000_000_000_000_000)
	for range records {
		f := &flows[rng.IntN(len(flows))]
		ns += rng.Int64N(2000)
		if len(f.stack) == 0 {
			*f = flow{trace: next}
			next++
		}
		starts := len(f.stack) == 0 || f.order < 40 && rng.IntN(2) == 0
		if starts {
			f.stack = append(f.stack, rng.IntN(200))
		}
		top := f.stack[len(f.stack)-1]
		visit(f.trace, f.order, ns, top, starts)
		if f.order++; !starts {
			f.stack = f.stack[:len(f.stack)-1]
		}
	}
}

// eventLog is a log of Before and After events as text.
func eventLog(records int) []byte {
	var out bytes.Buffer
	flowing(records, func(trace int64, order int, ns int64, signature int, starts bool) {
		if order == 0 {
			fmt.Fprintf(&out, "$2;%d;%d;%d;<no-session-id>;SRV0;%d;-1\n", ns, trace, trace%8, trace)
		}
		number := 4
		if starts {
			number = 3
		}
		class, text := signatureText(signature)
		fmt.Fprintf(&out, "$%d;%d;%d;%d;%d;%s;%s\n", number, ns+90, ns, trace, order, text, class)
	})
	return out.Bytes()
}

// executionLog is a log of executions as text, in the order of their ends.
func executionLog(records int) []byte {
	type begun struct {
		ns  int64
		eoi int
	}
	open := map[int64][]begun{}
	starts := map[int64]int{}
	var out bytes.Buffer
	flowing(2*records, func(trace int64, order int, ns int64, signature int, enters bool) {
		stack := open[trace]
		if enters {
			open[trace] = append(stack, begun{ns, starts[trace]})
			starts[trace]++
			return
		}
		last := stack[len(stack)-1]
		if open[trace] = stack[:len(stack)-1]; len(stack) == 1 {
			delete(open, trace)
			delete(starts, trace)
		}
		_, text := signatureText(signature)
		fmt.Fprintf(&out, "$1;%d;%s;<no-session-id>;%d;%d;%d;SRV0;%d;%d\n", ns+90, text, trace, last.ns, ns, last.eoi, len(stack)-1)
	})
	return out.Bytes()
}

// binaryLog is a log of Before and After events, with its map.
func binaryLog(records int) (log, table []byte) {
	var out []byte
	text := bytes.NewBufferString(benchMap)
	for i := range 200 {
		class, signature := signatureText(i)
		fmt.Fprintf(text, "$%d=%s\n$%d=%s\n", 1000+i, class, 2000+i, signature)
	}
	flowing(records, func(trace int64, order int, ns int64, signature int, starts bool) {
		number := uint32(4)
		if starts {
			number = 3
		}
		out = binary.BigEndian.AppendUint32(out, number)
		out = binary.BigEndian.AppendUint64(out, uint64(ns+90))
		out = binary.BigEndian.AppendUint64(out, uint64(ns))
		out = binary.BigEndian.AppendUint64(out, uint64(trace))
		out = binary.BigEndian.AppendUint32(out, uint32(order))
		out = binary.BigEndian.AppendUint32(out, uint32(2000+signature))
		out = binary.BigEndian.AppendUint32(out, uint32(1000+signature))
	})
	return out, text.Bytes()
}

func benchmark(b *testing.B, name string, table, log []byte) {
	fsys := fstest.MapFS{"log/kieker.map": {Data: table}, name: {Data: log}}
	b.SetBytes(int64(len(log)))
	readertest.Benchmark(b, Format(), func() *schema.Reading {
		r := reading(fsys, "log", "")
		r.Memory = 1 << 30
		return r
	}, 0)
}

const benchRecords = 400_000

func BenchmarkEvents(b *testing.B) {
	log := eventLog(benchRecords)
	benchmark(b, "log/a.dat", []byte(benchMap), log)
	b.ReportMetric(float64(bytes.Count(log, []byte("\n"))*b.N)/b.Elapsed().Seconds(), "records/s")
}

func BenchmarkExecutions(b *testing.B) {
	log := executionLog(benchRecords)
	benchmark(b, "log/a.dat", []byte(benchMap), log)
	b.ReportMetric(float64(bytes.Count(log, []byte("\n"))*b.N)/b.Elapsed().Seconds(), "records/s")
}

func BenchmarkBinary(b *testing.B) {
	log, table := binaryLog(benchRecords)
	benchmark(b, "log/a.bin", table, log)
	b.ReportMetric(float64(benchRecords*b.N)/b.Elapsed().Seconds(), "records/s")
}
