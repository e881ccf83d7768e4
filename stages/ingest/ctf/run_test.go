package ctf

import (
	"bytes"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestSeveral reads two traces of one session as one run: each has its own clock, and a process that both know is
// one process.
func TestSeveral(t *testing.T) {
	l := layout{align: 8}
	a := l.trace([]anEvent{
		{cycles: 10, pid: 5, tid: 5, comm: "p", id: aEnter, address: 0x1000, newPacket: true, discarded: 3},
		{cycles: 40, pid: 5, tid: 5, comm: "p", id: aExit, address: 0x1000},
	}).(fstest.MapFS)
	b := l.trace([]anEvent{
		{cycles: 1, pid: 5, tid: 6, comm: "p", id: aModule, address: 0, size: 1 << 20, path: "/bin/tool", newPacket: true, discarded: 5},
		{cycles: 20, pid: 5, tid: 5, comm: "p", id: aEnter, address: 0x2000},
		{cycles: 30, pid: 5, tid: 5, comm: "p", id: aExit, address: 0x2000},
	}).(fstest.MapFS)
	both := fstest.MapFS{"a/metadata": a["t/metadata"], "a/s": a["t/ch_0"], "b/s": b["t/ch_0"]}
	// The second clock is 5 cycles later.
	both["b/metadata"] = &fstest.MapFile{Data: []byte(strings.Replace(l.metadataText(), "offset = 1000", "offset = 1005", 1))}
	got := telling(readFS(t, both, schema.ReadingOptions{}, "a", "b"))
	want := "1010 p/1 tool > 0x1000\n1025 p/1 tool > 0x2000\n1035 p/1 tool < 0x2000\n1040 p/1 tool < 0x1000\nloss lost_by_tracer 5\n"
	expect.Equal(t, got, want, "events of two traces")
}

const switching = `/* CTF 1.8 */
trace { major = 1; minor = 8; byte_order = le; };
typealias integer { size = 8; } := u8;
stream { event.header := struct { u8 id; u8 timestamp; }; };
event { name = sched_switch; id = 0; fields := struct { u8 _next_tid; u8 _next_comm[4]; }; };
event { name = irq_handler_entry; id = 1; fields := struct { u8 irq; string name; }; };
event { name = irq_handler_exit; id = 2; };
event { name = sys_read; id = 3; };
event { name = exit_syscall; id = 4; };
`

// TestSwitch follows the threads on a CPU. The times are of 8 bits, and pass their end.
func TestSwitch(t *testing.T) {
	stream := "\x01\x05\x07x\x00" + "\x02\x06" + // on the CPU
		"\x00\x0a\x09abcd" + "\x03\x0b" + "\x00\x0c\x00idle" + "\x01\xff\x07x\x00" + "\x02\x01" + "\x00\x02\x09xxxx" + "\x04\x03" + "\x04\x04"
	got := telling(readFS(t, fstest.MapFS{"metadata": {Data: []byte(switching)}, "s": {Data: []byte(stream)}}, schema.ReadingOptions{}, "."))
	want := `5 cpu/0 kernel > irq_handler
6 cpu/0 kernel < irq_handler
11 abcd/1 kernel > sys_read
255 idle/1 kernel > irq_handler
257 idle/1 kernel < irq_handler
259 abcd/1 kernel < sys_read
loss unmatched_exit 1
`
	expect.Equal(t, got, want, "switches")
}

func TestComponentOption(t *testing.T) {
	l := layout{align: 8}
	trace := l.trace([]anEvent{
		{cycles: 1, pid: 5, tid: 6, comm: "p", id: aModule, address: 0, size: 1 << 20, path: "/bin/tool", newPacket: true},
		{cycles: 2, pid: 5, tid: 5, comm: "p", id: aEnter, address: 0x1000},
	})
	for option, want := range map[string]string{"": "main_c", "unit": "main_c", "module": "tool", "process": "p"} {
		options := symbolsOf(0x1000, "main", "main.c")
		options.Component = option
		got := readFS(t, trace, options, "t")
		if got.err != nil || got.rows[0].Key.Component != want || got.rows[0].Key.Function != "main" {
			t.Errorf("%q: %v, %v", option, got.rows, got.err)
		}
	}
	if err := Format().CheckComponent("file"); err == nil {
		t.Error("an unknown word is no error")
	}
}

// TestReaders reads through a reader that gives few bytes at a time.
func TestReaders(t *testing.T) {
	cpu0, cpu1 := program(3000)
	fsys := layout{align: 8}.trace(cpu0, cpu1)
	want := readFS(t, fsys, schema.ReadingOptions{}, "t").rows
	for _, wrap := range []func(io.Reader) io.Reader{iotest.HalfReader, iotest.OneByteReader, iotest.DataErrReader} {
		ledger := new(schema.Ledger)
		r := newReader(&schema.Reading{Ledger: ledger, Traces: []schema.Trace{{
			FS: fsys, Path: "t", Decompress: func(r io.Reader) (io.Reader, error) { return wrap(r), nil },
		}}})
		var got []row
		err := r.Read(func(full *schema.Block) (*schema.Block, error) {
			if full != nil {
				for i := range full.Key {
					got = append(got, row{Ns: full.TimeNs[i], Key: r.Keys().At(full.Key[i]), ID: schema.NoValue})
				}
			}
			return new(schema.Block), nil
		})
		if err != nil || !slices.Equal(got, want) || len(ledger.Losses("")) != 0 {
			t.Errorf("%d rows, not %d: %v", len(got), len(want), err)
		}
	}
}

// TestStrict stops at the first fault and names the place.
func TestStrict(t *testing.T) {
	cpu0, _ := program(10)
	fsys := layout{align: 8}.trace(cpu0).(fstest.MapFS)
	data := fsys["t/ch_0"].Data
	fsys["t/ch_0"].Data = data[:len(data)-130]
	r := newReader(&schema.Reading{Ledger: new(schema.Ledger), Strict: true, Traces: []schema.Trace{{FS: fsys, Path: "t"}}})
	err := r.Read(func(*schema.Block) (*schema.Block, error) { return new(schema.Block), nil })
	if err == nil || !strings.HasPrefix(err.Error(), "t/ch_0@0x") {
		t.Errorf("got %v", err)
	}
}

// TestSizes tries packets whose sizes lie. The packet has four events, the first of which ends at bit 856.
func TestSizes(t *testing.T) {
	l := layout{align: 8}
	cpu0, _ := program(4)
	cpu0 = cpu0[1:]
	const contentAt, packetAt = 32, 40
	for _, c := range []struct {
		content, packet uint64
		rows            int
		loss            string
	}{
		{0, 0, 0, "bad_record"},                 // shorter than its header
		{1 << 40, 1 << 40, 4, "torn_record"},    // the rest of the file is not there, but its events are
		{1 << 63, 1 << 63, 0, "bad_record"},     // more than a file can have
		{8 * 1000, 8 * 999, 0, "bad_record"},    // more content than packet
		{855, 0, 0, "bad_record"},               // the content ends within the last field of the first event
		{900, 0, 1, "bad_record"},               // the content ends within the second event
		{8 * 1000, 8*1000 + 1, 0, "bad_record"}, // no whole bytes
	} {
		events := slices.Clone(cpu0)
		for i := range events {
			events[i].newPacket = i == 0
		}
		data := l.streamBytes(0, events)
		l.order().PutUint64(data[contentAt:], c.content)
		if c.packet != 0 {
			l.order().PutUint64(data[packetAt:], c.packet)
		}
		for _, general := range []bool{false, true} {
			got := readHow(t, fstest.MapFS{"metadata": {Data: l.metadata()}, "s": {Data: data}}, schema.ReadingOptions{}, general, ".")
			if len(got.rows) != c.rows || len(got.losses) != 1 || got.losses[c.loss] != 1 {
				t.Errorf("%d in %d bits, the general way %v: %d rows, not %d; %v", c.content, c.packet, general, len(got.rows), c.rows, got.losses)
			}
		}
	}
}

// TestLongEvent gives up an event that is longer than any may be, and not the memory.
func TestLongEvent(t *testing.T) {
	l := layout{align: 8}
	long := l.streamBytes(0, []anEvent{
		{cycles: 1, pid: 5, tid: 5, comm: "p", id: aEnter, address: 1, newPacket: true},
		{cycles: 2, pid: 5, tid: 5, comm: "p", id: aPoint, path: "text"},
	})
	text := bytes.LastIndex(long, []byte("text"))
	for _, c := range []struct {
		length int
		loss   string
	}{{1 << 20, ""}, {maxEvent + 1, "bad_record"}} {
		data := append(slices.Clone(long[:text]), bytes.Repeat([]byte("x"), c.length)...)
		data = append(data, 0)
		l.order().PutUint64(data[32:], uint64(len(data)*8))
		l.order().PutUint64(data[40:], uint64(len(data)*8))
		data = append(data, l.streamBytes(0, []anEvent{{cycles: 3, pid: 5, tid: 5, comm: "p", id: aExit, address: 1, newPacket: true, sequence: 1}})...)
		got := readFS(t, fstest.MapFS{"metadata": {Data: l.metadata()}, "s": {Data: data}}, schema.ReadingOptions{}, ".")
		if len(got.rows) != 2 || c.loss != "" && got.losses[c.loss] != 1 || c.loss == "" && got.losses["bad_record"] != 0 {
			t.Errorf("%d bytes: %d rows, %v, %v", c.length, len(got.rows), got.losses, got.err)
		}
	}
}

func TestDetect(t *testing.T) {
	fsys := layout{packed: true}.trace().(fstest.MapFS)
	fsys["u/metadata"] = &fstest.MapFile{Data: layout{big: true}.metadata()}
	fsys["v/metadata"] = &fstest.MapFile{Data: []byte("/* no trace */")}
	fsys["w/other"] = &fstest.MapFile{}
	var got []string
	err := fs.WalkDir(fsys, ".", func(path string, e fs.DirEntry, err error) error {
		if e.IsDir() {
			got = append(got, DetectFolder(fsys, path)...)
		}
		return err
	})
	if err != nil || !slices.Equal(got, []string{"t", "u"}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, l := range layouts() {
		if !isMetadata(l.metadata()) {
			t.Errorf("%+v is not detected", l)
		}
	}
	if isMetadata(nil) || isMetadata([]byte("trace {}")) {
		t.Error("something else is detected")
	}
}
