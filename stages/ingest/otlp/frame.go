package otlp

import (
	"bytes"
	"encoding/binary"

	"google.golang.org/protobuf/encoding/protowire"
)

// framing is how a file of protobuf says where its messages end. Protobuf itself does not: a message has no end of its own, so
// collectors write a length before each, in one of two ways.
// gRPC puts four bytes before a message, the helpers of protobuf's libraries a varint; both are found in files.
type framing uint8

const (
	unframed     framing = iota // not protobuf
	plain                       // it does not: one message, or several one after the other, which is the same
	behindVarint                // a varint that is the length
	behindFixed                 // a length of four bytes, the highest first
)

// fixedLength is how many bytes the length behind which collectors write a message has.
const fixedLength = 4

// framingOf finds the framing by the beginning of a file. Protobuf has no magic number, so the first fields must be those of
// traces.
// Plain is tried first, as the byte of its first tag (0x0a) is an unlikely length; four bytes come before a varint,
// since a fixed length below 16 MiB begins with a zero, which no varint of a message is.
func framingOf(head []byte) framing {
	// In this order: see the comment of the function.
	if looksLike(head) {
		return plain
	}
	if len(head) > fixedLength {
		if n := binary.BigEndian.Uint32(head); n > 0 && n < 1<<31 && looksLike(head[fixedLength:]) {
			return behindFixed
		}
	}
	if n, size := protowire.ConsumeVarint(head); size > 0 && n > 0 && looksLike(head[size:]) {
		return behindVarint
	}
	return unframed
}

// looksLike reports whether what may be cut off anywhere begins as TracesData does: with ResourceSpans in which comes a resource
// that has an attribute, or a scope that has a name or a span.
// It descends one level into the first message and stops at the first field that decides, so it reads a bounded number
// of bytes of any file.
func looksLike(head []byte) bool {
	field, rest, _, ok := cutField(head)
	if !ok || field != resourceSpansField {
		return false
	}
	// A resource without attributes decides nothing: the next field is looked at.
	for len(rest) > 0 {
		var body []byte
		field, body, rest, ok = cutField(rest)
		switch {
		case !ok:
			return false
		case field == resourceField && len(body) > 0:
			field, attribute, _, ok := cutField(body)
			return ok && field == attributesField && named(attribute)
		case field == scopeSpansField || field == oldScopeSpansField:
			field, inner, _, ok := cutField(body)
			return ok && (field == scopeField && (len(inner) == 0 || named(inner)) || field == spansField && traced(inner))
		case field != resourceField && field != schemaField:
			return false
		}
	}
	return false
}

// named reports whether a message begins with a name: field 1, printable.
// Keys of attributes and names of libraries are texts; bytes below a blank show that the file is something else.
func named(message []byte) bool {
	field, text, _, ok := cutField(message)
	return ok && field == 1 && len(text) > 0 && bytes.IndexFunc(text, func(r rune) bool { return r < ' ' }) < 0
}

// traced reports whether a message begins with the id of a trace.
// The id has 16 bytes, or is all there is of a span that is cut off: tag and length take two bytes.
func traced(message []byte) bool {
	field, id, _, ok := cutField(message)
	return ok && field == 1 && (len(id) == 16 || len(id) == len(message)-2)
}

// cutField returns the first field of a message, of bytes behind their length, and what follows. Both may be cut off.
// A length beyond a terabyte is no length. Nothing is copied: both results share the memory of b.
func cutField(b []byte) (field uint64, body, next []byte, ok bool) {
	tag, n := protowire.ConsumeVarint(b)
	if n < 0 || tag&7 != counted {
		return 0, nil, nil, false
	}
	length, m := protowire.ConsumeVarint(b[n:])
	if m < 0 || length > 1<<40 {
		return 0, nil, nil, false
	}
	b = b[n+m:]
	cut := min(length, uint64(len(b)))
	return tag >> 3, b[:cut], b[cut:], true
}
