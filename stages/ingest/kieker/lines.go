package kieker

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/tracelake/tracelake/schema"
)

// maxLine is the longest line that is read, in bytes.
const maxLine = 1 << 20

var errLong = errors.New("a line of more than 1 MiB")

// lines cuts a file into lines.
// It takes bufio.Reader's own buffer where a line lies in it, and copies only longer ones.
type lines struct {
	in     *bufio.Reader
	number int64 // of the last line, from 1
	torn   bool  // the last line has no end
	spill  []byte
}

// next returns the next line without its end, valid until the next call. A line that is too long is passed over, with errLong.
func (l *lines) next() ([]byte, error) {
	l.number++
	piece, err := l.in.ReadSlice('\n')
	switch {
	case err == nil:
		return trimEnd(piece), nil
	case errors.Is(err, bufio.ErrBufferFull):
		return l.long(piece)
	case err == io.EOF && len(piece) > 0:
		l.torn = true
		return trimEnd(piece), nil
	}
	return nil, err
}

// long reads on in a line that is longer than the buffer.
// It goes on to the end of the line in any case, so that the next call begins with a line.
func (l *lines) long(piece []byte) ([]byte, error) {
	l.spill = append(l.spill[:0], piece...)
	for {
		piece, err := l.in.ReadSlice('\n')
		if len(l.spill) <= maxLine {
			l.spill = append(l.spill, piece...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && err != io.EOF {
			return nil, err
		}
		if l.torn = err == io.EOF; len(l.spill) > maxLine {
			return nil, errLong
		}
		return trimEnd(l.spill), nil
	}
}

// trimEnd cuts off the end of a line as Unix or Windows writes it.
func trimEnd(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'})
}

// each passes on every line of a file. A line that visit finds wrong is counted as bad, or as torn if it is the
// last one and has no end. Visit says what is wrong and where in the line, counted from 0.
// Empty lines are no records. An error of the file behind a part of it, as of a broken compression, counts as torn,
// and the rest of the log is read.
func (f *folder) each(name string, in *bufio.Reader, visit func(line []byte) (column int, err error)) error {
	l := &lines{in: in}
	f.place = func(err error) *schema.SyntaxError {
		return &schema.SyntaxError{File: name, Line: l.number, Col: 1, Err: err}
	}
	for {
		line, err := l.next()
		switch {
		case err == io.EOF:
			return nil
		case err == errLong:
			if err = f.r.reading.Bad(schema.BadRecord, f.place(err)); err != nil {
				return err
			}
			continue
		case err != nil:
			return f.r.reading.Bad(schema.TornRecord, f.place(err))
		case len(line) == 0:
			continue
		}
		column, err := visit(line)
		if err == nil {
			continue
		}
		if err := f.fault(err, column, l.torn); err != nil {
			return err
		}
	}
}

// stop wraps an error that ends the reading, to tell it from a fault of a line.
type stop struct{ error }

// fault counts a line that is wrong.
// The column is known to the visitor alone, and the line to the reader of lines; here they become one place.
func (f *folder) fault(err error, column int, torn bool) error {
	if s, is := err.(stop); is {
		return s.error
	}
	at := f.place(err)
	at.Col = int64(column) + 1
	switch {
	case err == errUnknown:
		f.r.reading.Ledger.Add(schema.UnknownRecord, at.Error)
		return nil
	case torn:
		return f.r.reading.Bad(schema.TornRecord, at)
	}
	return f.r.reading.Bad(schema.BadRecord, at)
}

var (
	errDollar  = errors.New(`no "$" and number at the start`)
	errEquals  = errors.New(`no "=" after the number`)
	errTwice   = errors.New("a number has another value already")
	errUnknown = errors.New("a class of records that the map does not name, or that is not Kieker's")
)

// numbered cuts "$number" off a line. Rest begins with the character behind it.
// Eleven digits are enough for any number of a map, which has 32 bits, and cannot overflow.
func numbered(line []byte) (number int64, rest []byte, ok bool) {
	if len(line) < 2 || line[0] != '$' {
		return 0, nil, false
	}
	i := 1
	for ; i < len(line) && i < 12 && line[i]-'0' < 10; i++ {
		number = number*10 + int64(line[i]-'0')
	}
	return number, line[i:], i > 1
}

// define reads a line of a map.
// Every value is kept as a text and as a class, as the map does not say which it is. Of two values of one number the
// last one holds.
func (f *folder) define(line []byte) (int, error) {
	number, rest, ok := numbered(line)
	if !ok {
		return 0, errDollar
	}
	if len(rest) == 0 || rest[0] != '=' {
		return len(line) - len(rest), errEquals
	}
	value := unescape(nil, rest[1:], escapes)
	if old, known := f.texts[number]; known && !bytes.Equal(old, value) {
		at := f.place(errTwice)
		f.r.reading.Ledger.Add(schema.DuplicateDef, at.Error)
	}
	f.name(number, value)
	return 0, nil
}

// name gives a number a text, which may be a class.
func (f *folder) name(number int64, text []byte) {
	f.texts[number], f.classes[number] = text, layoutOf(string(text))
}

// escapes are the characters of a map that stand for others after a backslash.
var escapes = map[byte]byte{'n': '\n', 'r': '\r'}

// unescape appends a text without its backslashes.
// A backslash at the very end stands for itself.
func unescape(to, text []byte, special map[byte]byte) []byte {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' && i+1 < len(text) {
			i++
			c = text[i]
			if s, is := special[c]; is {
				c = s
			}
		}
		to = append(to, c)
	}
	return to
}

// numberAsText names a string that the map lacks by its number.
func numberAsText(number int64) []byte { return append([]byte{'$'}, strconv.FormatInt(number, 10)...) }
