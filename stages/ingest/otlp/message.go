package otlp

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/spans"
)

// Numbers of fields, in the message that each is of.
const (
	resourceSpansField = 1    // TracesData
	resourceField      = 1    // ResourceSpans
	scopeSpansField    = 2    // ResourceSpans
	schemaField        = 3    // ResourceSpans
	oldScopeSpansField = 1000 // ResourceSpans, of scopes under their older name
	scopeField         = 1    // ScopeSpans
	spansField         = 2    // ScopeSpans
	attributesField    = 1    // Resource
)

// Wire types, as they stand in the low bits of a tag: those of protowire.Type, without a type of their own.
const (
	varint  = 0
	fixed64 = 1
	counted = 2 // bytes behind their length
	fixed32 = 5
)

// messages reads OTLP in protobuf from a stream. Messages around spans are read field by field, however long they are; a span
// or a resource is read whole.
// So memory is bounded by one span (16 MiB), not by a message of a collector, which may be a whole file.
type messages struct {
	group                                  // spans of one resource
	*wire                                  // the bytes, with their offset
	spanAt int64                           // offset in the file where the span in hand begins
	at     func(error) *schema.SyntaxError // an error at the span in hand
	linked []spans.Span                    // identities of the spans that the span in hand is linked to
}

// parseWire reads a file of protobuf.
// A fault in the framing ends the file, as nothing says where the next message begins; a fault within a group ends the
// group alone, see tracesField.
func parseWire(c *spans.Collector, w *wire, f framing) error {
	m := &messages{group: group{Collector: c}, wire: w}
	m.at = func(err error) *schema.SyntaxError { return w.fault(m.spanAt, err) }
	for !w.atEnd() {
		if err := m.takeTraces(f); err != nil {
			return m.stop(err)
		}
	}
	return nil
}

// stop counts the fault that ends a file. A file cut off within a message gives the spans that it had so far.
// The error that it returns is nil unless the reading is strict or the source fails.
func (m *messages) stop(err error) error {
	var at *schema.SyntaxError
	switch {
	case !errors.As(err, &at):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		if err := m.close(); err != nil { // what the group had so far
			return err
		}
		return m.Torn(at)
	}
	return m.Bad(at)
}

// takeTraces takes a message of traces, or, where nothing frames it, a field of it.
// Without framing the fields of all messages follow each other, since concatenated messages of protobuf are their
// merge: no message has an end, hence the limit of MaxInt64.
func (m *messages) takeTraces(f framing) error {
	switch f {
	case behindVarint:
		n, err := m.length(math.MaxInt64)
		if err != nil {
			return err
		}
		return m.fields(m.offset()+n, m.tracesField)
	case behindFixed:
		b, err := m.bytes(fixedLength)
		if err != nil {
			return err
		}
		return m.fields(m.offset()+int64(binary.BigEndian.Uint32(b)), m.tracesField)
	}
	tag, err := m.number()
	if err != nil {
		return err
	}
	return m.tracesField(tag, math.MaxInt64)
}

// fields takes the fields of a message that ends at an offset, by a function that takes the value of one.
// A field may be longer than the message around it claims; that shows behind it, and is a fault at the end of the
// outer message.
func (m *messages) fields(end int64, field func(tag uint64, end int64) error) error {
	for m.offset() < end {
		tag, err := m.number()
		if err != nil {
			return err
		}
		if err := field(tag, end); err != nil {
			return err
		}
	}
	if m.offset() > end {
		return m.fault(end, errLength)
	}
	return nil
}

// tracesField takes a field of TracesData. A fault in a group ends the group.
// The rest of a broken group is skipped by its length, which stands before it and was good. That the text ends within
// it is no fault of the group but of the file, and is passed up.
func (m *messages) tracesField(tag uint64, end int64) error {
	if tag != resourceSpansField<<3|counted {
		return m.skipOther(tag, end)
	}
	n, err := m.length(end)
	if err != nil {
		return err
	}
	end = m.offset() + n
	m.open()
	err = m.fields(end, m.resourceSpansField)
	var at *schema.SyntaxError
	if errors.As(err, &at) && !errors.Is(err, io.ErrUnexpectedEOF) && m.offset() <= end {
		if err := m.Bad(at); err != nil {
			return err
		}
		err = m.skip(end - m.offset())
	}
	if err != nil {
		return err
	}
	return m.close()
}

// resourceSpansField takes a field of ResourceSpans.
// The number 1000 is that of instrumentation_library_spans, which OTLP 0.15 renamed; collectors of 2022 still send it.
func (m *messages) resourceSpansField(tag uint64, end int64) error {
	switch tag {
	case resourceField<<3 | counted:
		body, err := m.message(end)
		if err != nil {
			return err
		}
		if err := m.resource(body); err != nil {
			return err
		}
		return m.known()
	case scopeSpansField<<3 | counted, oldScopeSpansField<<3 | counted:
		n, err := m.length(end)
		if err != nil {
			return err
		}
		return m.fields(m.offset()+n, m.scopeSpansField)
	}
	return m.skipOther(tag, end, schemaField)
}

// scopeSpansField takes a field of ScopeSpans.
// The name and version of the library are skipped: they say by what a span was made and not where.
func (m *messages) scopeSpansField(tag uint64, end int64) error {
	if tag != spansField<<3|counted {
		return m.skipOther(tag, end, scopeField, schemaField)
	}
	m.spanAt = m.offset()
	body, err := m.message(end)
	if err != nil {
		return err
	}
	return m.takeSpan(body)
}

// skipOther skips a field in which nothing is that matters. One that the format does not define, or that is not of its type, is counted:
// there may have been spans in it. A newer version of the format may have it, so that it is no fault.
func (m *messages) skipOther(tag uint64, end int64, known ...uint64) error {
	if !slices.Contains(known, tag>>3) || tag&7 != counted {
		m.Unknown(m.fault(m.offset(), errUnknown))
	}
	return m.skipField(tag&7, end)
}

// message takes a message whole, behind its length.
// The bytes are the reader's own and hold until the next read.
func (m *messages) message(end int64) ([]byte, error) {
	n, err := m.length(end)
	if err != nil {
		return nil, err
	}
	return m.bytes(n)
}

// value is the value of a field, by its wire type: a number, or bytes of the message that are valid as long as it.
type value struct {
	number uint64 // of a varint or of fixed length
	bytes  []byte // of a field with a length
}

// next cuts the first field off a message that is in memory; ok is false where there is none. Groups, which protobuf
// has given up, are none. A tag is the number of a field and its wire type, as protobuf joins them.
// It is the loop's step for messages in memory, where protowire.ConsumeField would hide the value; its results share
// the memory of b.
func next(b []byte) (tag uint64, v value, rest []byte, ok bool) {
	// The tag, then the value by the type of encoding in its lowest three bits.
	tag, n := protowire.ConsumeVarint(b)
	if n < 0 {
		return 0, v, nil, false
	}
	b = b[n:]
	switch tag & 7 {
	case varint:
		v.number, n = protowire.ConsumeVarint(b)
	case fixed64:
		v.number, n = protowire.ConsumeFixed64(b)
	case fixed32:
		_, n = protowire.ConsumeFixed32(b)
	case counted:
		v.bytes, n = protowire.ConsumeBytes(b)
	default:
		n = -1
	}
	if n < 0 {
		return 0, v, nil, false
	}
	return tag, v, b[n:], true
}

// torn returns the error of a message in memory that is not of its format.
// The offset is that behind the message, as the reader has taken it whole. A broken message ends its group.
func (m *messages) torn() error { return m.fault(m.offset(), errField) }

// resource takes a message of type Resource, of which only the attributes matter.
// Attributes before a fault are kept.
func (m *messages) resource(b []byte) error {
	for len(b) > 0 {
		tag, v, rest, ok := next(b)
		if !ok {
			return m.torn()
		}
		if tag == attributesField<<3|counted && !m.attribute(v.bytes) {
			return m.torn()
		}
		b = rest
	}
	return nil
}

// attribute takes a message of type KeyValue, and reports whether it is one. Values that are no texts count as empty.
// The value is a message AnyValue, whose field 1 is the text; arrays, maps and numbers have others.
func (m *messages) attribute(b []byte) bool {
	key, value, ok := keyValue(b)
	if !ok {
		return false
	}
	tag, v, _, isValue := next(value)
	if !isValue || tag != 1<<3|counted {
		v.bytes = nil
	}
	m.Note(m.Collector, key, v.bytes)
	return true
}

// tag takes an attribute of a span, and reports whether it is one. Values that are lists or maps are left.
func (m *messages) tag(set schema.AttributeSet, b []byte) (with schema.AttributeSet, ok bool) {
	key, value, ok := keyValue(b)
	if !ok || !m.Wants(key) {
		return set, ok
	}
	var text []byte
	switch tag, v, _, _ := next(value); tag {
	case 1<<3 | counted:
		text = v.bytes
	case 2<<3 | varint:
		text = strconv.AppendBool(nil, v.number != 0)
	case 3<<3 | varint:
		text = strconv.AppendInt(nil, int64(v.number), 10)
	case 4<<3 | fixed64:
		text = strconv.AppendFloat(nil, math.Float64frombits(v.number), 'g', -1, 64)
	}
	if len(text) > 0 {
		set = m.Tag(set, key, text, m.at)
	}
	return set, true
}

// keyValue takes a message of type KeyValue apart; value is a message of type AnyValue. ok reports whether it is one.
func keyValue(b []byte) (key, value []byte, ok bool) {
	for len(b) > 0 {
		tag, v, rest, ok := next(b)
		switch {
		case !ok:
			return nil, nil, false
		case tag == 1<<3|counted:
			key = v.bytes
		case tag == 2<<3|counted:
			value = v.bytes
		}
		b = rest
	}
	return key, value, true
}

// takeSpan takes a message of type Span: its ids, name, kind and times. All else is left out.
// The tags are spelled as number<<3 | wire type, as in the comment of the package; a field of an unexpected wire type
// is passed over, as protobuf asks of readers.
func (m *messages) takeSpan(b []byte) error {
	s := spans.Span{StartNs: spans.Unknown, EndNs: spans.Unknown}
	m.linked = m.linked[:0]
	// Fields of a span may come in any order; the last one of a number counts.
	fits, set := true, schema.NoAttributes
	for len(b) > 0 {
		tag, v, rest, ok := next(b)
		if !ok {
			return m.torn()
		}
		switch tag {
		case 1<<3 | counted:
			s.Trace = spans.RawTraceID(v.bytes)
		case 2<<3 | counted:
			s.ID = spans.RawID(v.bytes)
		case 4<<3 | counted:
			s.Parent = spans.RawID(v.bytes)
		case 5<<3 | counted:
			s.Name = m.Code(v.bytes)
		case 6<<3 | varint:
			s.Kind = spans.NumberedKind(v.number)
		case 7<<3 | fixed64:
			fits = instant(v.number, &s.StartNs) && fits
		case 8<<3 | fixed64:
			fits = instant(v.number, &s.EndNs) && fits
		case 9<<3 | counted:
			if m.WantsAny() {
				if set, ok = m.tag(set, v.bytes); !ok { // the span is good without it
					if err := m.Bad(m.at(errField)); err != nil {
						return err
					}
				}
			}
		case 15<<3 | counted:
			s.Failed = failed(v.bytes)
		case 13<<3 | counted:
			to, ok := linkOf(v.bytes)
			if !ok {
				return m.torn()
			}
			m.linked = append(m.linked, to)
		}
		b = rest
	}
	// A span without a time that fits is left out as a whole, with its links.
	if !fits {
		m.TimeOverflow(m.at(errTime))
		return nil
	}
	// Links need the identity of the span, which is known only now.
	for i := range m.linked {
		if err := m.AddLink(m.linked[i].Trace, m.linked[i].ID, &s, m.at); err != nil {
			return err
		}
	}
	m.Attributed(&s, set)
	return m.add(s, m.at)
}

// statusError is the code of OTLP for a span that ended with an error.
const statusError = 2

// failed reports whether a message of type Status says so; its code is field 3.
func failed(b []byte) bool {
	code := uint64(0)
	for len(b) > 0 {
		tag, v, rest, ok := next(b)
		if !ok {
			return false
		}
		if tag == 3<<3|varint {
			code = v.number
		}
		b = rest
	}
	return code == statusError
}

// linkOf takes a message of type Link: the identity of the span that it leads to.
func linkOf(b []byte) (to spans.Span, ok bool) {
	for len(b) > 0 {
		tag, v, rest, ok := next(b)
		switch {
		case !ok:
			return to, false
		case tag == 1<<3|counted:
			to.Trace = spans.RawTraceID(v.bytes)
		case tag == 2<<3|counted:
			to.ID = spans.RawID(v.bytes)
		}
		b = rest
	}
	return to, true
}

// errTime is what is wrong with a time beyond the year 2262.
var errTime = errors.New("expected times below 2^63 ns")

// instant takes a time, and reports whether it fits; 0 stands for none.
// OTLP counts unsigned nanoseconds since the epoch; beyond 2262 they do not fit the signed ones of events.
func instant(v uint64, ns *int64) bool {
	if v != 0 {
		*ns = int64(v)
	}
	return v <= math.MaxInt64
}
