package otlp

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"google.golang.org/protobuf/encoding/protowire"
)

// sent finds the ends of records in what is sent: values of JSON, or messages, or fields of messages that nothing frames. The first record says
// which of these all are.
type sent struct {
	known   bool
	framing framing // unframed: JSON
}

// length returns how many bytes the record at the beginning of p takes, 0 where it is not whole, and less where it is none.
func (s *sent) length(p []byte) int {
	if !s.known {
		s.framing = framingOf(p[:min(len(p), headBytes)])
		text := bytes.TrimLeft(p, " \t\r\n")
		switch s.known = s.framing != unframed || len(text) > 0 && (text[0] == '{' || text[0] == '['); {
		case !s.known && len(p) < headBytes:
			return 0
		case !s.known:
			return -1
		}
	}
	switch s.framing {
	case behindFixed:
		return behind(p, fixedLength, len(p) >= fixedLength, func() uint64 { return uint64(binary.BigEndian.Uint32(p)) })
	case behindVarint:
		n, size := protowire.ConsumeVarint(p)
		return behind(p, size, size > 0, func() uint64 { return n })
	case plain:
		_, _, size := protowire.ConsumeField(p)
		if errors.Is(protowire.ParseError(size), io.ErrUnexpectedEOF) && len(p) < mostRecord {
			return 0
		}
		return size
	}
	return valueLength(p)
}

// mostRecord is how long a record is at most.
const mostRecord = 32 << 20

// behind is the length of a record behind its length.
func behind(p []byte, size int, is bool, length func() uint64) int {
	switch {
	case !is && len(p) < protowire.SizeVarint(mostRecord):
		return 0
	case !is || length() > mostRecord:
		return -1
	case uint64(len(p)-size) < length():
		return 0
	}
	return size + int(length())
}

// valueLength is the length of an object or array of JSON, with what separates it from the one before.
func valueLength(p []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth <= 0 {
				return i + 1
			}
		}
	}
	if len(p) >= mostRecord {
		return -1
	}
	return 0
}
