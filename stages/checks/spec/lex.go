package spec

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// kind says what a token is.
type kind uint8

const (
	end    kind = iota // the end of the text
	word               // an ID or a word of the language
	number             // digits, perhaps with a point and digits
	quoted             // in single or double quotes
	sign               // anything else
	broken             // a quote without an end, or a byte of no token
)

// token is a word of the text.
type token struct {
	kind  kind
	text  string // of a quoted text without its quotes
	place place
}

// says is the token as messages quote it.
func (t token) says() string {
	switch t.kind {
	case end:
		return "the end of the file"
	case quoted:
		return "the text '" + t.text + "'"
	case broken:
		return t.text
	}
	return strconv.Quote(t.text)
}

// signs are those of more than one character, longer ones first.
var signs = []string{"...", ">=", "<=", "=="}

// byteOrderMark is what some editors write before the text.
const byteOrderMark = "\ufeff"

// brokenCharacter is what stands before a character, in quotes, that begins no token.
const brokenCharacter = "the character "

// lex cuts a text into tokens; the last one is its end. Lines may end with CR LF, and a byte order mark may stand first, which columns do
// not count.
func lex(s string) []token {
	var all []token
	pos := 0
	if strings.HasPrefix(s, byteOrderMark) {
		pos = len(byteOrderMark)
	}
	line, start := 1, pos
	for {
		for pos < len(s) && strings.IndexByte(" \t\r\n", s[pos]) >= 0 {
			if s[pos] == '\n' {
				line, start = line+1, pos+1
			}
			pos++
		}
		here := place{line, pos - start + 1}
		if pos == len(s) {
			return append(all, token{end, "", here})
		}
		if strings.HasPrefix(s[pos:], "//") {
			if n := strings.IndexByte(s[pos:], '\n'); n >= 0 {
				pos += n
			} else {
				pos = len(s)
			}
			continue
		}
		t, n := cut(s[pos:])
		t.place = here
		all = append(all, t)
		pos += n
	}
}

// cut returns the token at the start of a text, which is not empty, and its length in bytes.
func cut(s string) (token, int) {
	switch c := s[0]; {
	case isLetter(c):
		n := 1
		// resource-amount is one word: a hyphen between letters belongs to it.
		for n < len(s) && (isLetter(s[n]) || isDigit(s[n]) || s[n] == '-' && n+1 < len(s) && isLetter(s[n+1])) {
			n++
		}
		return token{kind: word, text: s[:n]}, n
	case isDigit(c) || c == '-' && len(s) > 1 && isDigit(s[1]):
		n := 1
		for n < len(s) && isDigit(s[n]) {
			n++
		}
		// The point of 0...9 belongs to the range.
		if n+1 < len(s) && s[n] == '.' && isDigit(s[n+1]) {
			for n++; n < len(s) && isDigit(s[n]); {
				n++
			}
		}
		return token{kind: number, text: s[:n]}, n
	case c == '\'' || c == '"':
		n := strings.IndexAny(s[1:], string(c)+"\n")
		if n < 0 || s[1+n] == '\n' {
			return token{kind: broken, text: "a quote that does not end on its line"}, lineLength(s)
		}
		return token{kind: quoted, text: s[1 : 1+n]}, n + 2
	}
	for _, x := range signs {
		if strings.HasPrefix(s, x) {
			return token{kind: sign, text: x}, len(x)
		}
	}
	if strings.IndexByte("(){}[],:;=<>+", s[0]) >= 0 {
		return token{kind: sign, text: s[:1]}, 1
	}
	_, n := utf8.DecodeRuneInString(s)
	return token{kind: broken, text: brokenCharacter + strconv.Quote(s[:n])}, n
}

// lineLength is the number of bytes before the end of the line.
func lineLength(s string) int {
	if n := strings.IndexByte(s, '\n'); n >= 0 {
		return n
	}
	return len(s)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
