package otf1

import (
	"bytes"
	"errors"
	"io"

	"github.com/tracelake/tracelake/schema"
)

const (
	firstBuffer = 1 << 17 // bytes of a file read at a time, unless it has longer lines
	longestLine = 1 << 24 // longer ones are cut
	idleReads   = 100     // reads in a row that may give nothing
)

// lines reads a file in pieces of whole lines. buf[at:end] are the lines at hand, each with its line end;
// buf[end:have] is the beginning of the next.
type lines struct {
	src           io.Reader // the file, decompressed
	file          string    // its name, for positions
	buf           []byte    // grows with the longest line
	at, end, have int       // bytes in buf, see above
	begin         int       // of the line that next found
	passed        int64     // lines before buf[counted]
	counted       int       // bytes in buf, from which on lines are not counted yet
	err           error     // how the file ended
	cut           bool      // the rest of a line that was too long comes next
}

// next goes on to the next line, which line returns.
func (l *lines) next() bool {
	if l.at == l.end && !l.fill() {
		return false
	}
	l.begin = l.at
	l.at += bytes.IndexByte(l.buf[l.at:l.end], '\n') + 1
	return true
}

// line is the line that next found, without its end.
func (l *lines) line() []byte { return l.buf[l.begin : l.at-1] }

// fill replaces the lines at hand, which were all read, by the next ones. It returns false when there are none.
func (l *lines) fill() bool {
	// 1. The lines in the buffer are gone: count them for positions, and move the beginning of the next line to the
	// front.
	l.passed += int64(bytes.Count(l.buf[l.counted:l.end], newline))
	l.counted = 0
	l.have = copy(l.buf, l.buf[l.end:l.have])
	l.at, l.begin, l.end = 0, 0, 0
	// 2. Read until a line is whole. Bytes before l.have were searched for a line end already.
	for idle := 0; l.err == nil; {
		// The buffer is full and has no whole line: it doubles, up to longestLine.
		if l.have == len(l.buf) {
			if l.have >= longestLine {
				return l.cutLine()
			}
			l.buf = append(l.buf, make([]byte, len(l.buf))...)
		}
		n, err := l.src.Read(l.buf[l.have:])
		l.err = err
		if n == 0 && err == nil {
			if idle++; idle == idleReads {
				l.err = io.ErrNoProgress
			}
			continue
		}
		// The rest of a line that was cut is not part of the next one.
		if idle = 0; l.cut {
			n = l.dropCut(n)
		}
		fresh := l.buf[l.have : l.have+n]
		l.have += n
		// The last line end in the buffer bounds the lines at hand; what follows it is the beginning of a line.
		if last := bytes.LastIndexByte(fresh, '\n'); last >= 0 {
			l.end = l.have - n + last + 1
			return true
		}
	}
	return false
}

var newline = []byte{'\n'}

// cutLine ends a line that is too long; what follows of it is dropped.
func (l *lines) cutLine() bool {
	l.cut = true
	// The last byte of the buffer is given up for a line end, so that all lines at hand have one.
	l.buf[l.have-1] = '\n'
	l.end = l.have
	return true
}

// dropCut drops the rest of a cut line from n bytes just read and returns how many remain.
func (l *lines) dropCut(n int) int {
	stop := bytes.IndexByte(l.buf[l.have:l.have+n], '\n')
	if stop < 0 {
		return 0
	}
	l.cut = false
	return copy(l.buf[l.have:], l.buf[l.have+stop+1:l.have+n])
}

// torn reports whether the file ends in the middle of a line.
func (l *lines) torn() bool { return l.have > l.end }

// number is the number of the line at hand, from 1. Lines are counted only here, so that good ones cost nothing, and
// only from where they were last counted.
func (l *lines) number() int64 {
	if l.begin > l.counted {
		l.passed += int64(bytes.Count(l.buf[l.counted:l.begin], newline))
		l.counted = l.begin
	}
	return l.passed + 1
}

// place is the place of the line at hand, for the ledger.
func (l *lines) place(col int, why string) func() string {
	return func() string { return l.syntax(col, errors.New(why)).Error() }
}

// syntax is an error at a column, from 0, of the line at hand.
func (l *lines) syntax(col int, err error) *schema.SyntaxError {
	return &schema.SyntaxError{File: l.file, Line: l.number(), Col: int64(col) + 1, Err: err}
}
