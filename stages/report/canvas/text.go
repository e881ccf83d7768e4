package canvas

import (
	"bytes"
	"encoding/xml"
	"strings"
)

// Escape makes text fit for XML. What XML cannot hold becomes U+FFFD.
func Escape(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a Buffer takes everything
	return b.String()
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
