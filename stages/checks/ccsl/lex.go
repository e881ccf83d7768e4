package ccsl

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"strconv"

	"github.com/tracelake/tracelake/schema"
)

// Both languages share the words: identifiers, integers, strings in double quotes, and comments as in C++.

// tokenKind says what a token is.
type tokenKind uint8

const (
	tokenEnd    tokenKind = iota // the end of the text, or behind an error
	tokenName                    // an identifier or a word of the language
	tokenNumber                  // digits, perhaps with points
	tokenString                  // in double quotes
	tokenSign                    // anything else: one character, or one of signs
)

// token is a word of the text.
type token struct {
	kind      tokenKind
	text      string // for a string, without its quotes
	line, col int
}

// quoted returns the token as messages quote it.
func (t token) quoted() string {
	if t.kind == tokenEnd {
		return "the end of the file"
	}
	return strconv.Quote(t.text)
}

// signs are those of more than one character. They win over their first character alone.
var signs = []string{"->", "<-", "<=", ">=", "==", "::"}

// lexer cuts a text into tokens.
type lexer struct {
	file      string
	text      []byte // the whole file
	pos       int    // position of the next byte
	line, col int
}

// maxBytes bounds the size of a specification.
const maxBytes = 16 << 20

// maxNameBytes bounds the length of a name: names are joined to paths, and paths are stored for every clock.
const maxNameBytes = 1 << 10

// openSpecification reads a file of a specification whole. A byte order mark is skipped.
func openSpecification(fsys fs.FS, name string) (*lexer, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open specification: %w", err)
	}
	defer f.Close()
	// One byte more than allowed is read, so that a file of exactly the limit passes.
	text, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read specification %s: %w", name, err)
	}
	if len(text) > maxBytes {
		return nil, fmt.Errorf("read specification %s: it has more than %d bytes", name, maxBytes)
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	return &lexer{file: name, text: text, line: 1, col: 1}, nil
}

// errorAt returns a syntax error at a line and column.
func (l *lexer) errorAt(line, col int, format string, args ...any) error {
	return &schema.SyntaxError{File: l.file, Line: int64(line), Col: int64(col), Err: fmt.Errorf(format, args...)}
}

// skipBytes passes over n bytes and counts lines and columns.
// Columns count bytes, as Go's tools do.
func (l *lexer) skipBytes(n int) {
	for _, c := range l.text[l.pos : l.pos+n] {
		l.col++
		if c == '\n' {
			l.line, l.col = l.line+1, 1
		}
	}
	l.pos += n
}

// skipBlanks passes over white space and comments.
func (l *lexer) skipBlanks() error {
	for l.pos < len(l.text) {
		rest := l.text[l.pos:]
		switch {
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r' || rest[0] == '\f':
			l.skipBytes(1)
		case bytes.HasPrefix(rest, []byte("//")):
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			l.skipBytes(end)
		case bytes.HasPrefix(rest, []byte("/*")): // these do not nest
			end := bytes.Index(rest[2:], []byte("*/"))
			if end < 0 {
				return l.errorAt(l.line, l.col, "a comment that does not end: expected */")
			}
			l.skipBytes(end + 4)
		default:
			return nil
		}
	}
	return nil
}

// nextToken returns the next token; at the end of the text it returns tokenEnd again and again.
func (l *lexer) nextToken() (token, error) {
	if err := l.skipBlanks(); err != nil {
		return token{}, err
	}
	t := token{line: l.line, col: l.col}
	rest := l.text[l.pos:]
	if len(rest) == 0 {
		return t, nil
	}
	// Every token is at least one byte, so that the lexer always moves on.
	n := 1
	switch c := rest[0]; {
	case c == '"':
		end := bytes.IndexAny(rest[1:], "\"\n")
		if end < 0 || rest[1+end] != '"' {
			return t, l.errorAt(t.line, t.col, `a string that does not end in its line: expected "`)
		}
		t.kind, t.text, n = tokenString, string(rest[1:1+end]), end+2
		l.skipBytes(n)
		return t, nil
	case isDigit(c):
		for n < len(rest) && (isDigit(rest[n]) || rest[n] == '.') {
			n++
		}
		t.kind = tokenNumber
	case isLetter(c):
		for n < len(rest) && (isLetter(rest[n]) || isDigit(rest[n])) {
			n++
		}
		t.kind = tokenName
	default:
		t.kind, n = tokenSign, signLength(rest)
	}
	if n > maxNameBytes {
		return t, l.errorAt(t.line, t.col, "a name of more than %d bytes", maxNameBytes)
	}
	t.text = string(rest[:n])
	l.skipBytes(n)
	return t, nil
}

// signLength returns the number of bytes of the sign at the start of a text.
func signLength(text []byte) int {
	for _, s := range signs {
		if bytes.HasPrefix(text, []byte(s)) {
			return len(s)
		}
	}
	return 1
}

// isDigit reports whether a byte is a decimal digit.
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isLetter reports whether a byte may begin a name; all of UTF-8 beyond ASCII may.
func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}
