package ctf

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestLoad compares the loads of integers with bits that were written one at a time.
func TestLoad(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, high := range []bool{false, true} {
		for before := range uint64(16) {
			for n := uint64(1); n <= 64; n++ {
				v := rng.Uint64() >> (64 - n)
				w := &bitWriter{layout: layout{big: high}}
				for range before {
					w.put(1, 1)
				}
				for i := range n {
					if high {
						w.put(v>>(n-1-i)&1, 1)
					} else {
						w.put(v>>i&1, 1)
					}
				}
				m := machine{buf: append(w.out, make([]byte, loadSlack+1)...), end: before + n, limit: before + n, slots: make([]uint64, 1)}
				o := op{code: opInteger, n: n, big: high, signed: true, reg: regAddress}
				want := uint64(int64(v<<(64-n)) >> (64 - n))
				if m.pos = before; m.load(before, n, high) != v || m.integer(&o) != done || m.slots[0] != want {
					t.Fatalf("%d bits at %d, big %v: %#x, not %#x", n, before, high, m.slots[0], want)
				}
				f := flattener{at: before, align: 8}
				if f.integer(&o) && f.flat.probes[0].load(m.buf) != want {
					t.Fatalf("%d bits at %d, big %v: the probe loads %#x", n, before, high, f.flat.probes[0].load(m.buf))
				}
			}
		}
	}
}

const choosing = `/* CTF 1.8 */
trace { major = 1; minor = 8; byte_order = le; };
typealias integer { size = 8; } := u8;
stream { event.header := struct { u8 id; u8 timestamp; }; };
event { name = "lttng_ust_cyg_profile:func_entry"; id = 1; fields := struct {
	enum : u8 { A, B } t; variant <t> { u8 A; integer { size = 16; } B; } v; integer { size = 16; byte_order = be; } addr; }; };
`

// TestChoice reads variants by a tag that is not the event's number, and an integer of the other byte order.
func TestChoice(t *testing.T) {
	stream := "\x01\x05\x00\x77\x12\x34" + "\x01\x06\x01\x77\x77\x12\x35" + "\x01\x07\x02"
	got := telling(readFS(t, fstest.MapFS{"metadata": {Data: []byte(choosing)}, "s": {Data: []byte(stream)}}, schema.ReadingOptions{}, "."))
	want := "5 cpu/0 cpu > 0x1234\n6 cpu/0 cpu > 0x1235\nloss torn_record 1\n"
	expect.Equal(t, got, want, "choices")
}

// TestInstants has events none of which enters or exits anything: each is an execution. One that does makes the others
// nothing.
func TestInstants(t *testing.T) {
	const head = "/* CTF 1.8 */\ntrace { major = 1; minor = 8; byte_order = le; };\n" +
		"stream { event.header := struct { integer { size = 8; } id; integer { size = 8; } timestamp; }; };\n" +
		"event { name = \"app:tick\"; id = 1; };\nevent { name = \"tock\"; id = 2; };\n"
	stream := fstest.MapFile{Data: []byte("\x01\x05\x02\x06\x01\x07")}
	got := telling(readFS(t, fstest.MapFS{"metadata": {Data: []byte(head)}, "s": &stream}, schema.ReadingOptions{}, "."))
	want := "5 cpu/0 app > tick\n5 cpu/0 app < tick\n6 cpu/0 kernel > tock\n6 cpu/0 kernel < tock\n7 cpu/0 app > tick\n7 cpu/0 app < tick\n"
	expect.Equal(t, got, want, "instants")
	const pair = "event { name = \"x_begin\"; id = 3; };\nevent { name = \"x_end\"; id = 4; };\n"
	stream.Data = append(stream.Data, 3, 8, 4, 9)
	got = telling(readFS(t, fstest.MapFS{"metadata": {Data: []byte(head + pair)}, "s": &stream}, schema.ReadingOptions{}, "."))
	if strings.Contains(got, "tick") || !strings.Contains(got, "> x\n") || !strings.Contains(got, "loss skipped_record 3") {
		t.Errorf("with a pair: got\n%s", got)
	}
	// A pair that never occurs changes nothing.
	stream.Data = stream.Data[:6]
	got = telling(readFS(t, fstest.MapFS{"metadata": {Data: []byte(head + pair)}, "s": &stream}, schema.ReadingOptions{}, "."))
	expect.Equal(t, got, want, "with a pair that does not occur")
}

// TestNoBits gives up events that take no bits, of which there would be no end.
func TestNoBits(t *testing.T) {
	text := "trace { major = 1; minor = 8; byte_order = le; }; event { name = a; };"
	got := readFS(t, fstest.MapFS{"metadata": {Data: []byte(text)}, "s": {Data: []byte("xyz")}}, schema.ReadingOptions{}, ".")
	expect.Equal(t, got.losses["bad_record"], 1, "%v, %v", got.losses, got.err)
}

// TestRotation counts what the files of one stream lost once, as their counter goes on from file to file.
func TestRotation(t *testing.T) {
	l := layout{align: 8}
	first := l.streamBytes(7, []anEvent{{cycles: 1, id: aEnter, address: 1, newPacket: true, discarded: 3}})
	second := l.streamBytes(7, []anEvent{{cycles: 2, id: aExit, address: 1, newPacket: true, discarded: 5}})
	fsys := fstest.MapFS{"metadata": {Data: l.metadata()}, "ch_0_0": {Data: first}, "ch_0_1": {Data: second}}
	got := readFS(t, fsys, schema.ReadingOptions{}, ".")
	expect.Equal(t, got.losses["lost_by_tracer"], 5, "%v", got.losses)
}

// TestIdle keeps the idle threads of two CPUs apart.
func TestIdle(t *testing.T) {
	stream := "\x00\x01\x00idle\x01\x02x\x00"
	fsys := fstest.MapFS{"metadata": {Data: []byte(switching)}, "a": {Data: []byte(stream)}, "b": {Data: []byte(stream)}}
	got := readFS(t, fsys, schema.ReadingOptions{}, ".")
	if len(got.rows) != 2 || got.rows[0].Key.Lifeline == got.rows[1].Key.Lifeline {
		t.Errorf("%v", got.rows)
	}
}

// TestBlocks fills more than one block; the harness looks at their sizes.
func TestBlocks(t *testing.T) {
	cpu0, cpu1 := program(9000)
	got := readFS(t, layout{align: 8}.trace(cpu0, cpu1), schema.ReadingOptions{}, "t")
	expect.Equal(t, len(got.rows), 18000, "rows, %v", got.err)
}

// TestEnvelope refuses packets of metadata that cannot be.
func TestEnvelope(t *testing.T) {
	good := layout{packed: true}.metadata()
	for name, change := range map[string]func(p []byte){
		"content":     func(p []byte) { p[25]++; p[26]++ },
		"short":       func(p []byte) { p[24], p[25] = 8, 0 },
		"compression": func(p []byte) { p[32] = 1 },
		"version":     func(p []byte) { p[36] = 7 },
	} {
		p := append([]byte(nil), good...)
		change(p)
		if _, err := readMetadata(strings.NewReader(string(p)), "m"); err == nil || !strings.HasPrefix(err.Error(), "m@0x0: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := readMetadata(strings.NewReader(string(good[:len(good)-1])), "m"); err == nil {
		t.Error("a packet that is cut off is no error")
	}
}

// TestEscapes looks that events lie at known distances, with short headers and with those that have their number behind an escape, and
// that both read alike in all layouts.
func TestEscapes(t *testing.T) {
	cpu0, cpu1 := program(1000)
	for _, l := range layouts() {
		meta := expect.Value(parse("m", l.metadataText()))(t)
		p := expect.Value(newTracePlan(meta, pairs{}))(t).streams[0]
		for _, table := range []flatTable{p.short, p.long} {
			// Fields that are aligned to more than their event have no known distance from its beginning.
			if l.align == 8 && (table.id == nil || table.direct[aEnter] == nil || table.direct[aExit] == nil) {
				t.Errorf("%+v: enters and exits take the general way", l)
			}
		}
		short := readFS(t, l.trace(cpu0, cpu1), schema.ReadingOptions{}, "t")
		long := readFS(t, l.trace(escaped(cpu0), escaped(cpu1)), schema.ReadingOptions{}, "t")
		expect.Equal(t, telling(long), telling(short), "%+v: events with long headers", l)
	}
}

// escaped returns events with long headers.
func escaped(events []anEvent) []anEvent {
	out := slices.Clone(events)
	for i := range out {
		out[i].alwaysLong = true
	}
	return out
}
