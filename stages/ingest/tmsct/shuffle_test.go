package tmsct

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// statements cuts a text into its declarations and settings, and its events.
func statements(text string) (declarations, events []string) {
	r := &reader{scanner: scanner{text: text}, document: newDocument()}
	for r.tok = r.scan(); r.tok.kind != end; {
		from, n := r.tok.at, len(r.events)
		r.statement()
		if s := text[from:r.tok.at]; len(r.events) > n {
			events = append(events, s)
		} else {
			declarations = append(declarations, s)
		}
	}
	return declarations, events
}

// TestShuffle sees that declarations may stand anywhere, before and after what uses them, and that lines mean
// nothing.
func TestShuffle(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for name, text := range examples(t) {
		want := listing(good(t, text))
		for range 5 {
			declarations, events := statements(text)
			for _, d := range declarations {
				events = slices.Insert(events, rng.IntN(len(events)+1), d)
			}
			expect.Equal(expect.Must(t), listing(good(t, strings.Join(events, "\n"))), want, "%s: shuffled", name)
		}
	}
}

// TestOneLine sees that line ends are blanks.
func TestOneLine(t *testing.T) {
	for name, text := range examples(t) {
		declarations, events := statements(text)
		all := strings.Join(append(declarations, events...), " ")
		var out []string
		for line := range strings.Lines(all) {
			before, _, _ := strings.Cut(line, "//")
			out = append(out, strings.TrimSpace(before))
		}
		expect.Equal(t, listing(good(t, strings.Join(out, " "))), listing(good(t, text)), "%s: in one line", name)
	}
}

// TestSeveral sees that a parser keeps nothing of a text but its tables: each text is one of its own.
func TestSeveral(t *testing.T) {
	p := Format().NewParser()
	for _, text := range []string{"A > f !m1\nfunction \"F\" as f\n", "A > f !m1\n", "A > f ?m1\n"} {
		var b schema.Block
		p.Parse([]byte(text), &b)
		expect.Equal(t, listing(&b, p), listing(good(t, text)), "%q after others", text)
	}
}
