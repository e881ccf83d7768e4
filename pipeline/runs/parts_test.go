package runs

import (
	"testing"

	"github.com/tracelake/tracelake/stages/change/services"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestPartOfRun keeps the requests that start in a window, and knows when two parts share one.
func TestPartOfRun(t *testing.T) {
	var all []services.Request
	for minute := range int64(10) {
		all = append(all, services.Request{Seq: minute, Spans: []services.Span{{StartNs: minute * 60e9}}})
	}
	kept := func(within string) []services.Request {
		return expect.Value(Part{"day", within}.of(append([]services.Request(nil), all...)))(t)
	}
	first, second := kept("00:02..00:04"), kept("00:04..00:05")
	expect.Deep(t, []int64{first[0].Seq, first[1].Seq, second[0].Seq}, []int64{2, 3, 4}, "minutes")
	expect.Equal(t, len(first)+len(second), 3, "requests of both windows")
	expect.Equal(t, len(kept("")), 10, "requests of the run")
	if _, err := (Part{"day", "03:00..04:00"}).of(all); err == nil ||
		err.Error() != "no request of run day starts in 03:00..04:00: they start from 1970-01-01T00:00:00 to 1970-01-01T00:09:00" {
		t.Error(err)
	}
	parts := []Part{{"day", "00:02..00:04"}, {"day", "00:04..00:05"}, {"night", ""}}
	number := func(requests []services.Request, part int32) (out []services.Request) {
		for _, q := range requests {
			q.Run = part
			out = append(out, q)
		}
		return out
	}
	expect.Equal(t, twice(parts, append(number(first, 0), number(second, 1)...)), "", "windows one behind the other")
	expect.Equal(t, twice(parts, append(number(first, 0), number(first[1:], 1)...)), "day", "windows that overlap")
	expect.Equal(t, twice(parts, append(number(first, 0), number(first, 2)...)), "", "requests of different runs")
}
