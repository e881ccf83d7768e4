package automaton

import (
	"strconv"

	"github.com/tracelake/tracelake/stages/report/canvas"
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
