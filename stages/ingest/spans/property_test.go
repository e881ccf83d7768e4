package spans

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// randomSpans makes the lines of a story: a few traces, whose spans come in trees. Where tidy, children lie in their parents,
// no span is without a time, and no id is used twice.
func randomSpans(rng *rand.Rand, n int, tidy bool) []string {
	kinds := []string{"-", "internal", "server", "client", "producer", "consumer"}
	type span struct{ trace, id, from, to int }
	var all []span
	var lines []string
	for id := 1; id <= n; id++ {
		s := span{trace: 1 + rng.IntN(3), id: id, from: rng.IntN(300)}
		s.to = s.from + rng.IntN(100)
		parent := "-"
		if k := rng.IntN(id); k > 0 {
			p := all[k-1]
			s.trace, parent = p.trace, strconv.Itoa(p.id)
			if tidy {
				s.from = p.from + rng.IntN(p.to-p.from+1)
				s.to = s.from + rng.IntN(p.to-s.from+1)
			}
		}
		all = append(all, s)
		from, to, follows := strconv.Itoa(s.from), strconv.Itoa(s.to), ""
		if rng.IntN(10) == 0 {
			follows = " follows"
		}
		if !tidy {
			switch rng.IntN(30) {
			case 0:
				s.id = 1 + rng.IntN(n)
			case 1:
				from = "?"
			case 2:
				to = "?"
			case 3:
				from, to = to, from
			case 4:
				parent = fmt.Sprint(1 + rng.IntN(2*n))
			}
		}
		kind, service, instance := kinds[rng.IntN(6)], strconv.Itoa(rng.IntN(4)), strconv.Itoa(rng.IntN(5)/4)
		lines = append(lines, strconv.Itoa(s.trace)+" "+strconv.Itoa(s.id)+" "+parent+" "+kind+" service"+service+"@"+instance+" f"+strconv.Itoa(id)+" "+from+" "+to+follows)
	}
	return lines
}

// stories calls check with stories of many sizes.
func stories(tidy bool, check func(seed uint64, lines []string, rng *rand.Rand)) {
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 11))
		check(seed, randomSpans(rng, 1+rng.IntN(40), tidy), rng)
	}
}

// wellFormed says what is wrong with events: calls of a lifeline that do not lie in each other, messages that are not sent
// once and then received once.
func wellFormed(events []got) error {
	open, sent := map[string][]string{}, map[int64]int{}
	for _, e := range events {
		stack := open[e.key.Lifeline]
		switch e.key.Kind {
		case schema.Enter:
			open[e.key.Lifeline] = append(stack, e.key.Function)
		case schema.Exit:
			if len(stack) == 0 || stack[len(stack)-1] != e.key.Function {
				return fmt.Errorf("%v leaves %v", e, stack)
			}
			open[e.key.Lifeline] = stack[:len(stack)-1]
		}
		switch e.mark.Direction {
		case schema.Send:
			if sent[e.id]++; sent[e.id] != 1 {
				return fmt.Errorf("%v: sent before", e)
			}
		case schema.Receive:
			if sent[e.id]++; sent[e.id] != 2 {
				return fmt.Errorf("%v: not sent, or received before", e)
			}
		case schema.NoMessage:
			if e.id != schema.NoValue || e.key.Kind == schema.Message {
				return fmt.Errorf("%v: number %d", e, e.id)
			}
		}
	}
	for lifeline, stack := range open {
		if len(stack) > 0 {
			return fmt.Errorf("%s: %v are open at the end", lifeline, stack)
		}
	}
	for id, times := range sent {
		if times != 2 {
			return fmt.Errorf("message %d: not received", id)
		}
	}
	return nil
}

func TestWellFormed(t *testing.T) {
	for _, tidy := range []bool{false, true} {
		stories(tidy, func(seed uint64, lines []string, _ *rand.Rand) {
			out := story(t, strings.Join(lines, "\n"))
			if err := wellFormed(out.events); err != nil {
				t.Errorf("%d: %v\n%s\n%v", seed, err, strings.Join(lines, "\n"), out)
			}
		})
	}
}

// TestTidy checks that spans without defects keep their times and come in the order of time, and that only the one loss is
// counted that says where calls went.
func TestTidy(t *testing.T) {
	stories(true, func(seed uint64, lines []string, _ *rand.Rand) {
		out := story(t, strings.Join(lines, "\n"))
		var want, have []string
		for _, line := range lines {
			f := strings.Fields(line)
			service, _, _ := strings.Cut(f[4], "@")
			want = append(want, f[6]+" "+service+" > "+f[5], f[7]+" "+service+" < "+f[5])
		}
		for _, e := range out.events {
			if e.key.Kind != schema.Message {
				have = append(have, fmt.Sprintf("%d %s %s %s", e.timeNs, e.key.Component, []string{">", "<"}[e.key.Kind], e.key.Function))
			}
		}
		slices.Sort(want)
		slices.Sort(have)
		expect.Deep(t, have, want, "%d: events", seed)
		if !slices.IsSortedFunc(out.events, func(a, b got) int { return int(a.timeNs - b.timeNs) }) {
			t.Errorf("%d: not in the order of time:\n%v", seed, out)
		}
		for _, l := range out.losses {
			expect.Equal(t, l.Reason, schema.CrossingCall.Name, "%d", seed)
		}
	})
}

// TestOrderOfInput checks that it does not matter in which order the spans of a trace come, or that memory is short.
func TestOrderOfInput(t *testing.T) {
	stories(false, func(seed uint64, lines []string, rng *rand.Rand) {
		if seed%4 > 0 {
			return
		}
		seen := map[string]bool{}
		for _, line := range lines { // of two spans with one id the first is met first
			f := strings.Fields(line)
			if seen[f[0]+" "+f[1]] {
				return
			}
			seen[f[0]+" "+f[1]] = true
		}
		want := story(t, strings.Join(lines, "\n"))
		rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		expect.Deep(t, story(t, strings.Join(lines, "\n")).events, want.events, "%d: in another order", seed)
	})
}

// TestShift adds a number to all times: it is added to all times that come out, and nothing else changes.
func TestShift(t *testing.T) {
	const by = 1_700_000_000_000_000_000
	stories(false, func(seed uint64, lines []string, _ *rand.Rand) {
		want := story(t, strings.Join(lines, "\n"))
		for i, line := range lines {
			f := strings.Fields(line)
			for _, k := range []int{6, 7} {
				if f[k] != "?" {
					f[k] = fmt.Sprint(instant(f[k]) + by)
				}
			}
			lines[i] = strings.Join(f, " ")
		}
		moved := story(t, strings.Join(lines, "\n"))
		for i := range moved.events {
			moved.events[i].timeNs -= by
		}
		expect.Deep(t, moved, want, "%d: moved", seed)
	})
}

// TestScratch reads so many spans that they do not fit into the memory given, and sees the same events as with enough.
func TestScratch(t *testing.T) {
	var lines []string
	for i := range 20_000 {
		trace := i * 7919 % 20_000
		lines = append(lines, fmt.Sprintf("%d 2 1 server shop f%d %d %d", trace+1, trace%10, trace*10+20, trace*10+80),
			fmt.Sprintf("%d 1 - client web f%d %d %d", trace+1, trace%7, trace*10, trace*10+100))
	}
	text, files := strings.Join(lines, "\n"), 0
	want := readWith(t, parseLines, text, schema.Reading{Memory: 1 << 30})
	got := readWith(t, parseLines, text, schema.Reading{Memory: 300_000, Scratch: func() (schema.Scratch, error) {
		files++
		return new(readertest.Memory), nil
	}})
	if files != 2 || len(want.events) != 80_000 || !reflect.DeepEqual(got, want) {
		t.Errorf("%d scratch files, %d events: differs", files, len(want.events))
	}
	if err := wellFormed(got.events); err != nil {
		t.Error(err)
	}
	for _, e := range got.events {
		if !slices.Contains([]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"}, e.key.Lifeline[strings.Index(e.key.Lifeline, "/")+1:]) {
			t.Fatalf("%v, though at most eleven requests go on at a time", e)
		}
	}
}

// TestDeep reads a trace in which every call lies in another one, and one with very many children.
func TestDeep(t *testing.T) {
	const n = 50_000
	var deep, wide []string
	for i := range n {
		deep = append(deep, fmt.Sprintf("1 %d %d client s%d f %d %d", i+1, i, i%3, i, 2*n-i))
		wide = append(wide, fmt.Sprintf("1 %d %d - s%d f %d %d", i+2, 1, i%3, i, i+5))
	}
	wide = append(wide, fmt.Sprintf("1 1 - - root f 0 %d", n+9))
	for _, lines := range [][]string{deep, wide} {
		out := readWith(t, parseLines, strings.Join(lines, "\n"), schema.Reading{Memory: 1 << 30})
		if err := wellFormed(out.events); err != nil || len(out.events) < 2*len(lines) {
			t.Errorf("%d events: %v", len(out.events), err)
		}
	}
}

func FuzzSpans(f *testing.F) {
	f.Add(uint64(1), 3, true)
	f.Fuzz(func(t *testing.T, seed uint64, n int, tidy bool) {
		lines := randomSpans(rand.New(rand.NewPCG(seed, 12)), 1+min(max(n, 0), 100), tidy)
		if err := wellFormed(story(t, strings.Join(lines, "\n")).events); err != nil {
			t.Errorf("%v\n%s", err, strings.Join(lines, "\n"))
		}
	})
}
