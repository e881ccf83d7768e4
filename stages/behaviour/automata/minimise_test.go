package automata

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
	"github.com/tracelake/tracelake/testdata/expect"
)

// textbook is the prefix tree of some words as a table, minimised by Moore's partition refinement.
type textbook struct {
	next      []map[byte]int
	accepting []bool
}

func newTextbook(words []string) *textbook {
	b := &textbook{next: []map[byte]int{{}}, accepting: []bool{false}}
	for _, w := range words {
		at := 0
		for i := range len(w) {
			to, ok := b.next[at][w[i]]
			if !ok {
				to = len(b.next)
				b.next[at][w[i]] = to
				b.next = append(b.next, map[byte]int{})
				b.accepting = append(b.accepting, false)
			}
			at = to
		}
		b.accepting[at] = true
	}
	return b
}

// classes refines accepting and not accepting until nothing splits, and returns the number of classes.
func (b *textbook) classes() int {
	class := make([]int, len(b.next))
	for s, a := range b.accepting {
		if a {
			class[s] = 1
		}
	}
	for count := 0; ; {
		numbers := map[string]int{}
		refined := make([]int, len(class))
		for s := range class {
			key := fmt.Sprint(class[s])
			for _, c := range slices.Sorted(maps.Keys(b.next[s])) {
				key += fmt.Sprintf(" %c%d", c, class[b.next[s][c]])
			}
			if _, ok := numbers[key]; !ok {
				numbers[key] = len(numbers)
			}
			refined[s] = numbers[key]
		}
		class = refined
		if len(numbers) == count {
			return count
		}
		count = len(numbers)
	}
}

// modelOf learns arbitrary words, which no call stack would cut, that all start with the same letter.
func modelOf(words []string) (*Model, *schema.Ledger) {
	names, led := new(schema.Names), new(schema.Ledger)
	names.Components.Code("c")
	b := NewBuilder(names)
	b.roots = []uint32{b.tree.addRoot()}
	for _, w := range words {
		at := b.roots[0]
		for _, r := range w {
			s := callstack.SymbolOf(names.Functions.Code(string(r)), schema.Enter, schema.NoMessage, schema.NoCode)
			at = b.tree.child(at, s)
		}
		b.tree.nodes[at].words++
	}
	return b.Model(led), led
}

// language lists the words of an automaton up to its first return to the initial state.
func language(m *Model) []string {
	type path struct {
		state int64
		word  string
	}
	var words []string
	for queue := []path{{0, ""}}; len(queue) > 0; queue = queue[1:] {
		for _, t := range m.Transitions {
			if t.Source != queue[0].state {
				continue
			}
			word := queue[0].word + t.Function
			if m.States[t.Target].Accepting {
				words = append(words, word)
			}
			if t.Target != 0 {
				queue = append(queue, path{t.Target, word})
			}
		}
	}
	slices.Sort(words)
	return words
}

func randomWords(rng *rand.Rand) []string {
	words := make([]string, 1+rng.Intn(30))
	for i := range words {
		w := []byte{'a'}
		for range rng.Intn(8) {
			w = append(w, byte('a'+rng.Intn(3)))
		}
		words[i] = string(w)
	}
	return words
}

func TestMinimalByTheTextbook(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	for range 1000 {
		words := randomWords(rng)
		m, led := modelOf(words)
		distinct := slices.Compact(slices.Sorted(slices.Values(words)))
		expect.Slice(expect.Must(t), language(m), distinct, "language")
		f := m.Fragments[0]
		if want := newTextbook(words).classes() - 1; int(f.States) != want || len(m.States) != want {
			t.Fatalf("%v: %d states, want %d", distinct, f.States, want) // one less: the final is the initial state
		}
		checkCounts(t, words, m, led)
	}
}

// checkCounts replays the words one by one.
func checkCounts(t *testing.T, words []string, m *Model, led *schema.Ledger) {
	t.Helper()
	taken := make([]int64, len(m.Transitions))
	events := int64(0)
	for _, w := range words {
		at := int64(0)
		for _, r := range w {
			k := slices.IndexFunc(m.Transitions, func(x schema.Transition) bool { return x.Source == at && x.Function == string(r) })
			taken[k]++
			events++
			at = m.Transitions[k].Target
		}
	}
	for i, n := range taken {
		if r := m.Transitions[i]; r.Count != n || r.Transition != int64(i) {
			t.Fatalf("%v: transition %d is %+v, was taken %d times", words, i, r, n)
		}
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(words)))
	prefixes := int64(0)
	for i, w := range distinct {
		if i+1 < len(distinct) && len(distinct[i+1]) > len(w) && distinct[i+1][:len(w)] == w {
			prefixes++
		}
	}
	f := m.Fragments[0]
	if f.Events != events || f.Occurrences != int64(len(words)) || f.Words != int64(len(distinct)) ||
		f.Transitions != int64(len(taken)) || led.Count(schema.PrefixWord) != prefixes {
		t.Fatalf("%v: %+v, %d prefix words", words, f, led.Count(schema.PrefixWord))
	}
}

// TestAcceptingStatesMeet offers states with equal transitions, of which only one accepts, to tables so small that both often lie in one
// chain. Wherever they meet, they are two: who may end there and who may not are never one state.
func TestAcceptingStatesMeet(t *testing.T) {
	met := 0
	for symbol := range callstack.Symbol(100) {
		m := &minimiser{groups: make([]fragmentGroup, 1), states: make([]state, 1), table: make([]uint32, 8)}
		intern := func(accepting bool) uint32 {
			from := len(m.edges)
			m.edges = append(m.edges, transition{symbol: symbol, count: 1})
			if hashState(m.edges[from:], accepting)&7 == hashState(m.edges[from:], !accepting)&7 {
				met++
			}
			return m.internState(from, accepting)
		}
		ends, goesOn := intern(true), intern(false)
		expect.Equal(t, ends == goesOn, false, "symbol %d: one state for both", symbol)
		expect.Equal(t, intern(true), ends, "symbol %d: the accepting state again", symbol)
		expect.Equal(t, intern(false), goesOn, "symbol %d: the other state again", symbol)
	}
	expect.Equal(t, met > 0, true, "some met")
}
