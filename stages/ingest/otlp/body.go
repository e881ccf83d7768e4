package otlp

import (
	"errors"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tracelake/tracelake/stages/ingest/spans"
)

// value is the value of a field: a number, or bytes.
type value struct {
	number uint64
	bytes  []byte
}

// next cuts the first field off a message that is in memory; ok is false where there is none. Groups, which protobuf
// has given up, are none. A tag is the number of a field and its wire type, as protobuf joins them.
func next(b []byte) (tag uint64, v value, rest []byte, ok bool) {
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

// torn is the error of a message in memory that is not of its format.
func (m *messages) torn() error { return m.fault(m.offset(), errField) }

// resource takes a message of type Resource.
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

// attribute takes a message of type KeyValue.
func (m *messages) attribute(b []byte) bool {
	var key, text []byte
	for len(b) > 0 {
		tag, v, rest, ok := next(b)
		switch {
		case !ok:
			return false
		case tag == 1<<3|counted:
			key = v.bytes
		case tag == 2<<3|counted:
			if len(v.bytes) > 0 {
				if tag, v, _, ok := next(v.bytes); ok && tag == 1<<3|counted {
					text = v.bytes
				}
			}
		}
		b = rest
	}
	m.Note(m.Collector, key, text)
	return true
}

// takeSpan takes a message of type Span.
func (m *messages) takeSpan(b []byte) error {
	s := spans.Span{StartNs: spans.Unknown, EndNs: spans.Unknown}
	fits := true
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
		}
		b = rest
	}
	if !fits {
		m.Late(m.at(errTime))
		return nil
	}
	return m.add(s, m.at)
}

var errTime = errors.New("expected times below 2^63 ns")

// instant is a time, if it fits; 0 is none.
func instant(v uint64, ns *int64) bool {
	if v != 0 {
		*ns = int64(v)
	}
	return v <= math.MaxInt64
}
