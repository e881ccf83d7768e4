package tmsct

import (
	"bytes"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

const byteOrder = "\xef\xbb\xbf" // the mark that begins a text in UTF-8, of 3 bytes

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
	keys  schema.Numbering[schema.EventKey]    // of all texts so far
	marks schema.Numbering[schema.MessageMark] // mark 0 is that of no message
}

// newParser returns a parser that knows no names yet.
func newParser() *parser {
	p := new(parser)
	p.marks.Number(schema.MessageMark{})
	return p
}

// Keys implements schema.Parser.
func (p *parser) Keys() schema.KeyList { return schema.EventKeys(p.keys.List) }

// Marks implements schema.Parser.
func (p *parser) Marks() []schema.MessageMark { return p.marks.List }

// Parse implements schema.Parser.
func (p *parser) Parse(data []byte, b *schema.Block) {
	// Identifiers are parts of this copy while the text is read. What outlives the call is cloned, so that a name does
	// not keep the whole text in memory.
	text := string(data)
	c := newChart(read(text, b).document)
	// Lines are counted in the text as it is, whatever the statements were; the last one may lack its end.
	b.Lines += int64(strings.Count(text, "\n"))
	if text != "" && !strings.HasSuffix(text, "\n") {
		b.Lines++
	}
	if b.Broken = c.schedule(); b.Broken == nil {
		p.emitChart(c, b)
	}
}
