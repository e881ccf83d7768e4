package spantable

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/spans"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// Format describes tables of spans.
// A table is known by its header. Which names its columns have may be up to the user, so it is prepared with the options; without
// them, as in a folder, the usual names count.
func Format() schema.Format {
	isFile := func(head []byte) bool {
		if isJSON(head) {
			return hasObjects(head, schema.ReadingOptions{})
		}
		_, likely, err := find(head, schema.ReadingOptions{})
		return likely && err == nil
	}
	f := spans.Format("spans", "spans as CSV, TSV, Parquet or JSON objects: trace, span, parent, service, name, start, end or duration; several files",
		"as otlp; `TraceID,SpanID,ParentID,PodName,OperationName,StartTimeUnixNano,EndTimeUnixNano`; header names and units may differ (`--columns start=NAME:us`)",
		[]string{".parquet", ".jsonl", ".ndjson"}, isFile, parse)
	f.Attributes = true
	f.Prepare = func(head []byte, o schema.ReadingOptions) (schema.Format, bool, error) {
		if isParquet(head) {
			return f, true, nil // the columns stand at its end
		}
		if isJSON(head) {
			return f, hasObjects(head, o), nil
		}
		_, likely, err := find(head, o)
		return f, likely, err
	}
	return f
}

// maxHeader bounds the bytes of the header that an error shows.
const maxHeader = 200

// find finds the columns of a table that begins with head, and reports whether it is one of spans. Where it is one but lacks a
// column, the error says which and what to do.
func find(head []byte, o schema.ReadingOptions) (*layout, bool, error) {
	head = bytes.TrimPrefix(head, []byte(textfield.ByteOrderMark))
	line, rows, _ := bytes.Cut(head, []byte{'\n'})
	line = bytes.TrimSuffix(line, []byte{'\r'})
	l, err := header(line, o)
	if l == nil {
		return nil, false, nil
	}
	if err != nil {
		err = fmt.Errorf("header %s: %w", textfield.Quote(line, maxHeader), err)
		return nil, false, &schema.SyntaxError{Line: 1, Col: 1, Err: err}
	}
	l.guessUnits(rows)
	return l, true, nil
}

// lacking says which columns a table lacks that the user calls one of spans, and that does not look like one.
func lacking(head []byte, o schema.ReadingOptions) error {
	line, _, _ := bytes.Cut(bytes.TrimPrefix(head, []byte(textfield.ByteOrderMark)), []byte{'\n'})
	line = bytes.TrimSuffix(line, []byte{'\r'})
	var most []string
	for i := range textfield.Separators {
		if names, err := textfield.Headings(line, textfield.Separators[i]); err == nil && len(names) > len(most) {
			most = names
		}
	}
	if len(most) >= 2 {
		if _, err := resolve(most, o); err != nil {
			return fmt.Errorf("header %s: %w", textfield.Quote(line, maxHeader), err)
		}
	}
	return errors.New("expected a header with the columns of spans, with commas, semicolons or tabs between")
}

// header reads the header line with the separator that gives it the most columns of spans. There is no layout when the line
// does not look like a header of spans.
func header(line []byte, o schema.ReadingOptions) (best *layout, fault error) {
	for i := range textfield.Separators {
		names, err := textfield.Headings(line, textfield.Separators[i])
		if err != nil || len(names) < 2 {
			continue
		}
		l, err := resolve(names, o)
		l.separator = textfield.Separators[i]
		if l.likely(o) && (best == nil || l.has() > best.has()) {
			best, fault = l, err
		}
	}
	return best, fault
}

// headBytes is how much of a file is looked at to find its columns and the units of its times.
const headBytes = 64 << 10

// headOfParquet is how much is looked at of the lines of a file of Parquet, so that the units of its times are the same with attributes,
// which make its lines longer.
const headOfParquet = maxRecord

// headOfJSON is how much of a file shows whether it is one of JSON.
const headOfJSON = 64

// parse reads a file.
func parse(c *spans.Collector, in io.Reader, file string) error {
	begin := bufio.NewReader(in)
	head, _ := begin.Peek(headOfJSON) // what cannot be read shows again
	switch {
	case isJSON(head):
		return parseObjects(c, begin, file)
	case !isParquet(head):
		r := &reader{Collector: c, lines: newRecords(begin, in), file: file, head: headBytes}
		return r.read()
	}
	return parseParquet(c, begin, file)
}

// parseParquet reads a file of Parquet. One that is broken is counted, and what was read of it before is kept.
func parseParquet(c *spans.Collector, in io.Reader, file string) (err error) {
	scratch, err := c.Scratch()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, scratch.Close()) }()
	var failed *copyError
	rows, err := openParquet(in, scratch, c.Options())
	switch {
	case errors.As(err, &failed):
		return failed.error
	case err == nil:
		r := &reader{Collector: c, lines: newRecords(rows, rows), file: file, head: headOfParquet}
		err = r.read()
		for _, d := range rows.damaged {
			err = errors.Join(err, c.Damaged(d.column, d.rows, &schema.SyntaxError{File: file, Err: d.err}))
		}
		if rows.broken == nil {
			return err
		}
		err = rows.broken
	}
	return c.Bad(&schema.SyntaxError{File: file, Err: err})
}
