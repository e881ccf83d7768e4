package ctf

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestTokens reads numbers, texts, comments and names in all their forms.
func TestTokens(t *testing.T) {
	const text = `/**/ /*/ not the end */ /* *//* ** */ // to the end of the line
trace { major = 01; minor = 0x8; byte_order = le; };
clock { name = "c\"\\\t\n\r\q'"; freq = 1000UL; offset = -5; offset_s = +0b11ll; uuid = L"u"; precision = 7; absolute = FALSE; };
env { a = 'x'; b = L'y'; größe_1 = word.of->path; c = -7; d = +8; e = "/* no comment */ // none"; L = L; };
callsite { name = "f"; line = 5; };
;
struct named { integer { size = 8; } a; } align(16);
typealias struct named := alias *;
stream { id = 1; unknown := struct { string a; }; event.header := struct { integer { size = 0x8u; } id; integer { size = 010; } timestamp; }; };
event { id = 'A'; name = x; stream_id = 1u; loglevel = 3; model.emf.uri = "u"; fields := struct named; };
event { id = 0xbu; name = y; stream_id = 1; };// the end`
	m := expect.Value(parse("m", text))(t)
	c := m.clocks[0]
	expect.Equal(t, fmt.Sprintf("%q %d %d %d %s", c.name, c.freq, c.offset, c.offsetS, c.uuid), `"c\"\\\t\n\rq'" 1000 -5 3 u`, "the clock")
	var env []string
	for _, k := range slices.Sorted(maps.Keys(m.env)) {
		env = append(env, k+"="+m.env[k])
	}
	expect.Slice(t, env, []string{"L=L", "a=x", "b=y", "c=-7", "d=8", "e=/* no comment */ // none", "größe_1=word.of.path"}, "the environment")
	events := m.streams[1].events
	expect.Equal(t, events['A'].name+events[0xb].name, "xy", "events by their numbers")
	expect.Equal(t, events['A'].fields.align, 16, "the alignment of a structure")
	expect.Equal(t, events['A'].at, token{kind: word, text: "event", line: 10, col: 1}, "the place of an event")
	header := m.streams[1].header
	expect.Equal(t, fmt.Sprint(header.members[0].typ.size, header.members[1].typ.size), "8 8", "sizes")
}

// TestFaultsOfWords says what was expected and what stands there, at its place.
func TestFaultsOfWords(t *testing.T) {
	const head = "trace { major = 1; minor = 8; byte_order = le; };\n"
	for text, want := range map[string]string{
		"trace { major = 1; minor = 7; byte_order = le; };":                    "m:1:1: expected CTF 1.8, found 1.7",
		"trace { major = 0; minor = 8; byte_order = le; };":                    "m:1:1: expected CTF 1.8, found 0.8",
		"trace { minor = 8; };":                                                "m:1:1: the trace does not tell its byte order",
		head + "clock { freq = x; };":                                          `m:2:16: expected an integer, found "x"`,
		head + "clock { freq = \"ab\"; };":                                     `m:2:16: expected an integer, found "ab"`,
		head + "clock { freq = -9223372036854775809; };":                       `m:2:17: expected an integer of 64 bits, found "9223372036854775809"`,
		head + "clock { freq = 1":                                              `m:2:17: expected ";", found "the end of the metadata"`,
		head + "clock { freq = 0xg; };":                                        `m:2:16: expected an integer of up to 64 bits, found "0xg"`,
		head + "typealias floating_point { exp_dig = 0; mant_dig = 0; } := f;": "m:2:26: expected a floating point number of up to 128 digits each",
		head + "typealias floating_point { exp_dig = 129; } := f;":             "m:2:26: expected a floating point number of up to 128 digits each",
		head + "typealias integer { size = 8; align = 131072; } := x;":         "m:2:39: expected an alignment that is a power of two up to 65536, found 131072",
		head + "typealias integer { size = 8; signed = maybe; } := x;":         `m:2:40: expected true or false, found "maybe"`,
		head + "typealias enum : integer { size = 8; } { 5 } := x;":            `m:2:42: expected a label, found "5"`,
		head + "typealias enum : integer { size = 8; } { A = 1 ... } := x;":    `m:2:52: expected an integer, found "}"`,
		head + "event { fields := struct { x; }; };":                           `m:2:29: expected a type and a name, found ";"`,
		head + "stream { event.header := string; };":                           "m:2:26: expected a structure",
		head + "# x":                                       `m:2:1: no token begins with "#"`,
		head + "env { a = \"no end\n\"; };":                "m:2:11: a string does not end on its line",
		head + "env { a = \"no end\\":                      "m:2:11: a string does not end on its line",
		head + "typealias integer { size = 8; } := " + ";": `m:2:36: expected the name of a type, found ";"`,
		head + "event { fields := struct { integer { size = 8; } a" + strings.Repeat("[1]", 33) + "; }; };": `m:2:149: expected at most 32 dimensions, found "]"`,
	} {
		if _, err := parse("m", text); err == nil || err.Error() != want {
			t.Errorf("%s\n%v, want\n%s", text, err, want)
		}
	}
	for _, good := range []string{
		"typealias floating_point { exp_dig = 8; mant_dig = 128; } := f;", "typealias integer { size = 8; align = 65536; } := x;",
		"event { fields := struct { integer { size = 8; } a" + strings.Repeat("[1]", 32) + "; }; };", "clock { offset = -9223372036854775808; };",
	} {
		expect.OK(t, func() error { _, err := parse("m", head+good); return err }())
	}
}

// TestEnumerations gives labels the values behind those before, and passes over a comma at the end.
func TestEnumerations(t *testing.T) {
	m := expect.Value(parse("m", `trace { major = 1; minor = 8; byte_order = le; };
event { fields := struct { enum : integer { size = 8; signed = 1; } { A, B = 4, C, D = -3 ... -1, E, "F" = 'x' } e; }; };`))(t)
	var labels []string
	for _, l := range m.streams[0].events[0].fields.members[0].typ.labels {
		labels = append(labels, fmt.Sprintf("%s %d..%d", l.name, int64(l.from), int64(l.to)))
	}
	expect.Slice(t, labels, []string{"A 0..0", "B 4..4", "C 5..5", "D -3..-1", "E 0..0", "F 120..120"}, "labels")
}

// TestPacketsOfMetadata opens packets of metadata of both versions and byte orders, and says what is wrong with others.
func TestPacketsOfMetadata(t *testing.T) {
	packet := func(order binary.ByteOrder, text string, change func(p []byte)) string {
		p := make([]byte, metadataHeader, metadataHeader+len(text))
		order.PutUint32(p, metadataMagic)
		order.PutUint32(p[24:], uint32(8*(len(p)+len(text))))
		order.PutUint32(p[28:], uint32(8*(len(p)+len(text))))
		p[35], p[36] = 1, 8
		if change != nil {
			change(p)
		}
		return string(append(p, text...))
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for want, text := range map[string]string{
			"":     packet(order, "", nil),
			"ab":   packet(order, "ab", func(p []byte) { p[35], p[36] = 2, 0 }),
			"abcd": packet(order, "ab", nil) + packet(order, "", nil) + packet(order, "cd", nil),
		} {
			expect.Equal(t, expect.Value(readMetadata(strings.NewReader(text), "m"))(t), want, "%v", order)
			expect.Equal(t, isMetadata([]byte(text)), true, "%v: metadata in packets", order)
		}
		for want, text := range map[string]string{
			"m@0x0: compressed, encrypted or checked metadata are not supported": packet(order, "ab", func(p []byte) { p[33] = 1 }),
			"m@0x0: expected CTF 1.8 or 2.0, found 2.8":                          packet(order, "ab", func(p []byte) { p[35] = 2 }),
			"m@0x0: expected CTF 1.8 or 2.0, found 1.0":                          packet(order, "ab", func(p []byte) { p[36] = 0 }),
			"m@0x0: expected CTF 1.8 or 2.0, found 3.0":                          packet(order, "ab", func(p []byte) { p[35], p[36] = 3, 0 }),
			"m@0x27: expected a packet of metadata":                              packet(order, "ab", nil) + "other bytes, and so many of them that a header could be there",
			"m@0x0: a packet of metadata cannot have 312 bits in 304":            packet(order, "ab", func(p []byte) { order.PutUint32(p[28:], 304) }),
			"m@0x0: a packet of metadata has 40 bytes, of which 39 are there":    packet(order, "ab", func(p []byte) { order.PutUint32(p[28:], 320) }),
		} {
			if _, err := readMetadata(strings.NewReader(text), "m"); err == nil || err.Error() != want {
				t.Errorf("%v: %v, want %s", order, err, want)
			}
		}
	}
}

// TestParts finds streams by the number that their packets begin with, in both byte orders.
func TestParts(t *testing.T) {
	for text, want := range map[string]bool{
		"\xc1\x1f\xfc\xc1": true, "\xc1\xfc\x1f\xc1": true, "\xc1\x1f\xfc": false, "\xc1\x1f\xfc\xc2": false, "": false,
	} {
		expect.Equal(t, Format().IsFile([]byte(text)), want, "%q", text)
	}
}

// TestKindsOfSkipped names the twelve most frequent kinds of what has no place, and counts the others together, unless that is one only.
func TestKindsOfSkipped(t *testing.T) {
	kindsOf := func(kinds int) (names []string) {
		var text strings.Builder
		text.WriteString("host h ust\n1 0 app:x_begin\n2 0 app:x_end\n")
		ns := 3
		for k := range kinds {
			for range k%5 + 1 {
				fmt.Fprintf(&text, "%d 0 app:kind%02d\n", ns, k)
				ns++
			}
		}
		fsys, folders := parseScript(t, text.String()).traces(t, false)
		got := readFS(t, fsys, schema.ReadingOptions{}, folders...)
		expect.OK(t, got.err)
		for _, name := range slices.Sorted(maps.Keys(got.skipped)) {
			names = append(names, fmt.Sprint(name, " ", got.skipped[name]))
		}
		return names
	}
	expect.Equal(t, len(kindsOf(12)), 12, "twelve kinds")
	expect.Equal(t, len(kindsOf(13)), 13, "thirteen kinds")
	expect.Equal(t, len(kindsOf(14)), 13, "fourteen kinds, of which two are counted together")
	expect.Slice(t, kindsOf(15), []string{
		"3 further kinds 3", "app:kind01 2", "app:kind02 3", "app:kind03 4", "app:kind04 5", "app:kind06 2", "app:kind07 3", "app:kind08 4", "app:kind09 5",
		"app:kind11 2", "app:kind12 3", "app:kind13 4", "app:kind14 5",
	}, "fifteen kinds")
}

// TestIdentities reads traces of CTF 2 whose packets begin with the number of the format, and counts what was lost once in all traces of one identity, which
// is a text or, in drafts, sixteen bytes. The clock of a stream has an id or, in drafts, a name.
func TestIdentities(t *testing.T) {
	metadata := func(trace, clock string) []byte {
		const u8 = `"field-class":{"type":"fixed-length-unsigned-integer","length":8,"byte-order":"little-endian"`
		return []byte(strings.ReplaceAll(`~{"type":"preamble","version":2}
~{"type":"trace-class",`+trace+`"packet-header-field-class":{"type":"structure","member-classes":[{"name":"m","field-class":{"type":"fixed-length-unsigned-integer","length":32,"byte-order":"little-endian","roles":["packet-magic-number"]}}]}}
~{"type":"clock-class","id":"other","frequency":1000000000,"offset-from-origin":{"seconds":0,"cycles":1000}}
~{"type":"clock-class",`+clock+`"frequency":1000000000,"offset-from-origin":{"seconds":0,"cycles":100}}
~{"type":"data-stream-class",`+strings.Replace(clock, `"id"`, `"default-clock-class-id"`, 1)+`"packet-context-field-class":{"type":"structure","member-classes":[
 {"name":"d",`+u8+`,"roles":["discarded-event-record-counter-snapshot"]}}]},
 "event-record-header-field-class":{"type":"structure","member-classes":[{"name":"t",`+u8+`,"roles":["default-clock-timestamp"]}},{"name":"i",`+u8+`,"roles":["event-record-class-id"]}}]}}
~{"type":"event-record-class","id":1,"name":"app:x_begin"}
~{"type":"event-record-class","id":2,"name":"app:x_end"}`, "~", "\x1e"))
	}
	const stream = "\xc1\x1f\xfc\xc1\x03\x05\x01\x06\x02"
	lost := func(a, b []byte) string {
		fsys := fstest.MapFS{"a/metadata": {Data: a}, "a/s": {Data: []byte(stream)}, "b/metadata": {Data: b}, "b/s": {Data: []byte(stream)}}
		got := readFS(t, fsys, schema.ReadingOptions{}, "a", "b")
		return fmt.Sprint(len(got.rows), " ", got.rows[0].Ns, " ", got.losses["lost_by_tracer"], " ", got.err)
	}
	one, other := metadata(`"uid":"one",`, `"id":"c",`), metadata(`"uid":"other",`, `"id":"c",`)
	expect.Equal(t, lost(one, one), "4 105 3 <nil>", "two pieces of one trace")
	expect.Equal(t, lost(one, other), "4 105 6 <nil>", "two traces")
	draft, another := metadata(`"uuid":[1,2,3],`, `"id":"c",`), metadata(`"uuid":[1,2,4],`, `"id":"c",`)
	expect.Equal(t, lost(draft, draft), "4 105 3 <nil>", "two pieces of one trace of a draft")
	expect.Equal(t, lost(draft, another), "4 105 6 <nil>", "two traces of a draft")
	named := []byte(strings.NewReplacer(`"id":"c"`, `"name":"c"`, `"default-clock-class-id":"c"`, `"default-clock-class-name":"c"`).Replace(string(one)))
	expect.Equal(t, lost(named, named), "4 105 3 <nil>", "clocks by their names")
	// Another number at the beginning of a packet is no packet.
	fsys := fstest.MapFS{"a/metadata": {Data: one}, "a/s": {Data: []byte("\xc2" + stream[1:])}}
	reading := readertest.Reading(fsys, "a")
	var read readertest.Result
	r := newReader(reading)
	r.Read(read.Collect(r))
	var places []string
	for _, l := range reading.Ledger.Losses("") {
		places = append(places, l.Reason+" "+l.FirstPosition)
	}
	expect.Slice(t, places, []string{"bad_record a/s@0x0: expected a packet, which begins with 0xc1fc1fc1, found 0xc1fc1fc2"}, "losses")
}
