package pathdiff_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/pathdiff"
	"github.com/tracelake/tracelake/testdata/expect"
)

// part is a row of compositions: a category, "component function sender label busy" with - for what does not
// apply, paths and nanoseconds.
type part struct {
	fragment string
	category schema.Category
	words    string
	paths    int64
	ns       int64
}

// table makes compositions. Fragments whose name ends in ! are not initial.
func table(parts []part) *schema.Compositions {
	c := schema.NewCompositions(new(schema.Names))
	for _, p := range parts {
		w := strings.Fields(p.words)
		code := func(d *schema.Dictionary, word string) schema.Code {
			if word == "-" {
				return schema.NoCode
			}
			return d.Code(word)
		}
		c.Fragment = append(c.Fragment, c.Names.Fragments.Code(p.fragment))
		c.Initial = append(c.Initial, !strings.HasSuffix(p.fragment, "!"))
		c.Category = append(c.Category, p.category)
		c.Component = append(c.Component, code(&c.Names.Components, w[0]))
		c.Function = append(c.Function, code(&c.Names.Functions, w[1]))
		c.Sender = append(c.Sender, code(&c.Names.Components, w[2]))
		c.Label = append(c.Label, code(&c.Names.Messages, w[3]))
		c.Busy = append(c.Busy, code(&c.Names.Components, w[4]))
		c.Occurrences = append(c.Occurrences, p.paths)
		c.TotalNs = append(c.TotalNs, p.ns)
	}
	return c
}

func sharesOf(runs ...[]part) *pathdiff.Shares {
	s := pathdiff.New(len(runs))
	for i, parts := range runs {
		s.Add(i, table(parts))
	}
	return s
}

func text(rows []*pathdiff.Row) (lines []string) {
	for _, r := range rows {
		lines = append(lines, fmt.Sprintf("%s: %s: %d ns, %d paths", r.Fragment, r.Subject(), r.Ns, r.Occurrences))
	}
	return lines
}

func TestRows(t *testing.T) {
	base := []part{
		{"loop", schema.Executing, "lens solve - - -", 3, 700_000},
		{"loop", schema.Executing, "lens tiny - - -", 1, 69},
		{"loop", schema.Executing, "lens tinier - - -", 2, 1},
		{"loop", schema.Communicating, "lens solve stage m -", 3, 300_000},
		{"loop", schema.Communicating, "lens solve stage - -", 1, 3},
		{"handler!", schema.Executing, "lens solve - - -", 9, 5_000},
	}
	cand := []part{
		{"loop", schema.Executing, "lens solve - - -", 2, 600_000},
		{"loop", schema.Executing, "lens tiny - - -", 1, 50},
		{"loop", schema.Contending, "lens solve - - lens", 1, 400_000},
		{"loop", schema.Contending, "lens solve stage m lens", 1, 2_000},
		{"loop", schema.Contending, "lens - - - lens", 1, 3_000},
		{"loop", schema.Idling, "stage - - - -", 1, 4_000},
		{"other", schema.Executing, "stage move - - -", 1, 10},
	}
	want := []string{
		"loop: execution lens.solve: [700000 600000] ns, [3 2] paths",
		"loop: execution ... (2 smaller parts): [70 50] ns, [3 1] paths",
		"loop: message from stage to lens.solve: [3 0] ns, [1 0] paths",
		"loop: message m from stage to lens.solve: [300000 0] ns, [3 0] paths",
		"loop: idle stage: [0 4000] ns, [0 1] paths",
		"loop: contention for lens: lens between executions: [0 3000] ns, [0 1] paths",
		"loop: contention for lens: lens.solve: [0 400000] ns, [0 1] paths",
		"loop: contention for lens: message m from stage to lens.solve: [0 2000] ns, [0 1] paths",
		"other: execution stage.move: [0 10] ns, [0 1] paths",
	}
	expect.Slice(t, text(sharesOf(base, cand).Rows(1)), want, "changes")
}

// A part is small below 0.01 % of its side, not at it, and only if it is so on both sides.
func TestSmallParts(t *testing.T) {
	whole := part{"loop", schema.Executing, "a f - - -", 1, 1_000_000 - 100}
	small := func(name string, ns int64) part {
		return part{"loop", schema.Executing, "a " + name + " - - -", 1, ns}
	}
	for _, c := range []struct {
		name       string
		base, cand []part
		folded     int
	}{
		{"at the limit", []part{whole, small("g", 99), small("h", 1)}, nil, 2},
		{"at the limit and beyond", []part{whole, small("g", 100), small("h", 0)}, nil, 0},
		{"on both sides", []part{whole, small("g", 1), small("h", 1)}, []part{whole, small("g", 1), small("h", 1)}, 2},
		{"on one side", []part{whole, small("g", 1), small("h", 1)}, []part{whole, small("g", 500), small("h", 1)}, 0},
		{"one alone keeps its name", []part{whole, small("g", 1)}, []part{whole}, 0},
	} {
		folded := 0
		for _, r := range sharesOf(c.base, c.cand).Rows(1) {
			folded += r.Smaller
		}
		expect.Equal(t, folded, c.folded, "%s: parts folded", c.name)
	}
}

func TestFunctions(t *testing.T) {
	s := sharesOf([]part{
		{"loop", schema.Executing, "lens solve - - -", 3, 100},
		{"loop", schema.Contending, "lens solve - - stage", 1, 20},
		{"main", schema.Executing, "lens solve - - -", 1, 3},
		{"loop", schema.Contending, "lens solve stage m lens", 1, 5000}, // a message on its way is no time of lens
		{"loop", schema.Communicating, "lens solve stage m -", 1, 6000},
		{"handler!", schema.Executing, "lens solve - - -", 1, 7000},
		{"handler!", schema.Executing, "lens store - - -", 1, 8000},
	}, []part{
		{"handler!", schema.Executing, "lens solve - - -", 1, 9000},
	})
	for _, c := range []struct {
		run       int
		component string
		function  string
		want      int64
	}{{0, "lens", "solve", 123}, {0, "lens", "store", 0}, {0, "stage", "solve", 0}, {1, "lens", "solve", 0}} {
		expect.Equal(t, s.FunctionNs(c.run, c.component, c.function), c.want, "run %d, %s.%s", c.run, c.component, c.function)
	}
	if !s.Known(0) || s.Known(1) {
		t.Errorf("known: %v, %v", s.Known(0), s.Known(1))
	}
}

func TestUnseen(t *testing.T) {
	s := sharesOf([]part{
		{"loop", schema.Executing, "lens solve - - -", 1, 9_800_001},
		{"loop", schema.Executing, "lens ask - - -", 1, 100_000},
		{"loop", schema.Executing, "lens tell - - -", 1, 99_999},
		{"handler!", schema.Executing, "lens tell - - -", 1, 99_999},
	}, nil)
	for name, want := range map[string]bool{"solve": true, "ask": true, "tell": false, "": false} {
		got := s.Unseen(0, func(component, function string) bool { return component == "lens" && function == name })
		expect.Equal(t, got, want, "waits in %s", name)
	}
	if s.Unseen(1, func(string, string) bool { return true }) {
		t.Error("a run without paths hides something")
	}
}

// drawn are compositions by chance: some parts large, most small.
func drawn(r *rand.Rand) (parts []part) {
	for _, fragment := range []string{"loop", "main", "handler!"} {
		for i := range 40 {
			if r.IntN(3) == 0 {
				continue
			}
			words := []string{"a f%d - - -", "a f%d b m -", "a - - - -", "a f%d - - c"}[i%4]
			if strings.Contains(words, "%d") {
				words = fmt.Sprintf(words, i)
			} else if i > 2 {
				continue
			}
			parts = append(parts, part{fragment, schema.Category(i % 4), words, 1 + r.Int64N(9), 1 << r.IntN(30)})
		}
	}
	return parts
}

// Whatever is folded: the time of every run is all there, in the order of Compare, and swapped sides have the same rows.
func TestRowsOfAnyRuns(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		a, b := drawn(r), drawn(r)
		there, back := sharesOf(a, b).Rows(1), sharesOf(b, a).Rows(1)
		for run, parts := range [][]part{a, b} {
			var want, got int64
			for _, p := range parts {
				if !strings.HasSuffix(p.fragment, "!") {
					want += p.ns
				}
			}
			for _, row := range there {
				got += row.Ns[run]
			}
			expect.Equal(expect.Must(t), got, want, "seed %d, run %d: ns in all rows", seed, run)
		}
		if !slices.IsSortedFunc(there, pathdiff.Compare) {
			t.Fatalf("seed %d: not in order", seed)
		}
		for _, row := range back {
			slices.Reverse(row.Ns)
			slices.Reverse(row.Occurrences)
		}
		if got, want := text(back), text(there); !slices.Equal(got, want) {
			t.Fatalf("seed %d: swapped\n%s\nwant\n%s", seed, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
