package verdicts_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/testdata/expect"
)

// mixture are subjects of all sorts.
func mixture(r *rand.Rand, s verdicts.Sides, n int) (all []verdicts.Observed) {
	for range n {
		o := noisy(r, s, 1e5*math.Exp(3*r.NormFloat64()), .01+.2*r.Float64(), math.Exp(r.NormFloat64()*float64(r.IntN(2))))
		o.Component = string(rune('a' + r.IntN(4)))
		if r.IntN(5) == 0 {
			o.Runs[r.IntN(len(o.Runs))] = verdicts.Run{}
		}
		all = append(all, o)
	}
	return all
}

var opposites = map[string]string{
	schema.Regressed: schema.Improved, schema.Improved: schema.Regressed, schema.Appeared: schema.Vanished, schema.Vanished: schema.Appeared,
}

// Swapping the sides flips what is said and keeps how sure it is.
func TestSwap(t *testing.T) {
	for _, n := range [][2]int{{3, 3}, {5, 3}, {5, 5}, {1, 1}, {2, 1}} {
		r := random(uint64(n[0]*10 + n[1]))
		s := sides(n[0], n[1])
		subjects := mixture(r, s, 300)
		there := judge(s, subjects...)
		back := judge(verdicts.Sides{Base: s.Cand, Cand: s.Base}, subjects...)
		for i := range there {
			want := there[i].Verdict
			if w, has := opposites[want]; has {
				want = w
			}
			a, b := there[i], back[i]
			if b.Verdict != want || !close(a.P, b.P) || !close(a.Q, b.Q) || !close(a.EquivalenceP, b.EquivalenceP) || !close(a.EffectNs, -b.EffectNs) {
				t.Fatalf("%v: %+v, back %+v", n, a, b)
			}
		}
	}
}

func close(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-9*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

// Neither the order of the subjects nor that of the runs of a side matters.
func TestOrder(t *testing.T) {
	r, s := random(11), sides(4, 3)
	subjects := mixture(r, s, 200)
	want := words(judge(s, subjects...))
	mixed := verdicts.Sides{Base: []int{2, 0, 3, 1}, Cand: []int{6, 4, 5}}
	expect.Slice(t, words(judge(mixed, subjects...)), want, "runs in another order")
	slices.Reverse(subjects)
	slices.Reverse(want)
	expect.Slice(t, words(judge(s, subjects...)), want, "subjects in another order")
}

// Where nothing changed there are hardly any verdicts that something did, and intervals hold 0 as often as they say.
func TestNothingChanged(t *testing.T) {
	r := random(23)
	for _, k := range []int{3, 5} {
		s, alarms, covered, all := sides(k, k), 0, 0, 0
		for range 60 {
			alarm := false
			for _, j := range judge(s, crowd(r, s, 200, .05)...) {
				alarm = alarm || j.Verdict == schema.Regressed || j.Verdict == schema.Improved
				if all++; j.LoNs <= 0 && j.HiNs >= 0 {
					covered++
				}
			}
			if alarm {
				alarms++
			}
		}
		if rate := float64(covered) / float64(all); alarms > 3 || rate < .93 || rate > .97 {
			t.Errorf("%d runs a side: %d of 60 comparisons raise an alarm, intervals cover %.3f", k, alarms, rate)
		}
	}
}

// At the margin a subject is called unchanged in at most one of twenty cases, give or take.
func TestUnchangedAtTheMargin(t *testing.T) {
	r, s := random(29), sides(5, 5)
	wrong, all := 0, 0
	for range 20 {
		subjects := crowd(r, s, 100, .03)
		for range 100 {
			subjects = append(subjects, noisy(r, s, 20e6, .02, 1.05))
		}
		for _, j := range judge(s, subjects...)[100:] {
			if all++; j.Verdict == schema.Unchanged {
				wrong++
			}
		}
	}
	if rate := float64(wrong) / float64(all); rate > .06 {
		t.Errorf("unchanged at the margin: %.3f", rate)
	}
}

// Steps that cost too little to matter take no power from those that do, however many they are.
func TestWhatCannotMatterIsNotCounted(t *testing.T) {
	r, s := random(31), sides(3, 3)
	subject := once(10e6, 10.6e6, 9.4e6, 11.1e6, 11.7e6, 10.5e6)
	for _, n := range []int{50, 5000} {
		var subjects []verdicts.Observed
		for range n {
			subjects = append(subjects, noisy(r, s, 500, .05, 1))
		}
		if got := judge(s, append(subjects, subject)...)[n]; got.Verdict != schema.Regressed || got.Q > .05 {
			t.Errorf("beside %d steps of 500 ns: %s, p %g, q %g", n, got.Verdict, got.P, got.Q)
		}
	}
}

// Subjects that never vary do not make others look as if they hardly did.
func TestConstantsSayNothingOfNoise(t *testing.T) {
	r, s := random(37), sides(3, 3)
	alarms := 0
	for range 40 {
		var subjects []verdicts.Observed
		for range 3000 {
			subjects = append(subjects, once(0, 0, 0, 0, 0, 0))
		}
		for range 6 {
			subjects = append(subjects, noisy(r, s, 5e6, .8, 1))
		}
		for _, j := range judge(s, subjects...) {
			if j.Verdict == schema.Regressed || j.Verdict == schema.Improved {
				alarms++
			}
		}
	}
	if alarms > 4 {
		t.Errorf("%d false verdicts in 40 comparisons", alarms)
	}
}

// Whatever runs say, there is a verdict with figures in order.
func FuzzJudge(f *testing.F) {
	f.Add(uint64(1), uint8(2), uint8(2), 1e3)
	f.Add(uint64(2), uint8(0), uint8(0), 0.)
	f.Add(uint64(3), uint8(6), uint8(1), math.Inf(1))
	f.Fuzz(func(t *testing.T, seed uint64, base, cand uint8, odd float64) {
		s, r := sides(1+int(base)%12, 1+int(cand)%12), random(seed)
		subjects := mixture(r, s, 4+r.IntN(27))
		subjects[3].Runs[0].TotalNs = math.Abs(odd)
		for _, j := range judge(s, subjects...) {
			if j.Verdict == "" || j.P < 0 || j.P > 1 || j.Q < 0 || j.Q > 1 || j.LoNs > j.HiNs || j.RunsNeeded < 0 {
				t.Fatalf("%+v", j)
			}
		}
	})
}
