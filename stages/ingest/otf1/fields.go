package otf1

import (
	"bytes"
	"cmp"
	"strings"
)

// hexDigit is the value of a digit, and 16 of what is none.
var hexDigit = func() (table [256]uint8) {
	for i := range table {
		table[i] = 16
	}
	for i, c := range []byte("0123456789abcdef") {
		table[c] = uint8(i)
	}
	return table
}()

// mostDigits is the number of hexadecimal digits that fit 64 bits.
const mostDigits = 16

// fields reads the fields of a record one after the other. After a fault nothing is read any more.
type fields struct {
	text  []byte // the line without its end
	at    int    // bytes read
	fault string // what was expected at text[at:]
}

// skip passes blanks.
func (f *fields) skip() {
	for f.at < len(f.text) && (f.text[f.at] == ' ' || f.text[f.at] == '\t' || f.text[f.at] == '\r') {
		f.at++
	}
}

// fail notes what was expected where the line is read. The first fault of a line counts.
func (f *fields) fail(want string) {
	f.fault = cmp.Or(f.fault, want)
}

// more reports whether anything comes but blanks.
func (f *fields) more() bool {
	f.skip()
	return f.fault == "" && f.at < len(f.text)
}

// hex reads a number. Leading zeros may be many.
func (f *fields) hex(want string) (n uint64) {
	if f.skip(); f.fault != "" {
		return 0
	}
	// first is where the digits that count begin, behind zeros.
	begin, first := f.at, f.at
	for f.at < len(f.text) {
		d := hexDigit[f.text[f.at]]
		if d > 15 {
			break
		}
		// Leading zeros do not count as digits.
		if n == 0 {
			first = f.at
		}
		n = n<<4 | uint64(d)
		if f.at++; f.at-first > mostDigits {
			f.at = begin
			f.fail(want + " of at most 64 bits")
			return 0
		}
	}
	if f.at == begin {
		f.fail(want)
	}
	return n
}

// keyword reads upper-case letters; # is the first one of a comment.
func (f *fields) keyword() []byte {
	f.skip()
	begin := f.at
	if f.at < len(f.text) && f.text[f.at] == '#' {
		f.at++
	}
	for f.at < len(f.text) && f.text[f.at]-'A' < 26 {
		f.at++
	}
	return f.text[begin:f.at]
}

// is passes a keyword of two spellings if it comes next.
func (f *fields) is(short, long string) bool {
	if !f.more() {
		return false
	}
	before := f.at
	if word := f.keyword(); string(word) == short || string(word) == long {
		return true
	}
	f.at = before
	return false
}

// need passes a keyword that must come next.
func (f *fields) need(short, long string) {
	if !f.is(short, long) {
		f.fail(long)
	}
}

// quoted reads a string. There are no escapes. What is no UTF-8 in it is replaced.
func (f *fields) quoted(want string) string {
	if f.skip(); f.fault != "" || f.at == len(f.text) || f.text[f.at] != '"' {
		f.fail(want + " in quotes")
		return ""
	}
	end := bytes.IndexByte(f.text[f.at+1:], '"')
	if end < 0 {
		f.fail(want + " with a quote behind it")
		return ""
	}
	text := strings.ToValidUTF8(string(f.text[f.at+1:f.at+1+end]), "\uFFFD")
	f.at += end + 2
	return text
}
