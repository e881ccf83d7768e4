package timeline

import (
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/stages/report/canvas"
)

// fit shortens text to a width: whole, or its beginning with an ellipsis, or nothing if too little would be left.
func fit(s string, size, width Length) string {
	const least = 4 // letters that still tell something
	if canvas.TextWidth(s, size) <= width {
		return s
	}
	w, letters := canvas.Glyph('…'), 0
	for i, r := range s {
		w += canvas.Glyph(r)
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
