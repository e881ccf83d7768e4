package table

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// parser reads the rows of one table.
type parser struct {
	textfield.Row
	layout
	keys   []schema.EventKey    // of all rows so far
	marks  []schema.MessageMark // marks[0] is that of no message
	keyOf  map[string]uint32    // by the texts of its columns, see eventKey
	markOf map[string]uint32    // by direction, series and label as one text
	key    []byte               // of the row, as in keyOf
	mark   []byte               // of the row, as in markOf
}

// newParser returns a parser for rows of a layout that knows no names yet. Mark 0 is that of no message.
func newParser(l layout) *parser {
	return &parser{
		Row:    textfield.Row{Separator: l.separator},
		layout: l,
		marks:  make([]schema.MessageMark, 1),
		keyOf:  make(map[string]uint32),
		markOf: make(map[string]uint32),
	}
}

// Keys implements schema.Parser.
func (p *parser) Keys() schema.KeyList { return schema.EventKeys(p.keys) }

// Marks implements schema.Parser.
func (p *parser) Marks() []schema.MessageMark { return p.marks }

// Parse implements schema.Parser.
func (p *parser) Parse(data []byte, b *schema.Block) {
	// A guess of the number of rows: too small a one costs one more allocation.
	b.Grow(len(data)/48 + 16)
	for len(data) > 0 {
		line, next := cut(data)
		data = data[next:]
		if f := p.parseRow(line, b); !f.ok() {
			f.add(&b.Bad, b.Lines, &p.Row)
		}
		b.Lines++
	}
}

// parseRow reads a line and adds its event to the block.
func (p *parser) parseRow(line []byte, b *schema.Block) fault {
	if at, want := p.Split(line); want != "" {
		return fault{at, want}
	}
	// Fewer fields than the header are empty columns at the end; more cannot be told apart from a stray separator.
	if p.Fields() > p.width {
		return fault{p.Begin(p.width), "the end of the line, as the header has fewer fields"}
	}
	t := timeOf(p.columnText(timeColumn), p.unit)
	if t.Want != "" {
		return fault{min(p.columnBegin(timeColumn)+t.At, len(line)), t.Want}
	}
	key, f := p.eventKey()
	if !f.ok() {
		return f
	}
	mark, id, f := p.messageMark()
	if !f.ok() {
		return f
	}
	// The time is judged last: a row that is wrong in other ways too counts as bad.
	if t.Overflow {
		fault{p.columnBegin(timeColumn), "a time within 64 bits of nanoseconds"}.add(&b.Overflow, b.Lines, &p.Row)
		return fault{}
	}
	b.TimeNs = append(b.TimeNs, t.Ns)
	b.Key = append(b.Key, key)
	b.Mark = append(b.Mark, mark)
	b.MessageID = append(b.MessageID, id)
	b.Line = append(b.Line, uint32(b.Lines))
	return fault{}
}

// columnText is the text of a column in the row, empty where the row has none.
func (p *parser) columnText(c column) []byte {
	if at := p.at[c]; at >= 0 && at < p.Fields() {
		return p.Text(at)
	}
	return nil
}

// columnBegin is where a column begins in the row.
func (p *parser) columnBegin(c column) int {
	if at := p.at[c]; at >= 0 && at < p.Fields() {
		return p.Begin(at)
	}
	// A column that the row lacks is missed at its end.
	return len(p.Line)
}

// timeOf reads a time in a unit of nanoseconds; with unit 0, numbers with a decimal point are seconds and others ns.
func timeOf(s []byte, unit int64) textfield.Reading {
	const want = "a digit or '.' in the time"
	switch {
	// Instants have dates of their own, so no unit applies to them.
	case textfield.IsInstant(s):
		return textfield.Instant(s)
	case unit == 0:
		return textfield.Number(s, 1, textfield.Second, want)
	default:
		return textfield.Number(s, unit, unit, want)
	}
}
