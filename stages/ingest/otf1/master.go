package otf1

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// streamID is a stream that the master file names.
type streamID struct {
	number uint64 // as in the names of its files
	line   int64  // of the master file
}

// master reads the master file and returns the streams in its order, which is the order of events of one time.
func (r *reader) master() (ids []streamID, err error) {
	name := r.trace.Path
	// 1. The file by its name, by which the streams are called too.
	if strings.HasSuffix(name, controlExt) {
		return nil, fmt.Errorf("%s: %s", name, unify)
	}
	stub, named := strings.CutSuffix(name, masterExt)
	if !named {
		return nil, fmt.Errorf("%s: the master file of an OTF trace must be called STUB%s, for its streams are called STUB.1.events and so on", name, masterExt)
	}
	r.stub = stub
	in, closer, err := r.open(name, firstBuffer)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	in.src = io.MultiReader(in.src, bytes.NewReader(newline)) // the last line may lack its end
	// 2. Its lines, each a stream. A line that is none is counted, and the others are read.
	// A stream that is named twice would be read twice.
	seen := make(map[uint64]bool)
	for in.next() {
		if ids, err = r.masterLine(in, ids, seen); err != nil {
			return nil, err
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("%s: no stream is named in it", name)
	}
	return ids, r.checkEnd(in)
}

// masterLine adds the stream of the line at hand. Lines without a colon are comments, as the library takes them.
func (r *reader) masterLine(in *lines, ids []streamID, seen map[uint64]bool) ([]streamID, error) {
	line := bytes.TrimSpace(in.line())
	switch {
	case forwarded(line):
		return nil, in.syntax(0, errors.New("the trace was written through an I/O forwarding server (line i); copy it to files of its own with otfmerge"))
	case bytes.IndexByte(line, ':') < 0:
		return ids, nil
	}
	number, fault := parseStream(line)
	if fault == "" && seen[number] {
		fault = "a stream that was not named before"
	}
	if fault != "" {
		return ids, r.reading.Bad(schema.BadRecord, in.syntax(0, expected(fault)))
	}
	seen[number] = true
	return append(ids, streamID{number, in.number()}), nil
}

// forwarded reports whether a line is about an I/O forwarding server.
func forwarded(line []byte) bool {
	return len(line) > 1 && line[0] == 'i' && (line[1] == ' ' || hexDigit[line[1]] < 16)
}

// parseStream reads a line of the master file. Which processes a stream has its events say too.
func parseStream(line []byte) (number uint64, fault string) {
	f := fields{text: line}
	if number = f.hex("the number of a stream"); f.fault != "" {
		return 0, f.fault
	}
	if f.skip(); f.at == len(line) || line[f.at] != ':' {
		return 0, "':' after the number of a stream"
	}
	// At f.at is the colon or a comma, behind which a process must come.
	for more := true; more && f.fault == ""; {
		f.at++
		f.hex("a process")
		f.skip()
		more = f.at < len(line) && line[f.at] == ','
	}
	if f.fault == "" && f.at < len(line) {
		return 0, "',' between processes"
	}
	return number, f.fault
}

// expected returns the error that something else was expected.
func expected(what string) error { return errors.New("expected " + what) }
