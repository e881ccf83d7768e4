package rawlog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// plain is a second reader, of good text without remarks and symbols: it holds everything.
func plain(text string) []event {
	type line struct {
		turn, time int64
		thread     int
		word       string
		function   string
	}
	var lines []line
	latest, first := make(map[int]int64), make(map[int]int64)
	for text := range strings.Lines(text) {
		f := strings.Fields(text)
		var l line
		fmt.Sscan(f[0], &l.time)
		fmt.Sscan(f[1], &l.thread)
		l.word, l.function = f[2], f[3]
		if _, ok := first[l.thread]; !ok {
			first[l.thread] = l.time
		}
		latest[l.thread] = max(latest[l.thread], l.time)
		l.turn = latest[l.thread]
		lines = append(lines, l)
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.turn, b.turn) })
	lifeline := func(thread int) string {
		rank := 1
		for other, at := range first {
			if at < first[thread] || at == first[thread] && other < thread {
				rank++
			}
		}
		return fmt.Sprintf("program/%d", rank)
	}
	var events []event
	for _, l := range lines {
		events = append(events, event{Ns: l.time, Key: schema.EventKey{Component: "program", Lifeline: lifeline(l.thread), Function: l.function,
			Kind: uint8(strings.Index("EX", l.word))}})
	}
	return events
}
