package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/table"
	"github.com/tracelake/tracelake/stages/ingest/text"
	"github.com/tracelake/tracelake/stages/ingest/tmsct"
)

// detector finds the format of a trace: the one named by --format, else the one that the content shows.
func (f *flags) detector() (ingest.Detect, error) {
	opt := table.Options{TimeUnit: f.timeUnit, Columns: make(map[string]string)}
	for _, pair := range f.columns {
		column, header, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, console.Usagef("--columns %q: write column=header", pair)
		}
		opt.Columns[column] = header
	}
	return func(file string, head []byte) (schema.Format, error) {
		if len(head) == 0 {
			return schema.Format{}, fmt.Errorf("%s is empty", file)
		}
		if format, ok := readerNamed(f.format); ok {
			return format, nil
		}
		switch f.format {
		case "thesis":
			return text.Thesis(), nil
		case "tmsctrace":
			return text.Tmsctrace(), nil
		case "tmsct":
			return tmsct.Named(head), nil
		case "table":
			return detectTable(file, head, opt)
		}
		if format, ok := readerOf(head); ok {
			return format, nil
		}
		if format, ok := tmsct.Detect(head); ok || isTmsct(file) {
			return format, nil
		}
		if format, ok := text.Detect(head); ok {
			return format, nil
		}
		return detectTable(file, head, opt)
	}, nil
}

// isTmsct says whether a file is called .tmsct, as such texts may look like traces of other formats.
func isTmsct(file string) bool {
	return strings.HasSuffix(uncompressed(file), ".tmsct")
}

func detectTable(file string, head []byte, opt table.Options) (schema.Format, error) {
	format, ok, err := table.Detect(head, opt)
	var syntax *schema.SyntaxError
	if errors.As(err, &syntax) {
		return format, &schema.SyntaxError{File: file, Line: syntax.Line, Col: syntax.Col, Err: syntax.Err}
	}
	if err != nil {
		return format, fmt.Errorf("%s: %w", file, err)
	}
	if !ok {
		line, _, _ := bytes.Cut(head, []byte{'\n'})
		return format, fmt.Errorf("%s:1:1: no known trace format: the first line is %.60q; see ingest --help for the formats, or name one with --format", file, line)
	}
	return format, nil
}
