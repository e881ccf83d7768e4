package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/schema"
)

// mostNeeded is the number of runs per side above which reports name no number.
const mostNeeded = 50

// much is the share of the time of all functions from which on a function has much of it.
const much = .1

// need counts what undetermined comparisons of a cell say of the runs that they need. Each subject with a number of at most mostNeeded is asked
// again with so many runs per side, drawn anew, and decided or not.
type need struct {
	cell                    string // of the recordings
	runs                    int    // per side at hand
	functions, little, root kept   // all functions, those that do not have much of the time, and root executions
	more                    int    // functions that are said to need more than mostNeeded
}

// kept counts promises: numbers that were named, and those with which the answer was decided.
type kept struct{ named, decided int }

func (k *kept) add(decided bool) {
	k.named++
	if decided {
		k.decided++
	}
}

func (k kept) String() string {
	if k.named == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f of %d ± %.0f", 100*k.share(), k.named, 196*math.Sqrt(k.share()*(1-k.share())/float64(k.named)))
}

func (k kept) share() float64 { return float64(k.decided) / float64(k.named) }

// errorOver returns the standard error of the share of all cells together, as if programs were drawn at random: the jackknife that leaves one
// cell out (Efron and Stein 1981, Annals of Statistics 9, 586-596). It is false of fewer than two.
func errorOver(cells []kept) (e float64, known bool) {
	var all kept
	cells = slices.DeleteFunc(slices.Clone(cells), func(k kept) bool { return k.named == 0 })
	for _, k := range cells {
		all.named, all.decided = all.named+k.named, all.decided+k.decided
	}
	if len(cells) < 2 {
		return 0, false
	}
	var without []float64
	for _, k := range cells {
		without = append(without, kept{all.named - k.named, all.decided - k.decided}.share())
	}
	n := float64(len(cells))
	return math.Sqrt((n - 1) / n * squares(without)), true
}

// subject names a row of a comparison among those of its level.
type subject struct{ level, component, name string }

// needsOf measures, for every number of runs, how many undetermined subjects are decided with the number of runs that they are said to
// need: in splits of unchanged runs, and in splits with a planted change.
func (j *job) needsOf(ctx context.Context, m *measured) (out []need, err error) {
	for _, size := range j.sizes {
		of := need{cell: m.Name, runs: size}
		for _, p := range append([]planted{{}}, m.Planted...) {
			base, cand := m.positions[""], m.positions[p.Condition]
			if min(len(base), len(cand)) < size || p.Condition == "" && len(base) < 2*size {
				continue
			}
			parts, err := pipeline.Each(ctx, j.jobs, j.splits, func(_ context.Context, i int) (need, error) {
				rng := rand.New(rand.NewPCG(seed+uint64(i), uint64(size)))
				return m.needsIn(rng, size, base, cand, p.Condition == ""), nil
			})
			if err != nil {
				return nil, fmt.Errorf("cell %s: %w", m.Name, err)
			}
			for _, part := range parts {
				of.add(&part)
			}
		}
		out = append(out, of)
	}
	return out, nil
}

func (n *need) add(part *need) {
	for _, of := range [][2]*kept{{&n.functions, &part.functions}, {&n.little, &part.little}, {&n.root, &part.root}} {
		of[0].named += of[1].named
		of[0].decided += of[1].decided
	}
	n.more += part.more
}

// needsIn draws one split, and for every number that is named in it another one of so many runs.
func (m *measured) needsIn(rng *rand.Rand, size int, base, cand []int, unchanged bool) (n need) {
	few := drawSides(rng, size, base, cand, unchanged)
	first := m.observed.SplitFirst(few.base, few.cand)
	named := make(map[int][]*schema.Change)
	var total int64
	for i := range first.Changes {
		c := &first.Changes[i]
		if c.Level == schema.LevelFunction {
			total += *c.CostBaseNs
		}
		if c.Verdict != schema.Undetermined || c.RunsNeeded == nil {
			continue
		}
		if *c.RunsNeeded > mostNeeded {
			n.more++
			continue
		}
		named[int(*c.RunsNeeded)] = append(named[int(*c.RunsNeeded)], c)
	}
	for runs := size + 1; runs <= mostNeeded; runs++ {
		if len(named[runs]) == 0 {
			continue
		}
		many := drawSides(rng, runs, base, cand, unchanged)
		decided := decidedIn(m.observed.SplitFirst(many.base, many.cand))
		for _, c := range named[runs] {
			is := decided[subjectOf(c)]
			if c.Level != schema.LevelFunction {
				n.root.add(is)
				continue
			}
			n.functions.add(is)
			if float64(*c.CostBaseNs) < much*float64(total) {
				n.little.add(is)
			}
		}
	}
	return n
}

// drawSides draws so many runs for each side: without putting them back where there are enough, and else with it, as if there were more like them.
func drawSides(rng *rand.Rand, size int, base, cand []int, unchanged bool) split {
	again := func(from []int) []int {
		drawn := make([]int, size)
		for i := range drawn {
			drawn[i] = from[rng.IntN(len(from))]
		}
		return drawn
	}
	switch {
	case unchanged && 2*size <= len(base):
		picked := pick(rng, base, 2*size)
		return split{picked[:size], picked[size:]}
	case !unchanged && size <= min(len(base), len(cand)):
		return split{pick(rng, base, size), pick(rng, cand, size)}
	}
	return split{again(base), again(cand)}
}

// decidedIn lists the subjects with a verdict.
func decidedIn(r *compare.Result) map[subject]bool {
	decided := make(map[subject]bool)
	for i := range r.Changes {
		c := &r.Changes[i]
		decided[subjectOf(c)] = c.Verdict != schema.Undetermined && c.Verdict != schema.NotAsked
	}
	return decided
}

func subjectOf(c *schema.Change) subject { return subject{c.Level, c.Component, c.Subject} }

// writeNeeds prints a row for every cell and number of runs, and one for all cells of each number. Shares have the half of their binomial
// intervals of 95 %; those of all cells also the same over cells, since functions of one program are alike.
func writeNeeds(out io.Writer, needs []need) error {
	sums, cells := make(map[int]*need), make(map[int][]kept)
	for i := range needs {
		n := &needs[i]
		if sums[n.runs] == nil {
			sums[n.runs] = &need{cell: "all", runs: n.runs}
		}
		sums[n.runs].add(n)
		cells[n.runs] = append(cells[n.runs], n.functions)
	}
	each := len(needs)
	var sizes []int
	for size := range sums {
		sizes = append(sizes, size)
	}
	for _, size := range slices.Sorted(slices.Values(sizes)) {
		needs = append(needs, *sums[size])
	}
	fmt.Fprintf(out, "| decided with the number of runs that is named, %% of those with up to %d | runs at hand | functions | with less than a tenth of the time | root executions | more are needed |\n", mostNeeded)
	fmt.Fprintln(out, "|---|---|---|---|---|---|")
	for i := range needs {
		n := &needs[i]
		functions := n.functions.String()
		if e, known := errorOver(cells[n.runs]); known && i >= each {
			functions += fmt.Sprintf(", %.0f over cells", 196*e)
		}
		if _, err := fmt.Fprintf(out, "| %s | %d | %s | %s | %s | %d |\n", n.cell, n.runs, functions, n.little, n.root, n.more); err != nil {
			return err
		}
	}
	return nil
}
