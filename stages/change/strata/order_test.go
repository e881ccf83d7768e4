package strata_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/stages/change/strata"
	"github.com/tracelake/tracelake/testdata/expect"
)

const second = 1_000_000_000

// recorded makes runs that were recorded one after the other in the order of the letters: b of the baseline, c of the candidate.
// A run takes a second, but for the noise, and so much longer with every run before it.
func recorded(order string, drift, noise float64, random *rand.Rand) (base, cand []strata.Run) {
	for i, letter := range order {
		took := second * (1 + drift*float64(i) + noise*random.NormFloat64())
		r := strata.Run{Name: fmt.Sprint(string(letter), i), StartNs: int64(100+10*i) * second, DurationNs: int64(took)}
		if letter == 'b' {
			base = append(base, r)
		} else {
			cand = append(cand, r)
		}
	}
	return base, cand
}

// TestOrder checks what the order in time says, and when it pairs runs.
func TestOrder(t *testing.T) {
	const turns = "bccbbccbbc"
	for _, c := range []struct {
		name, order  string
		drift, noise float64
		want         string // what the first warning begins with
		paired       bool
	}{
		{"in turns, no trend", turns, 0, .01, "", false},
		{"in turns, longer and longer", turns, .02, .005, "Runs take longer the later they were recorded", true},
		{"in turns, less and less long", turns, -.02, .005, "Runs take less long the later they were recorded", true},
		{"a trend that does not matter", turns, .001, 0, "", false},
		{"too few runs to show a trend", "bcbcbc", .05, 0, "", false},
		{"one side after the other", "bbbbbccccc", 0, .01, "All runs of the baseline were recorded before those of the candidate", false},
		{"the candidate first", "cccccbbbbb", 0, .01, "All runs of the candidate were recorded before those of the baseline", false},
		{"one side after the other, with a trend", "bbbbbccccc", .02, .002, "All runs of the baseline were recorded before those of the candidate", false},
		{"some in turns, with a trend", "bbbbcbcccc", .02, .002, "Runs take longer the later they were recorded", false},
	} {
		base, cand := recorded(c.order, c.drift, c.noise, rand.New(rand.NewPCG(1, 2)))
		s := strata.Find(base, cand, nil, nil)
		got := strings.Join(s.Warnings, " ")
		if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q", c.name, got)
		}
		expect.Equal(t, s.Blocks != nil, c.paired, "%s: pairs", c.name)
		expect.Equal(t, s.ByTime, c.paired, "%s: by time", c.name)
		if c.paired {
			expect.Slice(t, s.Blocks, []int{0, 1, 2, 3, 4, 0, 1, 2, 3, 4}, "%s: pairs", c.name)
		}
		expect.Equal(t, strings.Contains(got, "within the sides"), strings.Contains(c.name, "after the other, with"), "%s: a trend within the sides", c.name)
	}
}

// Clocks that begin with each trace say nothing of the order of runs.
func TestClocksOfTheirOwn(t *testing.T) {
	base, cand := recorded("bccbbccbbc", .02, 0, rand.New(rand.NewPCG(1, 2)))
	for _, side := range [][]strata.Run{base, cand} {
		for i := range side {
			side[i].StartNs = int64(i)
		}
	}
	expect.Slice(t, strata.Find(base, cand, nil, nil).Warnings, nil, "warnings")
}

// Where scenarios stratify, they may take different times: only a trend within them counts, and their pairs take it out.
func TestTrendWithinStrata(t *testing.T) {
	for _, drift := range []float64{0, .02} {
		base, cand := recorded("bcbcbcbcbcbcbcbcbcbc", drift, .001, rand.New(rand.NewPCG(3, 4)))
		for _, side := range [][]strata.Run{base, cand} {
			for i := range side {
				side[i].Labels = map[string]string{"scenario": "fast"}
				if i >= 5 {
					side[i].Labels["scenario"] = "slow"
					side[i].DurationNs *= 3
				}
			}
		}
		s := strata.Find(base, cand, nil, nil)
		expect.Slice(t, s.Labels, []string{"scenario"}, "labels")
		expect.Equal(t, strings.Contains(strings.Join(s.Warnings, " "), "Runs take longer"), drift > 0, "a trend of %v: %v", drift, s.Warnings)
		expect.Equal(t, s.ByTime, false, "pairs by time alone")
	}
}

// TestNoTrend draws runs without a trend: one in a hundred comparisons may be told of one.
func TestNoTrend(t *testing.T) {
	random, told := rand.New(rand.NewPCG(5, 6)), 0
	const draws = 2000
	for range draws {
		base, cand := recorded("bcbcbcbcbc", 0, .05, random)
		if len(strata.Find(base, cand, nil, nil).Warnings) > 0 {
			told++
		}
	}
	if told > draws/50 {
		t.Errorf("%d of %d comparisons without a trend are told of one", told, draws)
	}
}
