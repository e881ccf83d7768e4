package main

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// A whole measurement, in seconds: ten recordings of an unchanged program and ten of one whose hottest function is 20 % slower, on a
// machine that was busy. The rule of the product and its reference find the change, and tests of the totals do not. Recordings and splits are
// fixed, so that only another rule gives other numbers; the bounds leave room for one that is as good.
func TestSmall(t *testing.T) {
	dir := t.TempDir()
	var out, told bytes.Buffer
	args := []string{"-truth", "testdata/small.json", "-runs", "5", "-splits", "20", "-jobs", "2",
		"-svg", filepath.Join(dir, "svg"), "-parquet", filepath.Join(dir, "splits.parquet"), "testdata"}
	expect.OK(t, run(t.Context(), &out, &told, args))
	svg := expect.Value(os.ReadFile(filepath.Join(dir, "svg", "small-5.svg")))(t)
	if !bytes.Contains(svg, []byte("power.py")) {
		t.Error("the curves name no rule power.py")
	}
	if table := expect.Value(os.ReadFile(filepath.Join(dir, "splits.parquet")))(t); !bytes.HasPrefix(table, []byte("PAR1")) {
		t.Error("no Parquet was written")
	}
	lines := strings.Split(out.String(), "\n")
	null, planted := strings.Split(lines[2], " | "), strings.Split(lines[6], " | ")
	if any := percentOf(t, null[2]); any > 10 {
		t.Errorf("something is found in %d %% of splits of unchanged runs", any)
	}
	for rule, column := range map[string]int{ours: 3, "power.py": len(planted) - 1} {
		if found := percentOf(t, planted[column]); found < 90 {
			t.Errorf("%s finds what is planted in %d %% of splits", rule, found)
		}
	}
	if found := percentOf(t, planted[len(planted)-3]); found > 50 {
		t.Errorf("Welch's test of totals finds it in %d %% of splits: the recordings are too easy", found)
	}
}

// percentOf returns the number that a cell of a table begins with.
func percentOf(t *testing.T, cell string) (n int) {
	t.Helper()
	if _, err := fmt.Sscanf(strings.Trim(cell, "*|"), "%d", &n); err != nil {
		t.Fatalf("cell %q: %v", cell, err)
	}
	return n
}

// The exact test of three against three that do not overlap has p = 2/20, in whatever order the values come.
func TestMannWhitneyOfUnsortedValues(t *testing.T) {
	if p := mannWhitney([]float64{3, 1, 2}, []float64{6, 4, 5}); math.Abs(p-.1) > 1e-12 {
		t.Errorf("p = %g, want .1", p)
	}
	if p := mannWhitney([]float64{5, 1, 3}, []float64{4, 6, 2}); p < .6 {
		t.Errorf("values that alternate have p = %g", p)
	}
}

// An answer is compared with what was planted: others, order, levels, and the intervals whose truth is known.
func TestAgainst(t *testing.T) {
	share := .2
	a := answer{
		functions: []string{"a.g", "a.f"}, scores: map[string]float64{"a.f": .01, "a.g": .002},
		intervals: map[string]interval{"a.f": {.1, .2, .3}, "a.g": {.1, .15, .2}, "a.h": {-.1, .1, .2}},
	}
	null, planted := a.against(&planted{}), a.against(&planted{Condition: "k", Function: "a.f", Share: &share})
	expect.Equal(t, [3]int64{null.Others, null.Intervals, null.Held}, [3]int64{2, 3, 1}, "of unchanged runs")
	expect.Equal(t, [3]int64{planted.Others, planted.Intervals, planted.Held}, [3]int64{1, 1, 1}, "of a planted change")
	expect.Equal(t, [3]float64{planted.Low, planted.Effect, planted.High}, [3]float64{.1, .2, .3}, "interval of the changed function")
	if !planted.Found || planted.First || planted.OfPlanted != .01 || planted.Least != .002 {
		t.Errorf("%+v", planted)
	}
}

func TestTables(t *testing.T) {
	var records []record
	for i, r := range []record{{}, {Any: true, Root: true}, {Any: true, Behaviour: true, Intervals: 3, Held: 2}, {}} {
		r.Cell, r.Runs, r.Split, r.Rule = "x", 3, int64(i), "ours"
		records = append(records, r)
	}
	for i, r := range []record{{Found: true, First: true, Others: 1}, {Found: true, Others: 1, Root: true}, {Others: 1}, {Unchanged: true}} {
		r.Cell, r.Runs, r.Split, r.Rule, r.Planted, r.Function = "x", 3, int64(i), "ours", "hot", "a.f"
		records = append(records, r)
	}
	var out strings.Builder
	expect.OK(t, writeTables(&out, records))
	lines := strings.Split(out.String(), "\n")
	expect.Equal(t, lines[2], "| x | 3 | **50** | 25 | 25 | 67 |", "unchanged")
	expect.Equal(t, lines[6], "| x hot | 3 | `a.f` | 50, 25, 0.8 | 25 | - | - | - | 25 |", "planted")
}

// Of 100 splits 9 with a finding may be chance where 5 are meant (P = .063), and 10 are not (P = .028).
func TestExcessive(t *testing.T) {
	for count, want := range map[int]bool{0: false, 5: false, 9: false, 10: true, 30: true} {
		expect.Equal(t, excessive(count, 100), want, "excessive")
	}
}

// Asked for functions and root executions alone, the product finds what the whole comparison finds.
func TestFirst(t *testing.T) {
	var out, told bytes.Buffer
	expect.OK(t, run(t.Context(), &out, &told, []string{"-first", "-truth", "testdata/small.json", "-runs", "5", "-splits", "20", "-jobs", "2", "-rules", "none", "testdata"}))
	lines := strings.Split(out.String(), "\n")
	null, planted := strings.Split(lines[2], " | "), strings.Split(lines[6], " | ")
	if any, found := percentOf(t, null[2]), percentOf(t, planted[3]); any > 10 || found < 90 {
		t.Errorf("something is found in %d %% of splits of unchanged runs, and what is planted in %d %%", any, found)
	}
}

// What is in all splits is named before what differs by chance in some of them, though that is the greater: by the whole comparison and by -first.
func TestChanceIsNotNamedFirst(t *testing.T) {
	args := []string{"-cells", "shop quiet", "-planted", "mid20", "-runs", "5", "-splits", "25", "-rules", "none", "-lake", filepath.Join(t.TempDir(), "lake"), "testdata"}
	for _, more := range [][]string{nil, {"-first"}} {
		var out, told bytes.Buffer
		expect.OK(t, run(t.Context(), &out, &told, append(more, args...)))
		planted := strings.Split(strings.Split(out.String(), "\n")[6], " | ")
		expect.Equal(t, planted[3], "100, 100, 0.2", "found, first, others of %v", more)
	}
}

// An interval of a split holds what all runs show if it does so after it was made shorter by what the split shares with them: with all runs
// of one side and half of the other, by half.
func TestTogether(t *testing.T) {
	m := measured{positions: map[string][]int{"": make([]int, 20), "hot": make([]int, 10)}}
	expect.Equal(t, m.drawn(10, "hot"), .5, "factor")
	for truth, want := range map[float64]int64{.2: 1, .23: 1, .27: 0, .12: 0} {
		expect.Equal(t, interval{.1, .2, .3}.holds(truth, m.drawn(10, "hot")), want, "truth %g", truth)
	}
}

// No split is drawn twice: six runs have ten halves, and twice as many where it counts which half is the baseline. Three runs and three others
// have nine splits of two against one. The first split is the first one that is drawn.
func TestSplitsAreDistinct(t *testing.T) {
	runs := []int{0, 1, 2, 3, 4, 5}
	halves := func(rng *rand.Rand) split { picked := pick(rng, runs, 6); return split{picked[:3], picked[3:]} }
	pairs := func(rng *rand.Rand) split { return split{pick(rng, runs[:3], 2), pick(rng, runs[3:], 1)} }
	for _, c := range []struct {
		asked     int
		unchanged bool
		draw      func(*rand.Rand) split
		want      int
	}{{7, true, halves, 7}, {100, true, halves, 10}, {100, false, halves, 20}, {100, false, pairs, 9}} {
		got := distinct(rand.New(rand.NewPCG(1, 2)), c.asked, c.unchanged, c.draw)
		seen := make(map[[2]int]bool) // by a bit for each run of a side
		for _, s := range got {
			var sides [2]int
			for i, side := range [][]int{s.base, s.cand} {
				for _, run := range side {
					sides[i] |= 1 << run
				}
			}
			if c.unchanged {
				slices.Sort(sides[:])
			}
			seen[sides] = true
		}
		if len(got) != c.want || len(seen) != c.want {
			t.Errorf("of %d splits asked for, %d are drawn, and %d of them differ; want %d", c.asked, len(got), len(seen), c.want)
		}
		if first := c.draw(rand.New(rand.NewPCG(1, 2))); !slices.Equal(got[0].base, first.base) || !slices.Equal(got[0].cand, first.cand) {
			t.Errorf("the first split is %v and not the first that is drawn, %v", got[0], first)
		}
	}
}

// Numbers of runs that are named are measured in splits of so many runs: all numbers are counted once, and some are kept, others not.
func TestNeeded(t *testing.T) {
	var out, told bytes.Buffer
	expect.OK(t, run(t.Context(), &out, &told, []string{"-needed", "-truth", "testdata/small.json", "-runs", "3,4", "-splits", "4", "-jobs", "2", "testdata"}))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 6 || !strings.HasPrefix(lines[4], "| all | 3 |") || lines[2][len("| small | 3 |"):] != lines[4][len("| all | 3 |"):] {
		t.Fatalf("the table of one cell and its sum is\n%s", out.String())
	}
	var decided, named int
	if _, err := fmt.Sscanf(strings.Split(lines[2], " | ")[2], "%d of %d", &decided, &named); err != nil || named < 10 || decided < 10 || decided > 90 {
		t.Errorf("%d %% of %d numbers were kept: %s", decided, named, lines[2])
	}
}
