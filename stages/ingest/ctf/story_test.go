package ctf

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/testdata/storytest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// oneSymbol is a program of one function.
type oneSymbol struct {
	address        uint64
	function, unit string
}

func (s oneSymbol) Lookup(address uint64) (string, string, bool) {
	return s.function, s.unit, address == s.address
}

func symbolsOf(address uint64, function, unit string) schema.ReadingOptions {
	return schema.ReadingOptions{Symbols: oneSymbol{address, function, unit}}
}

// parseStory reads the streams of a story. Its lines are
//
//	stream                          the next CPU
//	packet DISCARDED SEQUENCE       the next event begins a packet
//	CYCLES PID/TID NAME > ADDRESS   enter; < exit, ^ exit without an address, ( begin and ) end of app:load, . other
//	CYCLES PID/TID NAME @ ADDRESS SIZE PATH pic|fixed
func parseStory(t *testing.T, text string) [][]anEvent {
	t.Helper()
	var out [][]anEvent
	var next anEvent
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "stream":
			out = append(out, nil)
			next = anEvent{newPacket: true}
		case strings.HasPrefix(line, "packet "):
			next = anEvent{newPacket: true}
			scan(t, line, "packet %d %d", &next.discarded, &next.sequence)
		case line != "":
			e, sign, rest := next, "", ""
			next = anEvent{}
			words := strings.SplitN(line, " ", 5)
			sign = words[3]
			if len(words) == 5 {
				rest = words[4]
			}
			scan(t, strings.Join(words[:3], " "), "%d %d/%d %s", &e.cycles, &e.pid, &e.tid, &e.comm)
			e.id = uint64(strings.Index("><@^().", sign))
			if rest != "" {
				kind := ""
				if e.id == aModule {
					scan(t, rest, "%v %v %s %s", &e.address, &e.size, &e.path, &kind)
				} else {
					scan(t, rest, "%v", &e.address)
				}
				e.pic = kind == "pic"
			}
			out[len(out)-1] = append(out[len(out)-1], e)
		}
	}
	return out
}

func scan(t *testing.T, line, format string, to ...any) {
	t.Helper()
	if _, err := fmt.Sscanf(line, format, to...); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
}

// TestStories reads small traces, each in several layouts or forms, which give the same. The function at 0x1000 of the program of a story
// of events is called main and is of main.c; a story with a script is described by that type.
func TestStories(t *testing.T) {
	storytest.Play(t, 1, func(t *testing.T, files []txtar.File, want string) string {
		if files[0].Name == "script" {
			_, key, _ := strings.Cut(want, " --pair-key ")
			return parseScript(t, string(files[0].Data)).play(t, schema.ReadingOptions{PairKey: key})
		}
		in := func(l layout) string {
			return telling(readFS(t, l.trace(parseStory(t, string(files[0].Data))...), symbolsOf(0x1000, "main", "main.c"), "t"))
		}
		got := in(layout{align: 8})
		expect.Equal(t, in(layout{align: 64, big: true, compact: true, packed: true}), got, "in another layout")
		return got
	})
}

// telling is what a reading gave, as text.
func telling(r *result) string {
	var out strings.Builder
	for _, row := range r.rows {
		fmt.Fprintln(&out, row)
	}
	for _, reason := range slices.Sorted(maps.Keys(r.losses)) {
		fmt.Fprintf(&out, "loss %s %d\n", reason, r.losses[reason])
	}
	if r.err != nil {
		fmt.Fprintf(&out, "error %v\n", r.err)
	}
	return out.String()
}
