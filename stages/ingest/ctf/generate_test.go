package ctf

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/testdata/expect"
)

// A layout is a way in which the same events may lie in a trace.
type layout struct {
	big     bool
	compact bool // 5 bits of number and 27 bits of time, or 16 and 32
	align   int  // of the integers in fields, bits
	packed  bool // the metadata
	crlf    bool
}

// anEvent is what the generated traces can say. What a kind does not use stays zero.
type anEvent struct {
	cycles     uint64
	pid, tid   int32
	comm       string
	id         uint64 // see generated
	address    uint64
	size       uint64
	path       string
	pic        bool
	discarded  uint64 // before a packet that begins here
	sequence   uint64
	newPacket  bool
	alwaysLong bool // uses the extended header
}

// generated are the events of generated traces by their numbers.
var generated = []string{
	"lttng_ust_cyg_profile:func_entry", "lttng_ust_cyg_profile:func_exit", "lttng_ust_statedump:bin_info",
	"lttng_ust_cyg_profile_fast:func_exit", "app:load_begin", "app:load_end", "app:point",
}

const (
	aEnter = iota
	aExit
	aModule
	aReturn
	aBegin
	aEnd
	aPoint
)

// metadataText describes generated traces, after LTTng's.
func (l layout) metadataText() string {
	order := "le"
	if l.big {
		order = "be"
	}
	header := "enum : integer { size = 16; } { compact = 0 ... 65534, extended = 65535 } id; variant <id> { struct { t32 timestamp; } compact;"
	if l.compact {
		header = "enum : integer { size = 5; } { compact = 0 ... 30, extended = 31 } id; variant <id> { struct { t27 timestamp; } compact;"
	}
	var out strings.Builder
	fmt.Fprintf(&out, `/* CTF 1.8 */
typealias integer { size = 32; } := u32; // one comment
typealias integer { size = 64; align = %d; base = 16; } := unsigned  long;
trace { major = 1; minor = 8; uuid = "00010203-0405-0607-0809-0a0b0c0d0e0f"; byte_order = %s;
	packet.header := struct { u32 magic; integer { size = 8; } uuid[16]; u32 stream_id; }; };
env { hostname = "here"; domain = "ust"; n = -3; };
clock { name = "mono"; freq = 1000000000; offset = 1000; };
typealias integer { size = 27; align = 1; map = clock.mono.value; } := t27;
typealias integer { size = 32; map = clock.mono.value; } := t32;
typealias integer { size = 64; map = clock.mono.value; } := t64;
struct head { %s struct { u32 id; t64 timestamp; } extended; } v; } align(8);
stream { id = 0; event.header := struct head;
	packet.context := struct { t64 timestamp_begin; unsigned long content_size, packet_size; u32 packet_seq_num; u32 events_discarded; u32 cpu_id; };
	event.context := struct { integer { size = 32; signed = 1; } _vtid; integer { size = 32; signed = 1; } _vpid; integer { size = 8; encoding = UTF8; } _procname[17]; };
};
`, l.align, order, header)
	fields := []string{
		"unsigned long _addr; unsigned long _call_site;", "unsigned long _addr; unsigned long _call_site;",
		"unsigned long _baddr; unsigned long _memsz; string _path; integer { size = 8; } _is_pic;",
		"", "", "", "u32 __n_length; integer { size = 3; } _n[ __n_length ]; string _text;",
	}
	for id, name := range generated {
		fmt.Fprintf(&out, "event { name = %q; id = %d; stream_id = 0; loglevel = 12; fields := struct { %s }; };\n", name, id, fields[id])
	}
	if l.crlf {
		return strings.ReplaceAll(out.String(), "\n", "\r\n")
	}
	return out.String()
}

// metadata is the file.
func (l layout) metadata() []byte {
	text := []byte(l.metadataText())
	if !l.packed {
		return text
	}
	var out []byte
	for len(text) > 0 {
		n := min(len(text), 1000)
		p := make([]byte, 1200)
		l.order().PutUint32(p, metadataMagic)
		l.order().PutUint32(p[24:], uint32(8*(metadataHeader+n)))
		l.order().PutUint32(p[28:], uint32(8*len(p)))
		p[35], p[36] = 1, 8
		copy(p[metadataHeader:], text[:n])
		out, text = append(out, p...), text[n:]
	}
	return out
}

func (l layout) order() binary.ByteOrder {
	if l.big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// bitWriter writes a packet bit by bit.
type bitWriter struct {
	layout
	out  []byte
	bits int
}

func (w *bitWriter) align(n int) {
	w.bits = (w.bits + n - 1) / n * n
	w.room()
}

func (w *bitWriter) room() {
	for len(w.out)*8 < w.bits {
		w.out = append(w.out, 0)
	}
}

// put writes n bits, one at a time: the slow way that the reader's loads are compared with.
func (w *bitWriter) put(v uint64, n int) {
	if w.bits%8 == 0 && n%8 == 0 && n >= 8 {
		var b [8]byte
		if w.big {
			binary.BigEndian.PutUint64(b[:], v<<(64-n))
		} else {
			binary.LittleEndian.PutUint64(b[:], v)
		}
		w.room()
		w.out = append(w.out, b[:n/8]...)
		w.bits += n
		return
	}
	for i := range n {
		at := w.bits
		w.bits++
		w.room()
		if w.big {
			w.out[at/8] |= byte(v>>(n-1-i)&1) << (7 - at%8)
		} else {
			w.out[at/8] |= byte(v>>i&1) << (at % 8)
		}
	}
}

func (w *bitWriter) long(v uint64) {
	w.align(w.layout.align)
	w.put(v, 64)
}

func (w *bitWriter) text(s string, n int) {
	w.align(8)
	for i := range max(n, len(s)+1) {
		c := byte(0)
		if i < len(s) {
			c = s[i]
		}
		w.put(uint64(c), 8)
	}
}

func (w *bitWriter) event(e anEvent) {
	w.align(max(8, 8))
	idBits, timeBits := 16, 32
	if w.compact {
		idBits, timeBits = 5, 27
	}
	if e.alwaysLong {
		w.put(1<<idBits-1, idBits)
		w.align(8)
		w.put(e.id, 32)
		w.put(e.cycles, 64)
	} else {
		w.put(e.id, idBits)
		w.put(e.cycles&(1<<timeBits-1), timeBits)
	}
	w.align(8)
	w.put(uint64(uint32(e.tid)), 32)
	w.put(uint64(uint32(e.pid)), 32)
	w.text(e.comm, 17)
	switch e.id {
	case aEnter, aExit:
		w.long(e.address)
		w.long(e.address + 1)
	case aModule:
		w.long(e.address)
		w.long(e.size)
		w.text(e.path, 0)
		w.put(uint64(map[bool]int{true: 1}[e.pic]), 8)
	case aPoint:
		w.align(8)
		w.put(e.size, 32)
		for i := range e.size {
			w.put(i, 3)
		}
		w.text(e.path, 0)
	}
}

// streamBytes writes the events of a stream; a packet begins at the first one and wherever one says so.
func (l layout) streamBytes(cpu uint32, events []anEvent) []byte {
	var out []byte
	for from := 0; from < len(events); {
		to := from + 1
		for to < len(events) && !events[to].newPacket {
			to++
		}
		out = append(out, l.packet(cpu, events[from:to])...)
		from = to
	}
	return out
}

func (l layout) packet(cpu uint32, events []anEvent) []byte {
	w := &bitWriter{layout: l}
	w.put(packetMagic, 32)
	for i := range 16 {
		w.put(uint64(i), 8)
	}
	w.put(0, 32)
	// A struct is aligned as its largest member.
	w.align(max(8, l.align))
	w.put(events[0].cycles, 64)
	w.align(l.align)
	sizes := w.bits / 8
	w.put(0, 64)
	w.put(0, 64)
	w.put(events[0].sequence, 32)
	w.put(events[0].discarded, 32)
	w.put(uint64(cpu), 32)
	for _, e := range events {
		// The fields of a struct begin where its largest member may.
		w.event(e)
	}
	content := w.bits
	w.align(64 * 8)
	l.order().PutUint64(w.out[sizes:], uint64(content))
	l.order().PutUint64(w.out[sizes+8:], uint64(w.bits))
	return w.out
}

// trace is a trace of streams, one for each CPU, in folder t.
func (l layout) trace(streams ...[]anEvent) fs.FS {
	files := fstest.MapFS{"t/metadata": {Data: l.metadata()}, "t/index/ch_0.idx": {Data: []byte("an index")}}
	for cpu, events := range streams {
		files[fmt.Sprintf("t/ch_%d", cpu)] = &fstest.MapFile{Data: l.streamBytes(uint32(cpu), events)}
	}
	return files
}

// layouts are all of them.
func layouts() []layout {
	var out []layout
	for i := range 16 {
		out = append(out, layout{big: i&1 != 0, compact: i&2 != 0, align: []int{8, 64}[i>>2&1], packed: i&8 != 0, crlf: i&4 != 0})
	}
	return out
}

// program is a run of a program with two threads on two CPUs, of about n calls.
func program(n int) (cpu0, cpu1 []anEvent) {
	now := uint64(5_000_000_000)
	module := anEvent{cycles: now, pid: 7, tid: 8, comm: "prog-ust", id: aModule, address: 0x400000, size: 0x100000, path: "/usr/bin/prog", newPacket: true}
	cpu0 = append(cpu0, module)
	for i := range n {
		now += 100
		f := 0x400100 + uint64(i%64)*0x100
		enter := anEvent{cycles: now, pid: 7, tid: int32(7 + i%2*2), comm: "prog", id: aEnter, address: f}
		exit := enter
		exit.id, exit.cycles = aExit, now+40
		to := &cpu0
		if i%2 == 1 {
			to = &cpu1
		}
		enter.newPacket = i%1000 < 2
		enter.sequence = uint64(i/1000 + 1)
		*to = append(*to, enter, exit)
	}
	return cpu0, cpu1
}

// TestLayouts reads the same program in all layouts.
func TestLayouts(t *testing.T) {
	cpu0, cpu1 := program(5000)
	cpu0[0].alwaysLong = true
	var want []row
	for i, l := range layouts() {
		got := readFS(t, l.trace(cpu0, cpu1), symbolsOf(0x400100, "first", "a.c"), "t")
		if got.err != nil || len(got.losses) != 0 || len(got.rows) != 10000 {
			t.Fatalf("%+v: %d rows, losses %v, %v", l, len(got.rows), got.losses, got.err)
		}
		if i == 0 {
			want = got.rows
		}
		for j := range want {
			expect.Equal(expect.Must(t), got.rows[j], want[j], "%+v: row %d", l, j)
		}
	}
	for i, line := range []string{
		"5000001100 prog/1 a_c > first", "5000001140 prog/1 a_c < first", "5000001200 prog/2 prog > 0x400200", "5000001240 prog/2 prog < 0x400200",
	} {
		expect.Equal(t, want[i].String(), line, "row %d", i)
	}
}
