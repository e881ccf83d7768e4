package ctf

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// A script is a trace as a table: one event a line, by time. A line "host NAME DOMAIN" begins the trace of a host, and every other one is
//
//	NS CPU EVENT CONTEXT... | FIELD...
//
// where a field is name=7, name=-7, name=0x7 or name="text". A script becomes traces of CTF 1.8 and of CTF 2 and a text, which say the same.
type script []scriptTrace

// scriptTrace is the trace of a host.
type scriptTrace struct {
	host, domain string
	events       []scriptEvent
	kinds        []scriptEvent // the first event of each name, which describes its fields
}

// scriptEvent is a line.
type scriptEvent struct {
	ns, cpu uint64
	name    string
	fields  []scriptField
	payload int // where the fields of the payload begin
}

// scriptField is a field with its value as it is written, without quotes.
type scriptField struct {
	name, value string
	text        bool
}

// number returns the value of a field as 64 bits.
func (f *scriptField) number() uint64 {
	if n, err := strconv.ParseInt(f.value, 0, 64); err == nil {
		return uint64(n)
	}
	n, err := strconv.ParseUint(f.value, 0, 64)
	if err != nil {
		panic(fmt.Sprintf("a script has the value %q", f.value))
	}
	return n
}

// parseScript reads a script.
func parseScript(t testing.TB, text string) script {
	t.Helper()
	var out script
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if words[0] == "host" {
			out = append(out, scriptTrace{host: words[1], domain: words[2]})
			continue
		}
		e := scriptEvent{name: words[2], payload: len(words)}
		e.ns, e.cpu = expect.Value(strconv.ParseUint(words[0], 10, 64))(t), expect.Value(strconv.ParseUint(words[1], 10, 64))(t)
		for _, word := range words[3:] {
			if word == "|" {
				e.payload = len(e.fields)
				continue
			}
			name, value, _ := strings.Cut(word, "=")
			f := scriptField{name: name, value: strings.Trim(value, `"`), text: strings.HasPrefix(value, `"`)}
			e.fields = append(e.fields, f)
		}
		e.payload = min(e.payload, len(e.fields))
		of := &out[len(out)-1]
		of.events = append(of.events, e)
		if of.number(e.name) < 0 {
			of.kinds = append(of.kinds, e)
		}
	}
	return out
}

// number is that of an event's description, -1 for none.
func (s *scriptTrace) number(name string) int {
	return slices.IndexFunc(s.kinds, func(e scriptEvent) bool { return e.name == name })
}

// metadata describes a trace in the language of CTF 1.8.
func (s *scriptTrace) metadata() []byte {
	var out strings.Builder
	fmt.Fprintf(&out, `/* CTF 1.8 */
typealias integer { size = 16; } := u16;
typealias integer { size = 64; } := u64;
trace { major = 1; minor = 8; byte_order = le; };
env { hostname = %q; domain = %q; };
clock { name = c; freq = 1000000000; };
stream { packet.context := struct { u64 content_size; u64 packet_size; u16 cpu_id; };
	event.header := struct { u16 id; integer { size = 64; map = clock.c.value; } timestamp; }; };
`, s.host, s.domain)
	fields := func(all []scriptField) string {
		text := "struct { "
		for _, f := range all {
			kind := "u64"
			if f.text {
				kind = "string"
			}
			text += kind + " " + f.name + "; "
		}
		return text + "}"
	}
	for i, e := range s.kinds {
		fmt.Fprintf(&out, "event { id = %d; name = %q; context := %s; fields := %s; };\n", i, e.name, fields(e.fields[:e.payload]), fields(e.fields[e.payload:]))
	}
	return []byte(out.String())
}

// fragments describes a trace in the language of CTF 2.
func (s *scriptTrace) fragments(t testing.TB) []byte {
	type object = map[string]any
	var out []byte
	put := func(o object) {
		out = append(append(append(out, sequenceMark), expect.Value(json.Marshal(o))(t)...), '\n')
	}
	number := func(name string, bits int, roles ...string) object {
		return object{"name": name, "field-class": object{"type": "fixed-length-unsigned-integer", "length": bits, "alignment": 8, "byte-order": "little-endian", "roles": roles}}
	}
	structure := func(members ...object) object { return object{"type": "structure", "member-classes": members} }
	fields := func(all []scriptField) object {
		members := []object{}
		for _, f := range all {
			if f.text {
				members = append(members, object{"name": f.name, "field-class": object{"type": "null-terminated-string"}})
			} else {
				members = append(members, number(f.name, 64))
			}
		}
		return structure(members...)
	}
	put(object{"type": "preamble", "version": 2})
	put(object{"type": "trace-class", "environment": object{"hostname": s.host, "domain": s.domain}})
	put(object{"type": "clock-class", "id": "c", "frequency": 1_000_000_000})
	put(object{"type": "data-stream-class", "default-clock-class-id": "c",
		"packet-context-field-class":      structure(number("a", 64, "packet-content-length"), number("b", 64, "packet-total-length"), number("cpu_id", 16)),
		"event-record-header-field-class": structure(number("c", 16, "event-record-class-id"), number("d", 64, "default-clock-timestamp"))})
	for i, e := range s.kinds {
		put(object{"type": "event-record-class", "id": i, "name": e.name,
			"specific-context-field-class": fields(e.fields[:e.payload]), "payload-field-class": fields(e.fields[e.payload:])})
	}
	return out
}

// packetEvents is how many events a packet of a script has.
const packetEvents = 3

// streams are the files of a trace, one for each CPU.
func (s *scriptTrace) streams() map[uint64][]byte {
	of := make(map[uint64][]scriptEvent)
	for _, e := range s.events {
		of[e.cpu] = append(of[e.cpu], e)
	}
	out := make(map[uint64][]byte)
	for cpu, events := range of {
		for packet := range slices.Chunk(events, packetEvents) {
			body := binary.LittleEndian.AppendUint16(make([]byte, 16), uint16(cpu))
			for _, e := range packet {
				body = binary.LittleEndian.AppendUint16(body, uint16(s.number(e.name)))
				body = binary.LittleEndian.AppendUint64(body, e.ns)
				for _, f := range e.fields {
					if f.text {
						body = append(append(body, f.value...), 0)
					} else {
						body = binary.LittleEndian.AppendUint64(body, f.number())
					}
				}
			}
			binary.LittleEndian.PutUint64(body, uint64(8*len(body)))
			binary.LittleEndian.PutUint64(body[8:], uint64(8*len(body)))
			out[cpu] = append(out[cpu], body...)
		}
	}
	return out
}

// traces are the traces of a script in CTF 1.8 or CTF 2, and their folders.
func (s script) traces(t testing.TB, second bool) (fs.FS, []string) {
	files := fstest.MapFS{}
	var folders []string
	for i, trace := range s {
		folder := fmt.Sprintf("t%d", i)
		folders = append(folders, folder)
		text := trace.metadata()
		if second {
			text = trace.fragments(t)
		}
		files[folder+"/metadata"] = &fstest.MapFile{Data: text}
		for cpu, data := range trace.streams() {
			files[fmt.Sprintf("%s/ch_%d", folder, cpu)] = &fstest.MapFile{Data: data}
		}
	}
	return files, folders
}

// Each passes on the events of all traces by time, as a text shows them: in one buffer, which the next line overwrites.
func (s script) Each(_ bool, yield func(*Line) error) error {
	type placed struct {
		host string
		scriptEvent
	}
	var all []placed
	for _, trace := range s {
		for _, e := range trace.events {
			all = append(all, placed{trace.host, e})
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return int(int64(a.ns) - int64(b.ns)) })
	var buffer []byte
	keep := func(text string) []byte {
		buffer = append(buffer, text...)
		return buffer[len(buffer)-len(text):]
	}
	for i, e := range all {
		for i := range buffer {
			buffer[i] = '?'
		}
		buffer = buffer[:0]
		line := Line{Ns: int64(e.ns), Number: int64(i + 1), Host: keep(e.host), Name: keep(e.name), Payload: e.payload + 1}
		line.Fields = []Field{{Name: []byte("cpu_id"), Value: keep(strconv.FormatUint(e.cpu, 10))}}
		for _, f := range e.fields {
			line.Fields = append(line.Fields, Field{keep(f.name), keep(f.value), f.text})
		}
		if err := yield(&line); err != nil {
			return err
		}
	}
	return nil
}

// readLines reads a text.
func readLines(text Text, options schema.ReadingOptions) *result {
	reading := readertest.Reading(fstest.MapFS{}, "")
	reading.Options, reading.Traces = options, nil
	r := NewLineReader(reading, "t.txt", text)
	var read readertest.Result
	out := &result{losses: make(map[string]int64)}
	out.err = r.Read(read.Collect(r))
	out.rows = read.Events
	for _, l := range reading.Ledger.Losses("") {
		out.losses[l.Reason] += l.Count
	}
	return out
}

// play reads a script in every form, and returns what all of them give.
func (s script) play(t *testing.T, options schema.ReadingOptions) string {
	t.Helper()
	fsys, folders := s.traces(t, false)
	got := telling(readFS(t, fsys, options, folders...))
	expect.Equal(t, telling(readHow(t, fsys, options, true, folders...)), got, "the general way")
	fsys, folders = s.traces(t, true)
	expect.Equal(t, telling(readFS(t, fsys, options, folders...)), got, "CTF 2")
	expect.Equal(t, telling(readLines(s, options)), got, "the text")
	return got
}
