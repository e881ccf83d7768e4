package text

import "github.com/tracelake/tracelake/schema"

// dialect is one of the two forms of a line. The thesis has no executor, one message at most, and whole numbers as ns.
type dialect uint8

const (
	thesis    dialect = iota // Hilbig 2023
	tmsctrace                // Jonk et al. 2019
)

// parser reads lines of one dialect.
type parser struct {
	dialect dialect              // thesis or tmsctrace
	keys    []schema.EventKey    // of all lines so far
	marks   []schema.MessageMark // marks[0] is that of no message
	keyOf   lookup               // by the text between time and message, its fields a space apart
	markOf  lookup               // by the text of a message before its number
	further map[uint32]uint32    // by the key of an event, that of its further messages
	recent  recent               // marks by short texts

	// Of the line being read.
	text      []byte   // as keyOf has it
	lineMarks []uint32 // of its messages, in order
	lineIDs   []int64  // the numbers of these
}

// newParser returns a parser that knows no names yet. Mark 0 is that of no message.
func newParser(d dialect) *parser {
	return &parser{
		dialect: d,
		marks:   make([]schema.MessageMark, 1),
		keyOf:   newLookup(),
		markOf:  newLookup(),
		further: make(map[uint32]uint32),
	}
}

// Keys implements schema.Parser.
func (p *parser) Keys() schema.KeyList { return schema.EventKeys(p.keys) }

// Marks implements schema.Parser.
func (p *parser) Marks() []schema.MessageMark { return p.marks }

// parseUnusual reads any line, field by field.
func (p *parser) parseUnusual(line []byte, b *schema.Block) {
	begin, end := nextField(line, 0)
	// Faults are found from left to right; the first one is the line's. A time that does not fit is no fault of the
	// form, so it counts only in a line that is otherwise good.
	t := p.parseTime(line[begin:end])
	if t.Want != "" {
		fault{begin + t.At, t.Want}.add(&b.Bad, b.Lines, line)
		return
	}
	key, at, f := p.keyCode(line, end)
	if f.ok() {
		f = p.parseMessages(line, at)
	}
	switch {
	case !f.ok():
		f.add(&b.Bad, b.Lines, line)
	case t.Overflow:
		fault{begin, "a time within 64 bits of nanoseconds"}.add(&b.Overflow, b.Lines, line)
	default:
		p.appendEvent(b, t.Ns, key)
	}
}

// appendEvent adds the event and its further messages to the block.
func (p *parser) appendEvent(b *schema.Block, ns int64, key uint32) {
	// An event without messages has one row, as one with a message has.
	if len(p.lineMarks) == 0 {
		p.lineMarks, p.lineIDs = append(p.lineMarks, schema.NoMark), append(p.lineIDs, schema.NoValue)
	}
	for i, mark := range p.lineMarks {
		if i == 1 {
			key = p.furtherKey(key)
		}
		b.TimeNs = append(b.TimeNs, ns)
		b.Key = append(b.Key, key)
		b.Mark = append(b.Mark, mark)
		b.MessageID = append(b.MessageID, p.lineIDs[i])
		b.Line = append(b.Line, uint32(b.Lines))
	}
}

// furtherKey is the key of the further messages of an event with the given key.
func (p *parser) furtherKey(key uint32) uint32 {
	if k, ok := p.further[key]; ok {
		return k
	}
	k := uint32(len(p.keys))
	event := p.keys[key]
	event.Kind = schema.Message
	p.keys = append(p.keys, event)
	p.further[key] = k
	return k
}

// parseMessages reads the messages from line[at:] on into lineMarks and lineIDs.
func (p *parser) parseMessages(line []byte, at int) fault {
	p.lineMarks, p.lineIDs = p.lineMarks[:0], p.lineIDs[:0]
	for begin, end := nextField(line, at); begin < end; begin, end = nextField(line, end) {
		if p.dialect == thesis && len(p.lineMarks) == 1 {
			return fault{begin, "the end of the line after the message"}
		}
		mark, id, f := p.parseMessage(line, begin, end)
		if !f.ok() {
			return f
		}
		p.lineMarks, p.lineIDs = append(p.lineMarks, mark), append(p.lineIDs, id)
	}
	return fault{}
}

// nextField finds the first field of line[at:], which is empty at the end of the line.
func nextField(line []byte, at int) (begin, end int) {
	for at < len(line) && blank(line[at]) {
		at++
	}
	begin = at
	for at < len(line) && !blank(line[at]) {
		at++
	}
	return begin, at
}

// blank reports whether a character separates fields.
func blank(c byte) bool { return c == ' ' || c == '\t' }
