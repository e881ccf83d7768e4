package tmsct

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds the nesting of lists.
const maxDepth = 100

// property is a name and a value that the language gives no meaning of its own.
type property struct{ name, value string }

// property reads a property, and its value as it is written, strings without their quotes.
func (r *reader) property() property {
	key := r.name("a property")
	r.need(':', "':' after the property")
	var value strings.Builder
	r.value(&value, 0)
	return property{key, value.String()}
}

// value adds a value to out: a name, a number, or a list of values, which may lie in each other up to maxDepth.
func (r *reader) value(out *strings.Builder, depth int) {
	switch k := r.tok.kind; {
	case r.bad.want != "":
	case k == word || k == name:
		if !utf8.ValidString(r.tok.text) {
			r.fail("a text in UTF-8")
			return
		}
		out.WriteString(r.take().text)
	case k == number || k == positive || k == negative:
		out.WriteString(r.take().text)
	// The depth is bounded since the reader calls itself: a text of brackets must not exhaust the stack.
	case r.is('[') && depth < maxDepth:
		out.WriteString(r.take().text)
		r.value(out, depth+1)
		for r.accept(',') {
			out.WriteString(", ")
			r.value(out, depth+1)
		}
		r.need(']', "',' or ']' in the list")
		out.WriteByte(']')
	default:
		r.fail("a string, a number, true, false or a list")
	}
}

// escapes are the characters that may stand after '\', and what they mean.
var escapes = strings.NewReplacer(`\b`, "\b", `\t`, "\t", `\n`, "\n", `\f`, "\f", `\r`, "\r", `\"`, `"`, `\'`, "'", `\\`, `\`)

// unescape replaces what '\' introduces in a string, and reports whether all of it is known.
func unescape(text string) (string, bool) {
	if strings.IndexByte(text, '\\') < 0 {
		return text, true
	}
	var out strings.Builder
	for {
		// Up to the next backslash all is copied; a backslash at the very end introduces nothing.
		at := strings.IndexByte(text, '\\')
		if at < 0 || at+1 == len(text) {
			out.WriteString(text)
			return out.String(), at < 0
		}
		out.WriteString(text[:at])
		length := 2
		// A character by four hexadecimal digits. Halves of a surrogate pair become U+FFFD each.
		if text[at+1] == 'u' {
			code, err := strconv.ParseUint(text[at+2:min(at+6, len(text))], 16, 16)
			if err != nil || at+6 > len(text) {
				return text, false
			}
			out.WriteRune(rune(code))
			length = 6
		} else if !strings.ContainsRune(`btnfr"'\`, rune(text[at+1])) {
			return text, false
		} else {
			out.WriteString(escapes.Replace(text[at : at+2]))
		}
		text = text[at+length:]
	}
}
