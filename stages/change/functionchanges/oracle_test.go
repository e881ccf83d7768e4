package functionchanges

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/testdata/expect"
)

// recorded is what the calls of the functions of a compressor cost in thirty runs: ten each of base and base2, which do not differ,
// and of hot20, where every call of mainQSort3 takes 20 % longer.
type recorded map[string]map[string]Cost // by function and run

func readRecorded(t *testing.T) recorded {
	t.Helper()
	f := expect.Value(os.Open("testdata/compressor.csv"))(t)
	defer f.Close()
	rows := expect.Value(csv.NewReader(f).ReadAll())(t)
	out := make(recorded)
	for _, row := range rows[1:] {
		var v [6]float64
		for i := range v {
			v[i] = expect.Value(strconv.ParseFloat(row[2+i], 64))(t)
		}
		if out[row[1]] == nil {
			out[row[1]] = make(map[string]Cost)
		}
		out[row[1]][row[0]] = Cost{Calls: v[0], TotalNs: v[1], MedianNs: v[2], Q25Ns: v[3], GeoNs: v[4], Q10Ns: v[5]}
	}
	return out
}

// unchangedRuns returns what all functions cost in the twenty runs that do not differ, by function and run.
func unchangedRuns(t *testing.T) [][]Cost {
	t.Helper()
	all := readRecorded(t)
	var runs []string
	for i := 1; i <= 10; i++ {
		runs = append(runs, fmt.Sprintf("base-%02d", i), fmt.Sprintf("base2-%02d", i))
	}
	return all.of(slices.Sorted(maps.Keys(all)), runs)
}

// of returns the costs of some functions in some runs.
func (r recorded) of(functions, runs []string) [][]Cost {
	out := make([][]Cost, len(functions))
	for i, f := range functions {
		for _, run := range runs {
			out[i] = append(out[i], r[f][run])
		}
	}
	return out
}

// oracle is what a slow implementation in numpy and scipy says of four runs of base and four of hot20: the factor of every run, the
// moderated t of every function by four estimates, and their combination.
type oracle struct {
	Functions, Runs []string
	Estimates       map[string]struct{ Factor, Effect, P, Variance []float64 }
	Cauchy          []float64
}

func TestOracle(t *testing.T) {
	text := expect.Value(os.ReadFile("testdata/oracle.json"))(t)
	var want oracle
	expect.OK(t, json.Unmarshal(text, &want))
	costs, sides := readRecorded(t).of(want.Functions, want.Runs), Design{Base: 4}.contrast(8)
	p := make([][]float64, len(costs))
	for e, name := range map[Estimate]string{Total: "sum", Median: "median", Quartile: "q25", Geometric: "geomean"} {
		logs := make([][]float64, len(costs))
		for i := range costs {
			for j := range costs[i] {
				logs[i] = append(logs[i], costs[i][j].log(e))
			}
		}
		factors, expected := commonMode(logs, sides), want.Estimates[name]
		near(t, name+": factor", factors.Log, expected.Factor)
		var effects, ps, variances []float64
		for i, r := range moderate(subtract(logs, factors.Log), sides, nil) {
			effects, ps, variances = append(effects, r.test.Estimate), append(ps, r.test.P()), append(variances, r.variance)
			p[i] = append(p[i], r.test.P())
		}
		near(t, name+": effect", effects, expected.Effect)
		near(t, name+": p", ps, expected.P)
		near(t, name+": variance", variances, expected.Variance)
	}
	var combined []float64
	for i := range p {
		slices.Sort(p[i]) // the order of a map
		combined = append(combined, stats.Cauchy(p[i]...))
	}
	near(t, "combined p", combined, want.Cauchy)
}

// near checks values to 1e-9, relative to those above 1.
func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) || len(want) == 0 {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= 1e-9*max(1, math.Abs(want[i]))) {
			t.Errorf("%s of function or run %d: %.12g, want %.12g", what, i, got[i], want[i])
		}
	}
}
