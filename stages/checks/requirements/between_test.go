package requirements

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/checks/stl"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestBetween compares checks of signals and states that look between events with a plain programme, which looks every eighth of a
// nanosecond: signals break at whole ones and have slopes at which they cross whole numbers at quarters, jumps and steps among them.
func TestBetween(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 18))
	good := 0
	for round := range 500 {
		const last = 16
		var pieces []stl.Fragment
		for from := 0.0; from < last; {
			to := min(from+float64(1+rng.IntN(5)), last)
			pieces = append(pieces, stl.Fragment{From: from, To: to, C: float64(rng.IntN(5)), B: []float64{0, 0, 1, -1, 2, -2, 4}[rng.IntN(7)]})
			from = to
		}
		signal := stl.New(pieces)
		relation, number := []string{">=", "<=", ">", "<", "=="}[rng.IntN(5)], rng.IntN(4)
		operator := []string{"globally", "finally"}[rng.IntN(2)]
		with := []string{"(%s or {'n'='p'})", "(%s and not {'n'='p'})", "if {'n'='p'} then %s", "if %s then {'n'='p'}", "not (%s or {'n'='p'})"}[rng.IntN(5)]
		text := operator + " " + fmt.Sprintf(with, fmt.Sprintf("s %s %d", relation, number))
		s := expect.Value(spec.Parse("f", "signal s : {'name'='s'} check c : "+text))(t)
		f := expect.Value(s.Instances(&s.Checks[0], nil))(t)[0].Formula

		tape := new(mtl.Tape)
		events := make(map[int]bool) // at a time: p holds
		for at := range last + 1 {
			if rng.IntN(3) == 0 || at == 0 {
				events[at] = rng.IntN(2) == 0
				tuple := uint32(0)
				if events[at] {
					tuple = 1
				}
				tape.Append(int64(at), int64(at), tuple)
			}
		}
		tape.Close()
		between := uint32(2)
		leaves := func(f *spec.Formula) *mtl.Leaf {
			if f.Op != spec.Atom {
				return nil
			}
			return &mtl.Leaf{Holds: []bool{false, true, false}}
		}
		got := judgeSignals(tape, f, leaves, &Signals{Of: func(int) *stl.Signal { return signal }}, &between, mtl.Keep{})

		var truth func(f *spec.Formula, at float64) bool
		truth = func(f *spec.Formula, at float64) bool {
			switch f.Op {
			case spec.Atom:
				return at == float64(int(at)) && events[int(at)]
			case spec.Compare:
				return f.Relation.Holds(signal.At(at), f.Threshold)
			case spec.Not:
				return !truth(f.Args[0], at)
			case spec.If:
				return !truth(f.Args[0], at) || truth(f.Args[1], at)
			case spec.And:
				return truth(f.Args[0], at) && truth(f.Args[1], at)
			}
			return truth(f.Args[0], at) || truth(f.Args[1], at)
		}
		want := operator == "globally"
		for k := range last*8 + 1 {
			if holds := truth(f.Args[0], float64(k)/8); holds != want {
				want = !want
				break
			}
		}
		if (got.Verdict == mtl.Good) != want {
			t.Errorf("%d: %s: %v, %v expected; pieces %v, events %v", round, text, got.Verdict == mtl.Good, want, pieces, events)
		}
		if want {
			good++
		}
	}
	if good < 100 || good > 400 {
		t.Errorf("%d of 500 hold", good)
	}
}
