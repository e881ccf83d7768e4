package components_test

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/components"
	"github.com/tracelake/tracelake/stages/behaviour/language"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestRandomTraces learns random traces: models are minimal, accept any number of the words of their component and
// nothing else, and do not depend on the order of the words or the mixing of lifelines.
func TestRandomTraces(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	for range 150 {
		words, opt := randomWords(rng, 1+rng.Intn(30)), options(rng)
		set := traceOf(slices.Concat(words...)).models(t, opt)
		for _, m := range set.Models {
			if !language.Identical(m.Automaton, language.Minimise(m.Automaton)) {
				t.Fatalf("%s is not minimal:\n%s", m.Component, render(set, m))
			}
		}
		for _, other := range [][]act{interleaved(rng, words), shuffled(rng, words)} {
			if again := traceOf(other).models(t, opt); renderAll(again) != renderAll(set) {
				t.Fatalf("the models depend on the order:\n%s\nand\n%s", renderAll(set), renderAll(again))
			}
		}
	}
}

// TestWords compares models with the words of their component one by one: every one is accepted, as are two in a row,
// and the language is that of their loop.
func TestWords(t *testing.T) {
	rng := rand.New(rand.NewSource(6))
	for range 100 {
		words := randomWords(rng, 1+rng.Intn(30))
		set := traceOf(slices.Concat(words...)).models(t, components.Options{})
		builders := make(map[string]*language.Builder)
		for _, w := range words {
			alone := labelledEvent(words, w, set)
			component := w[0].component()
			if builders[component] == nil {
				b := new(language.Builder)
				b.Initial(b.State(true))
				builders[component] = b
			}
			add(builders[component], alone)
			if m := set.Model(component); !m.Accepts(alone...) || !m.Accepts(append(alone, alone...)...) || m.Accepts(alone[:len(alone)-1]...) {
				t.Fatalf("%s does not accept as it should %v", component, alone)
			}
		}
		for component, b := range builders {
			if m := set.Model(component); !sameLanguage(m.Automaton, b.Automaton()) {
				t.Fatalf("%s is not the loop of its words:\n%s", component, render(set, m))
			}
		}
	}
}

// add adds a word that leads from the state 0 back to it.
func add(b *language.Builder, word []uint32) {
	at := int32(0)
	for i, l := range word {
		to := int32(0)
		if i < len(word)-1 {
			to = b.State(false)
		}
		b.Transition(at, l, to)
		at = to
	}
}

// TestReplay checks that the composed system accepts the trace that its models were learned from, with buffers as large
// as the messages that wait for a component, and no smaller.
func TestReplay(t *testing.T) {
	rng := rand.New(rand.NewSource(7))
	tight := 0
	for range 100 {
		words := randomWords(rng, 1+rng.Intn(40))
		tr, want := traceOf(slices.Concat(words...)), mostWaiting(words)
		v := tr.replay(t, components.Options{}, components.Buffers{})
		largest := 0
		for _, b := range v.Buffers {
			expect.Equal(expect.Must(t), b.Size, want[b.Receiver], "size of the buffer of %s", b.Receiver)
			largest = max(largest, b.Size)
		}
		if !v.Accepted || len(v.Buffers) != len(want) || v.Events != int64(len(tr.events.Seq)) {
			t.Fatalf("%+v, want buffers %v", v, want)
		}
		if v := tr.replay(t, components.Options{Local: true}, components.Buffers{Bound: largest}); !v.Accepted {
			t.Fatalf("with room for %d: %+v", largest, v)
		}
		if largest > 1 {
			tight++
			if v := tr.replay(t, components.Options{}, components.Buffers{Bound: largest - 1}); v.Refusal != components.Full {
				t.Fatalf("with room for %d: %+v", largest-1, v)
			}
		}
	}
	if tight < 20 {
		t.Errorf("only %d traces need room for two", tight)
	}
}

// TestRepetitionsKeepTheLanguage counts repetitions, which changes no word, and allows any number of them, which
// leaves all words in.
func TestRepetitionsKeepTheLanguage(t *testing.T) {
	rng := rand.New(rand.NewSource(8))
	changed := 0
	for range 150 {
		set := traceOf(slices.Concat(randomWords(rng, 1+rng.Intn(12))...)).models(t, components.Options{})
		for _, opt := range []components.Repetitions{{}, {Data: true}, {Infinite: true}, {Data: true, Infinite: true, Lower: 3}} {
			folded := expect.Value(components.ModifyRepetitions(set, components.Choice{}, opt))(t)
			for i, m := range folded.Models {
				a, plain := set.Models[i].Automaton, m.Plain().Automaton
				if !opt.Infinite && !sameLanguage(a, plain) || !language.Included(a, plain) {
					t.Fatalf("%+v:\n%s\nbecomes\n%s", opt, render(set, set.Models[i]), render(folded, m))
				}
				if !opt.Data && !opt.Infinite && m.States() != a.States() {
					t.Fatalf("%+v: %d states of %d", opt, m.States(), a.States())
				}
				if m.Data != nil {
					changed++
				}
			}
		}
	}
	if changed < 20 {
		t.Errorf("only %d models have repetitions", changed)
	}
}

// replay takes a trace through the system of its models.
func (tr *trace) replay(t testing.TB, opt components.Options, buffers components.Buffers) components.Verdict {
	t.Helper()
	b := tr.builder(t, opt)
	set := expect.Value(b.Set(new(schema.Ledger)))(t)
	s := b.Compose(set, buffers)
	s.Add(tr.events)
	s.Verdict()
	return s.Verdict()
}
