package otlp

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

func base64Of(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

// read reads files as one run.
func read(files map[string]string, reading schema.Reading) (*readertest.Summary, error) {
	return readertest.SummarizeFiles(Format(), files, reading)
}

// readOne reads one file.
func readOne(data string) (*readertest.Summary, error) {
	return read(map[string]string{"traces": data}, schema.Reading{})
}

// encodings are the ways to write a sample down.
func (s sample) encodings() map[string]string {
	whole := s.protobuf()
	var varints, fixed []byte
	for _, g := range s.groups {
		message := field(nil, resourceSpansField, g.protobuf())
		varints = append(binary.AppendUvarint(varints, uint64(len(message))), message...)
		fixed = append(binary.BigEndian.AppendUint32(fixed, uint32(len(message))), message...)
	}
	return map[string]string{
		"JSON": s.text(0), "JSON lines": s.text(1), "older JSON": s.text(2),
		"protobuf": string(whole), "behind varints": string(varints), "behind four bytes": string(fixed),
	}
}

// TestEncodings checks that it does not matter how traces are written down.
func TestEncodings(t *testing.T) {
	for seed := range uint64(30) {
		s := random(seed, 1+int(seed)%4, 1+int(seed)*2)
		all := s.encodings()
		want, err := readOne(all["JSON"])
		if err != nil || want.Enters == 0 || seed > 3 && want.Failed == 0 {
			t.Fatalf("%d: %d events, %d failed: %v", seed, len(want.Events), want.Failed, err)
		}
		for name, data := range all {
			if !Detect([]byte(data[:min(len(data), 300)])) {
				t.Errorf("%d %s: not detected", seed, name)
			}
			got, err := readOne(data)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%d %s: %d events, %v, and not %d, %v: %v", seed, name, len(got.Events), got.Losses, len(want.Events), want.Losses, err)
			}
		}
	}
}

// TestInstances checks that the service and its instance are found, and what the option Component does.
func TestInstances(t *testing.T) {
	s := sample{[]sampleGroup{{service: "web", instance: "pod", scopes: [][]sampleSpan{{{trace: [16]byte{1}, id: 1, name: "f", start: 1, end: 2}}}}}}
	for option, want := range map[string]string{"": "1 web/1 > f", "service": "1 web/1 > f", "instance": "1 pod/1 > f"} {
		for name, data := range s.encodings() {
			got, err := read(map[string]string{"traces": data}, schema.Reading{Options: schema.ReadingOptions{Component: option}})
			if err != nil || len(got.Events) != 2 || got.Events[0] != want {
				t.Errorf("%s, component %q: %q: %v", name, option, got.Events, err)
			}
		}
	}
	expect.Refused(t, Format().CheckComponent("file"), `"file"`, "component file")
}

// TestTorn cuts a protobuf file anywhere: what stands before the cut is read, and the cut is counted.
func TestTorn(t *testing.T) {
	whole := string(random(3, 2, 6).protobuf())
	all, _ := readOne(whole)
	torn := 0
	for cut := 60; cut < len(whole); cut += 11 {
		got, err := readOne(whole[:cut])
		if err != nil || got.Losses["torn_record"] > 1 || got.Losses["bad_record"] > 0 || got.Enters > all.Enters {
			t.Fatalf("cut at %d: losses %v: %v", cut, got.Losses, err)
		}
		torn += int(got.Losses["torn_record"])
		if _, err := read(map[string]string{"traces": whole[:cut]}, schema.Reading{Strict: true}); got.Losses["torn_record"] == 1 && (err == nil || !strings.HasPrefix(err.Error(), "traces@0x")) {
			t.Fatalf("cut at %d, strict: %v", cut, err)
		}
	}
	if torn < len(whole)/11-12 {
		t.Errorf("%d of %d cuts were seen", torn, len(whole))
	}
}

// TestDamage breaks one group of three: the others are read.
func TestDamage(t *testing.T) {
	s := requests(2)
	first, last := s.groups[0].protobuf(), s.groups[1].protobuf()
	alone, _ := readOne(string(field(field(nil, resourceSpansField, first), resourceSpansField, last)))
	for name, broken := range map[string][]byte{
		"a span longer than its scope":  field(field(nil, 1, nil), 2, append([]byte{spansField<<3 | counted, 100}, last[:20]...)),
		"a scope longer than its group": append(field(nil, 1, nil), 2<<3|counted, 100, 1),
		"a number across the end":       append(field(nil, 1, nil), 9<<3|fixed64, 1, 2, 3),
		"half a number across the end":  append(field(nil, 1, nil), 9<<3|fixed32, 1),
		"an unknown wire type":          append(field(nil, 1, nil), 2<<3|7, 1, 2, 3),
		"a varint that does not end":    append(field(nil, 1, nil), bytes.Repeat([]byte{0x80}, 11)...),
		"a resource that is cut":        field(nil, 1, []byte{1<<3 | counted, 5, 1}),
		"an attribute that is cut":      field(nil, 1, field(nil, 1, []byte{1<<3 | counted, 5, 1})),
		"a span that is cut":            field(nil, 2, field(nil, 2, []byte{7<<3 | fixed64, 1})),
	} {
		var data []byte
		for _, body := range [][]byte{first, broken, last} {
			data = field(data, resourceSpansField, body)
		}
		got, err := readOne(string(data))
		if err != nil || got.Losses["bad_record"] != 1 || got.Enters != alone.Enters {
			t.Errorf("%s: %d enters and not %d, losses %v: %v", name, got.Enters, alone.Enters, got.Losses, err)
		}
	}
}

// TestLarge reads more than is read ahead, and cuts it.
func TestLarge(t *testing.T) {
	s := requests(200)
	want, err := readOne(s.text(0))
	if err != nil || want.Enters != 2400 {
		t.Fatalf("%d enters: %v", want.Enters, err)
	}
	whole := string(s.protobuf())
	if got, err := readOne(whole); err != nil || len(whole) < 3*ahead || !reflect.DeepEqual(got, want) {
		t.Errorf("%d bytes: %d events and not %d: %v", len(whole), len(got.Events), len(want.Events), err)
	}
	cut := len(whole) - 10
	_, err = read(map[string]string{"traces": whole[:cut]}, schema.Reading{Strict: true})
	if want := fmt.Sprintf("traces@%#x: expected more bytes", cut); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v and not %s", err, want)
	}
}

// TestTimes sees what becomes of times that are not there or do not fit.
func TestTimes(t *testing.T) {
	for _, c := range []struct {
		start, end uint64
		want       map[string]int64
	}{
		{1, 2, map[string]int64{}},
		{0, 2, map[string]int64{"missing_duration": 1}},
		{1, 0, map[string]int64{"missing_duration": 1}},
		{5, 2, map[string]int64{"negative_duration": 1}},
		{1, 1 << 63, map[string]int64{"unsupported_time": 1}},
	} {
		s := sample{[]sampleGroup{{service: "web", scopes: [][]sampleSpan{{{trace: [16]byte{1}, id: 1, name: "f", start: c.start, end: c.end}}}}}}
		got, err := readOne(string(s.protobuf()))
		if err != nil || !reflect.DeepEqual(got.Losses, c.want) {
			t.Errorf("%d to %d: %v: %v", c.start, c.end, got.Losses, err)
		}
		if got, err = readOne(s.text(0)); err != nil || c.end < 1<<63 && !reflect.DeepEqual(got.Losses, c.want) {
			t.Errorf("%d to %d in JSON: %v: %v", c.start, c.end, got.Losses, err)
		}
	}
}

// TestBadText reads JSON that is not OTLP in some place.
func TestBadText(t *testing.T) {
	span := `{"traceId": "0123456789abcdef0123456789ABCDEF", "spanId": "0123456789abcdef", "name": "f", "startTimeUnixNano": %s, "endTimeUnixNano": "9"}`
	wrap := func(spans string) string { return `{"resourceSpans": [{"scopeSpans": [{"spans": [` + spans + `]}]}]}` }
	fine := fmt.Sprintf(span, "1")
	for _, c := range []struct {
		text   string
		enters int
		want   map[string]int64
	}{
		{wrap(fine), 1, map[string]int64{}},
		{wrap(fmt.Sprintf(span, `"soon"`)), 0, map[string]int64{"bad_record": 1, "missing_duration": 1}},
		{wrap(fmt.Sprintf(span, `{}`)), 0, map[string]int64{"bad_record": 1, "missing_duration": 1}},
		{wrap(fmt.Sprintf(span, `null`)), 0, map[string]int64{"missing_duration": 1}},
		{wrap(`{"name": "f"}, ` + fine), 1, map[string]int64{"bad_record": 1}},
		{wrap(`7, null, [], ` + fine), 1, map[string]int64{"bad_record": 3}},
		{wrap(fine) + "\n" + wrap(fine[:50]), 1, map[string]int64{"torn_record": 1}},
		{wrap(fine) + "\n" + wrap("+"), 1, map[string]int64{"bad_record": 1}},
		{wrap(fine) + "\n" + `{"resourceSpans": [`, 1, map[string]int64{"torn_record": 1}},
		{`7 ` + wrap(fine), 1, map[string]int64{"bad_record": 1}},
		{`{"resourceSpans": {"a": 1}, "batches": null}`, 0, map[string]int64{}},
	} {
		got, err := readOne(c.text)
		if err != nil || got.Enters != c.enters || !reflect.DeepEqual(got.Losses, c.want) {
			t.Errorf("%s: %d enters, losses %v: %v", c.text, got.Enters, got.Losses, err)
		}
		_, err = read(map[string]string{"traces": c.text}, schema.Reading{Strict: true})
		expect.Equal(t, c.want["bad_record"]+c.want["torn_record"] > 0, err != nil, "%s: strict: %v", c.text, err)
	}
}

func TestDetectOthers(t *testing.T) {
	for _, head := range []string{"", "\n", "\n{\"a\": 1}", "{}", "[]", `{"data": []}`, `{"resourceMetrics": []}`, "123 abc > def\n", "\x0a\x03abc", "\x00\x00\x00\x00\x00", `[{"traceId": "1", "id": "2"}]`, strings.Repeat("\n", 99)} {
		if Detect([]byte(head)) {
			t.Errorf("%q is taken for OTLP", head)
		}
	}
}

// TestDetectBareSpan detects a message that has neither a resource nor a scope before its first span.
func TestDetectBareSpan(t *testing.T) {
	scope := field(nil, spansField, requests(1).groups[0].scopes[0][0].protobuf())
	if data := field(nil, resourceSpansField, field(nil, scopeSpansField, scope)); !Detect(data) || !Detect(data[:60]) {
		t.Error("not detected")
	}
}
