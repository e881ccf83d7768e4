package ctf

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/processes"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestTwins reads traces whose metadata was written again in the language of CTF 2, and gives what their twins in CTF 1.8 give.
func TestTwins(t *testing.T) {
	old := unpacked(t, "../third-party/ctf/babeltrace-testdata/babeltrace2-tests-data-ctf-traces.tar.zst")
	now := unpacked(t, "../third-party/ctf/tracecompass/ctf2.tar.zst")
	expect.Equal(t, len(tracesIn(t, now)), 6, "traces found")
	for name, rows := range map[string]int{
		"succeed1": 15618, "smalltrace": 4, "lttng-crash": 800, "debug-info": 4, "trace-with-index": 8000, "meta-variant-no-underscore": 2,
	} {
		want := readAll(t, filepath.Join(old, "tests/data/ctf-traces/succeed"), name)
		got := readAll(t, now, "CTF2-7.0-"+name)
		expect.Equal(t, fmt.Sprint(got.rows, got.losses, got.err), fmt.Sprint(want.rows, want.losses, want.err), "%s: events", name)
		expect.Equal(t, len(got.rows), rows, "%s: rows", name)
	}
}

// fragmented is metadata of CTF 2 with what CTF 1.8 does not have: integers of variable length, optional fields, blobs, aliases,
// and locations of either form.
var fragmented = strings.ReplaceAll(`~{"type":"preamble","version":2}
~{"type":"field-class-alias","name":"var","field-class":{"type":"variable-length-unsigned-integer"}}
~{"type":"trace-class","environment":{"hostname":"h","n":1}}
~{"type":"clock-class","id":"c","frequency":1000000000,"offset-from-origin":{"seconds":1,"cycles":5}}
~{"type":"data-stream-class","default-clock-class-id":"c","event-record-header-field-class":{"type":"structure","member-classes":[
  {"name":"any","field-class":{"type":"variable-length-unsigned-integer","roles":["event-record-class-id"]}},
  {"name":"name","field-class":{"type":"variable-length-unsigned-integer","roles":["default-clock-timestamp"]}}]}}
~{"type":"event-record-class","id":3,"name":"x_begin","payload-field-class":{"type":"structure","member-classes":[
  {"name":"n","field-class":"var"},
  {"name":"s","field-class":{"type":"dynamic-length-string","length-field-location":{"origin":"event-record-payload","path":["n"]}}},
  {"name":"has","field-class":{"type":"fixed-length-boolean","length":8,"byte-order":"little-endian"}},
  {"name":"o","field-class":{"type":"optional","selector-field-location":["event-record-payload","has"],"field-class":
    {"type":"fixed-length-unsigned-integer","length":16,"byte-order":"big-endian","alignment":8}}},
  {"name":"b","field-class":{"type":"static-length-blob","length":2}}]}}
~{"type":"event-record-class","id":4,"name":"x_end","payload-field-class":{"type":"structure","member-classes":[
  {"name":"by","field-class":{"type":"variable-length-signed-integer"}},
  {"name":"o","field-class":{"type":"optional","selector-field-location":{"path":["by"]},"selector-field-ranges":[[-3,-1]],"field-class":
    {"type":"static-length-array","length":3,"element-field-class":{"type":"optional","selector-field-location":{"path":["by"]},"selector-field-ranges":[[-2,-2]],"field-class":"var"}}}}]}}`, "~", "\x1e")

// records are events of fragmented: begin and end at 1000 and 2000 with their optional fields, and at 3000 and 4000 without.
const records = "\x03\xe8\x07\x02ab\x01\x12\x34\xaa\xbb" + "\x04\xd0\x0f\x7e\x07\x81\x01\x07" + "\x03\xb8\x17\x00\x00\xaa\xbb" + "\x04\xa0\x1f\x05"

func TestFragments(t *testing.T) {
	got := readFS(t, fstest.MapFS{"t/metadata": {Data: []byte(fragmented)}, "t/s": {Data: []byte(records)}}, schema.ReadingOptions{}, "t")
	var times []string
	for _, r := range got.rows {
		times = append(times, fmt.Sprint(r.Key.Function, r.Key.Kind, " ", r.Ns))
	}
	expect.OK(t, got.err)
	expect.Slice(t, times, []string{"x0 1000001005", "x1 1000002005", "x0 1000003005", "x1 1000004005"}, "events")
}

// TestBadFragments refuses metadata with the place of the fragment that is wrong.
func TestBadFragments(t *testing.T) {
	for change, want := range map[[2]string]string{
		{`"type":"variable-length-unsigned-integer"}}`, `"type":"complex"}}`}: `m:8:2: field class "complex" is not known`,
		{`"version":2`, `"version":3`}:                                        `m:1:2: expected CTF 2, found version 3`,
		{`"frequency":1000000000,`, ``}:                                       `m:4:2: a clock without a frequency`,
		{`"id":3`, `"id":"three"`}:                                            `m:8:2: expected an id that is a number, found three`,
		{`"path":["n"]`, `"path":["m"]`}:                                      `m:8:2: no field before this one is called "event.fields.m"`,
		{`"length":16`, `"length":65`}:                                        `m:8:2: expected an integer of 1 to 64 bits, found 65`,
		{`"name":"x_end"`, `"data-stream-class-id":7,"name":"x_end"`}:         `m:15:2: event "x_end" is of stream 7, which is not described`,
		{`"alignment":8`, `"alignment":3`}:                                    `m:8:2: expected an alignment that is a power of two up to 65536, found 3`,
		{`"big-endian"`, `"big-endian","bit-order":"first-to-last"`}:          `m:8:2: bits that lie first-to-last in big-endian integers are not read`,
		{`"structure","member-classes":[` + "\n" + `  {"name":"n"`, `"variant","options":[` + "\n" + `  {"name":"n"`}: `m:8:2: expected a structure for event.fields`,
	} {
		text := strings.Replace(fragmented, change[0], change[1], 1)
		meta, err := parseFragments("m", text)
		if err == nil {
			_, err = newTracePlan(meta, findPairs(meta, processes.NewTable(schema.ReadingOptions{}), nil))
		}
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", change[1], err, want)
		}
	}
}
