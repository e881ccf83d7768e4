package ccsl

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Definitions by indices, slow and without state: clocks are the steps of their ticks, in order.

// ticksOf are the steps at which a clock ticks.
type ticksOf []int

func (c ticksOf) at(step int) bool { return slices.Contains(c, step) }

// before is |c| at a step: how many ticks lie before it.
func (c ticksOf) before(step int) int {
	n := 0
	for _, s := range c {
		if s < step {
			n++
		}
	}
	return n
}

// only keeps the steps that satisfy a condition.
func only(steps int, holds func(step int) bool) ticksOf {
	var c ticksOf
	for s := range steps {
		if holds(s) {
			c = append(c, s)
		}
	}
	return c
}

// ordered reports whether tick k of b comes after (or with) tick k-init of a, for all of its ticks.
func ordered(a, b ticksOf, init int, strict bool) bool {
	for k, s := range b {
		i := k - init
		if i >= 0 && (i >= len(a) || a[i] > s || strict && a[i] == s) {
			return false
		}
	}
	return true
}

// precedenceOracle: both ends of a bound are an order: of the second clock behind the first, and of the first behind
// the second shifted.
func precedenceOracle(a, b ticksOf, bound Bound) bool {
	return ordered(a, b, int(bound.Init), bound.Strict) &&
		(bound.Max == Unbounded || ordered(b, a, int(bound.Max-bound.Init), bound.StrictMax))
}

// selected are the ticks of a clock that gaps select.
func selected(a ticksOf, gaps Sequence) ticksOf {
	var r ticksOf
	number := int64(0)
	for i := int64(0); ; i++ {
		n, more := gaps.At(i)
		if number += n; !more || n == 0 || number > int64(len(a)) {
			return r
		}
		r = append(r, a[number-1])
	}
}

// deferred: the i-th tick of base, at s, is due with tick |delay| up to and with s, and d(i) more.
func deferred(base, delay ticksOf, delays Sequence) ticksOf {
	var r ticksOf
	for i, s := range base {
		d, more := delays.At(int64(i))
		if !more {
			break
		}
		if d == 0 {
			r = append(r, s)
			continue
		}
		if n := delay.before(s+1) + int(d); n <= len(delay) {
			r = append(r, delay[n-1])
		}
	}
	slices.Sort(r)
	return slices.Compact(r)
}

// samples: a trigger samples if a ticked since the trigger that came before; what ticked with a trigger counts for
// this one, the next one or none.
func samples(a, trigger ticksOf, c *Constraint) ticksOf {
	var r ticksOf
	last := -1
	for k, s := range trigger {
		from, to := last+1, s // steps in between
		if !c.Strict {
			to = s + 1
		}
		if c.Strict && !c.Drop && last >= 0 {
			from = last
		}
		if a.before(to) > a.before(from) && k+int(c.Delay) < len(trigger) {
			r = append(r, trigger[k+int(c.Delay)])
		}
		last = s
	}
	return r
}

// value is what an expression's clock is.
func value(c *Constraint, of []ticksOf, steps int) ticksOf {
	count := func(s int, better func(...int) int) int {
		all := make([]int, len(of))
		for i, o := range of {
			all[i] = o.before(s)
		}
		return better(all...)
	}
	extreme := func(better func(...int) int) ticksOf {
		return only(steps, func(s int) bool { return count(s+1, better) > count(s, better) })
	}
	switch c.Kind {
	case Union:
		return only(steps, func(s int) bool { return slices.ContainsFunc(of, func(o ticksOf) bool { return o.at(s) }) })
	case Intersection:
		return only(steps, func(s int) bool { return !slices.ContainsFunc(of, func(o ticksOf) bool { return !o.at(s) }) })
	case Minus:
		return only(steps, func(s int) bool {
			return of[0].at(s) && !slices.ContainsFunc(of[1:], func(o ticksOf) bool { return o.at(s) })
		})
	case Inf:
		return extreme(func(n ...int) int { return slices.Max(n) })
	case Sup:
		return extreme(func(n ...int) int { return slices.Min(n) })
	case FilterBy:
		return selected(of[0], c.Sequence)
	case Defer:
		return deferred(of[0], of[1], c.Sequence)
	case SampledOn:
		return samples(of[0], of[1], c)
	case Sample:
		s := samples(of[0], of[1], c)
		return s[:min(1, len(s))]
	case UpTo:
		end := steps
		if len(of[1]) > 0 {
			end = of[1][0]
			if !c.Strict {
				end++
			}
		}
		return only(end, of[0].at)
	case Concatenation: // of a first clock that never dies
		return of[0]
	}
	return nil
}

// randomSequence is a sequence of integers from least up.
func randomSequence(rng *rand.Rand, least int64) Sequence {
	var s Sequence
	for range rng.IntN(4) {
		s.Prefix = append(s.Prefix, least+rng.Int64N(4))
	}
	for range rng.IntN(3) {
		s.Period = append(s.Period, max(1, least)+rng.Int64N(4))
	}
	if len(s.Prefix)+len(s.Period) == 0 {
		s.Prefix = []int64{max(1, least)}
	}
	return s
}

// randomConstraint is any constraint on clocks 0 to n-1; an expression defines clock n.
func randomConstraint(rng *rand.Rand, n int) Constraint {
	c := Constraint{Kind: Kind(rng.IntN(kinds)), Name: "c", Word: "c", Defines: NoClock}
	if c.Kind >= Union {
		c.Defines = ClockID(n)
	}
	pick := func(count int) {
		for range count {
			c.Clocks = append(c.Clocks, ClockID(rng.IntN(n)))
		}
	}
	c.Strict, c.Drop = rng.IntN(2) == 0, rng.IntN(2) == 0
	switch c.Kind {
	case Coincidence, Exclusion:
		c.Clocks = []ClockID{0, 1, 2}[:2+rng.IntN(2)]
	case Union, Intersection, Inf, Sup, Minus:
		pick(1 + rng.IntN(3))
	case FilterBy:
		pick(1)
		c.Sequence = randomSequence(rng, 1)
	case Defer:
		pick(2)
		c.Sequence = randomSequence(rng, 0)
	case SampledOn:
		pick(2)
		c.Delay = rng.Int64N(3)
	case Death:
	default:
		pick(2)
	}
	if c.Kind == Precedence {
		c.Clocks = []ClockID{0, 1}
		c.Bound = Bound{Init: rng.Int64N(3), Max: Unbounded, Strict: rng.IntN(2) == 0, StrictMax: rng.IntN(2) == 0}
		if rng.IntN(2) == 0 {
			c.Bound.Max = c.Bound.Init + rng.Int64N(3)
		}
	}
	return c
}

// randomTicks are clocks that often tick together.
func randomTicks(rng *rand.Rand, clocks, steps int) []ticksOf {
	all := make([]ticksOf, clocks)
	for s := range steps {
		for i := range all {
			if rng.IntN(5) < 2 {
				all[i] = append(all[i], s)
			}
		}
	}
	return all
}

// specOf is a specification of one constraint over clocks 0 to n-1.
func specOf(c Constraint, n int) *Spec {
	s := &Spec{Name: "s", Constraints: []Constraint{c}}
	for i := range n {
		s.Clocks = append(s.Clocks, Clock{Name: fmt.Sprint("c", i), Definition: NoDefinition})
	}
	if !c.IsRelation() {
		s.Clocks = append(s.Clocks, Clock{Name: "r", Definition: 0})
	}
	return s
}

// play checks a run in which the first clocks are observed, and returns the checker and what the last clock did.
func play(s *Spec, ticks []ticksOf, steps int) (*Checker, ticksOf) {
	var observed, now []ClockID
	for i := range ticks {
		observed = append(observed, ClockID(i))
	}
	c := NewChecker(s, observed)
	var last ticksOf
	for step := range steps {
		now = now[:0]
		for i, t := range ticks {
			if t.at(step) {
				now = append(now, ClockID(i))
			}
		}
		c.Step(now)
		if c.Ticked(ClockID(len(s.Clocks) - 1)) {
			last = append(last, step)
		}
	}
	return c, last
}

func holdsOracle(c *Constraint, ticks []ticksOf, steps int) bool {
	a, b := ticks[c.Clocks[0]], ticks[c.Clocks[1]]
	switch c.Kind {
	case Precedence:
		return precedenceOracle(a, b, c.Bound)
	case SubClock:
		return !slices.ContainsFunc(a, func(s int) bool { return !b.at(s) })
	}
	for s := range steps {
		n := 0
		for _, id := range c.Clocks {
			if ticks[id].at(s) {
				n++
			}
		}
		if c.Kind == Exclusion && n > 1 || c.Kind == Coincidence && n != 0 && n != len(c.Clocks) {
			return false
		}
	}
	return true
}

// Every kind agrees with its definition by indices: relations hold on the same runs, and are first violated where the
// shortest run that violates them ends; expressions tick in the same steps.
func TestDefinitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	for range 20000 {
		steps := rng.IntN(14)
		ticks := randomTicks(rng, 3, steps)
		c := randomConstraint(rng, 3)
		spec := specOf(c, 3)
		checker, got := play(spec, ticks, steps)
		v := checker.Verdicts()[0]
		if c.IsRelation() {
			want := holdsOracle(&c, ticks, steps)
			seen[fmt.Sprint(c.Kind, want)]++
			if want != (v.Outcome == Holds) {
				t.Fatalf("%+v on %v: %v, but %v by its definition", c, ticks, v, want)
			}
			if !want {
				firstAt(t, &c, ticks, int(v.Step))
			}
			continue
		}
		of := make([]ticksOf, len(c.Clocks))
		for i, id := range c.Clocks {
			of[i] = ticks[id]
		}
		if want := value(&c, of, steps); !slices.Equal(got, want) {
			t.Fatalf("%+v on %v: %v, but %v by its definition", c, ticks, got, want)
		}
		seen[fmt.Sprint(c.Kind, len(got) > 0)]++
		observedToo(t, spec, ticks, got, steps, rng)
	}
	for k := range Kind(kinds) {
		for _, both := range []bool{false, true} {
			if seen[fmt.Sprint(k, both)] < 20 && !(k == Death && both) {
				t.Errorf("%v %v was seen %d times", k, both, seen[fmt.Sprint(k, both)])
			}
		}
	}
}

// firstAt says that the run up to the step holds, and with the step does not.
func firstAt(t *testing.T, c *Constraint, ticks []ticksOf, step int) {
	t.Helper()
	until := func(end int) []ticksOf {
		cut := make([]ticksOf, len(ticks))
		for i := range ticks {
			cut[i] = only(end, ticks[i].at)
		}
		return cut
	}
	if !holdsOracle(c, until(step), step) || holdsOracle(c, until(step+1), step+1) {
		t.Fatalf("%+v on %v: step %d is not the first that violates it", c, ticks, step)
	}
}

// observedToo gives the run the clock of an expression: what it computed holds, and any one step changed is found.
func observedToo(t *testing.T, spec *Spec, ticks []ticksOf, r ticksOf, steps int, rng *rand.Rand) {
	t.Helper()
	with := append(slices.Clone(ticks), r)
	if c, _ := play(spec, with, steps); c.Verdicts()[0].Outcome != Holds {
		t.Fatalf("%+v: its own ticks do not hold: %v", spec.Constraints[0], c.Verdicts()[0])
	}
	if steps == 0 {
		return
	}
	at := rng.IntN(steps)
	with[len(with)-1] = only(steps, func(s int) bool { return r.at(s) != (s == at) })
	c, _ := play(spec, with, steps)
	if v := c.Verdicts()[0]; v.Outcome != Violated || v.Step != int64(at) || v.Reason == "" {
		t.Fatalf("%+v on %v: step %d is wrong, but %+v", spec.Constraints[0], with, at, v)
	}
}
