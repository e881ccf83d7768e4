package spans

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

func TestIdentifiers(t *testing.T) {
	for text, want := range map[string]TraceID{
		"":                                 {},
		"1":                                {0, 1},
		"aF":                               {0, 0xaf},
		"0123456789abcdef":                 {0, 0x0123456789abcdef},
		"10123456789abcdef":                {1, 0x0123456789abcdef},
		"fedcba98765432100123456789ABCDEF": {0xfedcba9876543210, 0x0123456789abcdef},
		"AAAAAAAAAAAAAAAAAAAAAQ==":         {0, 1},
		"AQAAAAAAAAAAAAAAAAAAAA==":         {1 << 56, 0},
		"000000000000000000000001":         {0, 1}, // 24 digits, but base64 of 18 bytes
	} {
		expect.Equal(t, ParseTraceID([]byte(text)), want, "trace %q", text)
	}
	for text, want := range map[string]uint64{"": 0, "f": 15, "0123456789abcdef": 0x0123456789abcdef, "AAAAAAAAAAE=": 1, "00000000000a": 10} {
		expect.Equal(t, ParseID([]byte(text)), want, "span %q", text)
	}
	for _, raw := range []string{"", "\x00", "\x01", "12345678"} {
		if got := RawID([]byte(raw)); (got == 0) != (raw == "" || raw == "\x00") {
			t.Errorf("raw span %q: %x", raw, got)
		}
	}
	seen := map[any]string{} // texts that are no numbers are told apart nevertheless
	for _, text := range []string{"S1", "S2", "0123456789abcdeg", "0123456789abcdef0", strings.Repeat("a", 33), strings.Repeat("a", 34)} {
		for _, id := range []any{ParseTraceID([]byte(text)), ParseID([]byte(text))} {
			if other := seen[id]; other != "" || reflect.ValueOf(id).IsZero() {
				t.Errorf("%q and %q: %x", text, other, id)
			}
			seen[id] = text
		}
	}
}

func TestTimes(t *testing.T) {
	for us, fits := range map[int64]bool{0: true, 1: true, -1: true, math.MaxInt64 / 1000: true, math.MaxInt64/1000 + 1: false, math.MinInt64: false, math.MinInt64 / 1000: true} {
		if ns, ok := Micros(us); ok != fits || ok && ns/1000 != us {
			t.Errorf("%d us: %d, %v", us, ns, ok)
		}
	}
	for _, c := range []struct {
		start, duration int64
		fits            bool
	}{{1, 2, true}, {math.MaxInt64, 0, true}, {math.MaxInt64, 1, false}, {math.MinInt64 + 1, -2, false}, {5, -3, true}} {
		if end, ok := Sum(c.start, c.duration); ok != c.fits || ok && end != c.start+c.duration {
			t.Errorf("%d + %d: %d, %v", c.start, c.duration, end, ok)
		}
	}
}

// TestSlots checks that the lowest number that is free is taken.
func TestSlots(t *testing.T) {
	var s slots
	for _, want := range []uint32{1, 2, 3, 4, 5} {
		expect.Equal(t, s.take(), want, "slot")
	}
	for _, back := range []uint32{4, 1, 3} {
		s.giveBack(back)
	}
	for _, want := range []uint32{1, 3, 4, 6} {
		expect.Equal(t, s.take(), want, "slot")
	}
}

// TestNames checks that what has no name gets one, and that names which only look alike in the end are one.
func TestNames(t *testing.T) {
	parse := func(c *Collector, _ io.Reader, _ string) error {
		for i, name := range []string{"", noService, "\xff", "\uFFFD", "\n"} {
			s := Span{Trace: TraceID{0, uint64(i + 1)}, ID: 1, Service: c.Code([]byte(name)), Instance: c.Code([]byte("pod")), EndNs: 5}
			if err := c.Add(s, nil); err != nil {
				return err
			}
		}
		return nil
	}
	out := readWith(t, parse, "", schema.Reading{})
	lifelines := map[string]int{}
	for _, e := range out.events {
		lifelines[e.key.Lifeline+" "+e.key.Function]++
	}
	want := map[string]int{"unknown_service/1 unnamed": 2, "unknown_service/2 unnamed": 2, "\uFFFD/1 unnamed": 2, "\uFFFD/2 unnamed": 2, "\uFFFD/3 unnamed": 2}
	expect.Deep(t, lifelines, want, "lifelines")
	out = readWith(t, parse, "", schema.Reading{Options: schema.ReadingOptions{Component: "instance"}})
	if len(out.events) != 10 || out.events[0].key.Component != "pod" {
		t.Errorf("by instance: %v", out)
	}
}

// TestErrors checks that the errors of files, of what reads them and of what takes the events come back.
func TestErrors(t *testing.T) {
	broken := errors.New("broken")
	fail := func(*Collector, io.Reader, string) error { return broken }
	if _, err := tryRead(fail, "", schema.Reading{}); !errors.Is(err, broken) {
		t.Errorf("of the format: %v", err)
	}
	if _, err := tryRead(parseLines, "- 1 - - a f 1 2", schema.Reading{Strict: true}); err == nil || !strings.HasPrefix(err.Error(), "story:1:1: ") {
		t.Errorf("strict: %v", err)
	}
	many := strings.Repeat("1 1 - - a f 1 2\n", 3000)
	if _, err := tryRead(parseLines, many, schema.Reading{Scratch: func() (schema.Scratch, error) { return nil, broken }}); !errors.Is(err, broken) {
		t.Errorf("of scratch: %v", err)
	}
	reading := schema.Reading{Ledger: new(schema.Ledger), Traces: []schema.Trace{{FS: fstest.MapFS{}, Path: "gone"}}}
	if err := NewReader(&reading, parseLines).Read(nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of a file: %v", err)
	}
	for calls := range 2 {
		reading.Traces = []schema.Trace{{FS: fstest.MapFS{"a": {Data: []byte("1 1 - - a f 1 2")}}, Path: "a"}}
		err := NewReader(&reading, parseLines).Read(func(*schema.Block) (*schema.Block, error) {
			if calls--; calls < 0 {
				return nil, broken
			}
			return new(schema.Block), nil
		})
		if !errors.Is(err, broken) {
			t.Errorf("of the taker: %v", err)
		}
	}
}

// TestBlocks checks that blocks are full but for the last, and that decompression is asked for.
func TestBlocks(t *testing.T) {
	var text strings.Builder
	for i := range schema.BlockEvents/2 + 10 {
		fmt.Fprintf(&text, "%d 1 - - a f %d %d\n", i+1, i, i+1)
	}
	asked := false
	reading := schema.Reading{Memory: 1 << 30, Ledger: new(schema.Ledger), Traces: []schema.Trace{{
		FS: fstest.MapFS{"a": {Data: []byte(text.String())}}, Path: "a",
		Decompress: func(r io.Reader) (io.Reader, error) { asked = true; return r, nil },
	}}}
	var sizes []int
	err := NewReader(&reading, parseLines).Read(func(b *schema.Block) (*schema.Block, error) {
		if b != nil {
			sizes = append(sizes, len(b.Key))
		}
		return new(schema.Block), nil
	})
	if err != nil || !asked || !reflect.DeepEqual(sizes, []int{schema.BlockEvents, 20}) {
		t.Errorf("blocks of %v, decompressed %v: %v", sizes, asked, err)
	}
}

func TestFilesIn(t *testing.T) {
	fsys := fstest.MapFS{"in/b": {Data: []byte("yes")}, "in/a": {Data: []byte("yes, long" + strings.Repeat("x", headBytes))}, "in/c": {Data: []byte("no")}, "in/d": {}, "in/sub/e": {Data: []byte("yes")}, "yes": {Data: []byte("yes")}}
	got := FilesOf(func(head []byte) bool { return strings.HasPrefix(string(head), "yes") })(fsys, "in")
	expect.Deep(t, got, []string{"in/a", "in/b"}, "files")
	if got := FilesOf(func([]byte) bool { return true })(fsys, "gone"); got != nil {
		t.Errorf("%q", got)
	}
}

// TestSameSpanApart gives a span twice with its server's record in between, and checks that it is one, and that the first
// record is what holds where the two differ.
func TestSameSpanApart(t *testing.T) {
	const client, server, other = "1 1 - client web f 0 100\n", "1 1 - server shop g 10 90\n", "1 1 - server shop g 10 90 follows\n"
	want := story(t, client+server)
	for text, follows := range map[string]bool{client + server + client: false, server + client + other: false, other + client + server: true} {
		out := story(t, text)
		if len(out.losses) != 1 || out.losses[0].Reason != schema.DuplicateCall.Name || out.losses[0].Count != 1 {
			t.Errorf("%q: %v", text, out.losses)
		}
		if reflect.DeepEqual(out.events, want.events) == follows {
			t.Errorf("%q: events\n%v", text, out)
		}
	}
}
