package uftrace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// addresses of the functions of the program of the stories, which lies at 0x400000.
var addresses = map[string]uint64{"main": 0x401000, "f": 0x401100, "g": 0x401200, "twin": 0x401300, "twin2": 0x401400}

const storySymbols = "# symbols: 5\n0000000000001000 T main\n0000000000001100 T f\n0000000000001200 t g\n0000000000001300 t twin\n" +
	"0000000000001400 t twin\n0000000000001500 ? __sym_end\n"

// words64 makes the bytes of records: "time kind depth function", kind E, X, L (with a number), V; a "+" behind
// the kind and hex bytes at the end are data.
func words64(t testing.TB, lines ...string) []byte {
	t.Helper()
	var out []byte
	for _, line := range lines {
		f := strings.Fields(line)
		var time, depth, address uint64
		fmt.Sscan(f[0], &time)
		fmt.Sscan(f[2], &depth)
		address, ok := addresses[f[3]]
		if !ok {
			fmt.Sscan(f[3], &address)
		}
		word := uint64(strings.IndexByte("EXLV", f[1][0])) | checkValue | depth%1024<<6 | address<<16
		if len(f[1]) > 1 {
			word |= more
		}
		out = binary.LittleEndian.AppendUint64(out, time)
		out = binary.LittleEndian.AppendUint64(out, word)
		if len(f) > 4 {
			var data []byte
			expect.Value(fmt.Sscanf(f[4], "%x", &data))(t)
			out = append(out, data...)
		}
	}
	return out
}

// folder makes data of threads 1, 2, ... of one program.
func folder(threads ...[]byte) fstest.MapFS {
	head := make([]byte, headerBytes)
	copy(head, magic)
	head[8], head[12], head[14], head[15] = 4, headerBytes, 1, 2
	head[16] = 1<<1 | relativeSymbols
	fsys := fstest.MapFS{
		"d/info":      {Data: append(head, "exename:/bin/prog\n"...)},
		"d/sid-a.map": {Data: []byte("00400000-00500000 r-xp 00000000 00:00 0   /bin/prog build-id:0011\n")},
		"d/prog.sym":  {Data: []byte(storySymbols)},
	}
	task := "SESS timestamp=0.000000001 pid=1 sid=a exename=\"/bin/prog\"\n"
	for i, data := range threads {
		task += fmt.Sprintf("TASK timestamp=0.000000002 tid=%d pid=1\n", i+1)
		fsys[fmt.Sprintf("d/%d.dat", i+1)] = &fstest.MapFile{Data: data}
	}
	fsys["d/task.txt"] = &fstest.MapFile{Data: []byte(task)}
	return fsys
}

// tell writes events as words: "time lifeline > function".
func tell(events []event) string {
	var out []string
	for _, e := range events {
		out = append(out, fmt.Sprintf("%d %s %c %s", e.Ns, strings.TrimPrefix(e.Key.Lifeline, "prog"), "><"[e.Key.Kind], e.Key.Function))
	}
	return strings.Join(out, ", ")
}

// losses writes a ledger as "name count".
func TestStories(t *testing.T) {
	for _, c := range []struct {
		name       string
		data       [][]byte
		want, lost string
	}{
		{"threads are merged, equal times by task.txt",
			[][]byte{words64(t, "10 E 0 main", "20 E 1 f", "30 X 1 f", "40 X 0 main"), words64(t, "20 E 0 g", "35 X 0 g")},
			"10 /1 > main, 20 /1 > f, 20 /2 > g, 30 /1 < f, 35 /2 < g, 40 /1 < main", ""},
		{"a step back keeps its place and its time",
			[][]byte{words64(t, "10 E 0 main", "30 E 1 f", "20 X 1 f", "40 X 0 main"), words64(t, "25 E 0 g", "35 X 0 g")},
			"10 /1 > main, 25 /2 > g, 30 /1 > f, 20 /1 < f, 35 /2 < g, 40 /1 < main", ""},
		{"two functions of one name",
			[][]byte{words64(t, "10 E 0 twin", "20 E 1 twin2", "30 X 1 twin2", "40 X 0 twin")},
			"10 /1 > twin, 20 /1 > twin, 30 /1 < twin, 40 /1 < twin", ""},
		{"exits were lost: the depth is trusted",
			[][]byte{words64(t, "10 E 0 main", "20 E 1 f", "30 E 2 g", "35 L 0 7", "50 E 1 g", "60 X 1 g", "70 X 0 main")},
			"10 /1 > main, 20 /1 > f, 30 /1 > g, 50 /1 < g, 50 /1 < f, 50 /1 > g, 60 /1 < g, 70 /1 < main", "lost_by_tracer 7"},
		{"the first record after a loss is an exit",
			[][]byte{words64(t, "10 E 0 main", "20 E 1 f", "30 E 2 g", "35 L 0 0", "50 X 1 f", "70 X 0 main")},
			"10 /1 > main, 20 /1 > f, 30 /1 > g, 50 /1 < g, 50 /1 < f, 70 /1 < main", "lost_by_tracer 1"},
		{"enters were lost: their exits are left out",
			[][]byte{words64(t, "10 E 0 f", "35 L 0 2", "50 X 2 f", "60 X 1 f", "70 X 0 f")},
			"10 /1 > f, 70 /1 < f", "lost_by_tracer 2, unmatched_exit 2"},
		{"a child begins within calls of its parent",
			[][]byte{words64(t, "10 E 2 f", "20 X 2 f", "30 X 1 g", "40 X 0 main")},
			"10 /1 > f, 20 /1 < f", "unmatched_exit 2"},
		{"events and their data",
			[][]byte{words64(t, "10 E 0 main", "12 V 0 200001", "14 V+ 0 100002 0600010203040506", "16 V+ 0 9 09000102030405060708090000000000", "20 X 0 main")},
			"10 /1 > main, 20 /1 < main", "skipped_record 3"},
		{"arguments and a result",
			[][]byte{words64(t, "10 E+ 0 main 0500000000000000", "20 E+ 1 f 05000000000000001400000000000000", "30 X+ 1 f 0102030400000000", "40 X+ 0 main 0102030400000000")},
			"10 /1 > main, 20 /1 > f, 30 /1 < f, 40 /1 < main", ""},
		{"a record is cut",
			[][]byte{words64(t, "10 E 0 main", "20 X 0 main")[:24]}, "10 /1 > main", "torn_record 1"},
		{"bytes that are no records",
			[][]byte{append(words64(t, "10 E 0 main"), append(make([]byte, 8192+24), words64(t, "20 X 0 main")...)...)},
			"10 /1 > main, 20 /1 < main", "bad_record 1"},
		{"bytes that are no records at the start",
			[][]byte{append(make([]byte, 24), words64(t, "10 E 0 main", "20 X 0 main")...)}, "10 /1 > main, 20 /1 < main", "bad_record 1"},
		{"zeros at the end",
			[][]byte{append(words64(t, "10 E 0 main"), make([]byte, 160)...)}, "10 /1 > main", "bad_record 1"},
		{"a time that does not fit",
			[][]byte{words64(t, "10 E 0 main", "9223372036854775807 E 1 f", "20 X 0 main")}, "10 /1 > main, 20 /1 < main", "unsupported_time 1"},
		{"no symbol",
			[][]byte{words64(t, "10 E 0 4198400", "20 X 0 4198400", "30 E 0 4200000", "40 X 0 4200000", "50 E 0 77", "60 X 0 77")},
			"10 /1 > main, 20 /1 < main, 30 /1 > 0x1640, 40 /1 < 0x1640, 50 /1 > 0x4d, 60 /1 < 0x4d", "undefined_token 2"},
		{"an exit of an outer call, and of none",
			[][]byte{words64(t, "10 E 0 main", "20 E 1 f", "30 X 0 main", "40 X 0 g", "50 E 0 main")},
			"10 /1 > main, 20 /1 > f, 30 /1 < main, 40 /1 < g, 50 /1 > main", ""},
		{"an exit of an outer call ends those in it",
			[][]byte{words64(t, "10 E 0 main", "20 E 1 f", "30 X 0 main", "35 L 0 1", "40 E 0 g")},
			"10 /1 > main, 20 /1 > f, 30 /1 < main, 40 /1 > g", "lost_by_tracer 1"},
		{"an empty file", [][]byte{nil, words64(t, "10 E 0 main")}, "10 /2 > main", ""},
	} {
		reading := readingOf(folder(c.data...), "d")
		events, err := collect(reading, Format())
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := tell(events); got != c.want || readertest.Losses(reading.Ledger) != c.lost {
			t.Errorf("%s:\n got %s; %s\nwant %s; %s", c.name, got, readertest.Losses(reading.Ledger), c.want, c.lost)
		}
	}
}

// TestGaps finds the next record behind any number of bytes that are none.
func TestGaps(t *testing.T) {
	for gap := 8; gap < 3*dataMost; gap += 8 {
		data := append(append(words64(t, "10 E 0 main"), make([]byte, gap)...), words64(t, "20 X 0 main", "30 E 0 f")...)
		reading := readingOf(folder(data), "d")
		reading.Memory = 0
		events, err := collect(reading, Format())
		if got := tell(events); got != "10 /1 > main, 20 /1 < main, 30 /1 > f" || readertest.Losses(reading.Ledger) != "bad_record 1" || err != nil {
			t.Fatalf("%d bytes: %s; %s, %v", gap, got, readertest.Losses(reading.Ledger), err)
		}
	}
}

// TestDepths calls deeper than the depth has bits, with a loss in between.
func TestDepths(t *testing.T) {
	var lines []string
	for i := range 1500 {
		lines = append(lines, fmt.Sprintf("%d E %d f", 10+i, i))
	}
	lines = append(lines, "2000 L 0 3", "2001 X 1497 f")
	for i := 1496; i >= 0; i-- {
		lines = append(lines, fmt.Sprintf("%d X %d f", 4000-i, i))
	}
	reading := readingOf(folder(words64(t, lines...)), "d")
	events, err := collect(reading, Format())
	if err != nil || len(events) != 3000 || readertest.Losses(reading.Ledger) != "lost_by_tracer 3" {
		t.Errorf("%d events, %s, %v", len(events), readertest.Losses(reading.Ledger), err)
	}
	expect.Equal(t, events[1500].Ns+events[1501].Ns+events[1502].Ns, 3*2001, "ends of the calls that lost their exits")
}

func TestNearest(t *testing.T) {
	for known := range 4000 {
		for depth := range 1025 {
			got := nearest(depth, known)
			if got < 0 || (got-depth)%depths != 0 || got-known > depths || known-got > depths/2 {
				t.Fatalf("depth %d after %d: %d", depth, known, got)
			}
			for _, other := range []int{got - depths, got + depths} {
				if other >= 0 && max(other-known, known-other) < max(got-known, known-got) {
					t.Fatalf("depth %d after %d: %d, but %d is nearer", depth, known, got, other)
				}
			}
		}
	}
}

// known is a table of units.
type known map[uint64][2]string

func (k known) Lookup(address uint64) (string, string, bool) {
	f, ok := k[address]
	return f[0], f[1], ok
}

func TestComponents(t *testing.T) {
	data := words64(t, "10 E 0 main", "20 E 1 twin", "30 E 2 twin2", "40 E 3 g", "50 E 4 4200000")
	units := known{0x401000: {"main", "src/main.c"}, 0x401300: {"twin", "a.c"}, 0x401400: {"twin", "b.c"}, 0x401640: {"late", "z.c"}}
	relative := known{}
	for address, f := range units {
		relative[address-0x400000] = f
	}
	for _, c := range []struct {
		option string
		table  schema.Symbols
		want   string
	}{
		{"", nil, "prog main, prog twin, prog twin, prog g, prog 0x1640"},
		{"unit", nil, "prog main, prog twin, prog twin, prog g, prog 0x1640"},
		{"", units, "src_main_c main, a_c twin, b_c twin, prog g, z_c late"},
		{"unit", relative, "src_main_c main, a_c twin, b_c twin, prog g, z_c late"},
		{"module", units, "prog main, prog twin, prog twin, prog g, prog late"},
	} {
		reading := readingOf(folder(data), "d")
		reading.Options = schema.ReadingOptions{Component: c.option, Symbols: c.table}
		events, err := collect(reading, Format())
		var got []string
		for _, e := range events {
			got = append(got, e.Key.Component+" "+e.Key.Function)
		}
		if strings.Join(got, ", ") != c.want || err != nil {
			t.Errorf("%q: %s, %v; want %s", c.option, strings.Join(got, ", "), err, c.want)
		}
	}
	for _, format := range []schema.Format{Format(), DumpFormat()} {
		if err := format.CheckComponent("file"); err == nil {
			t.Errorf("%s: the component file is accepted", format.Name)
		}
	}
}

// TestPrograms follows a process that opens libraries at one place in turn, forks, and executes another program.
func TestPrograms(t *testing.T) {
	fsys := folder(words64(t, "10 E 0 main", "20 E 1 2097408", "30 X 1 2097408", "50 E 1 2097408", "60 X 1 2097408"))
	fsys["d/task.txt"].Data = append(fsys["d/task.txt"].Data, strings.Join([]string{
		"DLOP timestamp=0.000000025 tid=1 sid=a base=200000 libname=\"./one.so\"",
		"DLOP timestamp=0.000000040 tid=1 sid=a base=200000 libname=\"/lib/two.so\"",
		"FORK timestamp=0.000000070 pid=7 ppid=1",
		"SESS timestamp=0.000000090 pid=7 sid=b exename=\"/bin/other\"",
		"TASK timestamp=0.000000091 tid=7 pid=7", ""}, "\n")...)
	fsys["d/one.so.sym"] = &fstest.MapFile{Data: []byte("100 T first\n")}
	fsys["d/two.so.sym"] = &fstest.MapFile{Data: []byte("100 T second\n")}
	fsys["d/other-abcd.sym"] = &fstest.MapFile{Data: []byte("1000 T start\n")}
	fsys["d/other.sym"] = &fstest.MapFile{Data: []byte("1000 T wrong\n")}
	fsys["d/sid-b.map"] = &fstest.MapFile{Data: []byte("00400000-00500000 r-xp 0 0 0 /bin/other build-id:abcdef\n")}
	fsys["d/7.dat"] = &fstest.MapFile{Data: words64(t, "80 E 1 f", "85 X 1 f", "88 E 1 g", "95 E 0 main", "99 X 0 main")}
	reading := readingOf(fsys, "d")
	reading.Options.Symbols = known{0x100: {"wrong", "wrong.c"}} // they are of the program, not of libraries
	events, err := collect(reading, Format())
	const want = "10 /1 > main, 20 /1 > first, 30 /1 < first, 50 /1 > second, 60 /1 < second, " +
		"80 /2 > f, 85 /2 < f, 88 /2 > g, 95 other/1 > start, 99 other/1 < start"
	if tell(events) != want || readertest.Losses(reading.Ledger) != "" || err != nil {
		t.Errorf(" got %s; %s, %v\nwant %s", tell(events), readertest.Losses(reading.Ledger), err, want)
	}
	expect.Equal(t, events[1].Key.Component, "one.so", "component")
}

func TestHeaders(t *testing.T) {
	for _, c := range []struct {
		name   string
		spoil  func(fs fstest.MapFS)
		want   error
		offset int64
	}{
		{"big-endian", func(f fstest.MapFS) { f["d/info"].Data[14] = 2 }, errEndian, 14},
		{"no magic", func(f fstest.MapFS) { f["d/info"].Data[0] = 'f' }, errMagic, 0},
		{"short", func(f fstest.MapFS) { f["d/info"].Data = f["d/info"].Data[:39] }, errShort, 0},
		{"header size", func(f fstest.MapFS) { f["d/info"].Data[12] = 39 }, errHeader, 12},
		{"none", func(f fstest.MapFS) { delete(f, "d/info") }, fs.ErrNotExist, -1},
	} {
		fsys := folder(words64(t, "10 E 0 main"))
		c.spoil(fsys)
		_, err := collect(readingOf(fsys, "d"), Format())
		var at *schema.SyntaxError
		if !errors.Is(err, c.want) || c.offset >= 0 && (!errors.As(err, &at) || at.Offset != c.offset || at.File != "d/info") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	fsys := folder(words64(t, "10 E 0 main"))
	fsys["d/info"].Data[8] = 5
	_, err := collect(readingOf(fsys, "d"), Format())
	expect.Refused(t, err, "version 5", "version")
	fsys = folder(words64(t, "10 E 0 main"))
	delete(fsys, "d/task.txt")
	events, err := collect(readingOf(fsys, "d"), Format())
	if tell(events) != "10 /1 > 0x401000" || err != nil {
		t.Error(tell(events), err)
	}
	if got := DetectFolder(fsys, "d"); len(got) != 1 || got[0] != "d" || DetectFolder(fsys, ".") != nil {
		t.Error("detected", got)
	}
}

// TestStrict stops at the first bad record, and names its place.
func TestStrict(t *testing.T) {
	reading := readingOf(folder(append(words64(t, "10 E 0 main"), make([]byte, 32)...)), "d")
	reading.Strict = true
	_, err := collect(reading, Format())
	var at *schema.SyntaxError
	if !errors.As(err, &at) || at.File != "d/1.dat" || at.Offset != 16 {
		t.Error(err)
	}
}

// TestOtherFiles counts what the kernel tells.
func TestOtherFiles(t *testing.T) {
	fsys := folder(words64(t, "10 E 0 main"))
	perf := []byte{14, 0, 0, 0, 0, 0x20, 24, 0, 1, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0}
	fsys["d/perf-cpu0.dat"] = &fstest.MapFile{Data: append(append(perf, perf...), perf[:20]...)}
	fsys["d/perf-cpu1.dat"] = &fstest.MapFile{Data: make([]byte, 8)}
	fsys["d/kernel-cpu0.dat"] = &fstest.MapFile{Data: []byte{1}}
	reading := readingOf(fsys, "d")
	if _, err := collect(reading, Format()); err != nil || readertest.Losses(reading.Ledger) != "bad_record 1, skipped_record 3, torn_record 1" {
		t.Error(readertest.Losses(reading.Ledger), err)
	}
	for _, e := range reading.Ledger.Losses("") {
		if e.Reason == schema.TornRecord.Name && !strings.HasPrefix(e.FirstPosition, "d/perf-cpu0.dat@0x30:") {
			t.Error(e.FirstPosition)
		}
	}
}

func TestDump(t *testing.T) {
	const text = "uftrace file header: magic = 4\n\nreading 7.dat\n" +
		"    0.000000010      7: [entry] main(401000) depth: 0\n" +
		"    0.000000010      7: [args ] length = 8\n  args[0] str: 1.5 [entry] f(1) depth: 0\n" +
		"    0.000000030      7: [entry] operator()(int)(401100) depth: 1\n" +
		"    0.000000040      7: [lost ] <2>(2) depth: 0\n" +
		"    0.000000050      7: [exit ] main(401000) depth: 0\n" +
		"    0.000000060      7: [event] linux:sched-in(200001)\n" +
		"    0.000000060      7: [exit ] main depth: 0\n" +
		"99999999999.000000060      7: [exit ] main(401000) depth: 0\n" +
		"reading 8.dat\n" +
		"    0.000000020      8: [entry] <401300>(401300) depth: 1\r\n" +
		"    0.000000015      8: [exit ] <401300>(401300) depth: 1\n" +
		"    0.000000070      8: [exit ] main(401000) depth: 0\n" +
		"    0.000000080      8: [entry] main(401000) depth"
	reading := readingOf(fstest.MapFS{"x": {Data: []byte(text)}}, "x")
	reading.Options.Symbols = known{0x401000: {"main", "m.c"}, 0x401300: {"twin", ""}}
	events, err := collect(reading, DumpFormat())
	const want = "10 ram/1 > main, 20 ram/2 > twin, 15 ram/2 < twin, 30 ram/1 > operator()(int), 50 ram/1 < operator()(int), 50 ram/1 < main"
	const lost = "bad_line 1, lost_by_tracer 2, skipped_record 1, torn_line 1, unmatched_exit 1, unsupported_time 1"
	if tell(events) != want || readertest.Losses(reading.Ledger) != lost || err != nil {
		t.Errorf(" got %s; %s, %v\nwant %s", tell(events), readertest.Losses(reading.Ledger), err, want)
	}
	expect.Equal(t, events[0].Key.Component+" "+events[1].Key.Component, "m_c program", "components")
	if !Detect([]byte(text)) || !Detect([]byte(text[51:])) || Detect([]byte("1 2 E 0x3 0x4\n")) || Detect(nil) {
		t.Error("detected wrongly")
	}
}
