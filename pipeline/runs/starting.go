package runs

import (
	"strings"
	"time"

	"github.com/tracelake/tracelake/schema"
)

// starting is a window of time that selects the runs that start in it, as slices of a trace do: 13:00..13:10 on every day, or with dates
// 2022-08-23T13:00..2022-08-23T13:10. Times are of UTC, as those of most traces, and the end does not belong to the window.
type starting struct {
	from, to time.Time
	dated    bool
}

// moments are the ways to write an end of a window; those with a date come last.
var moments = []string{"15:04", "15:04:05", "2006-01-02T15:04", "2006-01-02T15:04:05"}

// firstDated is the first of moments with a date.
const firstDated = 2

// parseStarting reads a window. Both ends have a date, or neither has.
func parseStarting(text string) (w starting, ok bool) {
	first, last, ok := strings.Cut(text, "..")
	if !ok {
		return w, false
	}
	for i, layout := range moments {
		from, err := time.Parse(layout, strings.TrimSuffix(first, "Z"))
		if err != nil {
			continue
		}
		for k, layout := range moments {
			to, err := time.Parse(layout, strings.TrimSuffix(last, "Z"))
			if err == nil && (i >= firstDated) == (k >= firstDated) {
				return starting{from: from, to: to, dated: i >= firstDated}, true
			}
		}
	}
	return w, false
}

// IsWindow reports whether a selector is a window of time.
func IsWindow(selector string) bool {
	_, is := parseStarting(selector)
	return is
}

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
