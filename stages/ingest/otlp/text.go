package otlp

import (
	"errors"
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
	"github.com/tracelake/tracelake/stages/ingest/spans"
)

// text reads OTLP in JSON. The functions that read members and elements are made once and not for every span.
// Member functions recurse as the objects do; all of them return the error to stop with.
type text struct {
	group                                 // spans of one resource
	json  *jsontext.Reader                // of the file
	at    func(error) *schema.SyntaxError // an error at the place that was read last

	// Functions that read a member by its name, and functions that read an element of a list.
	traces, resourceSpans, resource, scopeSpans, attribute, anyValue, span, oneLink, status func(name []byte) error
	eachTraces, eachGroup, eachAttribute, eachTag, eachScope, eachSpan, eachLink            func() error

	key     []byte              // of the attribute in hand
	value   []byte              // of the attribute in hand, where it is a text or a number
	current spans.Span          // the span in hand
	set     schema.AttributeSet // its attributes
	link    spans.Span          // identity of the span that the link in hand leads to
	linked  []spans.Span        // of the span in hand
}

// parseText reads a file of JSON.
// Closures over t are made here too, for the same reason: one allocation a file instead of one a span.
func parseText(c *spans.Collector, j *jsontext.Reader) error {
	t := &text{group: group{Collector: c}, json: j, at: j.At}
	t.traces, t.resourceSpans, t.resource = t.tracesMember, t.groupMember, t.resourceMember
	t.scopeSpans, t.attribute, t.anyValue, t.span = t.scopeMember, t.attributeMember, t.anyMember, t.spanMember
	t.status = t.statusMember
	t.eachTraces = func() error { return spans.Record(j, t.traces) }
	t.eachScope = func() error { return spans.Record(j, t.scopeSpans) }
	t.eachTag = t.takeTag
	t.oneLink, t.eachLink = t.linkMember, t.takeLink
	t.eachGroup, t.eachAttribute, t.eachSpan = t.takeGroup, t.takeAttribute, t.takeSpan
	return spans.EachText(c, j, t.takeValue)
}

// takeValue takes a value of the file: an object, or an array of them.
// Several values in one file are NDJSON, as the file exporter of the collector writes it.
func (t *text) takeValue() error {
	switch t.json.Kind() {
	case jsontext.Object:
		return t.json.Object(t.traces)
	case jsontext.Array:
		return t.json.Array(t.eachTraces)
	}
	if err := t.json.Skip(); err != nil {
		return err
	}
	return t.Bad(t.at(errors.New("expected an object of traces")))
}

// tracesMember reads a member of TracesData, or of an object around it.
// Tempo calls the list batches and puts it into trace; Jaeger's newer API puts it into result.
func (t *text) tracesMember(name []byte) error {
	switch string(name) {
	case "resourceSpans", "resource_spans", "batches":
		return spans.Set(t.json, t.eachGroup)
	case "trace", "result":
		return spans.Record(t.json, t.traces)
	}
	return nil
}

// takeGroup reads an element of ResourceSpans.
// Whatever ends the group, spans that still wait are handed on.
func (t *text) takeGroup() error {
	t.open()
	if err := spans.Record(t.json, t.resourceSpans); err != nil {
		return err
	}
	return t.close()
}

// groupMember reads a member of ResourceSpans, under its names of all versions of the protocol.
func (t *text) groupMember(name []byte) error {
	switch string(name) {
	case "resource":
		if err := spans.Record(t.json, t.resource); err != nil {
			return err
		}
		return t.known()
	case "scopeSpans", "scope_spans", "instrumentationLibrarySpans", "instrumentation_library_spans":
		return spans.Set(t.json, t.eachScope)
	default:
		t.unknown(name)
	}
	return nil
}

// unknown counts a member that is a list, which no version of the protocol has there: there may be spans in it. The reader of the
// object skips it.
func (t *text) unknown(name []byte) {
	if t.json.Kind() == jsontext.Array {
		t.Unknown(t.at(fmt.Errorf("%w: %.40q", errUnknown, name)))
	}
}

// scopeMember reads a member of ScopeSpans, of which only the spans matter.
func (t *text) scopeMember(name []byte) error {
	if string(name) == "spans" {
		return spans.Set(t.json, t.eachSpan)
	}
	t.unknown(name)
	return nil
}

// resourceMember reads a member of Resource.
func (t *text) resourceMember(name []byte) error {
	if string(name) == "attributes" {
		return spans.Set(t.json, t.eachAttribute)
	}
	return nil
}

// takeAttribute takes an attribute of a resource. Key and value come in any order, so both are copied before they are
// judged; resources are few, so that this costs nothing.
func (t *text) takeAttribute() error {
	t.key, t.value = t.key[:0], t.value[:0]
	if err := spans.Record(t.json, t.attribute); err != nil {
		return err
	}
	t.Note(t.Collector, t.key, t.value)
	return nil
}

// takeTag takes an attribute of a span.
func (t *text) takeTag() error {
	t.key, t.value = t.key[:0], t.value[:0]
	if err := spans.Record(t.json, t.attribute); err != nil {
		return err
	}
	if t.Wants(t.key) && len(t.value) > 0 {
		t.set = t.Tag(t.set, t.key, t.value, t.at)
	}
	return nil
}

// attributeMember reads a member of KeyValue.
func (t *text) attributeMember(name []byte) error {
	switch string(name) {
	case "key":
		t.key = append(t.key[:0], spans.Text(t.json)...)
	case "value":
		return spans.Record(t.json, t.anyValue)
	}
	return nil
}

// anyMember reads a member of AnyValue; lists and objects are left.
func (t *text) anyMember(name []byte) error {
	switch string(name) {
	case "stringValue", "string_value", "intValue", "int_value":
		t.value = append(t.value[:0], spans.Text(t.json)...)
	case "boolValue", "bool_value", "doubleValue", "double_value":
		t.value = append(t.value[:0], spans.ValueText(t.json)...)
	}
	return nil
}

// takeSpan takes an element of the spans of a scope. Members that a span lacks keep what stands for nothing.
func (t *text) takeSpan() error {
	t.current = spans.Span{StartNs: spans.Unknown, EndNs: spans.Unknown}
	t.linked, t.set = t.linked[:0], schema.NoAttributes
	if err := spans.Record(t.json, t.span); err != nil {
		return err
	}
	for i := range t.linked {
		if err := t.AddLink(t.linked[i].Trace, t.linked[i].ID, &t.current, t.at); err != nil {
			return err
		}
	}
	t.Attributed(&t.current, t.set)
	return t.add(t.current, t.at)
}

// takeLink takes an element of the links of a span. Its span may be named behind them.
func (t *text) takeLink() error {
	t.link = spans.Span{}
	err := spans.Record(t.json, t.oneLink)
	t.linked = append(t.linked, t.link)
	return err
}

// linkMember reads a member of a link.
func (t *text) linkMember(name []byte) error {
	switch string(name) {
	case "traceId", "trace_id":
		t.link.Trace = spans.ParseTraceID(spans.Text(t.json))
	case "spanId", "span_id":
		t.link.ID = spans.ParseID(spans.Text(t.json))
	}
	return nil
}

// spanMember reads a member of a span, in camel case or snake case.
func (t *text) spanMember(name []byte) error {
	s := &t.current
	switch string(name) {
	case "traceId", "trace_id":
		s.Trace = t.TraceID(spans.Text(t.json))
	case "spanId", "span_id":
		s.ID = spans.ParseID(spans.Text(t.json))
	case "parentSpanId", "parent_span_id":
		s.Parent = spans.ParseID(spans.Text(t.json))
	case "name":
		s.Name = t.Code(spans.Text(t.json))
	case "kind":
		return t.kind(s)
	case "startTimeUnixNano", "start_time_unix_nano":
		return t.instant(&s.StartNs)
	case "endTimeUnixNano", "end_time_unix_nano":
		return t.instant(&s.EndNs)
	case "links":
		return spans.Set(t.json, t.eachLink)
	case "status":
		return spans.Record(t.json, t.status)
	case "attributes":
		if t.WantsAny() {
			return spans.Set(t.json, t.eachTag)
		}
	}
	return nil
}

// statusMember reads a member of the status of a span.
func (t *text) statusMember(name []byte) error {
	if string(name) == "code" {
		t.current.Failed = spans.ParseStatus(spans.Text(t.json))
	}
	return nil
}

// kind takes a kind, as a number or as a word.
// The mapping of protobuf to JSON allows both: a number in OTLP/JSON by its specification, the word of the enumeration
// by that of protobuf.
func (t *text) kind(s *spans.Span) error {
	if t.json.Kind() == jsontext.String {
		s.Kind = spans.ParseKind(spans.Text(t.json))
		return nil
	}
	n, _, err := t.Integer(t.json)
	s.Kind = spans.NumberedKind(uint64(n))
	return err
}

// instant takes a time; 0 is none.
// The mapping of protobuf to JSON writes integers of 64 bits as strings, since a double holds 53 bits; both forms are
// read.
func (t *text) instant(ns *int64) error {
	v, ok, err := t.Integer(t.json)
	if ok && v != 0 {
		*ns = v
	}
	return err
}
