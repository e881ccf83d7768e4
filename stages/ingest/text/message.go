package text

import (
	"math/bits"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// recent is a direct-mapped cache of marks of up to eight bytes, by these bytes as one word. A trace has few series of
// messages and nearly every line has one, so it saves the hash of lookup.
type recent [16]struct {
	text uint64
	mark uint32
}

// of returns the place of a text: the upper bits of a multiplicative hash.
func (r *recent) of(text uint64) int { return int(text * 0x9e3779b97f4a7c15 >> 60) }

// lastMessage reads the message that ends a line of at least 8 bytes and returns where it begins. The
// line has none when this is the end of the line; it is not a usual one when it is 0.
func (p *parser) lastMessage(line []byte) (begin int, mark uint32, id int64) {
	// From the end: up to eight digits of the identifier in one word, then series and sign byte by byte.
	w := word(line[len(line)-8:])
	digits := bits.LeadingZeros64(others(w)) >> 3
	stop := len(line) - digits
	begin, text := stop, uint64(0)
	for begin > 0 && line[begin-1] > ' ' {
		begin--
		text = text<<8 | uint64(line[begin])
	}
	if begin == len(line) {
		return 0, 0, 0
	}
	if line[begin] != '!' && line[begin] != '?' {
		return len(line), schema.NoMark, schema.NoValue
	}
	// No digits, perhaps more than a word of them, a series longer than a word, or a leading zero, which belongs to the series.
	if digits == 0 || digits == 8 || stop-begin > 8 || digits > 1 && line[stop] == '0' {
		return p.unusualMessage(line, begin)
	}
	// The digits move to the upper bytes and zeros fill the lower ones, so number reads them as eight digits.
	shift := uint(64 - 8*digits)
	id = int64(number(w>>shift<<shift | zeros>>(64-shift)))
	if r := &p.recent[p.recent.of(text)]; r.text == text {
		return begin, r.mark, id
	}
	mark, f := p.markCode(line, begin, stop)
	if !f.ok() {
		return 0, 0, 0
	}
	p.recent[p.recent.of(text)] = struct {
		text uint64
		mark uint32
	}{text, mark}
	return begin, mark, id
}

// unusualMessage reads the last message of a line byte by byte, with the results of lastMessage.
func (p *parser) unusualMessage(line []byte, begin int) (int, uint32, int64) {
	mark, id, f := p.parseMessage(line, begin, len(line))
	if !f.ok() {
		return 0, 0, 0
	}
	return begin, mark, id
}

// parseMessage reads the message line[begin:end].
func (p *parser) parseMessage(line []byte, begin, end int) (mark uint32, id int64, f fault) {
	if line[begin] != '!' && line[begin] != '?' {
		return 0, 0, fault{begin, "'!' or '?' before a message"}
	}
	if begin+1 == end {
		return 0, 0, fault{end, "an identifier after '!' or '?'"}
	}
	series, id := textfield.SplitIdentifier(line[begin+1 : end])
	mark, f = p.markCode(line, begin, begin+1+len(series))
	return mark, id, f
}

// markCode is the position of the mark line[begin:end], a direction and a series, which it adds when new.
func (p *parser) markCode(line []byte, begin, end int) (uint32, fault) {
	text := line[begin:end]
	if mark, ok := p.markOf.find(text); ok {
		return mark, fault{}
	}
	if f := checkName(line, begin+1, end); !f.ok() {
		return 0, f
	}
	series := string(text[1:])
	m := schema.MessageMark{Direction: schema.Receive, Series: series, Label: series}
	if text[0] == '!' {
		m.Direction = schema.Send
	}
	mark := uint32(len(p.marks))
	p.marks = append(p.marks, m)
	p.markOf.add(text, mark)
	return mark, fault{}
}
