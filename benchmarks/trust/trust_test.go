package main

import (
	"math"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/stages/change/functionchanges"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/testdata/expect"
)

// The exact test of three against three that do not overlap has p = 2/20, in whatever order the values come.
func TestMannWhitneyOfUnsortedValues(t *testing.T) {
	if p := mannWhitney([]float64{3, 1, 2}, []float64{6, 4, 5}); math.Abs(p-.1) > 1e-12 {
		t.Errorf("p = %g, want .1", p)
	}
	if p := mannWhitney([]float64{5, 1, 3}, []float64{4, 6, 2}); p < .6 {
		t.Errorf("values that alternate have p = %g", p)
	}
}

// costs returns a function with these totals in us.
func costs(name string, totals ...float64) compare.FunctionCosts {
	f := compare.FunctionCosts{Component: "a", Function: name}
	for _, us := range totals {
		f.Runs = append(f.Runs, functionchanges.Cost{Calls: 1, TotalNs: us * 1000})
	}
	return f
}

// The plain rules ask functions that all runs have and that cost enough, and name the greatest difference first.
func TestPlainAnswer(t *testing.T) {
	functions := []compare.FunctionCosts{
		costs("steady", 50, 51, 49, 50, 50, 51, 49, 50),
		costs("more", 10, 11, 10, 11, 30, 31, 30, 31),
		costs("most", 100, 101, 102, 100, 300, 301, 302, 300),
		costs("small", .1, .11, .1, .11, .3, .31, .3, .31),
		costs("absent", 0, 11, 10, 11, 30, 31, 30, 31),
	}
	a := plainAnswer(functions, split{[]int{0, 1, 2, 3}, []int{4, 5, 6, 7}}, func(x, y []float64) float64 { return stats.Welch(x, y).P })
	expect.Equal(t, strings.Join(a.functions, " "), "a.most a.more", "functions most found")
}

func TestTable(t *testing.T) {
	var null, planted score
	null.add(&answer{}, "")
	null.add(&answer{root: true}, "")
	null.add(&answer{functions: []string{"a.f"}, behaviour: true}, "")
	null.add(&answer{behaviour: true}, "")
	planted.add(&answer{functions: []string{"a.f", "a.g"}}, "a.f")
	planted.add(&answer{functions: []string{"a.g", "a.f"}, root: true}, "a.f")
	planted.add(&answer{functions: []string{"a.g"}}, "a.f")
	planted.add(&answer{}, "a.f")
	var out strings.Builder
	rows := []row{
		{name: "x", size: 3, splits: 4, rules: []score{null}},
		{name: "x", size: 3, splits: 4, planted: "k=v", function: "a.f", rules: []score{planted}},
	}
	expect.OK(t, writeTable(&out, rows))
	lines := strings.Split(out.String(), "\n")
	expect.Equal(t, lines[2], "| x | 3 | nothing: any finding | 50 % (root 25 %; behaviour 50 %) |", "line 2")
	expect.Equal(t, lines[3], "| x | 3 | k=v in `a.f`: found, first, others | 50 %, 25 %, 0.8; root 25 % |", "line 3")
}
