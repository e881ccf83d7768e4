package textfield

import (
	"strings"
	"unicode"
)

// Clean makes a name of any text: UTF-8 without control characters, of at most MaxName bytes. It reports whether the text was
// cut, which may be within a letter, that is then dropped.
func Clean(text string) (name string, cut bool) {
	if _, fault := CheckName([]byte(text)); fault == "" {
		return text, false
	}
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(text, string(unicode.ReplacementChar)))
	if len(name) > MaxName {
		name = strings.ToValidUTF8(name[:MaxName], "")
	}
	return name, len(text) > MaxName
}
