package ctf

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// tokenKind is the sort of a token of the metadata.
type tokenKind uint8

const (
	endOfText tokenKind = iota
	word                // identifiers and keywords
	number
	text // a string without its quotes
	sign // a single character, or one of := ... ->
)

// token is a word of the metadata and its place.
type token struct {
	kind  tokenKind // decides which of text and value count
	text  string    // as written, strings without their quotes and escapes
	value uint64    // of a number
	line  int64     // from 1
	col   int64     // in bytes, from 1
}

// lexer cuts metadata into tokens.
type lexer struct {
	file string // for errors
	src  string // the whole text
	at   int    // bytes read
	line int64  // from 1
	bol  int    // where the line begins
}

// fail is an error at a token.
func (l *lexer) fail(t token, format string, args ...any) error {
	return &schema.SyntaxError{File: l.file, Line: t.line, Col: t.col, Err: fmt.Errorf(format, args...)}
}

// next returns the next token.
func (l *lexer) next() (token, error) {
	if err := l.blanks(); err != nil {
		return token{}, err
	}
	t := token{line: l.line, col: int64(l.at - l.bol + 1)}
	if l.at >= len(l.src) {
		return t, nil
	}
	switch c := l.src[l.at]; {
	case isLetter(c):
		t.kind, t.text = word, l.span(isWordByte)
		if t.text == "L" && l.at < len(l.src) && (l.src[l.at] == '"' || l.src[l.at] == '\'') {
			return l.quoted(t, l.src[l.at])
		}
	case isDigit(c):
		return l.number(t)
	case c == '"' || c == '\'':
		return l.quoted(t, c)
	default:
		return l.sign(t)
	}
	return t, nil
}

// blanks skips blanks and comments.
func (l *lexer) blanks() error {
	for l.at < len(l.src) {
		switch c := l.src[l.at]; {
		case c == '\n':
			l.at++
			l.line, l.bol = l.line+1, l.at
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == 0:
			l.at++
		case l.follows("//"):
			for l.at < len(l.src) && l.src[l.at] != '\n' {
				l.at++
			}
		case l.follows("/*"):
			if err := l.comment(); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	return nil
}

// comment passes over a comment, which must end.
func (l *lexer) comment() error {
	start := token{line: l.line, col: int64(l.at - l.bol + 1)}
	for l.at += 2; l.at < len(l.src); l.at++ {
		if l.follows("*/") {
			l.at += 2
			return nil
		}
		if l.src[l.at] == '\n' {
			l.line, l.bol = l.line+1, l.at+1
		}
	}
	return l.fail(start, "a comment does not end")
}

// follows reports whether the text goes on with s.
func (l *lexer) follows(s string) bool {
	return len(l.src)-l.at >= len(s) && l.src[l.at:l.at+len(s)] == s
}

// span takes all bytes of a class.
func (l *lexer) span(is func(byte) bool) string {
	from := l.at
	for l.at < len(l.src) && is(l.src[l.at]) {
		l.at++
	}
	return l.src[from:l.at]
}

// isDigit reports whether a character is a decimal digit.
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isLetter reports whether a character may begin an identifier.
func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= 0x80
}

// isWordByte reports whether a character may stand in an identifier.
func isWordByte(c byte) bool { return isLetter(c) || isDigit(c) }

// number reads an integer in base 10, 16, 8 or 2; suffixes of C are dropped.
func (l *lexer) number(t token) (token, error) {
	t.kind, t.text = number, l.span(isWordByte)
	digits := t.text
	for len(digits) > 1 {
		if c := digits[len(digits)-1] | 0x20; c != 'u' && c != 'l' {
			break
		}
		digits = digits[:len(digits)-1]
	}
	value, err := strconv.ParseUint(digits, 0, 64)
	if err != nil {
		return t, l.fail(t, "expected an integer of up to 64 bits, found %.40q", t.text)
	}
	t.value = value
	return t, nil
}

// quoted reads a string or a character; escapes of one character are undone, others stay as they are.
func (l *lexer) quoted(t token, quote byte) (token, error) {
	t.kind = text
	var out []byte
	for l.at++; l.at < len(l.src) && l.src[l.at] != quote && l.src[l.at] != '\n' && l.src[l.at] != 0; l.at++ {
		c := l.src[l.at]
		if c == '\\' && l.at+1 < len(l.src) {
			l.at++
			c = unescape(l.src[l.at])
		}
		out = append(out, c)
	}
	if l.at >= len(l.src) || l.src[l.at] != quote {
		return t, l.fail(t, "a string does not end on its line")
	}
	l.at++
	t.text = string(out)
	return t, nil
}

// unescape returns the character that stands behind a backslash for another one, as in C.
func unescape(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	}
	return c
}

// sign reads punctuation: := -> ... or a single character.
func (l *lexer) sign(t token) (token, error) {
	t.kind = sign
	width := 1
	switch c := l.src[l.at]; {
	case c == ':' && l.follows(":=") || c == '-' && l.follows("->"):
		width = 2
	case c == '.' && l.follows("..."):
		width = 3
	}
	t.text = l.src[l.at : l.at+width]
	l.at += width
	if strings.IndexByte("{}()[]<>;:=,.*+-", t.text[0]) >= 0 {
		return t, nil
	}
	return t, l.fail(t, "no token begins with %q", t.text)
}
