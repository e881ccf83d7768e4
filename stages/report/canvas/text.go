package canvas

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Escape makes text fit for XML. What a reader would not see, such as control characters and those that turn the direction of writing,
// stands there in letters, see texttab.Printable. Line ends stay, since the titles of elements have several lines.
func Escape(s string) string {
	if isPlain(s) {
		return s // as most texts are
	}
	var b bytes.Buffer
	_ = xml.EscapeText(&b, texttab.AppendPrintable(nil, []byte(s), "\n")) // a Buffer takes everything
	return b.String()
}

// isPlain reports whether a text stands for itself in XML: it has visible characters of ASCII only, and none that is markup.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '<' || c == '>' || c == '&' || c == '"' || c == '\'' {
			return false
		}
	}
	return true
}

// WriteText writes text whose baseline begins at a point, in a font size. Attributes are those of SVG and begin with a
// space. Errors are left to a writer that keeps its first one, such as a bufio.Writer.
func WriteText(w io.Writer, x, y, size Length, text, attributes string) {
	fmt.Fprintf(w, `<text x="%v" y="%v" font-size="%v"%s>%s</text>`, x, y, size, attributes, Escape(text))
}

// TextWidth estimates how wide text is, from the widths of Helvetica's letters in classes. No font is certain to be
// there, so labels that must not stick out are clipped as well.
func TextWidth(s string, size Length) (w Length) {
	for _, r := range s {
		w += Glyph(r)
	}
	return w * size / 1000
}

// Glyph is the width of a letter in thousandths of the font's size.
func Glyph(r rune) Length {
	switch {
	case strings.ContainsRune("ijl|'.,:;!ftI /()[]", r):
		return 310
	case strings.ContainsRune("mwMW@%→×−", r):
		return 870
	case r >= 'A' && r <= 'Z':
		return 700
	case r >= 0x2e80:
		return 1000
	}
	return 570
}

// Shorten cuts letters out of the middle of a text until it fits into a width, and puts an ellipsis there: names of
// functions and releases often differ at their ends only. What fits is returned as it is, and an ellipsis where nothing
// fits.
func Shorten(s string, size, width Length) string {
	if TextWidth(s, size) <= width {
		return s
	}
	letters := []rune(s)
	used, head, tail := Glyph('…'), 0, len(letters)
	for head < tail {
		// One letter of the beginning and one of the end in turn, as long as both ends and the ellipsis have room.
		fromHead := head <= len(letters)-tail
		next := tail - 1
		if fromHead {
			next = head
		}
		if used += Glyph(letters[next]); used*size/1000 > width {
			break
		}
		if fromHead {
			head++
		} else {
			tail--
		}
	}
	return string(letters[:head]) + "…" + string(letters[tail:])
}
