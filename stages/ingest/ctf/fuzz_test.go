package ctf

import (
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/processes"
)

// strange is metadata with all that the generated traces do not have.
const strange = `/* CTF 1.8 */
trace { major = 1; minor = 8; byte_order = be; packet.header := struct { integer { size = 32; } magic; }; };
typedef integer { size = 7; signed = true; } small, smaller[2][3];
typealias integer { size = 32; align = 32; } := void *;
enum tags : integer { size = 4; } { NONE, _one = 1, TWO = 2 ... 5, "six" = 6, minus = -1 };
variant choice { string NONE; small _one; struct { void *p; } TWO; };
clock { name = c; freq = 3; offset_s = -5; offset = 7; };
stream { packet.context := struct { integer { size = 16; } content_size; integer { size = 16; } packet_size; };
	event.header := struct { integer { size = 3; } id; integer { size = 29; map = clock.c.value; } timestamp; };
	event.context := struct { integer { size = 8; } tid; }; };
event { name = "x_entry"; id = 1; fields := struct { enum tags t; variant choice <t> v; smaller s; floating_point { exp_dig = 8; mant_dig = 24; } f;
	integer { size = 9; } n; struct { integer { size = 2; } k; string q[k]; } rest[n]; small w[event.fields.n]; } align(16); };
event { name = "x_exit"; id = 2; context := struct { integer { size = 8; } b; }; fields := struct { string a; integer { size = 64; } z; }; };
`

// FuzzRead reads any bytes as a trace of one stream. The short way through flat events must tell what the general
// one tells.
func FuzzRead(f *testing.F) {
	cpu0, _ := program(6)
	cpu0 = append(cpu0, anEvent{cycles: 6e9, comm: "c", id: aPoint, size: 5, path: "text"}, anEvent{cycles: 6e9, comm: "c", id: aBegin, newPacket: true, discarded: 3})
	for i, l := range layouts() {
		if i%3 == 0 {
			f.Add(l.metadata(), l.streamBytes(0, cpu0))
		}
	}
	f.Add([]byte(strange), []byte("\xc1\xfc\x1f\xc1\x01\x00\x02\x00\x20\x00\x00\x11\x05\x20\x00\x33\x44\x00\x55\x66\x00\x02\x11\x11\x00\x00\x00\x00\x40\x00\x00\x22\x07aa\x00bb\x00"))
	f.Add([]byte(fragmented), []byte(records))
	f.Fuzz(func(t *testing.T, metadata, stream []byte) {
		fsys := fstest.MapFS{"metadata": {Data: metadata}, "s": {Data: stream}}
		short := readHow(t, fsys, schema.ReadingOptions{}, false, ".")
		general := readHow(t, fsys, schema.ReadingOptions{}, true, ".")
		if !slices.Equal(short.rows, general.rows) || fmt.Sprint(short.losses, short.err) != fmt.Sprint(general.losses, general.err) {
			t.Errorf("flat: %d rows, %v, %v\ngeneral: %d rows, %v, %v", len(short.rows), short.losses, short.err, len(general.rows), general.losses, general.err)
		}
	})
}

// FuzzMetadata compiles any text.
func FuzzMetadata(f *testing.F) {
	f.Add(strange)
	f.Add(layout{align: 8, crlf: true}.metadataText())
	f.Add(fragmented)
	f.Fuzz(func(t *testing.T, text string) {
		meta, err := parse("m", text)
		if isFragments([]byte(text)) {
			meta, err = parseFragments("m", text)
		}
		if err != nil {
			return
		}
		if _, err := newTracePlan(meta, findPairs(meta, processes.NewTable(schema.ReadingOptions{}), nil)); err == nil && meta.order == native {
			t.Error("a trace without a byte order")
		}
	})
}

// TestFlatIsGeneral compares the two ways on whole traces, and cut off at many places.
func TestFlatIsGeneral(t *testing.T) {
	cpu0, _ := program(40)
	for i := range cpu0 {
		cpu0[i].newPacket = i == 0
	}
	for _, l := range layouts() {
		whole := l.streamBytes(0, cpu0)
		for cut := len(whole); cut >= 0; cut -= 61 {
			fsys := fstest.MapFS{"metadata": {Data: l.metadata()}, "s": {Data: whole[:cut]}}
			a, b := readHow(t, fsys, schema.ReadingOptions{}, false, "."), readHow(t, fsys, schema.ReadingOptions{}, true, ".")
			if !slices.Equal(a.rows, b.rows) || fmt.Sprint(a.losses) != fmt.Sprint(b.losses) {
				t.Fatalf("%+v cut at %d: %d rows and %d, %v and %v", l, cut, len(a.rows), len(b.rows), a.losses, b.losses)
			}
			if content := len(whole) - 64; cut < content && cut > 0 && a.losses["torn_record"] != 1 {
				t.Fatalf("%+v cut at %d of %d: %v", l, cut, len(whole), a.losses)
			}
		}
	}
}
