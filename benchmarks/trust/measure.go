package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// seed makes the splits repeatable.
const seed = 20 // of the splits' generator, together with the number of runs per side

// floorNs is the change per root execution that a function must exceed to be found, as analyze compare has it by default.
var floorNs = verdicts.Defaults().FloorNs

// record is what a rule said of a split: a row of the table that -parquet writes. A change that is not planted is "".
type record struct {
	Cell      string  `parquet:"cell,dict"`      // the name of the cell
	Runs      int64   `parquet:"runs"`           // per side
	Planted   string  `parquet:"planted,dict"`   // the condition, "" of unchanged runs
	Function  string  `parquet:"function,dict"`  // that was changed
	Split     int64   `parquet:"split"`          // from 0; no two are the same
	Base      string  `parquet:"base"`           // positions of its runs of the baseline among those of the cell, separated by blanks
	Cand      string  `parquet:"cand"`           // the same of the candidate
	Rule      string  `parquet:"rule,dict"`      // what judged
	Any       bool    `parquet:"any"`            // a change of time was found, in a function or a root execution
	Found     bool    `parquet:"found"`          // the changed function is among it
	First     bool    `parquet:"first"`          // and comes first
	Others    int64   `parquet:"others"`         // other functions that were found
	Root      bool    `parquet:"root"`           // the run time of the root executions is shown to change
	Behaviour bool    `parquet:"behaviour"`      // a change of what is done was found
	Least     float64 `parquet:"least_level"`    // at which the rule would name any function
	OfPlanted float64 `parquet:"function_level"` // at which it would name the changed one

	Intervals int64 `parquet:"intervals"`        // of functions whose true change is known
	Held      int64 `parquet:"intervals_held"`   // those that hold it
	Together  int64 `parquet:"together"`         // 1 where the rule has an interval of the changed function, of the split and of all runs together
	HeldAll   int64 `parquet:"together_held"`    // 1 where that of the split holds what all runs show: see drawn
	Unchanged bool  `parquet:"called_unchanged"` // the changed function is shown not to have changed

	Low     float64 `parquet:"low"`      // of the interval of the changed function, as a share of its cost in the baseline; 0 where the rule has none
	Effect  float64 `parquet:"effect"`   // its estimate
	High    float64 `parquet:"high"`     // and its upper end
	By      string  `parquet:"by,dict"`  // the estimate that it is of
	AllShow float64 `parquet:"all_show"` // what all runs show by that estimate; 0 where Together is 0
}

// measured is a cell that was prepared: its runs were paired, and their calls were read.
type measured struct {
	*cell                      // what is known of the recordings
	rules     []rule           // that of analyze compare first
	positions map[string][]int // of the runs by condition; those that do not differ under ""

	observed *compare.Observations      // of all runs
	all      map[string]*compare.Result // by planted condition: what the rule of the product says of all runs together
}

// prepare ingests and analyzes the recordings of a cell, and pairs all runs once. All of them are on both sides, so that every step is there;
// splits take from it what they need.
func (j *job) prepare(ctx context.Context, l *lake.Lake, c *cell) (*measured, error) {
	m := &measured{cell: c, positions: make(map[string][]int), all: make(map[string]*compare.Result)}
	// 1. Runs of all conditions, ingested and analyzed; the ones that do not differ are one pool.
	var all []string
	for _, condition := range c.conditions() {
		runs, err := j.runsOf(ctx, l, c, condition)
		if err != nil {
			return nil, err
		}
		under := condition
		if slices.Contains(c.Unchanged, condition) {
			under = ""
		}
		// Positions count over all conditions, in the order in which compare knows the runs.
		for _, run := range runs {
			m.positions[under] = append(m.positions[under], len(all))
			all = append(all, run)
		}
	}
	// 2. What analyze compare observes of all runs: pairing steps takes most of the time, and happens once for all splits.
	o, err := compare.Observe(ctx, &pipeline.Engine{Lake: l, Jobs: j.jobs}, compare.Spec{
		Base: all, Cand: all, ByRuns: true, Matching: matching.ByDifference, Verdicts: verdicts.Defaults(),
		Options: samplechanges.Options{Method: sampletests.DYN, Normalisation: schema.NormFragmentAbsolute, Thresholds: sampletests.Defaults()},
	})
	if err != nil {
		return nil, err
	}
	// 3. What the other rules observe, and the rules themselves. That of analyze compare is always asked.
	functions, err := readCalls(ctx, l, all)
	if err != nil {
		return nil, err
	}
	rules := rulesOn(o, functions, j.first)
	m.observed = o
	m.rules = slices.DeleteFunc(rules, func(r rule) bool { return r.name != ours && !wanted(r.name, j.rules) })
	// 4. What the rule of the product says of all runs of a condition together, by which its intervals of few runs are measured.
	for i := range c.Planted {
		condition := c.Planted[i].Condition
		m.all[condition] = o.SplitFirst(m.positions[""], m.positions[condition])
	}
	return m, nil
}

// measure judges random splits of the cell by all rules, with every number of runs that it has.
func (j *job) measure(ctx context.Context, m *measured) (out []record, err error) {
	// A size is left out where the cell has too few runs for it.
	for _, size := range j.sizes {
		// Two sides of a size need twice as many unchanged runs.
		if null := m.positions[""]; len(null) >= 2*size {
			// Unchanged: both sides are drawn from the same pool, and no run is on both.
			rows, err := j.judge(ctx, m, size, &planted{}, func(rng *rand.Rand) split {
				picked := pick(rng, null, 2*size)
				return split{picked[:size], picked[size:]}
			})
			if err != nil {
				return nil, err
			}
			out = append(out, rows...)
		}
		for i := range m.Planted {
			p := &m.Planted[i]
			// The condition and the unchanged runs must each have enough.
			if min(len(m.positions[""]), len(m.positions[p.Condition])) < size {
				continue
			}
			// Planted: the baseline is drawn from unchanged runs, the candidate from those with the change.
			rows, err := j.judge(ctx, m, size, p, func(rng *rand.Rand) split {
				return split{pick(rng, m.positions[""], size), pick(rng, m.positions[p.Condition], size)}
			})
			if err != nil {
				return nil, err
			}
			out = append(out, rows...)
		}
	}
	return out, nil
}

// pick draws some positions without putting them back.
func pick(rng *rand.Rand, from []int, n int) []int {
	drawn := slices.Clone(from)
	rng.Shuffle(len(drawn), func(a, b int) { drawn[a], drawn[b] = drawn[b], drawn[a] })
	return drawn[:n]
}

// fruitless is after how many draws in a row that were drawn before all splits are taken to be drawn: of 126 halves the last one is missed in 1 of 3,000
// measurements.
const fruitless = 1000

// distinct draws so many splits, none of them twice: the order of the runs of a side does not count, nor which of two sides of unchanged runs is
// the baseline. There are fewer where the runs have fewer splits: ten runs have 126 halves.
func distinct(rng *rand.Rand, n int, unchanged bool, draw func(*rand.Rand) split) (splits []split) {
	drawn := make(map[string]bool, n)
	for missed := 0; len(splits) < n && missed < fruitless; missed++ {
		s := draw(rng)
		sides := []string{fmt.Sprint(slices.Sorted(slices.Values(s.base))), fmt.Sprint(slices.Sorted(slices.Values(s.cand)))}
		if unchanged {
			slices.Sort(sides)
		}
		if name := strings.Join(sides, " "); !drawn[name] {
			drawn[name] = true
			splits, missed = append(splits, s), -1
		}
	}
	return splits
}

// judge has all rules judge the same random splits. The splits of a number of runs are the same whatever other numbers there are.
func (j *job) judge(ctx context.Context, m *measured, size int, p *planted, draw func(*rand.Rand) split) ([]record, error) {
	// The seed depends on the size alone, so every condition and rule meets the same draws.
	rng := rand.New(rand.NewPCG(seed, uint64(size)))
	// All splits are drawn before any is judged, so that the number of goroutines does not change them.
	splits := distinct(rng, j.splits, p.Condition == "", draw)
	// Rules judge split after split, several splits side by side; results keep the order of the splits.
	judged, err := pipeline.Each(ctx, j.jobs, len(splits), func(_ context.Context, i int) ([]record, error) {
		var rows []record
		for _, rule := range m.rules {
			a := rule.judge(splits[i])
			r := a.against(p)
			if all := m.all[p.Condition]; all != nil && a.result != nil {
				r.Together, r.HeldAll, r.AllShow = a.together(all, p.Function, m.drawn(size, p.Condition))
			}
			r.Cell, r.Runs, r.Split, r.Rule = m.Name, int64(size), int64(i), rule.name
			r.Base, r.Cand = runsText(splits[i].base), runsText(splits[i].cand)
			rows = append(rows, r)
		}
		return rows, nil
	})
	if err != nil {
		return nil, fmt.Errorf("cell %s: %w", m.Name, err)
	}
	return slices.Concat(judged...), nil
}

// against compares an answer with the truth. Only functions in which nothing was planted are known not to have changed where nothing was
// planted at all: what follows from a change, such as a cache that is cold, is none of them.
// A level of 1 stands for a rule that would name nothing at any level.
func (a *answer) against(p *planted) record {
	r := record{
		// Any and Behaviour are kept apart: a run that takes a branch more often is not slower for it.
		Planted: p.Condition, Function: p.Function, Any: a.root || len(a.functions) > 0, Root: a.root, Behaviour: a.behaviour,
		Least: 1, OfPlanted: 1, Unchanged: a.unchanged[p.Function],
	}
	// The order of the functions is the rule's own; first means at the top of its answer.
	for i, f := range a.functions {
		if f != p.Function {
			r.Others++
			continue
		}
		r.Found, r.First = true, i == 0
	}
	for _, score := range a.scores {
		r.Least = min(r.Least, score)
	}
	// A function that the rule did not ask has no level.
	if score, known := a.scores[p.Function]; known {
		r.OfPlanted = score
	}
	if in, known := a.intervals[p.Function]; known {
		r.Low, r.Effect, r.High = in.lo, in.at, in.hi
		if component, name, _ := strings.Cut(p.Function, "."); a.result != nil {
			r.By = a.result.StatedBy(component, name, floorNs)
		}
	}
	// Intervals count where the truth is known: 0 everywhere without a change, and the planted share in the changed function.
	for f, in := range a.intervals {
		truth := 0.0
		switch {
		case p.Condition == "":
		case f == p.Function && p.Share != nil:
			truth = *p.Share
		default:
			continue
		}
		r.Intervals++
		if in.lo <= truth && truth <= in.hi {
			r.Held++
		}
	}
	return r
}

// drawn is by how much less the difference of the sides of a split differs from that of all runs than it differs from the difference of all
// runs that there could be, as a factor of its standard deviation. Runs of a split are among all runs: with n of N drawn without
// replacement the variance of a mean is that of n runs times 1 - n/N (Cochran 1977, Sampling Techniques, section 2.6).
func (m *measured) drawn(size int, condition string) float64 {
	n := float64(size)
	left := func(runs []int) float64 { return (1/n - 1/float64(len(runs))) * n / 2 }
	return math.Sqrt(left(m.positions[""]) + left(m.positions[condition]))
}

// together compares the interval of a function with what all runs show by the estimate that the interval is of, where both are known. The interval is
// made shorter by a factor about the estimate of the split, on the scale of logarithms on which it is made.
func (a *answer) together(all *compare.Result, function string, factor float64) (known, held int64, share float64) {
	component, name, _ := strings.Cut(function, ".")
	of, has := a.intervals[function]
	truth, asked := all.EffectBy(a.result, component, name, floorNs)
	if !has || !asked {
		return 0, 0, 0
	}
	return 1, of.holds(truth, factor), truth
}

// holds returns 1 where the interval, made shorter by a factor, holds a share, else 0.
func (in interval) holds(truth, factor float64) int64 {
	at := math.Log1p(in.at)
	lo, hi := at+(math.Log1p(max(in.lo, -1))-at)*factor, at+(math.Log1p(in.hi)-at)*factor
	if log := math.Log1p(truth); lo <= log && log <= hi {
		return 1
	}
	return 0
}
