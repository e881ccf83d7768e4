package spans

import (
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
)

// Lengths of ids in base64. Text of 24 or 12 characters is never taken for hexadecimal, nor the reverse: 32
// hexadecimal digits are base64 too.
const (
	base64Trace = 24
	base64Span  = 12
)

// ParseTraceID reads a trace id as text: hexadecimal of up to 32 digits, or base64 of 16 bytes. Other text is known by its
// hash, as some tools write ids of their own; equal texts give equal ids. The empty text is 0.
func ParseTraceID(text []byte) TraceID {
	if len(text) == base64Trace {
		if raw, ok := fromBase64(text); ok {
			return RawTraceID(raw)
		}
	}
	cut := max(0, len(text)-16)
	high, first := fromHex(text[:cut])
	low, second := fromHex(text[cut:])
	if !first || !second {
		return hashed(text)
	}
	return TraceID{high, low}
}

// keepTraceIDs keeps the texts of trace ids that are read from now on, where they are no numbers.
func (c *Collector) keepTraceIDs() {
	if c.texts == nil {
		c.texts = make(map[TraceID]uint32)
	}
}

// TraceID reads a trace id like ParseTraceID. A text that is known by its hash is kept where ids are shown.
func (c *Collector) TraceID(text []byte) TraceID {
	id := ParseTraceID(text)
	if c.texts != nil && len(text) > 0 && !isNumber(text) {
		c.texts[id] = c.Code(text)
	}
	return id
}

// isNumber reports whether a trace id is a number in hexadecimal or base64, which ParseTraceID reads as it is.
func isNumber(text []byte) bool {
	if _, ok := fromBase64(text); ok && len(text) == base64Trace {
		return true
	}
	cut := max(0, len(text)-16)
	_, first := fromHex(text[:cut])
	_, second := fromHex(text[cut:])
	return first && second
}

// appendTraceID appends a trace id as the trace has it: its text, where that is no number.
func (c *Collector) appendTraceID(to []byte, id TraceID) []byte {
	if code, is := c.texts[id]; is {
		return append(to, c.names[code]...)
	}
	return id.appendText(to)
}

// ParseID reads the id of a span as text: hexadecimal of up to 16 digits, or base64 of 8 bytes. Other text is
// known by its hash. The empty text is 0.
func ParseID(text []byte) uint64 {
	if len(text) == base64Span {
		if raw, ok := fromBase64(text); ok {
			return RawID(raw)
		}
	}
	if id, ok := fromHex(text); ok {
		return id
	}
	return hashed(text).Low
}

// RawTraceID returns the trace id of 16 bytes; fewer bytes count as its last, and of more the hash is taken.
func RawTraceID(raw []byte) TraceID {
	if len(raw) > 16 {
		return hashed(raw)
	}
	var all [16]byte
	copy(all[16-len(raw):], raw)
	return TraceID{binary.BigEndian.Uint64(all[:8]), binary.BigEndian.Uint64(all[8:])}
}

// RawID returns the id of 8 bytes; fewer bytes count as its last, and of more the hash is taken.
func RawID(raw []byte) uint64 {
	if len(raw) > 8 {
		return hashed(raw).Low
	}
	return RawTraceID(raw).Low
}

// fromHex reads up to 16 hexadecimal digits. Digits are looked up, since whether the next one of an id is a letter
// cannot be foreseen, by a processor neither.
func fromHex(text []byte) (value uint64, ok bool) {
	if len(text) > 16 {
		return 0, false
	}
	all := byte(0)
	for _, c := range text {
		digit := hexDigits[c]
		all |= digit
		value = value<<4 | uint64(digit&15)
	}
	return value, all < noDigit
}

const noDigit = 16

// hexDigits are the values of hexadecimal digits, and noDigit for all else.
var hexDigits = func() (values [256]byte) {
	for c := range values {
		values[c] = noDigit
	}
	for v := range byte(10) {
		values['0'+v] = v
	}
	for v := range byte(6) {
		values['a'+v], values['A'+v] = 10+v, 10+v
	}
	return values
}()

// fromBase64 reads base64 with padding, 16 or 8 bytes of it.
func fromBase64(text []byte) (raw []byte, ok bool) {
	raw, err := base64.StdEncoding.AppendDecode(make([]byte, 0, 18), text)
	return raw, err == nil && (len(raw) == 16 || len(raw) == 8)
}

// hashed returns the FNV-1a hash of a text, of 128 bits, with the lowest bit set so that it is not 0.
// Two texts share a hash with a probability of about n²/2^129 among n of them.
func hashed(text []byte) TraceID {
	h := fnv.New128a()
	h.Write(text)
	id := RawTraceID(h.Sum(nil))
	id.Low |= 1
	return id
}
