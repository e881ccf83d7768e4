package runs

import (
	"math"
	"strings"
	"time"

	"github.com/tracelake/tracelake/schema"
)

// starting is a window of time that selects the runs that start in it, as slices of a trace do: 13:00..13:10 on every day, or with dates
// 2022-08-23T13:00..2022-08-23T13:10. Times are of UTC, as those of most traces, and the end does not belong to the window. One end may be open: 13:00..
// is the rest of every day from one o'clock on, and ..2022-08-23T13:10 all before that.
type starting struct {
	from, to time.Time
	dated    bool
}

// moments are the ways to write an end of a window; those with a date come last.
var moments = []string{"15:04", "15:04:05", "2006-01-02T15:04", "2006-01-02T15:04:05"}

// firstDated is the first of moments with a date.
const firstDated = 2

// parseStarting reads a window. Both ends have a date, or neither has; one may be missing.
func parseStarting(text string) (w starting, ok bool) {
	first, last, ok := strings.Cut(text, "..")
	if !ok || first == "" && last == "" {
		return w, false
	}
	from, fromDated, isFrom := parseMoment(first)
	to, toDated, isTo := parseMoment(last)
	switch {
	case first == "" && isTo && toDated:
		from = time.Unix(0, math.MinInt64)
	case first == "" && isTo:
		from = midnight
	case last == "" && isFrom && fromDated:
		to, toDated = time.Unix(0, math.MaxInt64), true
	case last == "" && isFrom:
		to = midnight.AddDate(0, 0, 1)
	case !isFrom || !isTo || fromDated != toDated:
		return w, false
	}
	return starting{from, to, toDated}, true
}

// midnight begins the day of times without a date.
var midnight = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)

// parseMoment reads an end of a window.
func parseMoment(text string) (at time.Time, dated, ok bool) {
	for i, layout := range moments {
		if at, err := time.Parse(layout, strings.TrimSuffix(text, "Z")); err == nil {
			return at, i >= firstDated, true
		}
	}
	return at, false, false
}

// windowHint says how windows are written, behind the sentence that nothing is called like a text that was meant as one.
func windowHint(text string) string {
	if !IsMeantAsWindow(text) || IsWindow(text) {
		return ""
	}
	return "; a window of time is FROM..TO in UTC, as 13:00..13:10 or 2022-08-23T13:00..2022-08-23T13:10:30, of which one end may be missing, and a date stands at both or at neither"
}

// IsWindow reports whether a selector is a window of time.
func IsWindow(selector string) bool {
	_, is := parseStarting(selector)
	return is
}

// IsMeantAsWindow reports whether a selector looks like a window, which may be wrong.
func IsMeantAsWindow(selector string) bool { return strings.Contains(selector, "..") }

// has reports whether a time lies in the window. One without dates may go over midnight.
func (w starting) has(ns int64) bool {
	at := time.Unix(0, ns).UTC()
	if !w.dated {
		at = time.Date(w.from.Year(), w.from.Month(), w.from.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), time.UTC)
		if w.to.Before(w.from) {
			return !at.Before(w.from) || at.Before(w.to)
		}
	}
	return !at.Before(w.from) && at.Before(w.to)
}

// Within makes selectors of windows of a run, which was ingested in slices: those of its slices that start in them. Other selectors stay.
func Within(run string, selectors []string) []string {
	out := make([]string, len(selectors))
	for i, s := range selectors {
		if out[i] = s; IsWindow(s) {
			out[i] = schema.LabelSplit + "=" + run + "," + s
		}
	}
	return out
}
