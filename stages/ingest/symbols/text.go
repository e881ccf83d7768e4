package symbols

import (
	"bufio"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tracelake/tracelake/schema"
)

// maxLine is the length of the longest line that is read. Names of C++ templates are long.
const maxLine = 1 << 20

var (
	errAddress = errors.New("expected a hexadecimal address")
	errName    = errors.New("expected a function")
	errText    = errors.New("line is not valid UTF-8")
	errLength  = errors.New("line is longer than 1 MiB")
)

// FromTable reads a table of functions as text; the file is its name in errors. It stops at the first line that
// is not of the format, with a *schema.SyntaxError.
func FromTable(r io.Reader, file string) (*Table, error) {
	var functions []function
	in := bufio.NewReaderSize(r, schema.ReadAhead(r, 1<<16))
	for line := int64(1); ; line++ {
		// A table without functions is good: all of its program may be unknown.
		text, err := readLine(in)
		if text == "" && err == io.EOF {
			return newTable(functions), nil
		}
		if err != nil && err != io.EOF {
			if errors.Is(err, errLength) {
				err = &schema.SyntaxError{File: file, Line: line, Col: 1, Err: err}
			}
			return nil, err
		}
		text = strings.TrimRight(text, "\r\n")
		if text == "" || line == 1 && strings.HasPrefix(text, "addr\t") {
			continue
		}
		f, col, err := parse(text)
		if err != nil {
			return nil, &schema.SyntaxError{File: file, Line: line, Col: col, Err: err}
		}
		f.rank = -len(functions) // the last of one address holds
		functions = append(functions, f)
	}
}

// readLine returns the next line with its end.
func readLine(in *bufio.Reader) (string, error) {
	var line []byte
	for {
		piece, err := in.ReadSlice('\n')
		// A copy, since the piece is of the buffer.
		line = append(line, piece...)
		if len(line) > maxLine {
			return "", errLength
		}
		if err != bufio.ErrBufferFull {
			return string(line), err
		}
	}
}

// parse reads a line without its end. The column is that of the error.
func parse(text string) (f function, col int64, err error) {
	if !utf8.ValidString(text) {
		return f, 1, errText
	}
	address, rest, _ := strings.Cut(text, "\t")
	name, rest, _ := strings.Cut(rest, "\t")
	unit, _, _ := strings.Cut(rest, "\t")
	if f.start, err = strconv.ParseUint(strings.TrimPrefix(address, "0x"), 16, 64); err != nil {
		return f, 1, errAddress
	}
	if name == "" {
		return f, int64(len(address)) + 2, errName
	}
	// As addr2line writes what it does not know.
	if unit == "?" || unit == "??" {
		unit = ""
	}
	// Copies, so that a table does not keep the lines in memory.
	f.name, f.unit = strings.Clone(name), strings.Clone(unit)
	return f, 0, nil
}
