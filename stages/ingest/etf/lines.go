package etf

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/tracelake/tracelake/schema"
)

const (
	window  = 1 << 18 // bytes read at once
	maxLine = 1 << 20 // bytes; sampled series may be longer, but are of no use here
)

// lines reads a text line by line.
type lines struct {
	from   *bufio.Reader // with a window of bytes
	file   string        // its name, for positions
	number int64         // of the line in hand, from 1
	spill  []byte        // a line that is longer than the window
}

// next returns the next line without its end; it lasts until the next call. Of a line that is too long it is the
// beginning. The error is io.EOF behind the last line.
func (l *lines) next() ([]byte, error) {
	l.number++
	line, err := l.from.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		line, err = l.rest(line)
	}
	if err != nil && (err != io.EOF || len(line) == 0) {
		return nil, err
	}
	return bytes.TrimSpace(line), nil
}

// rest reads on a line that does not fit into the window.
// Memory is bounded by maxLine; what lies behind it is read and dropped.
func (l *lines) rest(begin []byte) ([]byte, error) {
	l.spill = append(l.spill[:0], begin...)
	for {
		more, err := l.from.ReadSlice('\n')
		if room := maxLine - len(l.spill); room > 0 {
			l.spill = append(l.spill, more[:min(len(more), room)]...)
		}
		if err != bufio.ErrBufferFull {
			return l.spill, err
		}
	}
}

// wrong returns an error in the line in hand.
func (l *lines) wrong(what string) *schema.SyntaxError {
	return &schema.SyntaxError{File: l.file, Line: l.number, Col: 1, Err: errors.New(what)}
}

// statement is a line in its parts.
type statement struct {
	word       []byte    // its type
	head       [8][]byte // fields, of which there are count
	count      int       // fields, also those beyond head
	attributes []byte    // behind the semicolon, as they stand
}

// split takes a line apart: blanks part the fields, and a semicolon, which may touch the last one, ends them. In a
// statement without a head everything behind the word is attributes.
// Fields beyond the eighth are counted and not kept, so that a line of too many is refused by its count. Nothing is
// copied.
func split(line []byte, headless bool) (s statement) {
	s.word, line = field(line)
	if headless {
		s.attributes = line
		return s
	}
	if end := bytes.IndexByte(line, ';'); end >= 0 {
		line, s.attributes = line[:end], line[end+1:]
	}
	for {
		var f []byte
		if f, line = field(line); len(f) == 0 {
			return s
		}
		if s.count < len(s.head) {
			s.head[s.count] = f
		}
		s.count++
	}
}

// field returns the first of the fields that blanks part, and what is behind it.
// An empty first field says that none is left.
func field(s []byte) (first, rest []byte) {
	for len(s) > 0 && blank(s[0]) {
		s = s[1:]
	}
	for i, c := range s {
		if blank(c) {
			return s[:i], s[i+1:]
		}
	}
	return s, nil
}

// blank reports whether a character parts fields; line ends are gone by then.
func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }
