package ctf

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/processes"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestStrange reads a packet whose fields are of all kinds. Its bits, from the left:
//
//	magic; content 288, packet 288
//	event 1: 3 bits of number 1, 29 bits of time 1; tid 9; to 16 bits; tag 0010, which is TWO, so an address at 128; then
//	six times 7 bits; to 8 bits, a floating point number; 9 bits of the number 2; two structures of 2 bits with as many
//	strings; two times 7 bits
func TestStrange(t *testing.T) {
	w := &bitWriter{layout: layout{big: true}}
	w.put(packetMagic, 32)
	sizes := len(w.out)
	w.put(0, 32)
	w.put(1, 3)
	w.put(1, 29)
	w.put(9, 8)
	w.align(16)
	w.put(2, 4)
	w.align(32)
	w.put(0xdeadbeef, 32)
	for range 6 {
		w.put(0x55, 7)
	}
	w.align(8)
	w.put(0, 32)
	w.put(2, 9)
	for _, k := range []int{1, 2} {
		// The strings align their structure to a byte.
		w.align(8)
		w.put(uint64(k), 2)
		for range k {
			w.align(8)
			w.text("ab", 0)
		}
	}
	for range 2 {
		w.put(1, 7)
	}
	// Event 2 at time 10.
	w.align(1)
	w.put(2, 3)
	w.put(10, 29)
	w.align(8)
	w.put(9, 8)
	w.align(8)
	w.put(1, 8)
	w.text("end", 0)
	w.put(1, 64)
	content := w.bits
	w.align(8)
	w.order().PutUint16(w.out[sizes:], uint16(content))
	w.order().PutUint16(w.out[sizes+2:], uint16(w.bits))
	got := readFS(t, fstest.MapFS{"metadata": {Data: []byte(strange)}, "s": {Data: w.out}}, schema.ReadingOptions{}, ".")
	// (1 + 7) / 3 Hz - 5 s and (10 + 7) / 3 Hz - 5 s, rounded down
	want := "-2333333334 process/1 kernel > x\n666666666 process/1 kernel < x\n"
	expect.Equal(t, telling(got), want, "events")
}

// TestParseFaults points at what is wrong: each text has a mark at the place.
func TestParseFaults(t *testing.T) {
	const head = "trace { major = 1; minor = 8; byte_order = le; };\n"
	for _, text := range []string{
		head + "event { name = x; fields := struct { ✗uint8_t a; }; };",
		head + "typealias integer { size = 8; ✗] := x;",
		head + "typealias integer ✗{ size = 65; } := x;",
		head + "typealias integer { align = ✗3; size = 1; } := x;",
		head + "typealias integer { size = ✗99999999999999999999; } := x;",
		head + "stream { id = 1; };\n✗event { stream_id = 2; };",
		head + "clock { freq = 1; ✗};\n✗",
		head + "✗clock { freq = 0; };",
		head + "event { name = ✗\"x; };",
		head + "✗/* no end",
		head + "/* two\n lines */ ✗b;",
		head + "struct a { integer { size = 8; } n; } ✗b;",
		head + "event { ✗name; };",
		head + "typealias string := str; enum ✗: str { a };",
		head + "event { fields := struct { integer { size = 8; signed = 1; } n; string a[✗n]; }; };",
		head + "event { fields := struct { string a[✗b]; }; };",
		head + "event { fields := struct { integer { size = 8; } n; variant ✗<n> { string a; } v; }; };",
		head + "typealias integer { size = 8; map = ✗clock.x; } := x;",
		"✗trace { major = 1; minor = 8; };",
		"✗trace { major = 2; minor = 0; byte_order = le; };",
		"trace { uuid = ✗\"12\"; };",
		"trace { byte_order = ✗middle; };",
		"✗",
	} {
		before, after, _ := strings.Cut(text, "✗")
		src := before + after
		if strings.Contains(after, "✗") {
			continue
		}
		line, col := strings.Count(before, "\n")+1, len(before)-strings.LastIndexByte(before, '\n')
		meta, err := parse("m", src)
		if err == nil {
			_, err = newTracePlan(meta, findPairs(meta, processes.NewTable(schema.ReadingOptions{}), nil))
		}
		if place := fmt.Sprintf("m:%d:%d: ", line, col); err == nil || !strings.HasPrefix(err.Error(), place) {
			t.Errorf("%q: expected %s, got %v", text, place, err)
		}
	}
}

// TestDeep refuses types that have no end, or that are too many.
func TestDeep(t *testing.T) {
	const head = "trace { major = 1; minor = 8; byte_order = le; }; typealias integer { size = 8; } := u8;\n"
	deep := strings.Repeat("struct { ", 1000)
	if _, err := parse("m", head+deep); err == nil {
		t.Error("a thousand structures in each other")
	}
	var many strings.Builder
	many.WriteString(head + "struct s0 { u8 a; };\n")
	for i := range 40 {
		fmt.Fprintf(&many, "struct s%d { struct s%d a, b; };\n", i+1, i)
	}
	meta := expect.Value(parse("m", many.String()+"event { fields := struct s40; };"))(t)
	_, err := newTracePlan(meta, findPairs(meta, processes.NewTable(schema.ReadingOptions{}), nil))
	expect.Refused(t, err, "too large", "2⁴⁰ fields")
}

// TestDuplicates keeps the last description.
func TestDuplicates(t *testing.T) {
	text := layout{align: 8}.metadataText() + "event { name = late; id = 6; stream_id = 0; };"
	fsys := layout{align: 8}.trace([]anEvent{{cycles: 1, id: aEnter, address: 1, newPacket: true}}).(fstest.MapFS)
	fsys["t/metadata"].Data = []byte(text)
	if got := readFS(t, fsys, schema.ReadingOptions{}, "t"); got.losses["duplicate_definition"] != 1 || got.err != nil {
		t.Errorf("losses %v, %v", got.losses, got.err)
	}
}

func TestTimescale(t *testing.T) {
	for _, c := range []struct {
		scale  timescale
		cycles uint64
		ns     int64
		ok     bool
	}{
		{timescale{freq: second, cycles: 5, ns: 7}, 1, 13, true},
		{timescale{freq: 3}, 1, 333333333, true},
		{timescale{freq: 3, cycles: -2}, 1, -333333334, true},
		{timescale{freq: 2_500_047_599}, 7_400_000_000_000_000, 2959943643856998, true}, // 7.4e24 div 2500047599, by Python
		{timescale{freq: 1}, 9_223_372_036, 9_223_372_036_000_000_000, true},
		{timescale{freq: 1}, 9_223_372_037, 0, false},
		{timescale{freq: second, cycles: math.MaxInt64}, 1, 0, false},
		{timescale{freq: second, ns: math.MaxInt64 - 4}, 3, math.MaxInt64 - 1, true},
		{timescale{freq: second, ns: math.MaxInt64 - 4}, 4, 0, false},
		{timescale{freq: second, ns: math.MaxInt64 - 4}, 5, 0, false},
		{timescale{freq: second, cycles: -10, ns: -math.MaxInt64}, 3, 0, false},
		{timescale{freq: second}, 1 << 63, 0, false},
		{timescale{freq: 499_999_999}, math.MaxInt64, 0, false}, // 2⁶⁴ times the frequency, and some
	} {
		if ns, ok := c.scale.at(c.cycles); ns != c.ns || ok != c.ok {
			t.Errorf("%+v at %d: %d %v", c.scale, c.cycles, ns, ok)
		}
	}
}

func TestRestore(t *testing.T) {
	for _, c := range [][4]uint64{
		{100, 27, 101, 101}, {1 << 27, 27, 5, 1<<27 + 5}, {1<<27 + 6, 27, 5, 1<<28 + 5}, {1<<32 + 9, 32, 8, 1<<33 + 8}, {99, 64, 5, 5}, {7, 3, 7, 7},
	} {
		expect.Equal(t, restore(c[0], c[2], uint8(c[1])), c[3], "%v", c)
	}
}

// TestPairs finds the ends of executions in names.
func TestPairs(t *testing.T) {
	m := &metadata{streams: map[uint64]*streamClass{0: {events: make(map[uint64]*eventClass)}}}
	for i, name := range []string{
		"syscall_entry_open", "syscall_exit_open", "irq_handler_entry", "irq_handler_exit", "p:x_begin", "p:x_end", "p:y_start", "p:y_end",
		"p:z_start", "timer_start", "lttng_statedump_start", "lttng_statedump_end", "sys_read", "exit_syscall", "entry_exit", "sched_switch",
		"p:w_start", "p:w_stop", "p:w_end",
	} {
		m.streams[0].events[uint64(i)] = &eventClass{name: name}
	}
	s := processes.NewTable(schema.ReadingOptions{})
	p := findPairs(m, s, nil)
	var got []string
	for name, of := range p.of {
		got = append(got, fmt.Sprint(name, " ", of.role == rolePairEnter, " ", s.Named(of.named)))
	}
	slices.Sort(got)
	want := []string{
		"irq_handler_entry true {kernel irq_handler}", "irq_handler_exit false {kernel irq_handler}",
		"p:w_start true {p w}", "p:w_stop false {p w}",
		"p:x_begin true {p x}", "p:x_end false {p x}", "p:y_end false {p y}", "p:y_start true {p y}",
		"syscall_entry_open true {kernel syscall_open}", "syscall_exit_open false {kernel syscall_open}", "sys_read true {kernel sys_read}",
	}
	slices.Sort(want)
	if !slices.Equal(got, want) || !p.calls {
		t.Errorf("got %q", got)
	}
}
