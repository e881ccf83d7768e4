package chrome

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// TestManyOpen has calls open at once that need a lifeline each, which must take no more time a lifeline the more there are:
// 20,000 of a kind would take most of a minute if every name and every lane were tried.
func TestManyOpen(t *testing.T) {
	const calls = 20_000
	for kind, want := range map[string]string{"b": "process 1/async#20000", "X": "process 1/1#20000"} {
		var text strings.Builder
		text.WriteString("[")
		for i := range calls {
			fmt.Fprintf(&text, `{"ph":%q,"id":%d,"ts":%d,"dur":%d,"tid":1},`, kind, i, i, calls)
		}
		r := read(text.String(), options{})
		last := r.events[len(r.events)-1]
		if kind == "b" && last.Lifeline != want || !slices.ContainsFunc(r.events, func(e event1) bool { return e.Lifeline == want }) {
			t.Errorf("%s: the last call is on %s, want %s", kind, last.Lifeline, want)
		}
	}
}

// TestEndsBetweenBlocks has calls whose begins are the last rows of a block, and which end before anything else begins: by then that block is gone.
func TestEndsBetweenBlocks(t *testing.T) {
	const calls = 20_000
	for threads := range 9 {
		var text strings.Builder
		text.WriteString("[")
		for i := range calls {
			fmt.Fprintf(&text, `{"ph":"X","name":"f","ts":%d,"dur":%d,"tid":%d},`, 2*i, 1+i*i%7*threads, i%(threads+1))
		}
		if r := read(text.String(), options{}); len(r.events) != 2*calls {
			t.Errorf("%d threads: %d events, want %d", threads+1, len(r.events), 2*calls)
		}
	}
}

// TestFirstLane compares the lanes of calls that overlap with those that trying one lane after the other gives.
func TestFirstLane(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 7))
		type span struct{ from, until int64 }
		var spans []span
		for range 5 + rng.IntN(120) {
			from := rng.Int64N(200)
			spans = append(spans, span{from, from + 1 + rng.Int64N(60)})
		}
		slices.SortStableFunc(spans, func(a, b span) int {
			if a.from != b.from {
				return int(a.from - b.from)
			}
			return int(b.until - a.until)
		})
		var open [][]span // by lane
		var text strings.Builder
		want := map[string]int{} // how many calls begin on a lifeline at a time
		text.WriteString("[")
		for _, s := range spans {
			at := slices.IndexFunc(open, func(lane []span) bool {
				for len(lane) > 0 && lane[len(lane)-1].until <= s.from {
					lane = lane[:len(lane)-1]
				}
				return len(lane) == 0 || s.until <= lane[len(lane)-1].until
			})
			if at < 0 {
				at, open = len(open), append(open, nil)
			}
			for last := len(open[at]) - 1; last >= 0 && open[at][last].until <= s.from; last-- {
				open[at] = open[at][:last]
			}
			open[at] = append(open[at], s)
			lifeline := "process 1/1"
			if at > 0 {
				lifeline = fmt.Sprintf("process 1/1#%d", at+1)
			}
			want[fmt.Sprint(lifeline, " ", s.from*1000)]++
			fmt.Fprintf(&text, `{"ph":"X","ts":%d,"dur":%d,"tid":1},`, s.from, s.until-s.from)
		}
		got := map[string]int{}
		for _, e := range read(text.String(), options{}).events {
			if e.Kind == schema.Enter {
				got[fmt.Sprint(e.Lifeline, " ", e.TimeNs)]++
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("seed %d: %v, want %v", seed, got, want)
		}
	}
}
