package parquet

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// syntheticEvents is a trace of 400 components and 5000 functions in which a third of the events send
// and a third receive a message.
func syntheticEvents(n int) *schema.Events {
	r := rand.New(rand.NewPCG(1, 2))
	e := schema.NewEvents()
	for i := range 400 {
		e.Names.Components.Code(fmt.Sprintf("lib_component_%d_c", i))
		e.Names.Lifelines.Code(fmt.Sprintf("lib_component_%d_c", i))
	}
	for i := range 5000 {
		e.Names.Functions.Code(fmt.Sprintf("Component_%d_function_%d", i%400, i))
	}
	m := e.Names.Messages.Code("m")
	e.Names.Series.Code("m")
	now, id := int64(1_700_000_000_000_000_000), int64(0)
	for i := range n {
		now += r.Int64N(20_000)
		f := schema.Code(r.ExpFloat64() * 300)
		f %= 5000
		c := f % 400
		e.Seq = append(e.Seq, int64(i))
		e.TimeNs = append(e.TimeNs, now)
		e.Component = append(e.Component, c)
		e.Lifeline = append(e.Lifeline, c)
		e.Function = append(e.Function, f)
		e.Kind = append(e.Kind, uint8(r.IntN(2)))
		e.Synthetic = append(e.Synthetic, false)
		e.ExecutionType = append(e.ExecutionType, schema.NoCode)
		switch r.IntN(3) {
		case 0:
			e.Message = append(e.Message, schema.NoCode)
			e.Series = append(e.Series, schema.NoCode)
			e.MessageID = append(e.MessageID, schema.NoValue)
			e.Direction = append(e.Direction, schema.NoMessage)
			e.Peer = append(e.Peer, schema.NoCode)
			continue
		case 1:
			id++
			e.MessageID = append(e.MessageID, id)
			e.Direction = append(e.Direction, schema.Send)
		case 2:
			e.MessageID = append(e.MessageID, max(0, id-r.Int64N(40)))
			e.Direction = append(e.Direction, schema.Receive)
		}
		e.Message = append(e.Message, m)
		e.Series = append(e.Series, m)
		e.Peer = append(e.Peer, schema.Code(r.IntN(400)))
	}
	return e
}

// only is one column of a table.
type only struct{ column schema.Column }

func (o only) Columns() []schema.Column { return []schema.Column{o.column} }

// view is a table over slices of another, so that writing leaves that one as it is.
type view struct{ columns []schema.Column }

func (v view) Columns() []schema.Column { return v.columns }

func viewOf(t schema.Columns) view {
	cols := t.Columns()
	for i, c := range cols {
		switch kindOf(c) {
		case intsKind:
			s := *c.Ints
			cols[i].Ints = &s
		case codesKind:
			s := *c.Codes
			cols[i].Codes = &s
		case enumKind:
			s := *c.Enum
			cols[i].Enum = &s
		default:
			s := *c.Bools
			cols[i].Bools = &s
		}
	}
	return view{cols}
}

const benchRows = 4 * RowGroupRows

// writeOnly writes t and leaves it as it is.
func writeOnly(b *testing.B, w io.Writer, t schema.Columns) Summary {
	v := viewOf(t)
	s := expect.Value(NewWriter(w, v).Close(v))(b)
	return s
}

// meter counts processor time, which says more than elapsed time on a shared machine.
type meter struct{ start time.Duration }

func startMeter() meter { return meter{cpuTime()} }

func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func (m meter) report(b *testing.B, rows, bytes int64) {
	perSec := float64(rows) * float64(b.N) / (cpuTime() - m.start).Seconds()
	b.ReportMetric(perSec/1e6, "Mrows/cpu-s")
	b.ReportMetric(perSec*float64(bytes)/float64(rows)/1e6, "MB/cpu-s")
	b.ReportMetric(float64(bytes)/float64(rows), "B/row")
}

func BenchmarkWrite(b *testing.B) {
	e := syntheticEvents(benchRows)
	b.Run("events", func(b *testing.B) { benchWrite(b, e) })
	for _, c := range e.Columns() {
		b.Run(c.Name, func(b *testing.B) { benchWrite(b, only{c}) })
	}
}

func benchWrite(b *testing.B, t schema.Columns) {
	var s Summary
	m := startMeter()
	for b.Loop() {
		s = writeOnly(b, io.Discard, t)
	}
	m.report(b, s.Rows, s.Bytes)
}

func BenchmarkRead(b *testing.B) {
	e := syntheticEvents(benchRows)
	path := filepath.Join(b.TempDir(), "events.parquet")
	f := expect.Value(os.Create(path))(b)
	s := writeOnly(b, f, e)
	expect.OK(b, f.Close())
	b.Run("events", func(b *testing.B) { benchRead(b, path, s) })
	b.Run("three", func(b *testing.B) { benchRead(b, path, s, "time_ns", "component", "function") })
	for _, c := range e.Columns() {
		b.Run(c.Name, func(b *testing.B) { benchRead(b, path, s, c.Name) })
	}
}

func benchRead(b *testing.B, path string, s Summary, names ...string) {
	e := schema.NewEvents()
	m := startMeter()
	for b.Loop() {
		r := expect.Value(openFile(path, e, names...))(b)
		for more := true; more; {
			more = expect.Value(r.Next())(b)
		}
		r.Close()
	}
	m.report(b, s.Rows, s.Bytes)
}
