package portrait

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

// textWidth estimates how wide text is, from the widths of Helvetica's letters in classes.
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
	case strings.ContainsRune("mwMW@%→×−", r):
		return 870
	case r >= 'A' && r <= 'Z':
		return 700
	case r >= 0x2e80:
		return 1000
	}
	return 570
}

// fit shortens text to a width, in its middle: names of functions often differ at their ends only.
func fit(s string, size, width Length) string {
	if textWidth(s, size) <= width {
		return s
	}
	letters := []rune(s)
	for keep := len(letters) - 1; keep > 0; keep-- {
		head, tail := letters[:(keep+1)/2], letters[len(letters)-keep/2:]
		if short := string(head) + "…" + string(tail); textWidth(short, size) <= width {
			return short
		}
	}
	return "…"
}

// units are those of time, the largest first, with their lengths in nanoseconds.
var units = []struct {
	name string
	ns   int64
}{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}}

// briefly writes a time with three digits.
func briefly(ns int64) string {
	if ns < 0 {
		return "-" + briefly(-ns)
	}
	ns = roundThree(ns)
	for _, u := range units {
		if ns < u.ns {
			continue
		}
		text := strconv.FormatInt(ns/u.ns, 10)
		if decimals := 3 - len(text); decimals > 0 {
			text += "." + strconv.FormatInt(u.ns+ns%u.ns, 10)[1:1+decimals]
		}
		return text + " " + u.name
	}
	return strconv.FormatInt(ns, 10) + " ns"
}

// roundThree rounds to three digits.
func roundThree(ns int64) int64 {
	step := int64(1)
	for ns/step >= 1000 {
		step *= 10
	}
	return (ns/step + ns%step*2/step) * step
}

// thousands sets the thousands of a number apart.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// counted writes a number with its noun.
func counted(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}
