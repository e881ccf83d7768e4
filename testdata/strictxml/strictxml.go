// Package strictxml reads the XML that Tracelake writes, for tests that read very many documents: it makes no memory for what stands in a document as
// it is. It takes less than XML allows: one root, no comments, sections and declarations but the header of encoding/xml, names without
// colons, and no carriage returns. Whatever it takes, encoding/xml takes and means the same by it. Only tests import it.
package strictxml

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Kind is what Next found.
type Kind uint8

// The kinds.
const (
	Start Kind = iota // of an element
	End               // of an element
	Text              // within an element, up to the next start or end
)

// Attribute is an attribute of an element.
type Attribute struct{ Name, Value string }

// Reader reads a document.
type Reader struct {
	Kind       Kind
	Name       string      // of the element; the innermost one of a text
	Attributes []Attribute // of a start; they last until the next one
	Text       string

	text    string
	at      int
	open    []string
	closing bool // the element in hand is empty: its end comes next
	rooted  bool // there was a root
}

// New returns a reader of a document.
func New(text string) *Reader {
	r := new(Reader)
	r.Reset(text)
	return r
}

// Reset makes the reader one of another document, with the memory that it has.
func (r *Reader) Reset(text string) {
	*r = Reader{text: strings.TrimPrefix(text, xml.Header), open: r.open[:0], Attributes: r.Attributes[:0]}
}

// Next goes on to the next start, end or text. Its error is io.EOF behind the document.
func (r *Reader) Next() error {
	if r.closing {
		r.closing = false
		return r.end()
	}
	if r.at == len(r.text) {
		if len(r.open) > 0 || !r.rooted {
			return r.wrong("the end of the document")
		}
		return io.EOF
	}
	if r.text[r.at] != '<' {
		return r.characters()
	}
	if r.at++; r.takes('/') {
		name := r.name()
		r.blanks()
		if len(r.open) == 0 || name != r.open[len(r.open)-1] || !r.takes('>') {
			return r.wrong("an end")
		}
		return r.end()
	}
	return r.start()
}

// start takes the start of an element behind its "<".
func (r *Reader) start() error {
	if r.Name = r.name(); r.Name == "" || len(r.open) == 0 && r.rooted {
		return r.wrong("a start")
	}
	r.rooted, r.Kind, r.Attributes = true, Start, r.Attributes[:0]
	for {
		blank := r.blanks()
		if r.closing = r.takes('/'); r.takes('>') {
			r.open = append(r.open, r.Name)
			return nil
		}
		name := r.name()
		if r.closing || !blank || name == "" || !r.takes('=') || !r.takes('"') {
			return r.wrong("an attribute")
		}
		for _, a := range r.Attributes {
			if a.Name == name {
				return r.wrong("an attribute that is there twice")
			}
		}
		value, err := r.value(true)
		if err != nil || !r.takes('"') {
			return errors.Join(err, r.wrong("a value"))
		}
		r.Attributes = append(r.Attributes, Attribute{name, value})
	}
}

// end takes the end of the innermost element.
func (r *Reader) end() error {
	last := len(r.open) - 1
	r.Kind, r.Name, r.open = End, r.open[last], r.open[:last]
	return nil
}

// characters takes a text. Outside of the root there are only line ends, which are passed over.
func (r *Reader) characters() (err error) {
	if len(r.open) == 0 {
		for r.takes('\n') {
		}
		if r.at < len(r.text) && r.text[r.at] != '<' {
			return r.wrong("a text outside of the root")
		}
		return r.Next()
	}
	r.Kind, r.Name = Text, r.open[len(r.open)-1]
	r.Text, err = r.value(false)
	return err
}

// plain are the bytes that stand for themselves everywhere.
var plain = func() (is [256]bool) {
	for c := ' '; c < 0x80; c++ {
		is[c] = !strings.ContainsRune(`<>&"`, c)
	}
	return is
}()

// value takes a text up to what ends it: a quotation mark within a start, else the next "<". What stands for another character is that in it.
func (r *Reader) value(quoted bool) (string, error) {
	from, decoded := r.at, []byte(nil)
	for r.at < len(r.text) {
		c := r.text[r.at]
		switch {
		case plain[c], c == '"' && !quoted, c == '>' && (quoted || !strings.HasSuffix(r.text[from:r.at], "]]")), (c == '\n' || c == '\t') && !quoted:
			r.at++
		case c == '"' || c == '<' && !quoted:
			return r.ended(from, decoded), nil
		case c == '&':
			decoded = append(decoded, r.text[from:r.at]...)
			char, err := r.entity()
			if err != nil {
				return "", err
			}
			decoded, from = utf8.AppendRune(decoded, char), r.at
		default:
			char, size := utf8.DecodeRuneInString(r.text[r.at:])
			if char < 0x80 || char == utf8.RuneError && size == 1 || char >= 0xfffe && char <= 0xffff {
				return "", r.wrong("a character")
			}
			r.at += size
		}
	}
	return r.ended(from, decoded), nil
}

// ended is a text of which the rest stands as it is.
func (r *Reader) ended(from int, decoded []byte) string {
	if decoded == nil {
		return r.text[from:r.at]
	}
	return string(append(decoded, r.text[from:r.at]...))
}

var entities = map[string]rune{"lt": '<', "gt": '>', "amp": '&', "quot": '"', "apos": '\''}

// entity takes what stands for a character.
func (r *Reader) entity() (char rune, err error) {
	name, _, found := strings.Cut(r.text[r.at+1:min(len(r.text), r.at+12)], ";")
	if !found {
		return 0, r.wrong("an entity without its end")
	}
	char = entities[name]
	if digits, numbered := strings.CutPrefix(name, "#"); numbered {
		base := 10
		if hex, is := strings.CutPrefix(digits, "x"); is {
			digits, base = hex, 16
		}
		n, err := strconv.ParseUint(digits, base, 31)
		if err != nil {
			return 0, r.wrong("a number of a character")
		}
		char = rune(n)
	}
	if char < ' ' && char != '\t' && char != '\n' && char != '\r' || !utf8.ValidRune(char) || char >= 0xfffe && char <= 0xffff {
		return 0, r.wrong("an entity")
	}
	r.at += len(name) + 2
	return char, nil
}

// name takes a name, which is "" where none stands.
func (r *Reader) name() string {
	from := r.at
	for ; r.at < len(r.text); r.at++ {
		c := r.text[r.at]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_'
		if !letter && (r.at == from || c != '-' && c != '.' && (c < '0' || c > '9')) {
			break
		}
	}
	return r.text[from:r.at]
}

// blanks passes over blanks between attributes, and reports whether there were any.
func (r *Reader) blanks() bool {
	from := r.at
	for r.takes(' ') || r.takes('\n') {
	}
	return r.at > from
}

// takes takes a byte where it comes next.
func (r *Reader) takes(c byte) bool {
	if r.at == len(r.text) || r.text[r.at] != c {
		return false
	}
	r.at++
	return true
}

// wrong says what cannot be read.
func (r *Reader) wrong(what string) error {
	return fmt.Errorf("%s is wrong at byte %d: %q", what, r.at, r.text[max(0, r.at-40):min(len(r.text), r.at+20)])
}
