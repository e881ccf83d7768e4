package automata

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/testdata/wordtest"
	"github.com/tracelake/tracelake/stages/chart/testdata/storytest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// render writes a model as one line a fragment and transition.
func render(m *Model) string {
	var out strings.Builder
	var t int
	for _, f := range m.Fragments {
		fmt.Fprintf(&out, "%s: %d of %d words, %d events, %d states\n", f.Fragment, f.Occurrences, f.Words, f.Events, f.States)
		for ; t < len(m.Transitions) && m.Transitions[t].Fragment == f.Fragment; t++ {
			r := m.Transitions[t]
			fmt.Fprintf(&out, "  %d: %d-%d %s %s", r.Transition, r.Source, r.Target, r.Kind, r.Function)
			if r.Peer != "" {
				fmt.Fprintf(&out, " %s %s", r.Direction, r.Peer)
			}
			fmt.Fprintf(&out, " x%d\n", r.Count)
		}
	}
	return out.String()
}

// TestModels learns the automata of the traces of testdata.
func TestModels(t *testing.T) {
	storytest.Play(t, 1, func(t *testing.T, files []txtar.File, _ string) string {
		m, _ := learn(wordtest.Story(t, new(schema.Names), string(files[0].Data)))
		return render(m)
	})
}

func TestNoWordsNoAutomata(t *testing.T) {
	for _, trace := range []string{"1 c > f", "1 c < f", "1 c - f"} {
		if m, _ := learn(wordtest.Story(t, new(schema.Names), trace)); len(m.Fragments)+len(m.States)+len(m.Transitions) != 0 {
			t.Errorf("%s: got %+v", trace, m)
		}
	}
}

func TestStatesSayWhatTheyAre(t *testing.T) {
	m, _ := learn(wordtest.Story(t, new(schema.Names), "1 c > f\n2 c > g\n3 c < f\n4 c < g\n5 c > f\n6 c > g\n7 c < f\n8 c > f\n9 c < f"))
	want := []schema.State{
		{Fragment: "c.f", State: 0, Initial: true, Accepting: true},
		{Fragment: "c.f", State: 1},
		{Fragment: "c.f", State: 2},
		{Fragment: "c.f", State: 3, Accepting: true},
	}
	expect.Deep(t, m.States, want, "states")
}

func TestLossesAreCounted(t *testing.T) {
	const trace = `
1 c < f
2 c > f
3 c > g
4 c < f
5 c > h
6 c < g
7 c < x
8 c < h
9 d > f
10 e > f`
	_, led := learn(wordtest.Story(t, new(schema.Names), trace))
	want := []schema.Loss{
		{Stage: "s", Reason: "open_fragment", Meaning: schema.OpenFragment.Meaning, Count: 3, FirstPosition: "event 1"},
		{Stage: "s", Reason: "stray_exit", Meaning: schema.StrayExit.Meaning, Count: 3, FirstPosition: "event 0"},
	}
	expect.Deep(t, led.Losses("s"), want, "losses")
	_, led = learn(wordtest.Story(t, new(schema.Names), "1 c > f\n2 c > g\n3 c < f\n4 c > f\n5 c > g\n6 c < f\n7 c < g"))
	if led.Count(schema.PrefixWord) != 1 || led.Count(schema.OpenFragment) != 1 {
		t.Errorf("got %+v", led.Losses(""))
	}
}

// The same words in other batches, under other codes, in another order of lifelines.
func TestModelsDoNotDependOnTheWay(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for range 200 {
		lines := randomLifelines(rng)
		plain, _ := learn(wordtest.Story(t, new(schema.Names), interleave(rng, lines)))
		want := render(plain)

		other := new(schema.Names)
		for _, n := range []string{"h", "g", "f", "e"} {
			other.Functions.Code(n)
		}
		for _, n := range []string{"d", "c", "b"} {
			other.Components.Code(n)
		}
		ev := wordtest.Story(t, other, interleave(rng, lines))
		led, b := new(schema.Ledger), NewBuilder(other)
		for at := 0; at < len(ev.Seq); {
			to := min(at+rng.Intn(9), len(ev.Seq))
			b.Add(wordtest.Part(ev, at, to), led)
			at = to
		}
		expect.Equal(expect.Must(t), render(b.Model(led)), want, "model")
	}
}

// The trees of lifelines, merged in any order, give the automata of all of them at once.
func TestMergedTrees(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	for range 100 {
		names, led := new(schema.Names), new(schema.Ledger)
		plain := NewBuilder(names)
		var trees []*Tree
		for _, line := range randomLifelines(rng) {
			var text strings.Builder
			for at, event := range line {
				fmt.Fprintf(&text, "%d %s\n", at, event)
			}
			if len(line) == 0 {
				continue
			}
			ev := wordtest.Story(t, names, text.String())
			plain.Add(ev, led)
			own := NewBuilder(names)
			own.Add(ev, led)
			trees = append(trees, own.Tree(led))
		}
		rng.Shuffle(len(trees), func(i, j int) { trees[i], trees[j] = trees[j], trees[i] })
		merged := NewBuilder(names)
		for _, tree := range trees {
			merged.Merge(tree, nil)
		}
		expect.Equal(expect.Must(t), render(merged.Model(led)), render(plain.Model(led)), "model")
	}
}

// randomLifelines gives lifelines of two components some random words each.
func randomLifelines(rng *rand.Rand) [][]string {
	var lines [][]string
	for _, name := range []string{"a/1", "a/2", "b/1"} {
		var line []string
		for range rng.Intn(20) {
			for _, e := range randomWord(rng, 0) {
				line = append(line, name+" "+e)
			}
		}
		lines = append(lines, line)
	}
	return lines
}

func randomWord(rng *rand.Rand, depth int) []string {
	f := []string{"e", "f", "g", "h"}[rng.Intn(4)]
	word := []string{"> " + f}
	for depth < 3 && rng.Intn(3) == 0 {
		word = append(word, randomWord(rng, depth+1)...)
	}
	if rng.Intn(3) == 0 {
		word[0] += " ?" + []string{"b", "d", "c"}[rng.Intn(3)]
	}
	return append(word, "< "+f)
}

func interleave(rng *rand.Rand, lines [][]string) string {
	rest := slices.Clone(lines)
	var out strings.Builder
	out.WriteString("0 a > e\n1 a < e\n")
	for at := 2; ; at++ {
		rest = slices.DeleteFunc(rest, func(line []string) bool { return len(line) == 0 })
		if len(rest) == 0 {
			return out.String()
		}
		k := rng.Intn(len(rest))
		fmt.Fprintf(&out, "%d %s\n", at, rest[k][0])
		rest[k] = rest[k][1:]
	}
}

// One word of a million events costs neither a deep recursion nor a quadratic step.
func TestLongWord(t *testing.T) {
	names := new(schema.Names)
	names.Lifelines.Code("c")
	names.Components.Code("c")
	const n = 500_000
	ev := &schema.Events{Names: names}
	for i := range 2 * n {
		function := names.Functions.Code(fmt.Sprint((i * i) % 257))
		kind := schema.Enter
		if i >= n {
			function, kind = ev.Function[2*n-1-i], schema.Exit
		}
		ev.Seq = append(ev.Seq, int64(i))
		ev.Component = append(ev.Component, 0)
		ev.Lifeline = append(ev.Lifeline, 0)
		ev.Function = append(ev.Function, function)
		ev.Kind = append(ev.Kind, kind)
		ev.Direction = append(ev.Direction, schema.NoMessage)
		ev.Peer = append(ev.Peer, schema.NoCode)
	}
	m, _ := learn(ev)
	if len(m.Fragments) != 1 || m.Fragments[0].States != 2*n || m.Fragments[0].Words != 1 {
		t.Errorf("got %+v", m.Fragments)
	}
}

func learn(ev *schema.Events) (*Model, *schema.Ledger) {
	led := new(schema.Ledger)
	b := NewBuilder(ev.Names)
	b.Add(ev, led)
	return b.Model(led), led
}
