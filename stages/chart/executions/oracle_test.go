package executions_test

import (
	"fmt"
	"math/rand"
	"slices"
	"sort"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/automata"
	"github.com/tracelake/tracelake/stages/behaviour/samples"
	"github.com/tracelake/tracelake/testdata/expect"
)

// random is a trace of n random events of few names, after which every open call is closed.
func random(rng *rand.Rand, n int) *schema.Events {
	ev := &schema.Events{Names: new(schema.Names)}
	open := map[string][]string{}
	lifelines := []string{"a", "b", "b/2"}
	now := int64(0)
	next := func(lifeline, function string, kind schema.Kind) {
		now += int64(rng.Intn(10))
		add(ev, now, lifeline, function, kind)
		for _, more := range []string{"!p", "?p", "!q", "?", ":blk", "*"} {
			if rng.Intn(10) == 0 {
				extend(ev, len(ev.Seq)-1, more)
			}
		}
	}
	for range n {
		lifeline, function := lifelines[rng.Intn(3)], string(rune('f'+rng.Intn(3)))
		switch calls := open[lifeline]; {
		case rng.Intn(9) == 0:
			next(lifeline, function, schema.Message)
		case rng.Intn(2) == 0:
			open[lifeline] = append(calls, function)
			next(lifeline, function, schema.Enter)
		default:
			if len(calls) > 0 && rng.Intn(3) > 0 {
				function = calls[len(calls)-1]
			}
			if i := slices.Index(calls, function); i >= 0 {
				open[lifeline] = slices.Delete(calls, i, i+1)
			}
			next(lifeline, function, schema.Exit)
		}
	}
	for _, lifeline := range lifelines {
		for _, function := range open[lifeline] {
			next(lifeline, function, schema.Exit)
		}
	}
	return ev
}

// slowCall is a call with all that becomes of it.
type slowCall struct {
	at, exit int // positions of its events
	word     *slowWord
	skipped  bool
	nested   int64
	parent   *slowCall
	depth    int
}

type slowWord struct {
	fragment   string
	occurrence int
}

// slow finds the executions of a trace with nothing but lists, in the words of row.
func slow(ev *schema.Events) (rows []string) {
	calls, words, counts := map[uint32][]*slowCall{}, map[uint32]*slowWord{}, map[string]int{}
	for i, kind := range ev.Kind {
		line := ev.Lifeline[i]
		switch kind {
		case schema.Enter:
			c := &slowCall{at: i, word: words[line]}
			if !slices.ContainsFunc(calls[line], func(o *slowCall) bool { return !o.skipped }) {
				name := fragmentName(ev, i)
				c.word = &slowWord{name, counts[name]}
				words[line] = c.word
				counts[name]++
			}
			for _, o := range calls[line] {
				if o.word == c.word {
					c.parent = o
					c.depth++
				}
			}
			calls[line] = append(calls[line], c)
		case schema.Exit:
			if c := closeSlow(calls, words, ev, i); c != nil {
				rows = append(rows, c.row(ev))
			}
		}
	}
	return rows
}

func closeSlow(calls map[uint32][]*slowCall, words map[uint32]*slowWord, ev *schema.Events, i int) *slowCall {
	line := ev.Lifeline[i]
	list := calls[line]
	for j := len(list) - 1; j >= 0; j-- {
		c := list[j]
		if ev.Function[c.at] != ev.Function[i] {
			continue
		}
		if c.word == words[line] {
			for _, above := range list[j+1:] {
				above.skipped = true
			}
		}
		calls[line] = slices.Delete(slices.Clone(list), j, j+1)
		c.exit = i
		if c.parent != nil && slices.Contains(calls[line], c.parent) && c.word == words[line] {
			c.parent.nested += ev.TimeNs[i] - ev.TimeNs[c.at]
		}
		return c
	}
	return nil
}

// fragmentName is the name by the first event of a word.
func fragmentName(ev *schema.Events, i int) string {
	peer, direction := "", ev.Direction[i]
	if direction != schema.NoMessage {
		peer = ev.Names.Components.Name(ev.Peer[i])
	}
	return schema.FragmentName(ev.Names.Components.Name(ev.Component[i]), ev.Names.Functions.Name(ev.Function[i]), direction, peer)
}

func (c *slowCall) row(ev *schema.Events) string {
	d := ev.TimeNs[c.exit] - ev.TimeNs[c.at]
	number := 1
	for i := range c.at {
		if ev.Kind[i] == schema.Enter && ev.Component[i] == ev.Component[c.at] && ev.Function[i] == ev.Function[c.at] {
			number++
		}
	}
	text := fmt.Sprintf("%s.%s(%d) %d to %d: %d, self %d, depth %d, %s #%d", ev.Names.Lifelines.Name(ev.Lifeline[c.at]),
		ev.Names.Functions.Name(ev.Function[c.at]), number, c.at, c.exit, d, d-c.nested, c.depth, c.word.fragment, c.word.occurrence)
	if c.parent != nil {
		text += fmt.Sprintf(", in %d", c.parent.at)
	}
	role := map[string]string{
		"?!": "sync_handler", "? ": "trigger_handler", "??": "trigger_handler", "!?": "blocking_call", "! ": "request", "!!": "request", " ?": "wait",
	}[mark(ev, c.at)+mark(ev, c.exit)]
	kind, peer := ev.ExecutionType[c.at], ev.Peer[c.at]
	if kind == schema.NoCode {
		kind = ev.ExecutionType[c.exit]
	}
	if peer == schema.NoCode {
		peer = ev.Peer[c.exit]
	}
	for _, more := range []string{role, ev.Names.Types.Name(kind)} {
		if more != "" {
			text += ", " + more
		}
	}
	if peer != schema.NoCode {
		text += " with " + ev.Names.Components.Name(peer)
	}
	if ev.Synthetic[c.at] || ev.Synthetic[c.exit] {
		text += ", invented"
	}
	return text
}

func mark(ev *schema.Events, i int) string {
	if ev.Peer[i] == schema.NoCode {
		return " "
	}
	return []string{" ", "!", "?"}[ev.Direction[i]]
}

func TestOracle(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 2000 {
		ev := random(rng, rng.Intn(50))
		ex := pair(ev, 1+rng.Intn(20), new(schema.Ledger))
		want := slow(ev)
		expect.Equal(expect.Must(t), len(want), len(ex.Execution), "executions")
		for i := range want {
			expect.Equal(expect.Must(t), row(ex, i), want[i], "execution %d", i)
		}
	}
}

func TestShiftChangesTimesOnly(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for range 200 {
		ev := random(rng, 60)
		want := pair(ev, 100, new(schema.Ledger))
		for i := range ev.TimeNs {
			ev.TimeNs[i] += 1e15
		}
		got := pair(ev, 7, new(schema.Ledger))
		for i := range want.Execution {
			if row(got, i) != row(want, i) || got.StartNs[i] != want.StartNs[i]+1e15 || got.FinishNs[i] != want.FinishNs[i]+1e15 {
				t.Fatalf("%s from %d to %d, was %s", row(got, i), got.StartNs[i], got.FinishNs[i], row(want, i))
			}
		}
	}
}

// occurrence is one of a fragment, with its length where that is known.
func occurrence(fragment string, number, length int64) string {
	return fmt.Sprintf("%s #%d: %d", fragment, number, length)
}

// The executions and the automata's samples are of the same occurrences of the same fragments, and where calls
// nest a root execution lasts as long as its occurrence.
func TestOccurrencesAreThoseOfSamples(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	lengths := 0
	for range 1000 {
		ev := random(rng, rng.Intn(50))
		led := new(schema.Ledger)
		ex := pair(ev, 100, led)
		b := automata.NewBuilder(ev.Names)
		b.Add(ev, led)
		model := b.Model(led)
		r := expect.Value(samples.NewReplayer(ev.Names, model.Transitions))(t)
		whole := led.Count(schema.OpenFragment) == 0 // no word is cut, so each ends with its root
		got, want := map[string]bool{}, map[string]bool{}
		for i := range ex.Execution {
			if ex.Depth[i] == 0 {
				length := int64(0)
				if whole {
					length = ex.DurationNs[i]
				}
				got[occurrence(ev.Names.Fragments.Name(ex.Fragment[i]), ex.Occurrence[i], length)] = true
			}
		}
		for name, length := range lastSamples(t, r, ev) {
			if !whole || ragged(ev) {
				length = 0
			}
			want[occurrence(name.fragment, name.occurrence, length)] = true
		}
		if whole && ragged(ev) {
			continue
		}
		if whole {
			lengths++
		}
		expect.Slice(expect.Must(t), keys(got), keys(want), "executions, and samples")
	}
	if lengths < 100 {
		t.Errorf("only %d traces without interleaved calls", lengths)
	}
}

// ragged reports whether some call of a trace is closed out of order, so that a root may end before its word.
func ragged(ev *schema.Events) bool {
	open := map[uint32][]uint32{}
	for i, kind := range ev.Kind {
		line := ev.Lifeline[i]
		calls := open[line]
		switch {
		case kind == schema.Enter:
			open[line] = append(calls, ev.Function[i])
		case kind == schema.Exit && slices.Contains(calls, ev.Function[i]):
			if calls[len(calls)-1] != ev.Function[i] {
				return true
			}
			open[line] = calls[:len(calls)-1]
		}
	}
	return false
}

type occurrenceKey struct {
	fragment   string
	occurrence int64
}

// lastSamples is the time since the start of the last event of each occurrence.
func lastSamples(t *testing.T, r *samples.Replayer, ev *schema.Events) map[occurrenceKey]int64 {
	t.Helper()
	last := map[occurrenceKey]int64{}
	for _, rg := range r.Ranges(0) {
		r.Start(rg)
		expect.OK(t, r.Add(ev))
		s := schema.NewSamples(ev.Names)
		expect.OK(t, r.Finish(s, func() error { return nil }))
		for i := range s.Occurrence {
			k := occurrenceKey{s.Names.Fragments.Name(s.Fragment[i]), s.Occurrence[i]}
			last[k] = max(last[k], s.SinceStartNs[i])
		}
	}
	return last
}

func keys(set map[string]bool) (list []string) {
	for k := range set {
		list = append(list, k)
	}
	sort.Strings(list)
	return list
}
