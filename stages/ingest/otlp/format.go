package otlp

import (
	"bufio"
	"bytes"
	"io"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
	"github.com/tracelake/tracelake/stages/ingest/spans"
)

// Format describes OTLP traces, in JSON or protobuf.
func Format() schema.Format {
	format := spans.Format("otlp", "OpenTelemetry spans, JSON or protobuf; several files",
		"a service is a component; calls between services are messages", []string{".json", ".bin"}, Detect, parse)
	format.Attributes = true
	format.NewGrowing = func(options schema.ReadingOptions) schema.Parser {
		return spans.NewGrowing(options, parse, new(sent).length)
	}
	return format
}

// Detect reports whether a file that begins with head holds OTLP traces.
// Protobuf is tried first, because its test reads some twenty bytes.
func Detect(head []byte) bool { return framingOf(head) != unframed || detectText(head) }

// headBytes is how much of a file is looked at to tell JSON from protobuf.
const headBytes = 64 << 10

// parse reads a file of either encoding, as its beginning shows.
// The beginning is peeked at and not taken, since the parser needs it again. A file shorter than that is looked at
// whole.
func parse(c *spans.Collector, in io.Reader, file string) error {
	room := schema.ReadAhead(in, headBytes)
	head := bufio.NewReaderSize(in, room)
	first, err := head.Peek(room)
	if err != nil && err != io.EOF {
		return err
	}
	if f := framingOf(first); f != unframed {
		return parseWire(c, &wire{source: head, file: file, buf: make([]byte, schema.ReadAhead(in, ahead))}, f)
	}
	return parseText(c, jsontext.New(head, file))
}

// detectText reports whether what may be the beginning of JSON has a list of resources among its first members.
// Lists of metrics or logs have other names there (resourceMetrics, resourceLogs), so an export that mixes signals is
// known by its first file of traces. The list itself is not read: it may be cut off.
func detectText(head []byte) bool {
	j := jsontext.New(bytes.NewReader(head), "")
	found := false
	var member func(name []byte) error
	value := func() error { return spans.Record(j, member) }
	member = func(name []byte) error {
		switch string(name) {
		case "resourceSpans", "resource_spans", "batches":
			found = found || j.Kind() == jsontext.Array
		case "trace", "result":
			return value()
		}
		if found {
			return io.EOF
		}
		return nil
	}
	if err := spans.Set(j, value); err == nil {
		value()
	}
	return found
}
