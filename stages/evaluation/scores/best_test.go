package scores_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/tracelake/tracelake/stages/evaluation/scores"
	"github.com/tracelake/tracelake/testdata/expect"
)

func TestBeaten(t *testing.T) {
	nan := math.NaN()
	got := scores.Beaten("own", []scores.Trial{
		{Setting: "best", Score: map[string]float64{"own": .9, "a": .5, "b": nan}},
		{Setting: "as good", Score: map[string]float64{"own": .801, "a": .804}},
		{Setting: "beaten", Score: map[string]float64{"own": .5, "b": .7, "a": .7, "c": .6}},
		{Setting: "cannot judge", Score: map[string]float64{"own": nan, "a": .7}},
		{Setting: "not there", Score: map[string]float64{"a": .7}},
	})
	expect.Equal(t, fmt.Sprint(got), "[{beaten a 0.5 0.7}]", "beaten")
}

func TestDetectable(t *testing.T) {
	effects := []float64{.01, .1, 1}
	for _, c := range []struct {
		power []float64
		want  float64
	}{
		{[]float64{0, .6, 1}, math.Pow(10, -.5)}, // half the way from 10 to 100 %
		{[]float64{0, .8, 1}, .1},
		{[]float64{.9, .95, 1}, .01},
		{[]float64{0, .1, .7}, math.Inf(1)},
		{[]float64{math.NaN(), math.NaN(), math.NaN()}, math.Inf(1)},
	} {
		if got := scores.Detectable(effects, c.power, .8); math.Abs(got-c.want) > 1e-12 && got != c.want {
			t.Errorf("%v: %v, want %v", c.power, got, c.want)
		}
	}
}

func TestShare(t *testing.T) {
	var a, b scores.Share
	if !math.IsNaN(a.Rate()) {
		t.Errorf("the rate of no cases is %v", a.Rate())
	}
	a.Add(true)
	b.Add(false)
	b.Add(true)
	b.Add(false)
	if a.Join(b); a != (scores.Share{Hits: 2, Of: 4}) || a.Rate() != .5 {
		t.Errorf("got %+v", a)
	}
}
