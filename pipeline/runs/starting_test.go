package runs

import (
	"testing"
	"time"

	"github.com/tracelake/tracelake/testdata/expect"
)

func TestStarting(t *testing.T) {
	at := time.Date(2022, 8, 23, 13, 5, 30, 0, time.UTC).UnixNano()
	for text, has := range map[string]bool{
		"13:00..13:10": true, "13:05:30..13:06": true, "13:05..13:05:30": false, "13:06..13:05:40": true, "22:00..02:00": false, "22:00..13:06": true,
		"2022-08-23T13:00..2022-08-23T13:10": true, "2022-08-22T13:00..2022-08-22T13:10": false, "2022-08-22T13:00Z..2022-08-24T13:10:00Z": true,
		"2022-08-23T13:10..2022-08-23T13:00": false,
		"13:05..":                            true, "13:06..": false, "..13:06": true, "..13:05": false, "00:00..": true, "2022-08-23T13:05..": true, "2022-08-24T00:00..": false,
		"..2022-08-23T13:06Z": true, "..2022-08-23T13:05": false,
	} {
		w, ok := parseStarting(text)
		if !ok || w.has(at) != has {
			t.Errorf("%s: window %t, has it %t", text, ok, w.has(at))
		}
	}
	for _, text := range []string{"", "13:00", "..", "a..", "..b", "a..b", "13:00..b", "a..13:00", "13:00..2022-08-23T13:10", "release=1..2", "25:00..26:00"} {
		if IsWindow(text) {
			t.Errorf("%q is taken for a window", text)
		}
	}
	for text, is := range map[string]bool{"13:00..": false, "13:31..25:00": true, "13:00..2022-08-23T13:10": true, "release-1": false, "..": true} {
		expect.Equal(t, windowHint(text) != "", is, "how to write %s", text)
	}
	expect.Deep(t, Within("day", []string{"13:00..13:10", "release=1"}), []string{"split=day,13:00..13:10", "release=1"}, "selectors")
}
