package machine

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// simulate runs a machine and keeps its events.
func simulate(t *testing.T, m *Machine, r Run) ([]Event, Stats, []Delay) {
	t.Helper()
	var all []Event
	stats, delays, err := m.Run(r, func(events []Event) error {
		all = append(all, events...)
		return nil
	})
	expect.OK(t, err)
	return all, stats, delays
}

func build(t *testing.T, components int, seed uint64, slow ...Slow) *Machine {
	t.Helper()
	m := expect.Value(Build(components, seed, slow...))(t)
	return m
}

func eachMachine(t *testing.T, f func(t *testing.T, m *Machine, events []Event, stats Stats)) {
	for _, c := range []struct {
		components int
		seed       uint64
	}{{24, 1}, {60, 2}, {396, 1}, {396, 9}} {
		m := build(t, c.components, c.seed)
		events, stats, _ := simulate(t, m, Run{Seed: 3, Events: 150_000, Contention: 7})
		f(t, m, events, stats)
	}
}

func TestTimesDoNotDecrease(t *testing.T) {
	eachMachine(t, func(t *testing.T, m *Machine, events []Event, stats Stats) {
		expect.Equal(t, events[0].TimeNs, 0, "start of the trace")
		for i := 1; i < len(events); i++ {
			if events[i].TimeNs < events[i-1].TimeNs {
				t.Fatalf("event %d: %d after %d", i, events[i].TimeNs, events[i-1].TimeNs)
			}
		}
	})
}

func TestExecutionsNestAndComplete(t *testing.T) {
	eachMachine(t, func(t *testing.T, m *Machine, events []Event, stats Stats) {
		stacks := make([][]string, len(m.Components))
		deepest := 0
		for i, e := range events {
			k := m.Keys[e.Key]
			stack := &stacks[k.Component]
			if k.Kind == schema.Enter {
				*stack = append(*stack, k.Function)
				deepest = max(deepest, len(*stack))
				continue
			}
			if n := len(*stack); n == 0 || (*stack)[n-1] != k.Function {
				t.Fatalf("event %d: %s finishes on %v", i, k.Function, *stack)
			}
			*stack = (*stack)[:len(*stack)-1]
		}
		for c, stack := range stacks {
			if len(stack) > 0 {
				t.Errorf("%s ends inside %v", m.Components[c], stack)
			}
		}
		if stats.Components > 100 && (deepest < 5 || deepest > 8) {
			t.Errorf("calls nest %d deep", deepest)
		}
	})
}

// A message is sent once, received once, later, and both ends are about the same service.
func TestMessagesMatch(t *testing.T) {
	receives := map[Mark]Mark{SendCall: ReceiveCall, SendTrigger: ReceiveTrigger, SendReply: ReceiveReply}
	eachMachine(t, func(t *testing.T, m *Machine, events []Event, stats Stats) {
		open := make(map[int64]Event)
		sent := make(map[int64]bool)
		for i, e := range events {
			switch e.Mark {
			case NoMessage:
			case SendCall, SendTrigger, SendReply:
				if sent[e.ID] {
					t.Fatalf("event %d: %d sent again", i, e.ID)
				}
				sent[e.ID], open[e.ID] = true, e
			default:
				s, ok := open[e.ID]
				if !ok || receives[s.Mark] != e.Mark || s.TimeNs >= e.TimeNs ||
					m.Keys[s.Key].Callee != m.Keys[e.Key].Callee {
					t.Fatalf("event %d %+v receives %+v, %t", i, e, s, ok)
				}
				delete(open, e.ID)
			}
		}
		if len(open) > 0 || int64(len(sent)) != stats.Messages {
			t.Errorf("%d messages, %d not received, counted %d", len(sent), len(open), stats.Messages)
		}
	})
}

// The ratios are those of Jonk et al. 2019, section V-B: 48.7 M events, 24.3 M executions, 11.7 M
// messages.
func TestRatiosOfTheCaseStudy(t *testing.T) {
	for seed := range uint64(4) {
		_, stats, _ := simulate(t, build(t, 396, seed), Run{Events: 400_000})
		got := float64(stats.Messages) / float64(stats.Events)
		if want := 11.7 / 48.7; math.Abs(got/want-1) > 0.1 {
			t.Errorf("machine %d: %.4f messages an event, want %.4f", seed, got, want)
		}
		expect.Equal(t, stats.Executions*2, stats.Events, "machine %d: twice its executions", seed)
		if over := stats.Events - 400_000; over < 0 || over > 20_000 {
			t.Errorf("machine %d: asked for 400000 events, got %d", seed, stats.Events)
		}
	}
}

type fragmentName struct {
	component, caller int
	function          string
}

// roots cuts a trace into service fragments and returns, for each, its words with their counts.
func roots(m *Machine, events []Event) map[fragmentName]map[string]int {
	sender := make(map[int64]int)
	receiver := make(map[int64]int)
	for _, e := range events {
		if e.Mark >= SendCall && e.Mark <= SendReply {
			sender[e.ID] = m.Keys[e.Key].Component
		} else if e.Mark != NoMessage {
			receiver[e.ID] = m.Keys[e.Key].Component
		}
	}
	depth := make([]int, len(m.Components))
	open := make([]fragmentName, len(m.Components))
	words := make([][]byte, len(m.Components))
	found := make(map[fragmentName]map[string]int)
	for _, e := range events {
		k := m.Keys[e.Key]
		c := k.Component
		peer := -1
		if e.Mark != NoMessage {
			peer = sender[e.ID] + receiver[e.ID] - c
		}
		if depth[c] == 0 {
			open[c], words[c] = fragmentName{c, peer, k.Function}, words[c][:0]
		}
		words[c] = append(words[c], byte(e.Key), byte(e.Key>>8), byte(e.Key>>16), byte(e.Mark), byte(peer), byte(peer>>8))
		if k.Kind == schema.Enter {
			depth[c]++
			continue
		}
		if depth[c]--; depth[c] == 0 {
			if found[open[c]] == nil {
				found[open[c]] = make(map[string]int)
			}
			found[open[c]][string(words[c])]++
		}
	}
	return found
}

// Fragments and words are counted independently, and how often fragments run spreads over three
// decades (Hilbig 2023, Fig. 3.6).
func TestFragments(t *testing.T) {
	m := build(t, 396, 1)
	events, stats, _ := simulate(t, m, Run{Events: 2_000_000})
	var decades [5]int
	words := 0
	found := roots(m, events)
	for _, counts := range found {
		n := 0
		for _, c := range counts {
			n += c
		}
		words += len(counts)
		decades[min(len(strconv.Itoa(n)), 5)-1]++
	}
	if len(found) != stats.Fragments || words != stats.Words {
		t.Errorf("%d fragments and %d words, counted %d and %d", len(found), words, stats.Fragments, stats.Words)
	}
	if len(found) < 1500 || words < 2000 || stats.Components != 396 {
		t.Errorf("%d fragments, %d words, %d components: too plain", len(found), words, stats.Components)
	}
	if decades != stats.Decades || decades[0] < decades[1] || slices.Min(decades[:4]) == 0 {
		t.Errorf("fragments by decade of their count: %v, counted %v", decades, stats.Decades)
	}
}

func TestBoundedInLengthOfTrace(t *testing.T) {
	m := build(t, 40, 1)
	_, short, _ := simulate(t, m, Run{Events: 1_500_000})
	_, long, _ := simulate(t, m, Run{Events: 3_000_000})
	if long.Words > short.Words*11/10 || long.LongestQueue > 2*short.LongestQueue+20 {
		t.Errorf("words and queues grow: %+v, %+v", short, long)
	}
}

func write(t *testing.T, dialect string, m *Machine, r Run) []byte {
	t.Helper()
	var out bytes.Buffer
	w := expect.Value(NewWriter(&out, m, dialect))(t)
	if _, _, err := m.Run(r, w.Write); err != nil {
		t.Fatal(err)
	}
	expect.OK(t, w.Flush())
	return out.Bytes()
}

func TestSameSeedSameBytes(t *testing.T) {
	r := Run{Seed: 5, Events: 50_000, Contention: 3}
	one, two := write(t, "thesis", build(t, 100, 4), r), write(t, "thesis", build(t, 100, 4), r)
	if !bytes.Equal(one, two) {
		t.Error("two runs differ")
	}
	r.Seed++
	if bytes.Equal(one, write(t, "thesis", build(t, 100, 4), r)) {
		t.Error("the seed changes nothing")
	}
}

// ownTime is the mean time between a start of a function without messages and its finish.
func ownTime(m *Machine, events []Event, component int, function string) time.Duration {
	var sum, n, start int64
	for _, e := range events {
		k := m.Keys[e.Key]
		switch {
		case k.Component != component || k.Function != function:
		case k.Kind == schema.Enter:
			start = e.TimeNs
		default:
			sum, n = sum+e.TimeNs-start, n+1
		}
	}
	return time.Duration(sum / n)
}

func TestSlow(t *testing.T) {
	r := Run{Events: 100_000}
	m := build(t, 60, 1)
	events, _, _ := simulate(t, m, r)
	model := slices.Index(m.Components, m.Components[m.services[m.loop.trigger].component])
	before := ownTime(m, events, model, "solve_model")
	for _, text := range []string{"solve_model=2", m.Components[model] + ".solve_model=+" + before.String()} {
		slow := expect.Value(ParseSlow(text))(t)
		m := build(t, 60, 1, slow)
		events, _, _ := simulate(t, m, r)
		if got := float64(ownTime(m, events, model, "solve_model")) / float64(before); got < 1.8 || got > 2.2 {
			t.Errorf("%s: %.2f times as long", text, got)
		}
	}
	if _, err := Build(60, 1, Slow{Function: "nobody", Factor: 2}); err == nil {
		t.Error("a function that is not there was slowed")
	}
	for _, bad := range []string{"f", "f=", "=2", "f=-1", "f=NaN", "f=+-5ms", "f=0", "f=+1parsec"} {
		if s, err := ParseSlow(bad); err == nil {
			t.Errorf("%q is %+v", bad, s)
		}
	}
}
