package otlp

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
)

// sample is spans from which both encodings are written.
type sample struct {
	groups []sampleGroup
}

type sampleGroup struct {
	service, instance string
	scopes            [][]sampleSpan
	late              bool // the resource is written behind the spans
}

type sampleSpan struct {
	trace      [16]byte
	id, parent uint64
	name       string
	kind       int
	start, end uint64
	status     int // 0 to 2
	attributes int // as many more as are usual
}

// random makes traces of calls from service to service.
func random(seed uint64, groups, spansEach int) sample {
	rng := rand.New(rand.NewPCG(seed, 1))
	var s sample
	for g := range groups {
		group := sampleGroup{service: fmt.Sprintf("service-%d", rng.IntN(5)), instance: fmt.Sprintf("pod-%d", g), late: rng.IntN(4) == 0}
		for range 1 + rng.IntN(2) {
			var scope []sampleSpan
			for range spansEach {
				var x sampleSpan
				x.trace[15] = byte(1 + rng.IntN(4))
				x.id, x.parent = 1+rng.Uint64N(40), rng.Uint64N(40)
				x.name, x.kind, x.status = fmt.Sprintf("call \"%d\"", rng.IntN(9)), rng.IntN(7), int(x.id%3)
				x.start = 1_700_000_000_000_000_000 + rng.Uint64N(1000)
				if x.end = x.start + rng.Uint64N(500); rng.IntN(20) == 0 {
					x.end = 0
				}
				scope = append(scope, x)
			}
			group.scopes = append(group.scopes, scope)
		}
		s.groups = append(s.groups, group)
	}
	return s
}

// field appends a field of bytes.
func field(b []byte, number uint64, body []byte) []byte {
	b = binary.AppendUvarint(b, number<<3|counted)
	b = binary.AppendUvarint(b, uint64(len(body)))
	return append(b, body...)
}

func numberField(b []byte, number, v uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(b, number<<3|varint), v)
}

func fixedField(b []byte, number, v uint64) []byte {
	return binary.LittleEndian.AppendUint64(binary.AppendUvarint(b, number<<3|fixed64), v)
}

func attributeOf(key, text string) []byte {
	return field(field(nil, 1, []byte(key)), 2, field(nil, 1, []byte(text)))
}

// protobuf writes the sample as one message of type TracesData.
func (s sample) protobuf() (out []byte) {
	for _, g := range s.groups {
		out = field(out, resourceSpansField, g.protobuf())
	}
	return out
}

func (g sampleGroup) protobuf() (out []byte) {
	resource := field(nil, attributesField, attributeOf("telemetry.sdk.language", "go"))
	resource = field(resource, attributesField, attributeOf("service.name", g.service))
	resource = field(resource, attributesField, attributeOf("host.name", "host"))
	resource = field(resource, attributesField, attributeOf("service.instance.id", g.instance))
	resource = field(resource, attributesField, attributeOf("k8s.pod.name", "second to the instance"))
	resource = numberField(resource, 2, 3) // dropped_attributes_count
	if !g.late {
		out = field(out, resourceField, resource)
	}
	for i, scope := range g.scopes {
		body := field(nil, 1, field(nil, 1, []byte("library")))
		for _, x := range scope {
			body = field(body, spansField, x.protobuf())
		}
		number := uint64(scopeSpansField)
		if i == 1 {
			number = oldScopeSpansField
		}
		out = field(out, number, field(body, 3, []byte("https://schema")))
	}
	if g.late {
		out = field(out, resourceField, resource)
	}
	return field(out, 3, []byte("https://schema"))
}

func (x sampleSpan) protobuf() []byte {
	b := field(nil, 1, x.trace[:])
	b = field(b, 2, binary.BigEndian.AppendUint64(nil, x.id))
	b = field(b, 3, []byte("state=1"))
	if x.parent != 0 {
		b = field(b, 4, binary.BigEndian.AppendUint64(nil, x.parent))
	}
	b = field(b, 5, []byte(x.name))
	b = numberField(b, 6, uint64(x.kind))
	b = fixedField(fixedField(b, 7, x.start), 8, x.end)
	b = field(b, 9, attributeOf("http.url", "http://example/"+x.name))
	for i := range x.attributes {
		b = field(b, 9, attributeOf(fmt.Sprintf("http.request.attribute.%d", i), "https://example.com/path/to/something"))
	}
	b = field(b, 11, field(fixedField(nil, 1, x.start), 2, []byte("event")))
	b = field(b, 15, numberField(field(nil, 2, []byte("why")), 3, uint64(x.status)))
	return binary.LittleEndian.AppendUint32(binary.AppendUvarint(b, 16<<3|fixed32), 0x101)
}

// text writes the sample in JSON, in one of several dialects.
func (s sample) text(dialect int) string {
	var groups []string
	for _, g := range s.groups {
		groups = append(groups, g.text(dialect))
	}
	switch list := strings.Join(groups, ", "); dialect {
	case 0:
		return `{"resourceSpans": [` + list + `]}`
	case 1:
		return `{"resource_spans": [` + strings.Join(groups, "]}\n{\"resource_spans\": [") + `]}`
	default:
		return `[{"trace": {"batches": [` + list + `]}}]`
	}
}

func (g sampleGroup) text(dialect int) string {
	resource := fmt.Sprintf(`"resource": {"attributes": [{"key": "n", "value": {"arrayValue": {"values": []}}},
		{"value": {"stringValue": %q}, "key": "service.name"}, {"key": "service.instance.id", "value": {"stringValue": %q}}]}`, g.service, g.instance)
	list := []string{"scopeSpans", "scope_spans", "instrumentationLibrarySpans"}[dialect]
	var scopes []string
	for _, scope := range g.scopes {
		var spans []string
		for _, x := range scope {
			spans = append(spans, x.text(dialect))
		}
		scopes = append(scopes, `{"scope": {"name": "library"}, "spans": [`+strings.Join(spans, ", ")+`]}`)
	}
	body := fmt.Sprintf(`%q: [%s]`, list, strings.Join(scopes, ", "))
	if g.late {
		return "{" + body + ", " + resource + "}"
	}
	return "{" + resource + ", " + body + "}"
}

func (x sampleSpan) text(dialect int) string {
	id := func(b []byte) string { return base64Of(b) }
	if dialect < 2 {
		id = func(b []byte) string { return fmt.Sprintf("%X", b) }
	}
	parent := ""
	if x.parent != 0 {
		parent = id(binary.BigEndian.AppendUint64(nil, x.parent))
	}
	own := id(binary.BigEndian.AppendUint64(nil, x.id))
	switch dialect {
	case 1:
		return fmt.Sprintf(`{"trace_id": %q, "span_id": %q, "parent_span_id": %q, "name": %q, "kind": %d, "start_time_unix_nano": %d, "end_time_unix_nano": %d, "attributes": [], "status": {"message": "why", "code": %d}}`,
			id(x.trace[:]), own, parent, x.name, x.kind, x.start, x.end, x.status)
	case 2:
		word := append([]string{"UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"}, "NEW")[x.kind]
		return fmt.Sprintf(`{"kind": "SPAN_KIND_%s", "traceId": %q, "spanId": %q, "parentSpanId": %q, "name": %q, "startTimeUnixNano": "%d", "endTimeUnixNano": "%d", "status": {"code": "STATUS_CODE_%s"}}`,
			word, id(x.trace[:]), own, parent, x.name, x.start, x.end, []string{"UNSET", "OK", "ERROR"}[x.status])
	}
	var attributes []string
	for i := range x.attributes {
		attributes = append(attributes, fmt.Sprintf(`{"key": "http.request.attribute.%d", "value": {"stringValue": "https://example.com/path/to/something"}}`, i))
	}
	return fmt.Sprintf(`{"traceId": %q, "spanId": %q, "parentSpanId": %q, "name": %q, "kind": %d, "startTimeUnixNano": "%d", "endTimeUnixNano": "%d", "attributes": [%s], "flags": 257, "status": {"code": %d}}`,
		id(x.trace[:]), own, parent, x.name, x.kind, x.start, x.end, strings.Join(attributes, ", "), x.status)
}
