package automaton

import (
	"github.com/tracelake/tracelake/stages/report/canvas"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// fit shortens text to a width, in its middle: names of functions often differ at their ends only.
func fit(s string, size, width Length) string {
	if canvas.TextWidth(s, size) <= width {
		return s
	}
	letters := []rune(s)
	for keep := len(letters) - 1; keep > 0; keep-- {
		head, tail := letters[:(keep+1)/2], letters[len(letters)-keep/2:]
		if short := string(head) + "…" + string(tail); canvas.TextWidth(short, size) <= width {
			return short
		}
	}
	return "…"
}

// briefly writes a time with three digits.
func briefly(ns int64) string {
	digits, u := texttab.Short(ns)
	return digits + " " + u.Symbol
}
