package rawlog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

type event = readertest.Event

func readingOf(text []byte) *schema.Reading {
	return readertest.Reading(fstest.MapFS{"log": {Data: text}}, "log")
}

// collect reads a log whole.
func collect(reading *schema.Reading) ([]event, error) {
	r := readertest.Read(Format(), reading)
	return r.Events, r.Err
}

// tell writes events as words: "time component lifeline > function".
func tell(events []event) string {
	var out []string
	for _, e := range events {
		out = append(out, fmt.Sprintf("%d %s %s %c %s", e.Ns, e.Key.Component, strings.TrimPrefix(e.Key.Lifeline, "program"),
			"><"[e.Key.Kind], e.Key.Function))
	}
	return strings.Join(out, ", ")
}

// known is a table of functions.
type known map[uint64][2]string

func (k known) Lookup(address uint64) (string, string, bool) {
	f, ok := k[address]
	return f[0], f[1], ok
}

var table = known{0x10: {"main", "src/main.c"}, 0x20: {"f", ""}, 0x30: {"g", "lib/g-h.c"}}

func TestStories(t *testing.T) {
	for _, c := range []struct {
		name, text string
		symbols    schema.Symbols
		component  string
		want, lost string
	}{
		{"names by the table", "10 7 E 0x10 0x1\n20 7 E 0x20 0x2\n30 7 X 0x20 0x2\n35 7 E 0x40 0x2\n40 7 X 0x10 0x1\n", table, "",
			"10 src_main_c /1 > main, 20 ext /1 > f, 30 ext /1 < f, 35 ext /1 > 0x40, 40 src_main_c /1 < main", "undefined_token 1"},
		{"no table", "10 7 E 0x10 0x1\n40 7 X 0x10 0x1\n", nil, "", "10 program /1 > 0x10, 40 program /1 < 0x10", ""},
		{"component module", "10 7 E 0x10 0x1\n40 7 X 0x10 0x1\n", table, "module", "10 program /1 > main, 40 program /1 < main", ""},
		{"modules, told late", "10 7 E 0x1010 0x1\n20 7 E 0x2010 0x1\n30 7 E 0x10 0x1\n# module 0x1000 0x1100 0x1000 /bin/a b\n# module 0x2000 0x2100 0x2000 /lib/c.so\n",
			table, "", "10 src_main_c a b/1 > main, 20 c.so a b/1 > 0x10, 30 ext a b/1 > 0x10", "undefined_token 2"},
		{"modules without a table", "# module 0x1000 0x1100 0x1000 /bin/prog\n10 7 E 0x1010 0x1\n20 7 E 0x2010 0x1\n", nil, "",
			"10 prog prog/1 > 0x10, 20 program prog/1 > 0x2010", ""},
		{"threads are numbered by time and merged by it", "20 9 E 0x10 0x1\n10 5 E 0x20 0x1\n15 7 E 0x10 0x1\n30 9 X 0x10 0x1\n25 5 X 0x20 0x1\n", nil, "",
			"10 program /1 > 0x20, 15 program /2 > 0x10, 20 program /3 > 0x10, 25 program /1 < 0x20, 30 program /3 < 0x10", ""},
		{"a thread's own step back stays", "20 9 E 0x10 0x1\n10 9 E 0x20 0x1\n15 7 E 0x10 0x1\n30 9 X 0x20 0x1\n", nil, "",
			"15 program /1 > 0x10, 20 program /2 > 0x10, 10 program /2 > 0x20, 30 program /2 < 0x20", ""},
		{"places that were not written", "10 7 E 0x10 0x1\n0 0 E 0x0 0x0\n20 7 X 0x10 0x1\n0 0 E 0x0 0x0\n", nil, "",
			"10 program /1 > 0x10, 20 program /1 < 0x10", "torn_record 2"},
		{"bad lines", "10 7 E 0x10 0x1\n\n1x 7 E 0x10 0x1\n11 7 E 0x10\n12 7 Y 0x10 0x1\n13 7 X 0xg 0x1\n14 4294967296 X 0x10 0x1\n15 7 X 0x10 0x1 \n20 7 X 0x10 0x1\r\n30 7 E 0x1", nil, "",
			"10 program /1 > 0x10, 20 program /1 < 0x10", "bad_line 7, torn_line 1"},
		{"times that do not fit", "10 7 E 0x10 0x1\n9223372036854775807 7 X 0x10 0x1\n99999999999999999999999 7 X 0x10 0x1\n", nil, "",
			"10 program /1 > 0x10", "unsupported_time 2"},
		{"losses and remarks", "# anything\n10 7 E 0x10 0x1\n# lost 7 41\n# lost 8 1\n# lost 8 x\n# module 1 2 3\n# module 0x2 0x1 0x0 p\n", nil, "",
			"10 program /1 > 0x10", "bad_line 3, lost_by_tracer 42"},
	} {
		reading := readingOf([]byte(c.text))
		reading.Options = schema.ReadingOptions{Symbols: c.symbols, Component: c.component}
		events, err := collect(reading)
		if tell(events) != c.want || readertest.Losses(reading.Ledger) != c.lost || err != nil {
			t.Errorf("%s:\n got %s; %s, %v\nwant %s; %s", c.name, tell(events), readertest.Losses(reading.Ledger), err, c.want, c.lost)
		}
	}
	if Format().CheckComponent("file") == nil {
		t.Error("the component file is accepted")
	}
}

// toBinary turns a log of text without remarks into a binary one.
func toBinary(text string) []byte {
	var out []byte
	for line := range strings.Lines(text) {
		var time, function, site uint64
		var thread, kind uint32
		var word string
		fmt.Sscanf(line, "%d %d %s 0x%x 0x%x", &time, &thread, &word, &function, &site)
		if word == "X" {
			kind = 1
		}
		for _, v := range []uint64{time, function, site} {
			out = binary.LittleEndian.AppendUint64(out, v)
		}
		out = binary.LittleEndian.AppendUint32(out, thread)
		out = binary.LittleEndian.AppendUint32(out, kind)
	}
	return out
}

// random makes a log of some threads, each in the order of time, in blocks as a tracer may write them.
func random(rng *rand.Rand, records, block int) string {
	var out strings.Builder
	var times [5]int
	fmt.Fprintf(&out, "999 90 E 0x10 0x7\n")
	for n := 1; n < records; {
		thread := rng.IntN(len(times))
		for range 1 + rng.IntN(block) {
			times[thread] += rng.IntN(3)
			fmt.Fprintf(&out, "%d %d %c 0x%x 0x7\n", 1000+times[thread], 90+thread, "EX"[rng.IntN(2)], 16+rng.IntN(300))
			n++
		}
	}
	return out.String()
}

// TestForms reads random logs in both forms and with little memory, and compares with a plain reader that sorts.
func TestForms(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for _, block := range []int{1, 50, 4000} {
		text := random(rng, 100_000, block)
		first, err := collect(readingOf([]byte(text)))
		if err != nil || len(first) != strings.Count(text, "\n") {
			t.Fatal(len(first), err)
		}
		data := toBinary(text)
		if !Detect(data[:1000]) || !Detect([]byte(text)[:1000]) {
			t.Error("not detected")
		}
		small := readingOf(data)
		small.Memory = 1 << 10
		second, err := collect(small)
		if err != nil || tell(first) != tell(second) {
			t.Errorf("block %d: the forms differ: %v", block, err)
		}
		expect.Equal(t, tell(first), tell(plain(text)), "block %d", block)
	}
}

func TestBinaryDefects(t *testing.T) {
	good := toBinary("10 7 E 0x10 0x1\n20 7 X 0x10 0x1\n")
	bad := append([]byte(nil), good...)
	bad[28] = 2
	late := append([]byte(nil), good...)
	late[7] = 0x80
	for _, c := range []struct {
		name string
		data []byte
		want int
		lost string
	}{
		{"zeros at the end", append(append([]byte(nil), good...), make([]byte, 320)...), 2, "torn_record 10"},
		{"cut", good[:63], 1, "torn_record 1"},
		{"kind", append(append([]byte(nil), good...), bad...), 3, "bad_record 1"},
		{"time", append(append([]byte(nil), good...), late...), 3, "unsupported_time 1"},
		{"nothing", nil, 0, ""},
	} {
		reading := readingOf(c.data)
		events, err := collect(reading)
		if len(events) != c.want || readertest.Losses(reading.Ledger) != c.lost || err != nil {
			t.Errorf("%s: %d events, %s, %v", c.name, len(events), readertest.Losses(reading.Ledger), err)
		}
	}
	remarks := append(make([]byte, 32), "# module 0x10 0x11 0x8 /p\n# lost 7 5\n# lost 7\n"...)
	remarks = append(remarks, make([]byte, 96-len(remarks)%32)...)
	remarks[8], remarks[28] = byte(len(remarks)-32), kindRemark
	reading := readingOf(slices.Concat(remarks, good, remarks[:40]))
	events, err := collect(reading)
	if got := tell(events); got != "10 p p/1 > 0x8, 20 p p/1 < 0x8" || readertest.Losses(reading.Ledger) != "bad_line 1, lost_by_tracer 5, torn_record 1" || err != nil {
		t.Error(got, readertest.Losses(reading.Ledger), err)
	}
	if !Detect(remarks) {
		t.Error("remarks are not detected")
	}
	remarks = append(make([]byte, 32), make([]byte, 64)...)
	remarks[8], remarks[28] = 64, kindRemark
	reading = readingOf(slices.Concat(remarks, good, bad))
	reading.Strict = true
	var at *schema.SyntaxError
	if _, err := collect(reading); !errors.As(err, &at) || at.Offset != 160 || at.File != "log" {
		t.Error(err)
	}
}

// TestPositions points at the place of each error with a cross.
func TestPositions(t *testing.T) {
	for _, text := range []string{"✗x 7 E 0x1 0x1\n", "1 ✗E 0x1 0x1\n", "1 7 ✗e 0x1 0x1\n", "1 7 E ✗1 0x1\n", "1 7 E 0x1 ✗\n", "1 7 E 0x1 0x1✗ 3\n"} {
		reading := readingOf([]byte("1 7 E 0x1 0x1\n" + strings.Replace(text, "✗", "", 1)))
		reading.Strict = true
		var at *schema.SyntaxError
		if _, err := collect(reading); !errors.As(err, &at) || at.Line != 2 || at.Col != int64(strings.Index(text, "✗"))+1 {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		head string
		want bool
	}{
		{"1 2 E 0x3 0x4\n", true},
		{"# module 0x1 0x2 0x0 p\n1 2 X 0x3 0x4\n1 2 X 0x3", true},
		{"# only a remark\n", false},
		{"1 2 E 0x3 0x4", false},
		{"0.1 a > b\n", false},
		{"", false},
		{strings.Repeat("\x00", 64), false},
		{string(toBinary("10 7 E 0x10 0x1\n0 0 E 0x0 0x0\n")), true},
		{string(toBinary("10 7 X 0x10 0x1\n")), false},
		{string(toBinary("10 7 E 0x10 0x1\n99999999999999 7 X 0x10 0x1\n")), false},
		{"uftrace file header: magic         = 4674726163652100\n", false},
	} {
		expect.Equal(t, Detect([]byte(c.head)), c.want, "%.30q", c.head)
	}
}
