package main

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/report/figures"
	"github.com/tracelake/tracelake/testdata/expect"
)

// costs returns a function with these totals in us, of one call each.
func costs(name string, totals ...float64) function {
	f := function{name: "a." + name}
	for _, us := range totals {
		var r runCost
		if us > 0 {
			r.calls = []int64{int64(us * 1000)}
		}
		r.summarise()
		f.runs = append(f.runs, r)
	}
	return f
}

var someFunctions = []function{
	costs("steady", 50, 51, 49, 50, 50, 51, 49, 50),
	costs("more", 10, 11, 10, 11, 30, 31, 30, 31),
	costs("most", 100, 101, 102, 100, 300, 301, 302, 300),
	costs("small", .1, .11, .1, .11, .3, .31, .3, .31),
	costs("absent", 0, 11, 10, 11, 30, 31, 30, 31),
}

var halves = split{[]int{0, 1, 2, 3}, []int{4, 5, 6, 7}}

// The plain rules ask functions that all runs have and that cost enough, and name the greatest difference first.
func TestPlainAnswer(t *testing.T) {
	a := plainAnswer(someFunctions, halves, func(x, y []float64) float64 { return stats.Welch(x, y) })
	expect.Equal(t, strings.Join(a.functions, " "), "a.most a.more", "functions found")
}

// The rules of pooled calls ask all functions; DYN leaves out what is below its guard of 0.1 ms.
func TestPooledAnswer(t *testing.T) {
	a := pooledAnswer(someFunctions, halves, sampletests.MWU)
	expect.Equal(t, strings.Join(a.functions, " "), "a.most a.absent a.more a.small", "functions found by MWU")
	a = pooledAnswer(someFunctions, halves, sampletests.DYN)
	expect.Equal(t, strings.Join(a.functions, " "), "a.most", "functions found by DYN")
}

// The combined p-values are those of the implementation in numpy and scipy (testdata of functionchanges).
func TestReferenceEqualsNumpy(t *testing.T) {
	const folder = "../../stages/change/functionchanges/testdata/"
	var want struct {
		Functions, Runs []string
		Cauchy          []float64
	}
	expect.OK(t, json.Unmarshal(expect.Value(os.ReadFile(folder+"oracle.json"))(t), &want))
	f := expect.Value(os.Open(folder + "compressor.csv"))(t)
	defer f.Close()
	values := make(map[string][]float64)
	for _, row := range expect.Value(csv.NewReader(f).ReadAll())(t)[1:] {
		for _, text := range row[2:] {
			values[row[0]+row[1]] = append(values[row[0]+row[1]], expect.Value(strconv.ParseFloat(text, 64))(t))
		}
	}
	var logs [estimates][][]float64
	for _, name := range want.Functions {
		var rows [estimates][]float64
		for _, run := range want.Runs {
			v := values[run+name]
			c := runCost{sum: v[1], median: v[0] * v[2], quartile: v[0] * v[3], geometric: v[0] * v[4]}
			for e := range rows {
				rows[e] = append(rows[e], c.estimate(e))
			}
		}
		for e := range rows {
			logs[e] = append(logs[e], rows[e])
		}
	}
	_, p := combine(&logs, 4)
	for i := range p {
		if math.Abs(p[i]-want.Cauchy[i]) > 1e-9 {
			t.Errorf("%s: p = %.12g, want %.12g", want.Functions[i], p[i], want.Cauchy[i])
		}
	}
}

// Where more than half seems changed, only what is far from the middle is suspected.
func TestSuspected(t *testing.T) {
	few := suspected([]float64{0, 0, 0, 1}, []float64{.9, .9, .9, 1e-9})
	many := suspected([]float64{1, 1.01, .99, 5}, []float64{1e-9, 1e-9, 1e-9, 1e-9})
	expect.Equal(t, [2]bool{slices.Equal(few, []bool{false, false, false, true}), slices.Equal(many, []bool{false, false, false, true})}, [2]bool{true, true}, "suspects")
}

// A curve has a point for every level at which unchanged runs begin to have findings; before it stands what is named at a lower level than
// any of them.
func TestCharacteristic(t *testing.T) {
	got := characteristic([]float64{1, .03, .04, .2}, []float64{.01, .2, .3, 1})
	want := []figures.Point{{X: 12.5, Y: .25}, {X: 50, Y: .25}, {X: 75, Y: .5}, {X: 100, Y: 1}} // without {25, .25}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
