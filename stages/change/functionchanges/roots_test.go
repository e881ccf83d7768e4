package functionchanges

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// root returns a kind of root execution with so many executions a run.
func root(executions float64, ns ...float64) Root {
	r := Root{Ns: ns}
	for range ns {
		r.Executions = append(r.Executions, executions)
	}
	return r
}

// What takes most of the time is asked always, with three runs on a side, and so is what a run has many of. The rest waits for them, and what
// takes nothing is no question.
func TestRootsAreDivided(t *testing.T) {
	roots := []Root{
		root(1, 20e3, 20e3, 20e3, 20e3, 20e3, 20e3), // a helper
		root(1, 9e6, 8e6, 9e6, 8e6, 9e6, 8e6),       // what a user waits for
		root(1, 900, 800, 900, 800, 900, 800),       // nothing
		root(10, 30e3, 30e3, 30e3, 30e3, 30e3, 30e3),
	}
	expect.Equal(t, fmt.Sprint(divideRoots(roots, 3, 2000)), "[[1 3] [0]]", "three runs on a side")
	expect.Equal(t, fmt.Sprint(divideRoots(roots, 4, 2000)), "[[0 1 3] []]", "four runs on a side")
	all := JudgeRoots(roots, Design{Base: 3}, Defaults())
	if w := all[2]; w.Q != 1 || w.Inside {
		t.Errorf("what takes less than the floor has q %g", w.Q)
	}
	if !all[0].Inside || all[1].Inside || all[3].Inside || all[0].Part != 1./3 || all[1].Part != 1./3 {
		t.Errorf("families: %+v", all)
	}
	if len(JudgeRoots(nil, Design{Base: 3}, Defaults())) != 0 {
		t.Error("without root executions something is judged")
	}
}

// The kinds of root executions of a run that are each in one of two states change no more often, together, than one alone.
func TestStatesOfRoots(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 27))
	o, claims := Defaults(), 0
	_, level := o.Levels(3)
	const comparisons = 3000
	for range comparisons {
		roots := make([]Root, 4)
		for i := range roots {
			ns := make([]float64, 6)
			for j := range ns {
				ns[j] = 1e6 * float64(4-i) * (1 + .5*float64(rng.IntN(2)) + .01*rng.NormFloat64())
			}
			roots[i] = root(1, ns...)
		}
		any := false
		for _, w := range JudgeRoots(roots, Design{Base: 3}, o) {
			any = any || !w.Inside && w.Q <= level
		}
		claims += btoi(any)
	}
	// Three runs of each state in 2/64 of comparisons, and what noise adds; of four families it would be four times as much.
	if rate := float64(claims) / comparisons; rate > .05 {
		t.Errorf("a claim in %.3f of comparisons", rate)
	}
}

// With three runs on a side the plain totals decide alone, and the same with the sides swapped.
func TestThreeRunsOfTotals(t *testing.T) {
	totals := []float64{10.5e6, 1.8e6, 9.6e6, 20.9e6, 22.9e6, 28.4e6}
	w := JudgeWhole(totals, Design{Base: 3}, .95)
	plain := Design{Base: 3}.contrast(6).student(totals)
	if w.P != plain.P() || w.chosen != 1 || math.Abs(math.Expm1(w.Log)*w.BaseNs-plain.Estimate) > 1 || w.Lo >= w.Log || w.Hi <= w.Log {
		t.Errorf("p = %g instead of %g, logarithms %.2f in %.2f to %.2f", w.P, plain.P(), w.Log, w.Lo, w.Hi)
	}
	swapped := JudgeWhole([]float64{20.9e6, 22.9e6, 28.4e6, 10.5e6, 1.8e6, 9.6e6}, Design{Base: 3}, .95)
	if math.Abs(swapped.P-w.P) > 1e-12 || math.Abs(swapped.Log+w.Log) > 1e-12 {
		t.Errorf("swapped: p = %g instead of %g, logarithm %g instead of %g", swapped.P, w.P, swapped.Log, -w.Log)
	}
}
