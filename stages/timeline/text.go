package timeline

import (
	"bytes"
	"encoding/xml"
	"strconv"
	"strings"
)

// escape makes text fit for XML. What XML cannot hold becomes U+FFFD.
func escape(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a Buffer takes everything
	return b.String()
}

// textWidth estimates how wide text is, from the widths of Helvetica's letters in classes. Labels are clipped to
// their boxes as well, as no font is certain to be there.
func textWidth(s string, size Length) (w Length) {
	for _, r := range s {
		w += glyph(r)
	}
	return w * size / 1000
}

// glyph is the width of a letter in thousandths of the font's size.
func glyph(r rune) Length {
	switch {
	case strings.ContainsRune("ijl|'.,:;!ftI /()[]", r):
		return 310
	case strings.ContainsRune("mwMW@%", r):
		return 870
	case r >= 'A' && r <= 'Z':
		return 700
	case r >= 0x2e80:
		return 1000
	}
	return 570
}

// fit shortens text to a width: whole, or its beginning with an ellipsis, or nothing if too little would be left.
func fit(s string, size, width Length) string {
	const least = 4 // letters that still tell something
	if textWidth(s, size) <= width {
		return s
	}
	w, letters := glyph('…'), 0
	for i, r := range s {
		w += glyph(r)
		if w*size/1000 > width {
			if letters < least {
				return ""
			}
			return s[:i] + "…"
		}
		letters++
	}
	return s
}

// unit is a unit of time.
type unit struct {
	name string
	ns   int64
}

var units = []unit{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}, {"ns", 1}}

// unitOf is the largest unit of which a time has at least one.
func unitOf(ns int64) unit {
	for _, u := range units {
		if ns >= u.ns || -ns >= u.ns {
			return u
		}
	}
	return units[len(units)-1]
}

// in writes a time in a unit with all its digits, without the unit.
func (u unit) in(ns int64) string {
	sign := ""
	if ns < 0 {
		sign, ns = "-", -ns
	}
	whole, part := ns/u.ns, ns%u.ns
	if part == 0 {
		return sign + strconv.FormatInt(whole, 10)
	}
	digits := strconv.FormatInt(u.ns+part, 10)[1:] // with the zeros in front
	return sign + strconv.FormatInt(whole, 10) + "." + strings.TrimRight(digits, "0")
}

// exactly writes a time with all its digits.
func exactly(ns int64) string {
	u := unitOf(ns)
	if ns == 0 {
		u = units[0]
	}
	return u.in(ns) + " " + u.name
}

// counted writes a number with its noun.
func counted(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}

// thousands sets the thousands of a number apart.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
