package jsontext

import (
	"unicode/utf16"
	"unicode/utf8"
)

// escape takes an escape.
func (r *Reader) escape() error {
	r.pos++
	switch r.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		r.pos++
	case 'u':
		r.pos++
		for range 4 {
			if _, ok := hex(r.peek()); !ok {
				return r.fail("a hexadecimal digit")
			}
			r.pos++
		}
	default:
		return r.fail("what may stand after a backslash")
	}
	return nil
}

// hex is the value of a hexadecimal digit.
func hex(c byte) (v rune, ok bool) {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0'), true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10, true
	}
	return 0, false
}

// unescape is a string, whose escapes are good, without them.
func (r *Reader) unescape(s []byte) []byte {
	out := r.plain[:0]
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			out = append(out, s[i])
			continue
		}
		switch i++; s[i] {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			c, size := character(s[i+1:])
			out = utf8.AppendRune(out, c)
			i += size
		default:
			out = append(out, s[i])
		}
	}
	r.plain = out
	return out
}

// character is the character whose four digits s begins with, and how many bytes it takes. The first half of a
// surrogate pair takes the second with it, if that follows.
func character(s []byte) (c rune, size int) {
	c = digits(s)
	if !utf16.IsSurrogate(c) {
		return c, 4
	}
	if len(s) >= 10 && s[4] == '\\' && s[5] == 'u' {
		if pair := utf16.DecodeRune(c, digits(s[6:])); pair != utf8.RuneError {
			return pair, 10
		}
	}
	return utf8.RuneError, 4
}

func digits(s []byte) (c rune) {
	for _, d := range s[:4] {
		v, _ := hex(d)
		c = c<<4 | v
	}
	return c
}
