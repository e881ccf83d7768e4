package kieker

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ulikunitz/xz"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// step is an event of a random program: of a trace, with the position in it.
type step struct {
	trace            int64
	order            int
	ns               int64
	signature        int
	starts           bool
	from, eoi, depth int64 // of an end: when its call started, and its indexes
}

// program makes the events of some traces at a time, all of whose calls end. No two times are equal.
func program(rng *rand.Rand, steps int) []step {
	type flow struct {
		trace  int64
		stack  []step
		order  int
		starts int64
	}
	flows := make([]*flow, 1+rng.IntN(4))
	var out []step
	for ns := int64(1000); ; ns += 1 + rng.Int64N(50) {
		i := rng.IntN(len(flows))
		f := flows[i]
		if f == nil {
			if len(out) >= steps {
				if slices.IndexFunc(flows, func(f *flow) bool { return f != nil }) < 0 {
					return out
				}
				continue
			}
			f = &flow{trace: rng.Int64() - 1<<62}
			flows[i] = f
		}
		s := step{trace: f.trace, order: f.order, ns: ns, depth: int64(len(f.stack))}
		if f.order++; len(f.stack) == 0 || len(out) < steps && rng.IntN(2) == 0 {
			s.starts, s.signature, s.eoi = true, rng.IntN(9), f.starts
			f.starts++
			f.stack = append(f.stack, s)
			out = append(out, s)
			continue
		}
		top := f.stack[len(f.stack)-1]
		s.signature, s.from, s.eoi, s.depth = top.signature, top.ns, top.eoi, top.depth
		out = append(out, s)
		if f.stack = f.stack[:len(f.stack)-1]; len(f.stack) == 0 {
			flows[i] = nil
		}
	}
}

const propertyMeta = "$0;1;1.13;KIEKER;SRV0;1;false;0;NANOSECONDS;1\n"

// asEvents, asExecutions and asTimes write a program as the lines of a log.
func asEvents(steps []step) (lines []string) {
	for _, s := range steps {
		class, text := signatureText(s.signature)
		number := 4
		if s.starts {
			number = 3
		}
		lines = append(lines, fmt.Sprintf("$%d;1;%d;%d;%d;%s;%s\n", number, s.ns, s.trace, s.order, text, class))
	}
	return lines
}

func asExecutions(steps []step) (lines []string) {
	for _, s := range steps {
		if _, text := signatureText(s.signature); !s.starts {
			lines = append(lines, fmt.Sprintf("$1;1;%s;none;%d;%d;%d;SRV0;%d;%d\n", text, s.trace, s.from, s.ns, s.eoi, s.depth))
		}
	}
	return lines
}

func asTimes(steps []step) (lines []string) {
	for _, s := range steps {
		if _, text := signatureText(s.signature); !s.starts {
			lines = append(lines, fmt.Sprintf("$1;1;%s;none;%d;%d;%d;SRV0;-1;-1\n", text, s.trace, s.from, s.ns))
		}
	}
	return lines
}

// asBytes writes a program as a binary log and its map.
func asBytes(steps []step) (log, table []byte) {
	var out []byte
	put := func(values ...any) {
		for _, v := range values {
			out, _ = binary.Append(out, binary.BigEndian, v)
		}
	}
	text := bytes.NewBufferString(benchMap + "$7=1.13\n$8=NANOSECONDS\n")
	for i := range 9 {
		class, signature := signatureText(i)
		fmt.Fprintf(text, "$%d=%s\n$%d=%s\n", 1000+i, class, 2000+i, signature)
	}
	put(int32(0), int64(1), int32(7), int32(6), int32(5), int32(1), false, int64(0), int32(8), int64(1))
	for _, s := range steps {
		number := int32(4)
		if s.starts {
			number = 3
		}
		put(number, int64(1), s.ns, s.trace, int32(s.order), int32(2000+s.signature), int32(1000+s.signature))
	}
	return out, text.Bytes()
}

// wanted is what the reader must make of a program.
func wanted(steps []step) (rows []row) {
	lanes, used := map[int64]int{}, map[int]bool{}
	for _, s := range steps {
		if s.starts && s.depth == 0 {
			lane := 1
			for used[lane] {
				lane++
			}
			lanes[s.trace], used[lane] = lane, true
		}
		class, text := signatureText(s.signature)
		k := schema.EventKey{Component: class, Lifeline: fmt.Sprintf("SRV0/trace-%d", lanes[s.trace]), Function: text}
		if !s.starts {
			if k.Kind = schema.Exit; s.depth == 0 {
				used[lanes[s.trace]] = false
			}
		}
		rows = append(rows, row{s.ns, k, schema.MessageMark{}, schema.NoValue})
	}
	return rows
}

func compress(t *testing.T, data []byte, wrap func(io.Writer) (io.WriteCloser, error)) []byte {
	t.Helper()
	var out bytes.Buffer
	w := expect.Value(wrap(&out))(t)
	expect.Value(w.Write(data))(t)
	expect.OK(t, w.Close())
	return out.Bytes()
}

// zipped is an archive with one member.
func zipped(t *testing.T, name string, data []byte) []byte {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	w := expect.Value(z.Create(name))(t)
	expect.Value(w.Write(data))(t)
	expect.OK(t, z.Close())
	return out.Bytes()
}

// packed are the ways to compress a member: by the ending of its name.
func packed(t *testing.T, data []byte) map[string][]byte {
	return map[string][]byte{
		"":         data,
		".gz":      compress(t, data, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }),
		".xz":      compress(t, data, func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) }),
		".df":      compress(t, data, func(w io.Writer) (io.WriteCloser, error) { return zlib.NewWriter(w), nil }),
		".deflate": compress(t, data, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, 6) }),
		".zip":     zipped(t, "member", data),
	}
}

// TestForms writes random programs in every form that a log has: all give the same events.
func TestForms(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 5))
		steps := program(rng, 1+rng.IntN(400))
		want := wanted(steps)
		events, executions, times := asEvents(steps), asExecutions(steps), asTimes(steps)
		for _, lines := range [][]string{events, executions, times} {
			rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		}
		binaryReader, table := asBytes(steps)
		logs := map[string]fstest.MapFS{}
		for _, data := range [][]byte{[]byte(propertyMeta + strings.Join(events, "")), binaryReader} {
			forms := map[string][]byte{"": data}
			if seed%10 == 0 {
				forms = packed(t, data)
			}
			for ending, d := range forms {
				name := ".dat" + ending
				if data[0] != '$' {
					name = ".bin" + ending
				}
				logs[name] = fstest.MapFS{"log/x" + name: {Data: d}, "log/kieker.map": {Data: table}}
				if ending != "" {
					logs["x"+name] = fstest.MapFS{"log/x" + ending: {Data: d}, "log/tpmon.map": {Data: table}}
				}
			}
		}
		cut := rng.IntN(len(executions) + 1)
		logs["executions"] = fstest.MapFS{
			"log/1.dat": {Data: []byte(propertyMeta + strings.Join(executions[:cut], ""))}, "log/2.dat": {Data: []byte(strings.Join(executions[cut:], ""))},
			"log/kieker.map": {Data: table}, "log/readme.txt": {Data: []byte("$0;")},
			"log/other.map": {Data: []byte("$1=Other\n")},
		}
		logs["times"] = fstest.MapFS{"log/x.dat": {Data: []byte(propertyMeta + strings.Join(times, ""))}, "log/kieker.map": {Data: table}}
		for name, fsys := range logs {
			r := reading(fsys, "log", "")
			if rng.IntN(2) == 0 {
				r.Memory = 0
			}
			if got := read(r); !reflect.DeepEqual(got.rows, want) || got.err != nil || len(got.ledger.Losses("")) > 0 || len(got.notes) > 0 {
				t.Fatalf("seed %d, %s: %d events for %d, %v, %v", seed, name, len(got.rows), len(want), got.err, got.ledger.Losses(""))
			}
		}
	}
}

// TestSpilling reads more than fits into memory.
func TestSpilling(t *testing.T) {
	steps := program(rand.New(rand.NewPCG(7, 7)), 60_000)
	want := wanted(steps)
	for name, lines := range map[string][]string{"events": asEvents(steps), "executions": asExecutions(steps)} {
		log := []byte(propertyMeta + strings.Join(lines, ""))
		fsys := fstest.MapFS{"log/x.dat": {Data: log}, "log/kieker.map": {Data: []byte(benchMap)}}
		r := reading(fsys, "log", "")
		r.Memory = 1 << 20
		scratches := 0
		r.Scratch = func() (schema.Scratch, error) { scratches++; return new(readertest.Memory), nil }
		got := read(r)
		if !reflect.DeepEqual(got.rows, want) || scratches != 2 {
			t.Errorf("%s: %d events for %d, %d scratch files", name, len(got.rows), len(want), scratches)
		}
		for i, n := range got.blocks[:len(got.blocks)-1] {
			expect.Equal(t, n, schema.BlockEvents, "%s: events of block %d", name, i)
		}
	}
}

// TestUnits checks that a log in another unit gives the same events, multiplied.
func TestUnits(t *testing.T) {
	steps := program(rand.New(rand.NewPCG(8, 8)), 100)
	for unit, factor := range units {
		meta := strings.Replace(propertyMeta, "NANOSECONDS", unit, 1)
		want := wanted(steps)
		for i := range want {
			want[i].ns *= factor
		}
		for _, lines := range [][]string{asEvents(steps), asExecutions(steps), asTimes(steps)} {
			log := []byte(meta + strings.Join(lines, ""))
			got := read(reading(fstest.MapFS{"log/x.dat": {Data: log}, "log/kieker.map": {Data: []byte(benchMap)}}, "log", ""))
			expect.Deep(t, got.rows, want, "%s", unit)
		}
	}
}

// TestCutOff ends files at every byte: whole records are read, and what is torn is counted once.
func TestCutOff(t *testing.T) {
	steps := program(rand.New(rand.NewPCG(9, 9)), 12)
	text := propertyMeta + strings.Join(asEvents(steps), "")
	binaryReader, table := asBytes(steps)
	for name, log := range map[string][]byte{"x.dat": []byte(text), "x.bin": binaryReader} {
		ends := []int{0}
		for i := range log {
			if name == "x.dat" && log[i] == '\n' {
				ends = append(ends, i, i+1)
			}
		}
		for size := headBytes + sizeOf(fixed["KiekerMetadataRecord"].fields); name == "x.bin" && size <= len(log); size += headBytes + sizeOf("tiosl") {
			ends = append(ends, size)
		}
		for cut := range log {
			out := read(reading(fstest.MapFS{"log/" + name: {Data: log[:cut]}, "log/kieker.map": {Data: table}}, "log", ""))
			torn := out.ledger.Count(schema.TornRecord)
			if whole := slices.Contains(ends, cut); out.err != nil || whole && torn != 0 || name == "x.bin" && !whole && torn != 1 || torn > 1 || len(out.ledger.Losses("")) > int(torn) {
				t.Fatalf("%s cut at %d: %v, %v", name, cut, out.err, out.ledger.Losses(""))
			}
		}
	}
}

// TestStrict stops at the first wrong line and names it.
func TestStrict(t *testing.T) {
	for log, want := range map[string]string{
		"$0;1\n":                        "log/x.dat:1:5: fewer fields than the record has",
		propertyMeta + "$3;1;1;x;0;s;c": "log/x.dat:2:8: not a whole number of the size that the record has there",
		propertyMeta + "?\n":            `log/x.dat:2:1: no "$" and number at the start`,
	} {
		r := reading(fstest.MapFS{"log/x.dat": {Data: []byte(log)}, "log/kieker.map": {Data: []byte(benchMap)}}, "log", "")
		r.Strict = true
		if out := read(r); out.err == nil || out.err.Error() != want {
			t.Errorf("%q: %v, want %s", log, out.err, want)
		}
	}
}

// TestRefused are logs of which nothing can be made.
func TestRefused(t *testing.T) {
	table := &fstest.MapFile{Data: []byte(benchMap)}
	for want, fsys := range map[string]fs.FS{
		"log: no file of records (.dat, .bin) beside the map": fstest.MapFS{"log/kieker.map": table},
		"open log: file does not exist":                       fstest.MapFS{"kieker.map": table},
	} {
		if out := read(reading(fsys, "log", "")); out.err == nil || out.err.Error() != want {
			t.Errorf("%v, want %s", out.err, want)
		}
	}
	fsys := fstest.MapFS{"log/kieker.map": table, "log/x.dat": {}}
	expect.Refused(t, Format().CheckComponent("module"), `"module"`, "an unknown option")
	if out := read(reading(fsys, "log", "")); out.err != nil || !slices.Equal(out.blocks, []int{0}) {
		t.Errorf("an empty log: %v, blocks %v", out.err, out.blocks)
	}
	if got := DetectFolder(fsys, "."); got != nil {
		t.Errorf("the folder above a log was detected: %v", got)
	}
}

// TestBrokenCompression counts what does not unpack, and reads the other files.
func TestBrokenCompression(t *testing.T) {
	steps := program(rand.New(rand.NewPCG(10, 10)), 300)
	for ending, data := range packed(t, []byte(strings.Join(asEvents(steps), ""))) {
		if ending == "" {
			continue
		}
		fsys := fstest.MapFS{
			"log/kieker.map": {Data: []byte(benchMap)}, "log/a.dat" + ending: {Data: data[:len(data)/2]},
			"log/b.dat": {Data: []byte(propertyMeta + "$3;1;5;1;0;void a.B.c();a.B\n")},
		}
		out := read(reading(fsys, "log", ""))
		if out.err != nil || out.ledger.Count(schema.TornRecord) != 1 || !slices.ContainsFunc(out.rows, func(r row) bool { return r.key.Component == "a.B" }) {
			t.Errorf("%s: %v, %v", ending, out.err, out.ledger.Losses(""))
		}
	}
}

// TestLongLines passes over lines that are too long, and reads those that are only longer than the buffer.
func TestLongLines(t *testing.T) {
	var log strings.Builder
	log.WriteString(propertyMeta)
	for i, n := range []int{10, bufferBytes, 2 * maxLine, 3 * bufferBytes, maxLine - 100} {
		fmt.Fprintf(&log, "$3;1;%d;1;%d;void a.B.%s();a.B\n", i, i, strings.Repeat("x", n))
	}
	log.WriteString("$3;" + strings.Repeat("y", 2*bufferBytes))
	out := read(reading(fstest.MapFS{"log/x.dat": {Data: []byte(log.String())}, "log/kieker.map": {Data: []byte(benchMap)}}, "log", ""))
	if len(out.rows) != 4 || out.ledger.Count(schema.TornRecord) != 1 || out.ledger.Count(schema.BadRecord) != 1 || out.ledger.Losses("")[0].FirstPosition != "log/x.dat:4:1: a line of more than 1 MiB" {
		t.Errorf("%d events, %v", len(out.rows), out.ledger.Losses(""))
	}
}

func TestIntegers(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "-1": -1, "9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63, "007": 7} {
		if got, ok := integer([]byte(text)); !ok || got != want {
			t.Errorf("%s: %d, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "-", "+1", "1x", "9223372036854775808", "-9223372036854775809", "99999999999999999999", "1.5", " 1"} {
		if got, ok := integer([]byte(text)); ok {
			t.Errorf("%q is %d", text, got)
		}
	}
}

func TestClasses(t *testing.T) {
	for text, want := range map[string][2]string{
		"public static void a.b.C.main(java.lang.String[])":      {"a.b.C", "a.b"},
		"private java.util.Map<a.B, int> a.C$1.get() throws a.E": {"a.C$1", "a"},
		"a.B.<init>(a.C, int)":                                   {"a.B", "a"}, "Main.main()": {"Main", "Main"}, "int main(int, char **)": {"", ""}, "lib/x.c.f": {"lib/x.c", "lib/x"},
		"": {"", ""}, "f ()": {"", ""}, "a.f ()": {"a", "a"},
	} {
		if class := classOf(text); class != want[0] || packageOf(class) != want[1] {
			t.Errorf("%q: class %q, package %q", text, class, packageOf(class))
		}
	}
}

// TestLayouts compares the fields of events with those that Kieker's classes are made of.
func TestLayouts(t *testing.T) {
	for name, want := range map[string]layout{
		"kieker.common.record.flow.trace.operation.BeforeOperationEvent":                           {enter, "tiosl", 3},
		"kieker.common.record.flow.trace.operation.object.AfterOperationFailedObjectEvent":         {failure, "tioslwI", 5},
		"kieker.common.record.flow.trace.operation.object.CallOperationObjectInterfaceEvent":       {call, "tioSSslIIS", 3},
		"kieker.common.record.flow.trace.operation.constructor.object.AfterConstructorObjectEvent": {exit, "tioslI", 3},
		"x.AfterOutCompOperationFailedEvent":                                                       {failedComp, "tioslwc", 5},
		"x.AfterCompOperationEvent":                                                                {endComp, "tioslc", 3},
		"x.BeforeCompOperationEvent":                                                               {startComp, "tioslc", 3},
		"kieker.common.record.flow.trace.operation.BeforeOperationFailedEvent":                     {skipped, "", 0},
		"kieker.common.record.flow.trace.operation.BeforeOperationFancyEvent":                      {skipped, "", 0},
		"x.BeforeCompOperationObjectEvent":                                                         {unknown, "", 0},
		"x.Event":                                                                                  {unknown, "", 0}, "": {unknown, "", 0},
	} {
		expect.Equal(t, layoutOf(name), want, "%s", name)
	}
}

// TestManyBroken checks that traces that never end do not make lifelines without end.
func TestManyBroken(t *testing.T) {
	var log strings.Builder
	for i := range 3 * maxLeft {
		fmt.Fprintf(&log, "$3;1;%d;%d;0;void a.B.c();a.B\n", i, i)
	}
	out := read(reading(fstest.MapFS{"log/x.dat": {Data: []byte(log.String())}, "log/kieker.map": {Data: []byte(benchMap)}}, "log", ""))
	found := map[string]int{}
	for _, r := range out.rows {
		found[r.key.Lifeline]++
	}
	for name, n := range found {
		if n != 3 || len(found) != maxLeft {
			t.Fatalf("%d events on %s, one of %d lifelines", n, name, len(found))
		}
	}
}

// TestBinaryRecords has, in a binary log, a record to pass over, one with a string that the map lacks, one of a class
// of unknown length; the rest is lost.
func TestBinaryRecords(t *testing.T) {
	var log []byte
	put := func(values ...any) {
		for _, v := range values {
			log, _ = binary.Append(log, binary.BigEndian, v)
		}
	}
	put(int32(1), int64(0), int64(7), int32(5), int32(5), [7]float64{})
	put(int32(2), int64(0), int64(10), int64(3), int32(0), int32(99), int32(6))
	put(int32(4), int64(0), int64(0))
	table := "$1=kieker.common.record.system.CPUUtilizationRecord\n$2=x.BeforeOperationEvent\n$4=x.Other\n$5=srv\n$6=a.B"
	out := read(reading(fstest.MapFS{"log/x.bin": {Data: log}, "log/kieker.map": {Data: []byte(table)}}, "log", ""))
	want := "10 host/trace-1 a.B > $99\n" +
		"note -1 trace time_unit=NANOSECONDS, assumed: the log has no metadata record\n" +
		"bad_record 1, first at log/x.bin@0x7c: x.Other: a record of a length that is not known; the rest of the file is left out\n" +
		"skipped_record 1, first at log/x.bin@0x0: a record that is not about calls\n" +
		"undefined_token 1, first at log/x.bin@0x54: $99 is not in the map\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out, want)
	}
}

// TestCauses bounds the table of causes.
func TestCauses(t *testing.T) {
	n := newNames()
	for i := range 3 * maxCauses {
		n.causeOf(fmt.Appendf(nil, "E%d: disk %d", i%5, i))
	}
	if len(n.causes) > maxCauses+6 || n.causes[n.causeOf([]byte("E3: another"))] != "E3" {
		t.Errorf("%d causes", len(n.causes))
	}
	if slices.IsSortedFunc(n.causes, cmp.Compare[string]) {
		t.Error("the causes are not in the order in which they came")
	}
}
