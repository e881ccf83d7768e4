package tmsct

import (
	"bytes"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

const byteOrder = "\xef\xbb\xbf"

// Named returns the format of a file that is called .tmsct, whatever its first bytes are.
func Named(head []byte) schema.Format {
	f := Format()
	if bytes.HasPrefix(head, []byte(byteOrder)) {
		f.Header = len(byteOrder)
	}
	return f
}

// Detect finds out whether a trace is of the language, by its first bytes, which may end within a statement.
// Most of its statements must be good. As lines of package text may be events of the language too, there
// must be more: a comment, a declaration, a string, a setting, or events without times.
func Detect(head []byte) (schema.Format, bool) {
	f := Named(head)
	text := head[f.Header:]
	// The head may end within a statement; whole lines are judged.
	if end := bytes.LastIndexByte(text, '\n'); end >= 0 {
		text = text[:end+1]
	}
	var b schema.Block
	r := read(string(text), &b)
	more := r.evidence > 0 || r.comments > 0 || 2*r.untimed >= r.statements
	return f, r.statements > b.Bad.Count+b.Overflow.Count && more
}

// parser turns texts into blocks. Each is a text of its own: what one declares, another does not know.
type parser struct {
	keys   []schema.EventKey             // of all texts so far
	marks  []schema.MessageMark          // marks[0] is that of no message
	keyOf  map[schema.EventKey]uint32    // position of a key
	markOf map[schema.MessageMark]uint32 // position of a mark
}

// newParser returns a parser that knows no names yet.
func newParser() *parser {
	return &parser{
		marks: make([]schema.MessageMark, 1),
		keyOf: make(map[schema.EventKey]uint32), markOf: make(map[schema.MessageMark]uint32),
	}
}

// Keys implements schema.Parser.
func (p *parser) Keys() []schema.EventKey { return p.keys }

// Marks implements schema.Parser.
func (p *parser) Marks() []schema.MessageMark { return p.marks }

// Parse implements schema.Parser.
func (p *parser) Parse(data []byte, b *schema.Block) {
	// Identifiers are parts of this copy while the text is read. What outlives the call is cloned, so that a name does
	// not keep the whole text in memory.
	text := string(data)
	c := newChart(read(text, b).document)
	b.Lines += int64(strings.Count(text, "\n"))
	if text != "" && !strings.HasSuffix(text, "\n") {
		b.Lines++
	}
	if b.Broken = c.schedule(); b.Broken == nil {
		p.emitChart(c, b)
	}
}

// positionOf is the position of a value in a table, to which it is added when it is new.
func positionOf[T comparable](of map[T]uint32, table *[]T, value T) uint32 {
	i, known := of[value]
	if !known {
		i = uint32(len(*table))
		*table = append(*table, value)
		of[value] = i
	}
	return i
}
