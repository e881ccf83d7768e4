package tmsct

import (
	"strings"

	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// kind is the kind of a token.
type kind uint8

const (
	end      kind = iota
	word          // an identifier or a keyword
	name          // an identifier after "^", or a string: never a keyword
	number        // without a sign
	positive      // with a plus
	negative      // with a minus
	instant       // a date and time
	mark          // one character
	broken        // not of the language
)

// token is a piece of the text.
type token struct {
	kind      kind   // see above
	quoted    bool   // a string
	text      string // of a name without "^" or quotes, of a broken token what was expected
	at        int    // where it begins in the text
	line, col int64  // from 0 and from 1
}

// scanner cuts a text into tokens.
type scanner struct {
	text  string // all of it
	at    int    // bytes read
	line  int64  // from 0
	begin int    // of the line

	blank    bool  // nothing but blanks on the line so far
	comments int64 // that begin a line

	// Whether these are never closed from here on, so that their end is searched once and not again and again.
	openComment, openDouble, openSingle bool
}

// scan returns the next token. The end of the text stands right behind the last one.
func (s *scanner) scan() token {
	// 1. Blanks and comments, after which the token begins.
	// A fault at the end points behind the last token, not behind the blanks after it.
	last := s.token(end)
	closed := s.skip()
	s.blank = false
	t := s.token(broken)
	if !closed {
		t.text = "'*/' at the end of this comment"
		s.at += 2
		return t
	}
	if s.at == len(s.text) {
		return last
	}
	// 2. The first character says which kind of token it is.
	switch c := s.text[s.at]; {
	case c == '"' || c == '\'':
		s.quoted(&t, c)
	case c-'0' <= 9:
		s.figure(&t)
	case (c == '+' || c == '-') && s.digit(s.at+1):
		if t.kind = positive; c == '-' {
			t.kind = negative
		}
		t.text = s.text[s.at:s.number(s.at+1)]
		s.at += len(t.text)
	case letter(c) || c == '^':
		s.word(&t)
	default:
		t.kind, t.text = mark, s.text[s.at:s.at+1]
		s.at++
	}
	return t
}

// token is a token that begins here.
func (s *scanner) token(k kind) token {
	return token{kind: k, at: s.at, line: s.line, col: int64(s.at-s.begin) + 1}
}

// skip passes blanks and comments, and reports whether the last comment is closed.
func (s *scanner) skip() bool {
	for s.at < len(s.text) {
		rest := s.text[s.at:]
		switch {
		case rest[0] == '\n':
			s.at++
			s.newLine()
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r':
			s.at++
		case strings.HasPrefix(rest, "//"):
			s.comment()
			s.toLineEnd()
		case strings.HasPrefix(rest, "/*"):
			s.comment()
			// A comment that is never closed is searched for its end once, or a text of "/*" would take quadratic time.
			length := -1
			if !s.openComment {
				length = strings.Index(rest[2:], "*/")
			}
			if s.openComment = length < 0; s.openComment {
				return false
			}
			// Both marks of the comment and what is between them.
			s.pass(length + 4)
		default:
			return true
		}
	}
	return true
}

// pass advances by a number of bytes and counts the lines in them.
func (s *scanner) pass(length int) {
	for end := s.at + length; s.at < end; {
		s.at++
		if s.text[s.at-1] == '\n' {
			s.newLine()
		}
	}
}

// newLine counts a line whose end was just read.
func (s *scanner) newLine() { s.line, s.begin, s.blank = s.line+1, s.at, true }

// comment counts a comment that begins a line.
func (s *scanner) comment() {
	if s.blank {
		s.comments++
	}
	s.blank = false
}

// toLineEnd goes on to the end of the line.
func (s *scanner) toLineEnd() {
	if length := strings.IndexByte(s.text[s.at:], '\n'); length >= 0 {
		s.at += length
		return
	}
	s.at = len(s.text)
}

// quoted reads a string, which may span lines.
func (s *scanner) quoted(t *token, quote byte) {
	open := &s.openDouble
	if quote == '\'' {
		open = &s.openSingle
	}
	for at := s.at + 1; at < len(s.text) && !*open; at++ {
		// The character after a backslash never ends the string.
		switch s.text[at] {
		case '\\':
			at++
		case quote:
			t.kind, t.quoted = name, true
			text, ok := unescape(s.text[s.at+1 : at])
			if t.text = text; !ok {
				t.kind, t.text = broken, `'\' followed by b, t, n, f, r, u and four digits, a quotation mark or '\' in this string`
			}
			s.pass(at + 1 - s.at)
			return
		}
	}
	// No further string of this kind is closed either, so later ones are not searched to the end of the text.
	*open = true
	t.kind, t.text = broken, "a quotation mark at the end of this string"
	s.at++
}

// figure reads a number or a date and time, both of which begin with a digit.
func (s *scanner) figure(t *token) {
	if length := instantLength(s.text[s.at:]); length > 0 {
		t.kind, t.text = instant, s.text[s.at:s.at+length]
	} else {
		t.kind, t.text = number, s.text[s.at:s.number(s.at)]
	}
	s.at += len(t.text)
}

// word reads an identifier, or a keyword, which may have a hyphen.
func (s *scanner) word(t *token) {
	t.kind = word
	if s.text[s.at] == '^' {
		t.kind = name
		s.at++
	}
	from := s.at
	for s.at < len(s.text) && (letter(s.text[s.at]) || s.at > from && s.hyphened(t.kind)) {
		s.at++
	}
	if t.text = s.text[from:s.at]; t.text == "" {
		t.kind, t.text = broken, "an identifier after '^'"
	} else if len(t.text) > textfield.MaxName {
		t.kind, t.text = broken, "a name of at most 4096 bytes"
	}
}

// hyphened reports whether an identifier or keyword goes on with what is no letter.
func (s *scanner) hyphened(k kind) bool {
	// Digits follow a letter; a hyphen only within a keyword, with a letter behind it.
	c := s.text[s.at]
	return c-'0' <= 9 || c == '-' && k == word && s.at+1 < len(s.text) && letter(s.text[s.at+1])
}

// letter reports whether a character may begin an identifier.
func letter(c byte) bool { return c|0x20-'a' < 26 || c == '_' }

// digit reports whether the text has a digit at a place.
func (s *scanner) digit(at int) bool { return at < len(s.text) && s.text[at]-'0' <= 9 }
