package text

import (
	"bytes"

	"github.com/tracelake/tracelake/schema"
)

// Parse implements schema.Parser. A line that the fast way does not take, goes the general way, which also finds its fault.
func (p *parser) Parse(data []byte, b *schema.Block) {
	// Lines of real traces have about 48 bytes; too small a guess costs one more allocation.
	b.Grow(len(data)/48 + 16)
	for len(data) > 0 {
		line := data
		if end := bytes.IndexByte(data, '\n'); end >= 0 {
			line, data = data[:end], data[end+1:]
		} else {
			data = nil
		}
		if n := len(line); n > 0 && line[n-1] == '\r' {
			line = line[:n-1]
		}
		if !p.parseUsual(line, b) {
			p.parseUnusual(line, b)
		}
		b.Lines++
	}
}

// shortest is the length from which on a line may be usual, so that words can be read from it without
// looking at its end: nineDecimals needs this many bytes.
const shortest = 18

// parseUsual reads a line with single blanks, names that were there before and at most one message. It
// reports whether the line is one.
func (p *parser) parseUsual(line []byte, b *schema.Block) bool {
	if len(line) < shortest {
		return false
	}
	ns, begin := nineDecimals(line)
	if begin == 0 {
		if ns, begin = p.otherTime(line); begin == 0 {
			return false
		}
	}
	// What lies between time and message is the key as keyOf has it, if the blanks are single ones.
	end, mark, id := p.lastMessage(line)
	if end < len(line) {
		end-- // the blank before the message
	}
	if end <= begin || end < len(line) && !blank(line[end]) {
		return false
	}
	// Names that are new go the general way once, which adds them.
	key, ok := p.keyOf.find(line[begin:end])
	if !ok {
		return false
	}
	b.TimeNs = append(b.TimeNs, ns)
	b.Key = append(b.Key, key)
	b.Mark = append(b.Mark, mark)
	b.MessageID = append(b.MessageID, id)
	b.Line = append(b.Line, uint32(b.Lines))
	return true
}

// otherTime is nineDecimals for any time.
func (p *parser) otherTime(line []byte) (ns int64, next int) {
	end := bytes.IndexByte(line, ' ')
	if end < 0 {
		return 0, 0
	}
	t := p.parseTime(line[:end])
	if t.Want != "" || t.Overflow {
		return 0, 0
	}
	return t.Ns, end + 1
}
