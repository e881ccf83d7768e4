package scores_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/stages/evaluation/scores"
	"github.com/tracelake/tracelake/testdata/expect"
)

// flags turns "x.x" into true, false, true.
func flags(text string) (out []bool) {
	for _, c := range text {
		out = append(out, c == 'x')
	}
	return out
}

// Worked by hand: T are the first three subjects, C the next two.
func TestScore(t *testing.T) {
	for _, c := range []struct {
		detected string
		want     string // precision, recall, F1, |T|, |T ∩ P|, |P \ C|, prevalence
	}{
		{"xxx.....", "1.000 1.000 1.000 3 3 3 0.500"},
		{"xx...x..", "0.667 0.667 0.667 3 2 3 0.500"},
		{"x....xxx", "0.250 0.333 0.286 3 1 4 0.500"}, // 2 (1/4)(1/3) / (7/12) = 2/7
		{"xxxxx...", "1.000 1.000 1.000 3 3 3 0.500"}, // consequences count neither way
		{"...xx...", "NaN 0.000 0.000 3 0 0 0.500"},
		{".......x", "0.000 0.000 0.000 3 0 1 0.500"},
	} {
		s := scores.NewScore(flags("xxx....."), flags("...xx..."), flags(c.detected))
		got := fmt.Sprintf("%.3f %.3f %.3f %d %d %d %.3f", s.Precision, s.Recall, s.F1, s.Injected, s.Found, s.Called, s.Prevalence)
		expect.Equal(t, got, c.want, "%s", c.detected)
	}
}

// A subject that has a fault of its own is no consequence, so that precision stays at most 1.
func TestFaultAndConsequence(t *testing.T) {
	s := scores.NewScore(flags("xx."), flags("xx."), flags("xxx"))
	if s.Called != 3 || s.Found != 2 {
		t.Errorf("got %+v", s)
	}
}

// Of no subject with a fault, recall is not known, and neither is it in an average.
func TestAverage(t *testing.T) {
	none := scores.NewScore(flags("..."), flags("..."), flags("x.."))
	half := scores.NewScore(flags("xx."), flags("..."), flags("x.."))
	silent := scores.NewScore(flags("x.."), flags("..."), flags("..."))
	a := scores.Average([]scores.Score{none, half, silent})
	// Precision over 0 and 1; recall over 1/2 and 0; F1 over 0, 2/3 and 0.
	if a.Precision != .5 || a.Recall != .25 || math.Abs(a.F1-2./9) > 1e-12 || a.Injected != 3 || a.Called != 2 {
		t.Errorf("got %+v", a)
	}
}

func TestScoreDoesNotDependOnTheOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		n := 1 + rng.IntN(30)
		var of, shuffled [3][]bool
		order := rng.Perm(n)
		for k := range of {
			of[k], shuffled[k] = make([]bool, n), make([]bool, n)
			for i := range n {
				of[k][i] = rng.IntN(3) == 0
			}
			for i, at := range order {
				shuffled[k][i] = of[k][at]
			}
		}
		a, b := scores.NewScore(of[0], of[1], of[2]), scores.NewScore(shuffled[0], shuffled[1], shuffled[2])
		expect.Equal(expect.Must(t), fmt.Sprint(a), fmt.Sprint(b), "shuffled")
		if a.Precision > 1 || a.Recall > 1 || a.F1 > 1 {
			t.Fatalf("%v is out of range", a)
		}
	}
}
