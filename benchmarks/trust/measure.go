package main

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// row is a row of the table: the splits of one size of unchanged runs, or of unchanged runs and runs with a planted change.
type row struct {
	name     string // of the lake
	planted  string // selector, "" of unchanged runs
	function string // that was changed
	size     int    // runs per side
	splits   int
	rules    []score // by rule
}

// score counts splits.
type score struct {
	any   int // a change of time was found
	found int // the changed function is among it
	first int // and comes first
	other int // findings in other functions, over all splits
	root  int // the run time of the root executions is shown to change
	acts  int // a change of what is done was found
}

// split is the positions of the runs of both sides.
type split struct{ base, cand []int }

// seed makes a table repeatable.
const seed = 20

func (j *job) measure(ctx context.Context) ([]row, error) {
	o, positions, err := j.observe(ctx)
	if err != nil {
		return nil, err
	}
	rules := rulesOn(o)
	var rows []row
	for _, size := range j.sizes {
		if null := positions[""]; len(null) >= 2*size {
			r, err := j.score(ctx, rules, row{size: size}, func(rng *rand.Rand) split {
				picked := pick(rng, null, 2*size)
				return split{picked[:size], picked[size:]}
			})
			if err != nil {
				return nil, err
			}
			rows = append(rows, r)
		}
		for _, p := range j.planted {
			if len(positions[""]) < size || len(positions[p.selector]) < size {
				continue
			}
			r, err := j.score(ctx, rules, row{size: size, planted: p.selector, function: p.function}, func(rng *rand.Rand) split {
				return split{pick(rng, positions[""], size), pick(rng, positions[p.selector], size)}
			})
			if err != nil {
				return nil, err
			}
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// observe pairs all runs once. All of them are on both sides, so that every step is there; splits take from it what they need.
// Positions are by selector, those of the unchanged runs under "".
func (j *job) observe(ctx context.Context) (*compare.Observations, map[string][]int, error) {
	l, err := lake.Open(j.lake, false)
	if err != nil {
		return nil, nil, err
	}
	all, err := runs.Select(l, j.unchanged)
	if err != nil {
		return nil, nil, err
	}
	positions := map[string][]int{"": upTo(0, len(all))}
	for _, p := range j.planted {
		if positions[p.selector] != nil {
			continue
		}
		with, err := runs.Select(l, []string{p.selector})
		if err != nil {
			return nil, nil, err
		}
		positions[p.selector] = upTo(len(all), len(all)+len(with))
		all = append(all, with...)
	}
	o, err := compare.Observe(ctx, &pipeline.Engine{Lake: l, Jobs: j.jobs}, compare.Spec{
		Base: all, Cand: all, ByRuns: true, Matching: matching.ByDifference, Verdicts: verdicts.Defaults(),
		Options: samplechanges.Options{Method: sampletests.DYN, Normalisation: schema.NormFragmentAbsolute, Thresholds: sampletests.Defaults()},
	})
	return o, positions, err
}

// upTo lists the numbers from from up to, and without, to.
func upTo(from, to int) []int {
	out := make([]int, 0, to-from)
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// pick draws some positions without putting them back.
func pick(rng *rand.Rand, from []int, n int) []int {
	drawn := slices.Clone(from)
	rng.Shuffle(len(drawn), func(a, b int) { drawn[a], drawn[b] = drawn[b], drawn[a] })
	return drawn[:n]
}

// score judges random splits by all rules. All rules see the same splits, and a row has the same ones whatever other rows
// there are.
func (j *job) score(ctx context.Context, rules []rule, r row, draw func(*rand.Rand) split) (row, error) {
	rng := rand.New(rand.NewPCG(seed, uint64(r.size)))
	splits := make([]split, j.splits)
	for i := range splits {
		splits[i] = draw(rng)
	}
	judged, err := pipeline.Each(ctx, j.jobs, len(splits), func(_ context.Context, i int) ([]answer, error) {
		answers := make([]answer, len(rules))
		for k, rule := range rules {
			answers[k] = rule.judge(splits[i])
		}
		return answers, nil
	})
	if err != nil {
		return r, err
	}
	r.name, r.splits, r.rules = j.name, len(splits), make([]score, len(rules))
	for _, answers := range judged {
		for k := range answers {
			r.rules[k].add(&answers[k], r.function)
		}
	}
	return r, nil
}

// add counts what a rule said of a split in which a function was changed.
func (s *score) add(a *answer, changed string) {
	if len(a.functions) > 0 || a.root {
		s.any++
	}
	if a.root {
		s.root++
	}
	if a.behaviour {
		s.acts++
	}
	for i, f := range a.functions {
		switch {
		case f != changed:
			s.other++
		case i == 0:
			s.first++
			fallthrough
		default:
			s.found++
		}
	}
}
