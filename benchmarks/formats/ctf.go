package main

import (
	"encoding/binary"
	"fmt"
)

// ctfMetadata describes streams as LTTng's tracer of functions in user space writes them, with large headers.
const ctfMetadata = `/* CTF 1.8 */
typealias integer { size = 32; } := u32;
typealias integer { size = 32; signed = 1; } := i32;
typealias integer { size = 64; align = 8; base = 16; } := ulong;
trace { major = 1; minor = 8; uuid = "00010203-0405-0607-0809-0a0b0c0d0e0f"; byte_order = le;
	packet.header := struct { u32 magic; integer { size = 8; } uuid[16]; u32 stream_id; }; };
env { hostname = "here"; domain = "ust"; tracer_name = "lttng-ust"; };
clock { name = "monotonic"; freq = 1000000000; offset = 1700000000000000000; };
typealias integer { size = 32; map = clock.monotonic.value; } := t32;
typealias integer { size = 64; map = clock.monotonic.value; } := t64;
struct event_header_large {
	enum : integer { size = 16; } { compact = 0 ... 65534, extended = 65535 } id;
	variant <id> { struct { t32 timestamp; } compact; struct { u32 id; t64 timestamp; } extended; } v;
} align(8);
stream { id = 0; event.header := struct event_header_large;
	packet.context := struct { t64 timestamp_begin; t64 timestamp_end; ulong content_size, packet_size; ulong packet_seq_num, events_discarded; u32 cpu_id; };
	event.context := struct { i32 _vtid; i32 _vpid; integer { size = 8; encoding = UTF8; } _procname[17]; };
};
event { name = "lttng_ust_cyg_profile:func_entry"; id = 0; stream_id = 0; fields := struct { ulong _addr; ulong _call_site; }; };
event { name = "lttng_ust_cyg_profile:func_exit"; id = 1; stream_id = 0; fields := struct { ulong _addr; ulong _call_site; }; };
`

// ctfPacket is the bytes of a packet, and ctfHead what stands before its events.
const (
	ctfPacket = 1 << 16
	ctfHead   = 4 + 16 + 4 + 6*8 + 4
)

// ctfStream is the stream of a CPU, on which one thread runs.
// Packets are 64 KiB, as LTTng's sub-buffers often are; a reader merges the streams of all CPUs by time.
type ctfStream struct {
	to     *file // the file of the stream
	cpu    uint32
	packet []byte // under way
	begin  int64  // time of its first event, ns
	end    int64  // time of its last event, ns
	number uint64 // of the packet, from 0
}

// step adds an event of 47 bytes: header, context and fields as the metadata describes them. A packet is given back
// before an event might not fit into it, so that none is split.
func (c *ctfStream) step(s step) {
	if len(c.packet)+64 > ctfPacket {
		c.flush()
	}
	// The head is filled in when the packet is complete; until then it takes its place.
	if len(c.packet) == 0 {
		c.packet, c.begin = append(c.packet, make([]byte, ctfHead)...), s.ns
	}
	// A compact header: the number of the event, and the lower 32 bits of the time, which readers extend by that of the packet.
	little, kind, at := binary.LittleEndian, uint16(1), functionAt(s.function)
	if s.enters {
		kind = 0
	}
	p := little.AppendUint16(c.packet, kind)
	p = little.AppendUint32(p, uint32(s.ns))
	p = little.AppendUint32(p, uint32(701+s.thread))
	p = little.AppendUint32(p, 701)
	// The name of the process has 17 bytes, as LTTng pads it.
	p = append(p, "program\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"...)
	p = little.AppendUint64(p, at)
	c.packet, c.end = little.AppendUint64(p, at+4), s.ns
}

// flush writes the packet, filled up.
// The content size tells readers where the events end; the padding behind it is zeros. Both sizes are in bits.
func (c *ctfStream) flush() {
	head, little := c.packet[:0], binary.LittleEndian
	bits := 8 * uint64(len(c.packet))
	head = little.AppendUint32(head, 0xc1fc1fc1)
	for i := range 16 {
		head = append(head, byte(i))
	}
	head = little.AppendUint32(head, 0)
	// Begin, end, sizes of content and of the packet in bits, its number, and the events that were lost: none.
	for _, n := range []uint64{uint64(c.begin), uint64(c.end), bits, 8 * ctfPacket, c.number, 0} {
		head = little.AppendUint64(head, n)
	}
	little.AppendUint32(head, c.cpu)
	c.to.Write(c.packet)
	c.to.Write(make([]byte, ctfPacket-len(c.packet)))
	c.packet, c.number = c.packet[:0], c.number+1
}

// makeCTF writes the folder of a trace: the metadata as text, and a stream for each CPU. Each thread keeps to one CPU,
// so a stream has its calls in order.
func makeCTF(f *folder, events int) {
	f.create("metadata").say(ctfMetadata)
	var all [threads]ctfStream
	for t := range all {
		all[t] = ctfStream{to: f.create(fmt.Sprintf("channel0_%d", t)), cpu: uint32(t)}
	}
	walk(events, func(s step) { all[s.thread].step(s) })
	for t := range all {
		all[t].flush()
	}
}
