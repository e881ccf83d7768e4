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

// tokenKind is what a token is.
type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenName
	tokenNumber
	tokenString
	tokenSign
)

// token is a word of the text.
type token struct {
	kind      tokenKind
	text      string // of a string without its quotes
	line, col int
}

// shown is how a message calls the token.
func (t token) shown() string {
	if t.kind == tokenEnd {
		return "the end of the file"
	}
	return strconv.Quote(t.text)
}

// signs of more than one character, which hold where the text has them.
var signs = []string{"->", "<-", "<=", ">=", "==", "::"}

// lexer cuts a text into tokens.
type lexer struct {
	file      string
	text      []byte
	pos       int
	line, col int
}

// mostBytes bounds the size of a specification.
const mostBytes = 16 << 20

// mostName bounds the length of a name, in bytes.
const mostName = 1 << 10

// open reads a file of a specification whole.
func open(fsys fs.FS, name string) (*lexer, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open specification: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read specification %s: %w", name, err)
	}
	if len(text) > mostBytes {
		return nil, fmt.Errorf("read specification %s: it has more than %d bytes", name, mostBytes)
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	return &lexer{file: name, text: text, line: 1, col: 1}, nil
}

func (l *lexer) at(line, col int, format string, args ...any) error {
	return &schema.SyntaxError{File: l.file, Line: int64(line), Col: int64(col), Err: fmt.Errorf(format, args...)}
}

// skip passes over n bytes.
func (l *lexer) skip(n int) {
	for _, c := range l.text[l.pos : l.pos+n] {
		l.col++
		if c == '\n' {
			l.line, l.col = l.line+1, 1
		}
	}
	l.pos += n
}

// blanks passes over white space and comments.
func (l *lexer) blanks() error {
	for l.pos < len(l.text) {
		rest := l.text[l.pos:]
		switch {
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r' || rest[0] == '\f':
			l.skip(1)
		case bytes.HasPrefix(rest, []byte("//")):
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			l.skip(end)
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest[2:], []byte("*/"))
			if end < 0 {
				return l.at(l.line, l.col, "a comment that does not end: expected */")
			}
			l.skip(end + 4)
		default:
			return nil
		}
	}
	return nil
}

// next is the next token; at the end of the text again and again the end.
func (l *lexer) next() (token, error) {
	if err := l.blanks(); err != nil {
		return token{}, err
	}
	t := token{line: l.line, col: l.col}
	rest := l.text[l.pos:]
	if len(rest) == 0 {
		return t, nil
	}
	n := 1
	switch c := rest[0]; {
	case c == '"':
		end := bytes.IndexAny(rest[1:], "\"\n")
		if end < 0 || rest[1+end] != '"' {
			return t, l.at(t.line, t.col, `a string that does not end in its line: expected "`)
		}
		t.kind, t.text, n = tokenString, string(rest[1:1+end]), end+2
		l.skip(n)
		return t, nil
	case digit(c):
		for n < len(rest) && (digit(rest[n]) || rest[n] == '.') {
			n++
		}
		t.kind = tokenNumber
	case letter(c):
		for n < len(rest) && (letter(rest[n]) || digit(rest[n])) {
			n++
		}
		t.kind = tokenName
	default:
		t.kind, n = tokenSign, signLength(rest)
	}
	if n > mostName {
		return t, l.at(t.line, t.col, "a name of more than %d bytes", mostName)
	}
	t.text = string(rest[:n])
	l.skip(n)
	return t, nil
}

func signLength(text []byte) int {
	for _, s := range signs {
		if bytes.HasPrefix(text, []byte(s)) {
			return len(s)
		}
	}
	return 1
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}
