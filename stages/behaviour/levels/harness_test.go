package levels_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/language"
	"github.com/tracelake/tracelake/stages/behaviour/levels"
	"github.com/tracelake/tracelake/testdata/expect"
)

// fragment accepts any number of the given words, one after the other, as service fragments do. Words are labels with
// blanks between. Without words it accepts nothing.
func fragment(alphabet *schema.Dictionary, words ...string) *language.Automaton {
	b := new(language.Builder)
	if len(words) == 0 {
		return b.Automaton()
	}
	start := b.State(true)
	b.Initial(start)
	for _, w := range words {
		at, labels := start, strings.Fields(w)
		for i, l := range labels {
			next := start
			if i < len(labels)-1 {
				next = b.State(false)
			}
			b.Transition(at, alphabet.Code(l), next)
			at = next
		}
	}
	return b.Automaton()
}

// parse reads model sets: a line with a name, and below it lines "component entity word | word ...", indented.
func parse(t *testing.T, text string) (sets []levels.ModelSet) {
	t.Helper()
	alphabet := new(schema.Dictionary)
	for line := range strings.Lines(text) {
		name, words, _ := strings.Cut(strings.TrimSpace(line), ":")
		if !strings.HasPrefix(line, " ") {
			sets = append(sets, levels.ModelSet{Name: name})
			continue
		}
		component, name, _ := strings.Cut(name, " ")
		e := levels.Entity{Component: component, Name: name, Automaton: fragment(alphabet)}
		if words = strings.TrimSpace(words); words != "" {
			e.Automaton = fragment(alphabet, strings.Split(words, "|")...)
		}
		last := &sets[len(sets)-1]
		last.Entities = append(last.Entities, e)
	}
	return sets
}

func compare(t *testing.T, sets []levels.ModelSet, completion levels.Completion) *levels.Comparison {
	t.Helper()
	c := expect.Value(levels.Compare(t.Context(), sets, levels.Options{Completion: completion, MaxComputed: levels.Defaults.MaxComputed}))(t)
	return c
}

// render writes a comparison out, level by level.
func render(c *levels.Comparison) string {
	var b strings.Builder
	b.WriteString("variants\n")
	for _, v := range c.Variants {
		name := strings.TrimSpace(v.Component + " " + v.Entity)
		fmt.Fprintf(&b, "  %s in %s: %d %s%s", or(name, "all"), or(v.ModelSet, "none"), v.Variant, v.Origin, counts(v.Entities, v.States, v.Transitions))
		if v.Incomplete {
			b.WriteString(" incomplete")
		}
		b.WriteString("\n")
	}
	b.WriteString("lattice\n")
	for i, e := range c.Lattice {
		fmt.Fprintf(&b, "  %s: %d %s %d%s", or(strings.TrimSpace(e.Component+" "+e.Entity), "all"), e.Lower, e.Relation, e.Upper, counts(e.Added, e.Changed, e.Removed))
		for _, d := range c.Diffs {
			if d.Edge == i {
				fmt.Fprintf(&b, ", diff of %d and %d transitions", d.Lower.Transitions(), d.Upper.Transitions())
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("matrix\n")
	for _, d := range c.Differences {
		fmt.Fprintf(&b, "  %s, %s: %d = appeared %d, vanished %d, changed %d, moved %d\n", d.BaseSet, d.CandSet, d.Differing, d.Appeared, d.Vanished, d.Changed, d.Moved)
	}
	b.WriteString("changes\n")
	for _, x := range c.Changes {
		words := []string{x.Component, x.Entity, x.Verdict, x.Behaviour, x.CandComponent, x.CandEntity}
		words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
		fmt.Fprintf(&b, "  %s to %s: %s %d %d\n", x.BaseSet, x.CandSet, strings.Join(words, " "), x.BaseVariant, x.CandVariant)
	}
	return b.String()
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func counts(numbers ...*int64) (s string) {
	for _, n := range numbers {
		if n != nil {
			s += fmt.Sprintf(" %d", *n)
		}
	}
	return s
}

// once accepts one of the given words, and nothing more.
func once(alphabet *schema.Dictionary, words ...string) *language.Automaton {
	b := new(language.Builder)
	start := b.State(false)
	b.Initial(start)
	for _, w := range words {
		at := start
		for _, l := range strings.Fields(w) {
			next := b.State(false)
			b.Transition(at, alphabet.Code(l), next)
			at = next
		}
		b.Accept(at)
	}
	return b.Automaton()
}

// random makes model sets with few distinct languages, so that many are equal, included or moved.
func random(rng *rand.Rand, sets, entities int) (out []levels.ModelSet) {
	alphabet, words := new(schema.Dictionary), []string{"a b", "a c", "a", "b c a"}
	model := []func(*schema.Dictionary, ...string) *language.Automaton{fragment, once}[rng.Intn(2)]
	for s := range sets {
		set := levels.ModelSet{Name: fmt.Sprint("set", s)}
		for e := range entities {
			var some []string
			for _, w := range words {
				if rng.Intn(3) == 0 {
					some = append(some, w)
				}
			}
			if rng.Intn(5) > 0 {
				set.Entities = append(set.Entities, levels.Entity{Component: fmt.Sprint("c", e%2), Name: fmt.Sprint("e", e), Automaton: model(alphabet, some...)})
			}
		}
		out = append(out, set)
	}
	return out
}
