package spantable

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
	"github.com/tracelake/tracelake/stages/ingest/spans"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// objects reads spans that are objects of JSON, wherever in the text they lie. An object is a span if its members have what a table of spans must
// have; a member of a member is called by both names, as trace.id. The members of the first spans are the columns.
type objects struct {
	json    *jsontext.Reader
	options schema.ReadingOptions
	take    func(*object) error // takes a span, whose memory is the caller's

	member         func(name []byte) error
	value, element func() error

	object                      // what is known of the objects in hand, the outermost first
	path    []byte              // in front of the names of the members in hand
	columns map[string]spanPart // what names are good for
}

// object is members of an object that are texts, numbers or truth values.
type object struct {
	members []member
	text    []byte // names and values
	line    int64  // where the object ends
	col     int64
}

// member is where the name and the value of a member lie in the text of its object.
type member struct{ name, value, end int }

// spanPart says which columns of spans the name of a member may be, a bit each.
type spanPart uint16

// telling is a column of ids of spans whose name no other ids have.
const telling spanPart = 1 << columns

// Bounds of what is kept of an object. What is longer or larger is no span.
const (
	maxMembers  = 4096
	maxText     = 1 << 20
	maxName     = 512
	maxKnown    = 1 << 16
	firstSpans  = 2 * sampleRows // that are looked at to find the columns
	objectsHead = 1 << 20        // bytes of text of these
)

func newObjects(j *jsontext.Reader, o schema.ReadingOptions, take func(*object) error) *objects {
	s := &objects{json: j, options: o, take: take, columns: make(map[string]spanPart)}
	s.member, s.value, s.element = s.takeMember, s.takeValue, s.takeElement
	return s
}

// isJSON reports whether a file may be one of JSON.
func isJSON(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte(textfield.ByteOrderMark)), " \t\r\n")
	return len(head) > 0 && (head[0] == '{' || head[0] == '[')
}

// hasObjects reports whether there is a span in what a file begins with. The head may be cut off anywhere.
func hasObjects(head []byte, o schema.ReadingOptions) (found bool) {
	s := newObjects(jsontext.New(bytes.NewReader(head), ""), o, func(*object) error {
		found = true
		return io.EOF
	})
	for !found && s.json.Kind() != jsontext.End && s.json.Err() == nil {
		if s.takeValue() != nil {
			break
		}
	}
	return found
}

// takeValue takes a value that lies in no object.
func (s *objects) takeValue() error {
	s.members, s.text, s.path = s.members[:0], s.text[:0], s.path[:0]
	return s.takeElement()
}

// takeElement takes a value whose names stand for themselves: what it has is nothing to the objects around it.
func (s *objects) takeElement() error {
	switch s.json.Kind() {
	case jsontext.Array:
		return s.json.Array(s.element)
	case jsontext.Object:
		members, text := len(s.members), len(s.text)
		err := s.takeObject()
		s.members, s.text = s.members[:members], s.text[:text]
		return err
	}
	return s.json.Skip()
}

// takeObject takes an object. If it is a span, it is handed on, and what it has is nothing to the objects around it.
func (s *objects) takeObject() error {
	members, text, prefix := len(s.members), len(s.text), len(s.path)
	if err := s.json.Object(s.member); err != nil {
		return err
	}
	if !s.isSpan(members, prefix) {
		return nil
	}
	at := s.json.At(io.EOF)
	span := object{members: s.members[members:], text: s.text, line: at.Line, col: at.Col}
	for i := range span.members {
		span.members[i].name += prefix
	}
	s.members, s.text = s.members[:members], s.text[:text]
	return s.take(&span)
}

// takeMember takes a member of an object.
func (s *objects) takeMember(name []byte) error {
	before, kind := len(s.path), s.json.Kind()
	switch {
	case kind == jsontext.Object && before+len(name) < maxName:
		s.path = append(append(s.path, name...), '.')
		err := s.takeObject()
		s.path = s.path[:before]
		return err
	case kind == jsontext.Array:
		return s.json.Array(s.element)
	case kind != jsontext.String && kind != jsontext.Number && kind != jsontext.Bool,
		len(s.members) >= maxMembers, len(s.text) >= maxText, before+len(name) >= maxName:
		return s.json.Skip()
	}
	m := member{name: len(s.text)}
	s.text = append(append(s.text, s.path...), name...)
	m.value = len(s.text)
	s.text = append(s.text, spans.ValueText(s.json)...)
	m.end = len(s.text)
	s.members = append(s.members, m)
	return s.json.Err()
}

// isSpan reports whether the members from one on, whose names stand behind a prefix, are those of a span.
func (s *objects) isSpan(from, prefix int) bool {
	var has spanPart
	for _, m := range s.members[from:] {
		has |= s.partOf(s.text[m.name+prefix : m.value])
	}
	timed := has.is(startColumn) && (has.is(endColumn) || has.is(durationColumn))
	return timed && has.is(traceColumn) && has.is(spanColumn) && (has&telling != 0 || has.is(parentColumn))
}

func (p spanPart) is(c column) bool { return p&(1<<c) != 0 }

// partOf returns the columns that a member of this name may be.
func (s *objects) partOf(name []byte) spanPart {
	part, known := s.columns[string(name)]
	if known {
		return part
	}
	names := []string{string(name)}
	plain := []string{textfield.PlainHeading(names[0])}
	for c := range column(columns) {
		if at, _, err := locate(c, names, plain, s.options); err == nil && at != none {
			part |= 1 << c
		}
	}
	if part.is(spanColumn) && plain[0] != "id" {
		part |= telling
	}
	if len(s.columns) < maxKnown {
		s.columns[names[0]] = part
	}
	return part
}

// nameOf and valueOf are the name and the value of a member.
func (o *object) nameOf(m member) []byte  { return o.text[m.name:m.value] }
func (o *object) valueOf(m member) []byte { return o.text[m.value:m.end] }

// parseObjects reads a file of JSON. The first spans wait until their columns and the units of their times are known.
func parseObjects(c *spans.Collector, in io.Reader, file string) error {
	r := &objectReader{reader: &reader{Collector: c, file: file}}
	s := newObjects(jsontext.New(in, file), c.Options(), r.take)
	if err := spans.EachText(c, s.json, s.value); err != nil {
		return err
	}
	return r.begin()
}

// objectReader makes spans of objects.
type objectReader struct {
	*reader
	waiting []object       // until the columns are known
	size    int            // of their text
	fieldOf map[string]int // by the names of the columns that spans have; nil until they are known
}

// take takes an object that is a span.
func (r *objectReader) take(o *object) error {
	if r.fieldOf != nil {
		return r.add(o)
	}
	first := o.members[0].name // it has those by which it is known
	kept := object{members: slices.Clone(o.members), text: bytes.Clone(o.text[first:]), line: o.line, col: o.col}
	for i := range kept.members {
		m := &kept.members[i]
		m.name, m.value, m.end = m.name-first, m.value-first, m.end-first
	}
	r.waiting, r.size = append(r.waiting, kept), r.size+len(kept.text)
	if len(r.waiting) < firstSpans && r.size < objectsHead {
		return nil
	}
	return r.begin()
}

// begin finds the columns by the objects that wait, and adds their spans.
func (r *objectReader) begin() error {
	if r.fieldOf != nil || len(r.waiting) == 0 {
		return nil
	}
	all := make(map[string]int)
	var names []string
	for i := range r.waiting {
		for _, m := range r.waiting[i].members {
			if name := string(r.waiting[i].nameOf(m)); len(names) < maxMembers {
				if _, known := all[name]; !known {
					all[name] = len(names)
					names = append(names, name)
				}
			}
		}
	}
	l, err := resolve(names, r.Options())
	if err != nil {
		err = fmt.Errorf("objects with the members %s: %w", textfield.Quote([]byte(strings.Join(names, " ")), maxHeader), err)
		return r.Bad(&schema.SyntaxError{File: r.file, Line: r.waiting[0].line, Col: r.waiting[0].col, Err: err})
	}
	r.fieldOf = make(map[string]int)
	r.tagged = l.attributes(r.Options())
	for _, at := range append(slices.Clone(r.tagged), l.at[:]...) {
		if at != none {
			r.fieldOf[names[at]] = at
		}
	}
	l.separator = ','
	r.layout, r.row, r.values = *l, textfield.Row{Separator: ','}, make([][]byte, len(names))
	rows := r.table()
	r.guessUnits(rows)
	r.say(rows)
	for i := range r.waiting {
		if err := r.add(&r.waiting[i]); err != nil {
			return err
		}
	}
	r.waiting = nil
	return nil
}

// table writes the objects that wait as the rows that they would be in CSV.
func (r *objectReader) table() (rows []byte) {
	for i := range r.waiting {
		r.spread(&r.waiting[i])
		for at, value := range r.values {
			if at > 0 {
				rows = append(rows, ',')
			}
			rows = appendField(rows, bytes.ReplaceAll(value, []byte{'\n'}, []byte{' '}))
		}
		rows = append(rows, '\n')
	}
	return rows
}

// spread puts the members of an object where the fields of its columns are.
func (r *objectReader) spread(o *object) {
	clear(r.values)
	for _, m := range o.members {
		if at, wanted := r.fieldOf[string(o.nameOf(m))]; wanted && m.end > m.value {
			r.values[at] = o.valueOf(m)
		}
	}
}

// add makes a span of an object.
func (r *objectReader) add(o *object) error {
	r.spread(o)
	s, overflow, f := r.span()
	at := func(err error) *schema.SyntaxError {
		return &schema.SyntaxError{File: r.file, Line: o.line, Col: o.col, Err: err}
	}
	switch {
	case f.want != "":
		found := textfield.Quote(r.text(f.of), textfield.MaxQuoted)
		return r.Bad(at(fmt.Errorf("expected %s as %s of the object that ends here, found %s", f.want, r.names[r.at[f.of]], found)))
	case overflow:
		r.TimeOverflow(at(errTimes))
		return nil
	}
	r.attribute(&s, at)
	return r.Add(s, at)
}
