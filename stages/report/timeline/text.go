package timeline

import (
	"github.com/tracelake/tracelake/stages/report/canvas"
	"github.com/tracelake/tracelake/stages/report/texttab"
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

// exactly writes a time with all its digits.
func exactly(ns int64) string {
	if ns == 0 {
		return "0 s"
	}
	u := texttab.UnitOf(ns)
	return u.Digits(ns) + " " + u.Symbol
}
