package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/testdata/expect"
)

// odd are numbers that files are often wrong about, and others.
func odd(rng *rand.Rand) float64 {
	return []float64{math.NaN(), math.Inf(1), math.Copysign(0, -1), 0, rng.NormFloat64(), math.MaxFloat64}[rng.IntN(6)]
}

// TestEstimatesByRank keeps the estimates of some subjects in a file, and reads them in another order.
func TestEstimatesByRank(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	file := expect.Value(os.Create(filepath.Join(t.TempDir(), "estimates")))(t)
	e := newEstimates(file)
	defer e.close()
	kept := make(map[int][]schema.Estimate)
	for position := range 3000 {
		if position%7 == 3 {
			continue // a subject of which it is not known what the runs say
		}
		for range rng.IntN(6) {
			out := schema.Estimate{
				Quantity: schema.QuantityCost, Family: fmt.Sprintf("family %d", rng.IntN(50)), Base: odd(rng), Cand: odd(rng), Ratio: odd(rng), RatioLo: odd(rng),
				RatioHi: odd(rng), Margin: odd(rng), DF: odd(rng), P: odd(rng), Q: odd(rng), EquivalenceP: odd(rng), RunsNeeded: rng.Int64N(100),
			}
			if rng.IntN(2) == 0 {
				out.Quantity, out.Quantile = schema.QuantityShape, new(float64)
				*out.Quantile = rng.Float64()
			}
			kept[position] = append(kept[position], out)
		}
		e.put(position, kept[position])
	}
	positions := make([]int32, 0, 3100)
	var want []schema.Estimate
	for rank, position := range rng.Perm(3100) { // the last subjects were never judged
		positions = append(positions, int32(position))
		for _, of := range kept[position] {
			of.Rank = int64(rank + 1)
			want = append(want, of)
		}
	}
	got := slices.Collect(e.byRank(positions))
	expect.OK(t, e.err())
	expect.Equal(t, len(got), len(want), "estimates")
	for i := range got {
		quantile := func(of *schema.Estimate) string { // a pointer is printed as its address
			text := "none"
			if of.Quantile != nil {
				text = fmt.Sprint(*of.Quantile)
			}
			of.Quantile = nil
			return text
		}
		a, b := quantile(&got[i]), quantile(&want[i])
		expect.Equal(t, a+fmt.Sprint(got[i]), b+fmt.Sprint(want[i]), "estimate %d", i)
	}
	file.Close()
	e.byRank(positions)(func(schema.Estimate) bool { return true })
	if e.err() == nil {
		t.Error("a file that cannot be read is no error")
	}
}

// TestReductionsStayWhole stages what subjects of two buckets are judged by, and reads it: all of it, with messages behind all others.
func TestReductionsStayWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var read reductions
	var others, messages []Subject
	for range 2 {
		j := new(judge)
		for range 200 {
			r := verdicts.Reduction{
				Level: schema.LevelTransition, Component: fmt.Sprintf("c%d", rng.IntN(5)), TakenBase: rng.IntN(9), TakenCand: rng.IntN(9), CountBase: odd(rng),
				CountCand: odd(rng), CostBase: odd(rng), CostCand: odd(rng), TotalBase: odd(rng), TotalCand: odd(rng), Certain: rng.IntN(2) == 0,
				Spread: odd(rng), Statement: verdicts.Statement{Kind: []string{"", schema.Called}[rng.IntN(2)], Ratio: odd(rng), Share: odd(rng), Ns: odd(rng)},
			}
			for range 1 + rng.IntN(13) {
				r.Moments = append(r.Moments, verdicts.Moments{
					Quantity: rng.Int32N(14), RunsBase: rng.Int32N(9), RunsCand: rng.Int32N(9), Blocks: rng.Int32N(9), Testable: rng.IntN(2) == 0,
					Estimate: odd(rng), Base: odd(rng), Cand: odd(rng), Variance: odd(rng), DF: odd(rng), Margin: odd(rng), Plain: odd(rng),
					BaseVariance: odd(rng), CandVariance: odd(rng),
				})
			}
			s := Subject{reduced: &r}
			if s.Change.Level, s.Change.Component = r.Level, r.Component; rng.IntN(3) == 0 {
				s.Change.Level, s.Change.Function, s.Change.Peer = schema.LevelMessage, fmt.Sprint(rng.Int()), fmt.Sprintf("c%d", rng.IntN(5))
				r.Level = schema.LevelMessage
				messages = append(messages, s)
			} else {
				others = append(others, s)
			}
			j.subjects = append(j.subjects, &s)
		}
		read.add(slices.Collect(j.eachReduction), slices.Collect(j.eachMoments), make(sharedTexts))
	}
	slices.SortFunc(messages, compareMessages)
	got := read.inOrder()
	expect.Equal(t, len(got), len(others)+len(messages), "subjects")
	for i, s := range slices.Concat(others, messages) {
		expect.Equal(t, fmt.Sprintf("%+v", got[i]), fmt.Sprintf("%+v", *s.reduced), "subject %d", i)
	}
}
