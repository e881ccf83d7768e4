package table

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

const (
	sampleRows = 100 // rows by which the unit of time is found
	likely     = 2   // columns by which a line is taken for a header
)

// Detect finds out whether a trace is a table, by its first bytes, which may end within a line, and how
// to read it. When it is one but lacks a column, the error says which and what to do.
func Detect(head []byte, o Options) (schema.Format, bool, error) {
	if err := o.check(); err != nil {
		return schema.Format{}, false, err
	}
	start := 0
	if bytes.HasPrefix(head, []byte(textfield.ByteOrderMark)) {
		start = len(textfield.ByteOrderMark)
	}
	// The first line alone decides whether this is a table.
	line, end := cut(head[start:])
	l, err := header(line, o)
	if l == nil {
		return schema.Format{}, false, nil
	}
	if err != nil {
		err = fmt.Errorf("header %s: %w", textfield.Quote(line, maxHeader), err)
		return schema.Format{}, false, &schema.SyntaxError{Line: 1, Col: 1, Err: err}
	}
	start += end
	// Decimals in one row decide for all: seconds that are whole by chance must not be read as nanoseconds.
	if l.unit == 0 && l.pointed(head[start:]) {
		l.unit = textfield.Second
	}
	// The layout is copied into every parser, so that parsers of one trace can run at the same time.
	f := Format()
	f.Header = start
	f.NewParser = func() schema.Parser { return newParser(*l) }
	return f, true, nil
}

// check returns an error for options that no table can have.
func (o Options) check() error {
	if !slices.Contains([]string{"", "s", "ms", "us", "ns"}, o.TimeUnit) {
		return fmt.Errorf("option time unit %q: expected s, ms, us or ns", o.TimeUnit)
	}
	// The smallest unknown name is reported, so that the message does not depend on the order of a map.
	var known, unknown []string
	for _, h := range headings {
		known = append(known, h[0])
	}
	for name := range o.Columns {
		if !slices.Contains(known, name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	slices.Sort(unknown)
	return fmt.Errorf("--columns: %q is no column of a trace; they are %s", unknown[0], strings.Join(known, ", "))
}

// header reads the header line with the separator that gives it the most columns. There is no layout
// when the line does not look like a header.
func header(line []byte, o Options) (best *layout, fault error) {
	for i := range textfield.Separators {
		names, err := textfield.Headings(line, textfield.Separators[i])
		// A line without the separator is one field, which is no table.
		if err != nil || len(names) < 2 {
			continue
		}
		// A header that lacks a column is still a header: its fault is reported, where no header would mean another
		// format.
		l, err := resolve(names, o)
		l.separator = textfield.Separators[i]
		// Of equal separators the first holds: tabs before semicolons before commas, which names may hold.
		if l.has() >= likely && (best == nil || l.has() > best.has()) {
			best, fault = l, err
		}
	}
	return best, fault
}

// pointed reports whether a time in the first rows is a number with a decimal point.
func (l *layout) pointed(rows []byte) bool {
	r := textfield.Row{Separator: l.separator}
	for range sampleRows {
		// At most so many rows are looked at, whatever the size of the trace.
		line, end := cut(rows)
		rows = rows[end:]
		// Bad rows are passed over here and counted when they are parsed.
		if _, want := r.Split(line); want != "" || l.at[timeColumn] >= r.Fields() {
			continue
		}
		if t := r.Text(l.at[timeColumn]); !textfield.IsInstant(t) && bytes.IndexByte(t, '.') >= 0 {
			return true
		}
	}
	return false
}

// cut returns the first line of data without its line end, and where the next begins.
func cut(data []byte) (line []byte, next int) {
	line, next = data, len(data)
	if end := bytes.IndexByte(data, '\n'); end >= 0 {
		line, next = data[:end], end+1
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line, next
}
