package main

import (
	"math"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// drawnSpan is a span as a test drew it.
type drawnSpan struct {
	service, name, id, parent string
	ns                        int64
}

// meansOf returns the mean times of a run by place, in ns a call, by other means than the product's: of a function its own time, and of the calls from
// one service to another what they take beside the callee. Of what a span calls, nothing overlaps in these systems.
func meansOf(spans []drawnSpan) map[string]float64 {
	at := make(map[string]int, len(spans))
	for i, s := range spans {
		at[s.id] = i
	}
	own, place := make([]int64, len(spans)), make([]string, len(spans))
	for i, s := range spans {
		own[i] += s.ns
		if place[i] == "" {
			place[i] = s.service + "." + s.name
		}
		if s.parent == "" {
			continue
		}
		caller := at[s.parent]
		own[caller] -= s.ns
		if from := spans[caller].service; from != s.service {
			place[caller] = from + " -> " + s.service
		}
	}
	sums, calls := make(map[string]float64), make(map[string]float64)
	for i := range spans {
		sums[place[i]] += float64(own[i])
		calls[place[i]]++
	}
	for at := range sums {
		sums[at] /= calls[at]
	}
	return sums
}

// byChanceP is the level at which a change that was not planted counts as drawn. A claim has a smaller one by the product's own test, which knows how
// much all functions vary.
const byChanceP = .02

// drawnP is the two-sided p of the test of Welch (1947) that a place takes the same time on both sides, run by run; 1 where runs lack it.
func drawnP(place string, sides [2][]map[string]float64) float64 {
	var means, errors, free [2]float64
	for k, runs := range sides {
		var times []float64
		for _, run := range runs {
			if ns, has := run[place]; has {
				times = append(times, ns)
			}
		}
		if len(times) < 2 {
			return 1
		}
		mean, variance := stat.MeanVariance(times, nil)
		means[k], errors[k], free[k] = mean, variance/float64(len(times)), float64(len(times)-1)
	}
	sum := errors[0] + errors[1]
	df := sum * sum / (errors[0]*errors[0]/free[0] + errors[1]*errors[1]/free[1])
	return 2 * distuv.StudentsT{Sigma: 1, Nu: df}.Survival(math.Abs(means[1]-means[0])/math.Sqrt(sum))
}

// falseRate is the rate of false discoveries of comparisons, which where nothing changed is that of comparisons with any.
const falseRate = .05

// mostClaims is how many of so many comparisons of the same may claim anything: more do so once in a thousand times.
func mostClaims(comparisons int) int {
	most := 0
	for (distuv.Binomial{N: float64(comparisons), P: falseRate}).CDF(float64(most)) < .999 {
		most++
	}
	return most
}

// TestDrawn holds the measure of TestSpanCases against numbers by hand.
func TestDrawn(t *testing.T) {
	got := meansOf([]drawnSpan{
		{"web", "call", "2", "1", 50}, {"db", "query", "3", "2", 30}, {"web", "GET /", "1", "", 70},
		{"web", "GET /", "4", "", 40},
	})
	expect.Deep(t, got, map[string]float64{"web.GET /": 30, "web -> db": 20, "db.query": 30}, "mean times")
	run := func(times ...float64) (runs []map[string]float64) {
		for _, ns := range times {
			runs = append(runs, map[string]float64{"a": ns})
		}
		return runs
	}
	// Welch: t = -2/sqrt(1/3+1/3), 4 degrees of freedom.
	if p := drawnP("a", [2][]map[string]float64{run(3, 4, 5), run(1, 2, 3)}); math.Abs(p-.0705) > .0001 {
		t.Errorf("p = %g", p)
	}
	expect.Equal(t, mostClaims(20), 5, "claims in 20 comparisons")
}
