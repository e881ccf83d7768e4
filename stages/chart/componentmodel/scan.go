package componentmodel

import (
	"strings"
	"unicode/utf8"

	"github.com/tracelake/tracelake/schema"
)

// A kind of token is the text of punctuation, or one of these.
const (
	word   = "a name"
	number = "a number"
	end    = "the end of the file"
)

// token is a piece of an .arch file.
type token struct {
	kind string // see above
	text string // of a word, without its "^"
	line int64
	col  int64 // in bytes, from 1
	bare bool  // a word without "^": it may be a keyword
}

// scanner cuts a text into tokens.
type scanner struct {
	file string
	text string
	at   int // bytes read
	line int64
	from int // where the line begins
}

// fault is an error at a token.
func (s *scanner) fault(t token, err error) error {
	return &schema.SyntaxError{File: s.file, Line: t.line, Col: t.col, Err: err}
}

// here is a token at the place of the scanner.
func (s *scanner) here() token { return token{line: s.line, col: int64(s.at-s.from) + 1} }

// next is the next token.
func (s *scanner) next() (token, error) {
	if err := s.blank(); err != nil {
		return token{}, err
	}
	t := s.here()
	rest := s.text[s.at:]
	if rest == "" {
		t.kind = end
		return t, nil
	}
	// The longer ones first: ".." is no two dots.
	for _, p := range []string{"->", "..", "[]", "{", "}", "(", ")", ",", "."} {
		if strings.HasPrefix(rest, p) {
			t.kind = p
			s.at += len(p)
			return t, nil
		}
	}
	if n := span(rest, digit); n > 0 {
		t.kind, t.text = number, rest[:n]
		s.at += n
		return t, nil
	}
	return s.word(t, rest)
}

// word reads a word. The "^" in front is not part of it; it makes a name of a keyword.
func (s *scanner) word(t token, rest string) (token, error) {
	text, escaped := strings.CutPrefix(rest, "^")
	n := span(text, letter)
	if n == 0 {
		// The whole character is shown, not its first byte.
		r, _ := utf8.DecodeRuneInString(rest)
		return t, s.fault(t, unexpected(string(r)))
	}
	// The rest of the word may have digits.
	n += span(text[n:], func(c byte) bool { return letter(c) || digit(c) })
	t.kind, t.text, t.bare = word, text[:n], !escaped
	s.at += len(rest) - len(text) + n
	return t, nil
}

// blank passes over blanks, line ends and comments.
func (s *scanner) blank() error {
	for s.at < len(s.text) {
		rest := s.text[s.at:]
		switch {
		case rest[0] == '\n':
			s.newline()
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r':
			s.at++
		case strings.HasPrefix(rest, "//"):
			if n := strings.IndexByte(rest, '\n'); n >= 0 {
				s.at += n
			} else {
				s.at = len(s.text)
			}
		case strings.HasPrefix(rest, "/*"):
			if err := s.comment(rest); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	return nil
}

// comment passes over a comment and counts its lines.
func (s *scanner) comment(rest string) error {
	// Comments do not nest, as in Java.
	n := strings.Index(rest[2:], "*/")
	if n < 0 {
		return s.fault(s.here(), errComment)
	}
	// Comments span lines, and positions behind them must stay right.
	for stop := s.at + n + 4; s.at < stop; {
		if s.text[s.at] == '\n' {
			s.newline()
		} else {
			s.at++
		}
	}
	return nil
}

// newline passes over a line end.
func (s *scanner) newline() {
	s.at++
	s.line++
	s.from = s.at
}

// span returns the number of bytes from the start that are of a kind.
func span(text string, is func(byte) bool) int {
	n := 0
	for n < len(text) && is(text[n]) {
		n++
	}
	return n
}

// digit reports whether a character may stand inside a word but not begin it.
func digit(c byte) bool { return c >= '0' && c <= '9' }

// letter reports whether a character may begin a word.
func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$' }
