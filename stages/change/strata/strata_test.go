package strata_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/strata"
	"github.com/tracelake/tracelake/testdata/expect"
)

// side makes runs of texts such as "a scenario=fast host=x".
func side(texts ...string) (runs []strata.Run) {
	for i, text := range texts {
		words := strings.Fields(text)
		r := strata.Run{Name: words[0], StartNs: int64(i), Labels: map[string]string{}}
		for _, w := range words[1:] {
			key, value, _ := strings.Cut(w, "=")
			r.Labels[key] = value
		}
		runs = append(runs, r)
	}
	return runs
}

// TestFind checks what becomes of labels that vary in each way.
func TestFind(t *testing.T) {
	for _, test := range []struct {
		name       string
		base, cand []strata.Run
		want       string
	}{
		{"labels that are the same everywhere", side("a os=l", "b os=l"), side("c os=l", "d os=l"), "[] [] []"},
		{"the label that selects the sides", side("a release=1", "b release=2"), side("c release=3"), "[] [] []"},
		{"releases that were asked for", side("a release=1", "b release=2"), side("c release=3", "d release=3"), "[] [] []"},
		{"a label that selects the candidate alone", side("a os=l", "b os=w"), side("c os=l", "d os=l"),
			"[] [] [Runs that differ in the label os are pooled, since its values are not the same on both sides: baseline l (a), w (b); candidate l (c, d). Choose runs that both sides have, as with os=l on both.]"},
		{"the same where the baseline has one value", side("a os=w", "b os=w"), side("c os=l", "d os=l"), "[] [] []"},
		{"a label of one value a side", side("a cc=gcc", "b cc=gcc"), side("c cc=clang", "d cc=clang"),
			"[] [] [The sides differ in the label cc: gcc and clang.]"},
		{"a label that only one side has", side("a cc=gcc"), side("c"), "[] [] [The sides differ in the label cc: gcc and none.]"},
		{"numbers of runs", side("a n=1", "b n=2"), side("c n=3", "d n=4"), "[] [] []"},
		{"two scenarios on both sides", side("a s=x", "b s=y", "c s=x"), side("d s=y", "e s=y", "f s=x", "g s=x"),
			"[s] [0 2 1 2 2 0 1] []"},
		{"a value of its own for every run", side("a n=1", "b n=2"), side("c n=2", "d n=1"),
			"[] [] [Every run of a side has a value of its own of the label n, and both sides have the same values: where runs of one value belong together, give --pair-by n.]"},
		{"unequal values", side("a s=x", "b s=y"), side("c s=x", "d s=x"),
			"[] [] [Runs that differ in the label s are pooled, since its values are not the same on both sides: baseline x (a), y (b); candidate x (c, d). Choose runs that both sides have, as with s=x on both.]"},
		{"combinations", side("a h=1 s=x", "b h=2 s=x", "c h=1 s=y"), side("d h=1 s=x", "e h=2 s=y", "f h=1 s=y"),
			"[h] [0 2 1 0 2 1] [Runs that differ in the label s are pooled, since not every combination with h is on both sides.]"},
	} {
		got := strata.Find(test.base, test.cand, []string{"release"}, []string{"release", "os"})
		expect.Equal(t, fmt.Sprint(got.Labels, got.Blocks, got.Warnings), test.want, "%s", test.name)
	}
}

// TestSlices checks that the number of a slice makes no strata, and who is told of short stretches.
func TestSlices(t *testing.T) {
	const short = "[The baseline's runs are slices of one stretch of 4m0s (day): they show how much requests vary within it, not how much services drift from one such stretch to the next. Several minutes on both sides say more.]"
	for _, test := range []struct {
		minutes int64 // between the starts of the runs, each as long
		splits  string
		want    string
	}{
		{1, "day day day day / night noon night noon", short}, {2, "day day day day / night noon night noon", "[]"}, {1, "day noon day noon / night noon night noon", "[]"},
	} {
		described, sides, side := map[string]schema.Run{}, [2][]string{}, 0
		for i, word := range strings.Fields(test.splits) {
			if word == "/" {
				side = 1
				continue
			}
			minute := int64(60e9)
			name := fmt.Sprint("r", i)
			described[name] = schema.Run{StartNs: int64(i%5) * test.minutes * minute, DurationNs: test.minutes * minute,
				Labels: map[string]string{schema.LabelSplit: word, schema.LabelSlice: fmt.Sprint(i % 2)}}
			sides[side] = append(sides[side], name)
		}
		got := strata.Find(strata.RunsOf(sides[0], described), strata.RunsOf(sides[1], described), nil, nil)
		got.Warnings = slices.DeleteFunc(got.Warnings, func(w string) bool { return !strings.Contains(w, "slice") })
		expect.Equal(t, fmt.Sprint(got.Warnings), test.want, "%+v", test)
		expect.Equal(t, len(got.Labels), 0, "labels of %+v", test)
	}
}

// TestBlocks makes random sides of some scenarios: no block holds runs of two, each has both sides, and as many blocks are
// there as the shorter sides of the scenarios have runs. The order in which runs are named changes nothing.
func TestBlocks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		scenarios := 2 + random.IntN(3)
		var sides [2][]strata.Run
		want := 0
		for s := range scenarios {
			counts := [2]int{1 + random.IntN(4), 1 + random.IntN(4)}
			want += min(counts[0], counts[1])
			for side, n := range counts {
				for range n {
					name := fmt.Sprintf("%d-%d", side, len(sides[side]))
					sides[side] = append(sides[side], strata.Run{Name: name, StartNs: random.Int64N(9), Labels: map[string]string{"s": fmt.Sprint(s)}})
				}
			}
		}
		if len(sides[0]) == scenarios && len(sides[1]) == scenarios { // one run each: the label may be a number
			continue
		}
		blockOf := func(base, cand []strata.Run) map[string]int {
			of := make(map[string]int)
			for i, b := range strata.Find(base, cand, nil, nil).Blocks {
				of[slices.Concat(base, cand)[i].Name] = b
			}
			return of
		}
		first := blockOf(sides[0], sides[1])
		type members struct {
			scenario string
			sides    [2]int
		}
		blocks := make(map[int]*members)
		for side, runs := range sides {
			for _, r := range runs {
				m := blocks[first[r.Name]]
				if m == nil {
					m = &members{scenario: r.Labels["s"]}
					blocks[first[r.Name]] = m
				}
				expect.Equal(expect.Must(t), m.scenario, r.Labels["s"], "block %d: scenario", first[r.Name])
				m.sides[side]++
			}
		}
		for b, m := range blocks {
			if m.sides[0] == 0 || m.sides[1] == 0 {
				t.Fatalf("block %d has runs of one side only", b)
			}
		}
		expect.Equal(expect.Must(t), len(blocks), want, "blocks")
		for _, side := range sides {
			random.Shuffle(len(side), func(i, j int) { side[i], side[j] = side[j], side[i] })
		}
		if again := blockOf(sides[0], sides[1]); !equal(first, again) {
			t.Fatalf("in another order the blocks are %v, not %v", again, first)
		}
	}
}

func equal(a, b map[string]int) bool {
	for k, v := range a {
		if b[k] != v {
			return false
		}
	}
	return len(a) == len(b)
}

// What makes all findings doubtful is said in few words, too: labels that differ beside those that select the sides, runs that are pooled,
// and sides that were recorded one after the other. That runs which were named have other labels is what they were named for.
func TestDoubts(t *testing.T) {
	run := func(name string, start int64, labels map[string]string) strata.Run {
		return strata.Run{Name: name, Labels: labels, StartNs: start, DurationNs: 5}
	}
	side := func(from int64, machine ...string) (runs []strata.Run) {
		for i, m := range machine {
			runs = append(runs, run(fmt.Sprint(from, i), from+int64(20*i), map[string]string{"machine": m}))
		}
		return runs
	}
	for _, c := range []struct {
		name       string
		base, cand []strata.Run
		chosen     []string
		want       []string
	}{
		{"alike", side(0, "a", "a"), side(10, "a", "a"), []string{"release"}, nil},
		{"another machine", side(0, "a", "a"), side(10, "b", "b"), []string{"release"}, []string{"the sides also differ in the label machine"}},
		{"another machine, of runs that were named", side(0, "a", "a"), side(10, "b", "b"), nil, nil},
		{"pooled", side(0, "a", "b"), side(10, "b", "b"), []string{"release"}, []string{"runs that differ in the label machine are pooled"}},
		{"one after the other", side(0, "a", "a"), side(100, "a", "a"), []string{"release"}, []string{"all runs of the baseline were recorded before those of the candidate"}},
	} {
		expect.Slice(t, strata.Find(c.base, c.cand, c.chosen, c.chosen).Doubts, c.want, "%s", c.name)
	}
}

// TestDoubtTorn sees that recordings which were cut short are named, and are a doubt only where there are any.
func TestDoubtTorn(t *testing.T) {
	var s strata.Strata
	s.DoubtTorn(nil)
	expect.Slice(t, s.Doubts, nil, "whole recordings")
	s.DoubtTorn([]string{"a", "b", "c", "d"})
	expect.Slice(t, s.Doubts, []string{"recordings were cut short"}, "torn recordings")
	expect.Equal(t, strings.Contains(s.Warnings[0], ": a, b, c and 1 more."), true, "%s", s.Warnings[0])
}

// TestDoubtOpen names recordings that end in the middle of calls where most do not: a program that never ends its calls is not doubted, and neither is a
// release that began to.
func TestDoubtOpen(t *testing.T) {
	for _, test := range []struct {
		open []int64
		want string // the names
	}{{[]int64{0, 0, 0, 0}, ""}, {[]int64{0, 0, 3, 0}, "c (3)"}, {[]int64{2, 3, 3, 1}, ""}, {[]int64{0, 0, 1, 1}, ""}, {[]int64{0, 7}, "b (7)"}, {[]int64{7}, ""}} {
		var s strata.Strata
		s.DoubtOpen([]string{"a", "b", "c", "d"}[:len(test.open)], test.open)
		got := ""
		if len(s.Warnings) > 0 {
			_, got, _ = strings.Cut(s.Warnings[0], "in the table losses): ")
			got, _, _ = strings.Cut(got, ". ")
		}
		expect.Equal(t, got, test.want, "%v", test.open)
	}
}

// Sides that were selected to differ in two labels at once show the effects of both.
func TestSidesThatDifferInSeveralChosenLabels(t *testing.T) {
	base, cand := side("a release=1 machine=quiet", "b release=1 machine=quiet"), side("c release=2 machine=loaded", "d release=2 machine=loaded")
	both := []string{"machine", "release"}
	if got := strata.Find(base, cand, both, both); !slices.Contains(got.Doubts, "the sides differ in machine and release together") {
		t.Errorf("doubts %q, warnings %q", got.Doubts, got.Warnings)
	}
	if got := strata.Find(base, side("c release=2 machine=quiet", "d release=2 machine=quiet"), both, both); slices.ContainsFunc(got.Doubts, func(d string) bool { return strings.Contains(d, "together") }) {
		t.Errorf("of one label that differs: doubts %q", got.Doubts)
	}
}
