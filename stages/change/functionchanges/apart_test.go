package functionchanges

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// One run in which a function takes thrice as long hides no change of it, whichever side it is on, and is none itself.
func TestRunStandsApart(t *testing.T) {
	for _, size := range []int{4, 5, 8} {
		for _, run := range []int{1, size + 2} {
			costs := noisy(60, size, size)
			costs[7][run].slowBy(3)
			expect.Slice(t, foundIn(Judge(costs, Design{Base: size}, Defaults())), nil, "%d runs a side, run %d stands apart", size, run)
			slow(costs[7], size, 1.25)
			c := Judge(costs, Design{Base: size}, Defaults()).Changes[7]
			if !c.Found || c.LogLo > math.Log(1.25) || c.LogHi < math.Log(1.25) || c.LogHi-c.LogLo > .3 {
				t.Errorf("%d runs a side, run %d stands apart from a change of .223: found %v, %g to %g", size, run, c.Found, c.LogLo, c.LogHi)
			}
		}
	}
}

func (c *Cost) slowBy(factor float64) {
	one := []Cost{*c}
	slow(one, 0, factor)
	*c = one[0]
}

// What stands apart: a run far from all others, and neither one that is beside a run of the other side, nor one of two, nor one of three.
func TestApart(t *testing.T) {
	near := []float64{1, 1.02, .98, 1.01, .99}
	for _, test := range []struct {
		name       string
		base, cand []float64
		want       int
	}{
		{"none", near, near, -1},
		{"a greater one", []float64{1, 1.02, 2, .98, 1.01}, near, 2},
		{"a smaller one of the candidate", near, []float64{1.3, 1.32, 1.31, .5, 1.28}, 8},
		{"a run in the state of the other side", []float64{2, 2.02, 1, 1.98, 2.01}, near, -1},
		{"two runs in a state", []float64{1, 2, 2.01, .98, 1.01}, near, -1},
		{"of three", []float64{1, 1.02, 2}, []float64{1.01, .99, .98}, -1},
		{"of one side alone", []float64{1, 1.02, 2, .98, 1.01, .99}, nil, 2},
	} {
		y := slices.Concat(test.base, test.cand)
		got, _ := Design{Base: len(test.base)}.contrast(len(y)).apart(y, make([]bool, len(y)))
		expect.Equal(t, got, test.want, "%s", test.name)
	}
}

// Of runs that are alike few stand apart, and without them the variance is that of the rest.
func TestApartRate(t *testing.T) {
	rng, apart := rand.New(rand.NewPCG(8, 8)), 0
	c := Design{Base: 5}.contrast(10)
	y := make([]float64, 10)
	for range 2000 {
		for i := range y {
			y[i] = rng.NormFloat64()
		}
		if f := c.fitTypical(y); f.df < c.df {
			apart++
		}
	}
	if apart > 20 { // 1 %, and fewer since the run next to it must not be near
		t.Errorf("in %d of 2,000 comparisons of runs that are alike one stands apart", apart)
	}
}
