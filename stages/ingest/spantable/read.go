package spantable

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/spans"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// reader reads one file. It belongs to one goroutine.
type reader struct {
	*spans.Collector
	lines  *records
	file   string
	head   int // bytes that show the columns and the units of its times
	row    textfield.Row
	values [][]byte // of the object in hand, by field; nil where lines are read
	layout
	tagged []int // fields that are kept as attributes
}

// fault describes why a line is bad: the offset, and what was expected there.
type fault struct {
	at   int    // bytes from the start of the line
	want string // "" where nothing is wrong
	of   column // of a time
}

// read reads the file. Its columns and units are those of its own header, also where it is one file of several.
func (r *reader) read() error {
	head := r.lines.peek(r.head)
	l, _, err := find(head, r.Options())
	if l == nil && err == nil && len(bytes.TrimSpace(head)) > 0 {
		err = &schema.SyntaxError{Line: 1, Col: 1, Err: lacking(head, r.Options())}
	}
	var at *schema.SyntaxError
	if errors.As(err, &at) {
		at.File = r.file
		return r.Bad(at)
	}
	if l == nil {
		return r.lines.failed
	}
	r.layout, r.row = *l, textfield.Row{Separator: l.separator}
	r.tagged = l.attributes(r.Options())
	header := bytes.Clone(r.lines.next())
	r.say(r.lines.peek(0))
	for line := r.lines.next(); line != nil; line = r.lines.next() {
		if bytes.Equal(line, header) {
			continue
		}
		if err := r.take(line); err != nil {
			return err
		}
	}
	return r.lines.failed
}

// take takes a record. One that is bad is counted; at the end of a file that was cut off within it, as torn.
func (r *reader) take(line []byte) error {
	f := r.split(line)
	if f.want == "" && r.row.Blank() {
		return nil
	}
	var s spans.Span
	overflow := false
	if f.want == "" {
		s, overflow, f = r.span()
	}
	at := func(err error) *schema.SyntaxError {
		return &schema.SyntaxError{File: r.file, Line: r.lines.number, Col: int64(f.at) + 1, Err: err}
	}
	switch {
	case f.want != "" && r.lines.torn():
		return r.Torn(at(f.describe(&r.row)))
	case f.want != "":
		return r.Bad(at(f.describe(&r.row)))
	case overflow:
		r.TimeOverflow(at(errTimes))
		return nil
	}
	r.attribute(&s, at)
	return r.Add(s, at)
}

// attribute gives a span the attributes that the user asked for.
func (r *reader) attribute(s *spans.Span, at func(error) *schema.SyntaxError) {
	if !r.WantsAny() {
		return
	}
	set := schema.NoAttributes
	for _, i := range r.tagged {
		if value := r.field(i); len(value) > 0 {
			set = r.Tag(set, []byte(r.names[i]), value, at)
		}
	}
	r.Attributed(s, set)
}

// field is the text of a field in hand, empty where it is not there.
func (r *reader) field(at int) []byte {
	switch {
	case r.values != nil:
		return r.values[at]
	case at < r.row.Fields():
		return r.row.Text(at)
	}
	return nil
}

var errTimes = errors.New("expected times that fit 64 bits of nanoseconds")

// split cuts a record into its fields. Where a quoted field is open at the end of the line, it goes on in the lines behind it. Every
// round closes a field more, of which there are no more than the header has. What a stray quotation mark joined is taken apart again, so
// that no good lines go with it.
func (r *reader) split(line []byte) fault {
	f := r.fields(line)
	for longer := true; longer && f.want == textfield.Unclosed && r.row.Fields() < len(r.names); {
		line, longer = r.lines.extend()
		f = r.fields(line)
	}
	if f.want != "" && r.lines.lines > 1 {
		f = r.fields(r.lines.shorten())
	}
	return f
}

// fields cuts what is in hand of a record into its fields.
func (r *reader) fields(line []byte) fault {
	at, want := r.row.Split(line)
	switch {
	case r.lines.tooLong:
		return fault{want: "a record of at most a mebibyte"}
	case want == "" && r.row.Fields() > len(r.names):
		return fault{at: r.row.Begin(len(r.names)), want: "the end of the line, as the header has fewer fields"}
	}
	return fault{at: at, want: want}
}

// describe returns the error that people read: what was expected, and what stands there up to the next separator.
func (f fault) describe(row *textfield.Row) error {
	found, _, _ := bytes.Cut(row.Line[min(f.at, len(row.Line)):], []byte{row.Separator})
	if len(found) == 0 {
		return fmt.Errorf("expected %s, found nothing", f.want)
	}
	return fmt.Errorf("expected %s, found %s", f.want, textfield.Quote(found, textfield.MaxQuoted))
}

// text is the text of a column in the record, empty where it has none, and begin its place.
func (r *reader) text(c column) []byte {
	if at := r.at[c]; at != none {
		return r.field(at)
	}
	return nil
}

func (r *reader) begin(c column) int {
	if at := r.at[c]; at != none && at < r.row.Fields() {
		return r.row.Begin(at)
	}
	return len(r.row.Line)
}

// span makes a span of the record. An empty time is not known: package spans has a loss for that.
func (r *reader) span() (s spans.Span, overflow bool, f fault) {
	s = spans.Span{
		Trace: r.TraceID(r.text(traceColumn)), ID: spans.ParseID(r.text(spanColumn)), Parent: parentOf(r.text(parentColumn)),
		Service: r.Code(r.text(serviceColumn)), Instance: r.Code(r.text(instanceColumn)), Clock: r.Code(r.text(hostColumn)),
		Name: r.Code(r.text(nameColumn)), Kind: kindOf(r.text(kindColumn), r.text(nameColumn)),
		Failed:  r.failed(),
		StartNs: spans.Unknown, EndNs: spans.Unknown,
	}
	last := endColumn
	if r.at[endColumn] == none || len(r.text(endColumn)) == 0 {
		last = durationColumn
	}
	for _, c := range []column{startColumn, last} {
		text := r.text(c)
		if len(text) == 0 {
			continue
		}
		t := timeOf(text, r.unit[c])
		switch {
		case t.Want != "":
			return s, false, fault{min(r.begin(c)+t.At, len(r.row.Line)), t.Want, c}
		case t.Overflow:
			return s, true, fault{at: r.begin(c)}
		case c == startColumn:
			s.StartNs = t.Ns
		case c == endColumn:
			s.EndNs = t.Ns
		case s.StartNs != spans.Unknown:
			end, fits := spans.Sum(s.StartNs, t.Ns)
			if !fits {
				return s, true, fault{at: r.begin(c)}
			}
			s.EndNs = end
		}
	}
	return s, false, fault{}
}

// failed reports whether the span ended with an error. A column called success says the opposite, and one of errors may count them.
func (r *reader) failed() bool {
	text := r.text(statusColumn)
	if len(text) == 0 {
		return false
	}
	switch textfield.PlainHeading(r.names[r.at[statusColumn]]) {
	case "success":
		return bytes.EqualFold(text, []byte("false")) || string(text) == "0"
	case "error", "iserror", "haserror":
		if string(text) == "1" {
			return true
		}
	}
	return spans.ParseStatus(text)
}

// parentOf reads the id of a parent. Tables have words for none.
func parentOf(text []byte) uint64 {
	if len(text) <= len(`"null"`) {
		switch string(bytes.ToLower(text)) {
		case "root", "null", "none", "nan", "nil", "-", "-1":
			return 0
		}
	}
	return spans.ParseID(text)
}

// kindOf reads the kind of a span, as a word or as OpenTelemetry numbers it. SkyWalking calls what takes from a queue an entry, too: its
// operation ends in /Consumer.
func kindOf(text, name []byte) spans.Kind {
	if len(text) == 1 && text[0] >= '0' && text[0] <= '9' {
		return spans.NumberedKind(uint64(text[0] - '0'))
	}
	if bytes.EqualFold(text, []byte("entry")) && bytes.HasSuffix(name, []byte("/Consumer")) {
		return spans.Consumer
	}
	return spans.ParseKind(text)
}
