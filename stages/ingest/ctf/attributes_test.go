package ctf

import (
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// opened describes calls with fields of all kinds that can be attributes, and one that cannot.
const opened = `/* CTF 1.8 */
typealias integer { size = 8; } := u8;
trace { major = 1; minor = 8; byte_order = le; };
stream { event.header := struct { u8 id; u8 timestamp; }; event.context := struct { u8 cpu; }; };
event { name = "app:open_begin"; id = 1; fields := struct { integer { size = 8; signed = true; } dir; enum : u8 { READ = 0, WRITE = 1 ... 3 } mode; string path; u8 comm[3]; u8 n; u8 list[n]; }; };
event { name = "app:open_end"; id = 2; fields := struct { integer { size = 16; signed = true; } ret; floating_point { exp_dig = 8; mant_dig = 24; byte_order = le; align = 8; } load; }; };
`

// TestAttributes keeps the fields that are asked for: numbers, texts and names of enumerations, of the start of a call as those of the execution and of its end
// as those of the event. What is not asked for is in no set.
func TestAttributes(t *testing.T) {
	stream := "\x01\x05\x07" + "\xff\x02/tmp/a\x00ls\x00\x01\x09" + "\x02\x09\x07" + "\xfe\xff\x00\x00\x20\x40" + "\x01\x0a\x00" + "\x01\x05\x00xyz\x00" + "\x02\x0b\x00" + "\x03\x00\x00\x00\x00\x00"
	read := func(names ...string) []string {
		reading := readertest.Reading(fstest.MapFS{"metadata": {Data: []byte(opened)}, "s": {Data: []byte(stream)}}, ".")
		reading.Options.Attributes = names
		return readertest.Attributes(t, Format(), reading)
	}
	expect.Slice(t, read("all"), []string{
		"5 execution app.open dir=-1 mode=WRITE path=/tmp/a comm=ls n=1 cpu=7", "9 event app.open ret=-2 load=2.5 cpu=7",
		"10 execution app.open dir=1 mode=5 path= comm=xyz n=0 cpu=0", "11 event app.open ret=3 load=0 cpu=0",
	}, "all attributes")
	expect.Slice(t, read("mode", "ret"), []string{
		"5 execution app.open mode=WRITE", "9 event app.open ret=-2", "10 execution app.open mode=5", "11 event app.open ret=3",
	}, "two attributes")
	expect.Slice(t, read(), nil, "no attributes")
}

// TestBytesWithinBytes has an array of eight bits each that does not begin at a byte: it is no text, and what lies behind it is found.
func TestBytesWithinBytes(t *testing.T) {
	const metadata = `/* CTF 1.8 */
trace { major = 1; minor = 8; byte_order = le; };
stream { event.header := struct { integer { size = 8; } id; integer { size = 8; } timestamp; }; };
event { name = "app:go"; id = 1; fields := struct { integer { size = 4; } half; integer { size = 8; align = 1; } comm[2]; integer { size = 4; } other; }; };
`
	reading := readertest.Reading(fstest.MapFS{"metadata": {Data: []byte(metadata)}, "s": {Data: []byte("\x01\x05\x13\x16\x76")}}, ".")
	reading.Options.Attributes = []string{"all"}
	expect.Slice(t, readertest.Attributes(t, Format(), reading), []string{"5 execution app.go half=3 other=7"}, "attributes")
}
