package samples_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/automata"
	"github.com/tracelake/tracelake/stages/behaviour/samples"
	"github.com/tracelake/tracelake/stages/behaviour/testdata/wordtest"
	"github.com/tracelake/tracelake/stages/chart/testdata/storytest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// replay gives the samples of a trace, taken in batches of at most batch events and ranges of at most
// maxRows samples.
func replay(t testing.TB, m *automata.Model, ev *schema.Events, batch int, maxRows int64) *schema.Samples {
	t.Helper()
	all := schema.NewSamples(ev.Names)
	r := expect.Value(samples.NewReplayer(ev.Names, m.Transitions))(t)
	for _, rg := range r.Ranges(maxRows) {
		r.Start(rg)
		for at := 0; at < len(ev.Seq); at += batch {
			expect.OK(t, r.Add(wordtest.Part(ev, at, min(at+batch, len(ev.Seq)))))
		}
		s := schema.NewSamples(ev.Names)
		expect.OK(t, r.Finish(s, func() error { return nil }))
		if n := int64(schema.Rows(s)); n != rg.Rows || (maxRows > 0 && n > maxRows && rg.To > rg.From+1) {
			t.Fatalf("range %+v of at most %d rows has %d", rg, maxRows, n)
		}
		appendSamples(all, s)
	}
	return all
}

// The samples of a range are the same when they are taken away batch by batch, in memory of which another replayer left
// something behind, and a batch is bounded.
func TestBatches(t *testing.T) {
	ev := wordtest.Synthetic(400_000, 3)
	m := learn(ev)
	want := replay(t, m, ev, len(ev.Seq), 0)
	for _, left := range []int{0, 1000} {
		r := expect.Value(samples.NewReplayer(ev.Names, m.Transitions))(t)
		r.Start(r.Ranges(0)[0])
		expect.OK(t, r.Add(ev))
		all, part, batches := schema.NewSamples(ev.Names), schema.NewSamples(ev.Names), 0
		expect.OK(t, r.Finish(part, func() error {
			n := len(part.TimeNs)
			if batches++; n > 1<<17 {
				t.Fatalf("a batch of %d rows", n)
			}
			appendSamples(all, part)
			schema.Truncate(all, len(all.TimeNs)-left)
			rest := schema.NewSamples(ev.Names)
			schema.AppendRows(rest, part, n-left, n)
			schema.Reset(part)
			appendSamples(part, rest)
			return nil
		}))
		appendSamples(all, part)
		r.Close()
		if batches < 3 || !slices.Equal(all.SinceStartNs, want.SinceStartNs) || !slices.Equal(all.Transition, want.Transition) || !slices.Equal(all.TimeNs, want.TimeNs) {
			t.Errorf("%d samples in %d batches, not the same as %d in one", len(all.TimeNs), batches, len(want.TimeNs))
		}
	}
}

func appendSamples(to, s *schema.Samples) {
	to.Fragment = append(to.Fragment, s.Fragment...)
	to.Transition = append(to.Transition, s.Transition...)
	to.Occurrence = append(to.Occurrence, s.Occurrence...)
	to.TimeNs = append(to.TimeNs, s.TimeNs...)
	to.SincePreviousNs = append(to.SincePreviousNs, s.SincePreviousNs...)
	to.SinceCallNs = append(to.SinceCallNs, s.SinceCallNs...)
	to.SinceStartNs = append(to.SinceStartNs, s.SinceStartNs...)
}

func render(m *automata.Model, s *schema.Samples) string {
	var out strings.Builder
	row := 0
	value := func(v int64) string {
		if v == schema.NoValue {
			return "-"
		}
		return fmt.Sprint(v)
	}
	for _, t := range m.Transitions {
		fmt.Fprintf(&out, "%s %d: %s %s\n", t.Fragment, t.Transition, t.Kind, t.Function)
		for range t.Count {
			fmt.Fprintf(&out, "  %d: absolute %d, relative %s, stack %s, fragment %d\n", s.Occurrence[row], s.TimeNs[row],
				value(s.SincePreviousNs[row]), value(s.SinceCallNs[row]), s.SinceStartNs[row])
			if s.Names.Fragments.Name(s.Fragment[row]) != t.Fragment || s.Transition[row] != t.Transition {
				fmt.Fprintf(&out, "  in fragment %s, transition %d\n", s.Names.Fragments.Name(s.Fragment[row]), s.Transition[row])
			}
			row++
		}
	}
	return out.String()
}

func TestStories(t *testing.T) {
	storytest.Play(t, 1, func(t *testing.T, files []txtar.File, _ string) string {
		ev := wordtest.Story(t, new(schema.Names), string(files[0].Data))
		m := learn(ev)
		return render(m, replay(t, m, ev, 1000, 0))
	})
}

func TestBatchesAndRangesDoNotMatter(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	for range 100 {
		ev := random(t, rng, rng.Intn(400))
		m := learn(ev)
		want := replay(t, m, ev, 1000, 0)
		for _, maxRows := range []int64{1, 2, 7, 50, 1 << 40} {
			expect.Deep(expect.Must(t), replay(t, m, ev, 1+rng.Intn(50), maxRows), want, "ranges of %d rows", maxRows)
		}
	}
}

func TestTransitionsMayComeInAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewSource(6))
	ev := random(t, rng, 300)
	m := learn(ev)
	want := replay(t, m, ev, 1000, 0)
	rng.Shuffle(len(m.Transitions), func(i, j int) {
		m.Transitions[i], m.Transitions[j] = m.Transitions[j], m.Transitions[i]
	})
	expect.Deep(t, replay(t, m, ev, 1000, 0), want, "with transitions in another order")
}

func TestShiftOfTimeChangesOnlyAbsoluteSamples(t *testing.T) {
	ev := random(t, rand.New(rand.NewSource(7)), 500)
	m := learn(ev)
	want := replay(t, m, ev, 1000, 0)
	for i := range ev.TimeNs {
		ev.TimeNs[i] += 1_000_000
	}
	got := replay(t, m, ev, 1000, 0)
	for i := range got.TimeNs {
		got.TimeNs[i] -= 1_000_000
	}
	expect.Deep(t, got, want, "with another start")
}

// A second way to the same numbers: every word by itself, its calls found by a search backwards.
func TestSamplesByDefinition(t *testing.T) {
	rng := rand.New(rand.NewSource(8))
	for range 100 {
		ev := random(t, rng, 200)
		want := map[[4]int64]int{}
		words := map[schema.Code][]int{}
		for i := range ev.Seq {
			line := ev.Lifeline[i]
			words[line] = append(words[line], i)
			if balanced(ev, words[line]) {
				byDefinition(ev, words[line], want)
				delete(words, line)
			}
		}
		s := replay(t, learn(ev), ev, 1000, 0)
		for i := range s.TimeNs {
			want[[4]int64{s.TimeNs[i], s.SincePreviousNs[i], s.SinceCallNs[i], s.SinceStartNs[i]}]--
		}
		for row, n := range want {
			expect.Equal(expect.Must(t), n, 0, "lacking rows %v", row)
		}
	}
}

func balanced(ev *schema.Events, word []int) bool {
	depth := 0
	for _, i := range word {
		depth += 1 - 2*int(ev.Kind[i])
	}
	return depth == 0
}

func byDefinition(ev *schema.Events, word []int, rows map[[4]int64]int) {
	for k, i := range word {
		row := [4]int64{ev.TimeNs[i], schema.NoValue, schema.NoValue, ev.TimeNs[i] - ev.TimeNs[word[0]]}
		if k > 0 {
			row[1] = ev.TimeNs[i] - ev.TimeNs[word[k-1]]
		}
		if ev.Kind[i] == schema.Exit {
			from := k - 1
			for !balanced(ev, word[from:k+1]) {
				from--
			}
			row[2] = ev.TimeNs[i] - ev.TimeNs[word[from]]
		}
		rows[row]++
	}
}

func TestAutomataOfAnotherTraceAreRefused(t *testing.T) {
	names := new(schema.Names)
	m := learn(wordtest.Story(t, names, "1 c > f\n2 c > g\n3 c < g\n4 c < f\n5 c > f\n6 c < f"))
	for _, c := range []struct{ trace, want string }{
		{"1 c > x\n2 c < x", "event 0"},
		{"1 d > f\n2 d < f", "event 0"},
		{"1 c > f\n2 c > h\n3 c < h\n4 c < f", "event 1"},
		{"1 c > f\n2 c > g\n3 c < f\n4 c > f", "event 2"},
		{"1 c > f\n2 c < f", "transition 0 of fragment \"c.f\" was taken 1 times, its count is 2"},
		{"1 c > f\n2 c < f\n3 c > f\n4 c < f", "transition 1 of fragment \"c.f\" was taken 2 times, its count is 1"},
	} {
		r := expect.Value(samples.NewReplayer(names, m.Transitions))(t)
		r.Start(r.Ranges(0)[0])
		err := r.Add(wordtest.Story(t, names, c.trace))
		if err == nil {
			err = r.Finish(schema.NewSamples(names), func() error { return nil })
		}
		expect.Refused(t, err, c.want, "%q", c.trace)
	}
	for _, kind := range []string{"message", "?"} {
		m.Transitions[0].Kind = kind
		if _, err := samples.NewReplayer(names, m.Transitions); err == nil {
			t.Errorf("a transition of kind %q is taken", kind)
		}
	}
}

// random makes well-nested calls on three lifelines of two components, at strictly growing times. The
// last words are unfinished.
func random(t testing.TB, rng *rand.Rand, n int) *schema.Events {
	lines := []string{"a/1", "a/2", "b/1"}
	stacks := make([][]string, len(lines))
	var out strings.Builder
	out.WriteString("0 a/1 > e\n1 a/1 < e\n")
	now := 1
	for range n {
		k := rng.Intn(len(lines))
		now += 1 + rng.Intn(10)
		if d := len(stacks[k]); d > 0 && rng.Intn(5) > 1 {
			fmt.Fprintf(&out, "%d %s < %s\n", now, lines[k], stacks[k][d-1])
			stacks[k] = stacks[k][:d-1]
			continue
		}
		f := string("efg"[rng.Intn(3)])
		stacks[k] = append(stacks[k], f)
		fmt.Fprintf(&out, "%d %s > %s\n", now, lines[k], f)
	}
	return wordtest.Story(t, new(schema.Names), out.String())
}

func learn(ev *schema.Events) *automata.Model {
	led := new(schema.Ledger)
	b := automata.NewBuilder(ev.Names)
	b.Add(ev, led)
	return b.Model(led)
}
