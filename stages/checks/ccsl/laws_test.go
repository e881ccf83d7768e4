package ccsl

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/testdata/expect"
)

func systemOf(blocks string) fstest.MapFS {
	return fstest.MapFS{"main.extendedCCSL": {Data: []byte("ClockConstraintSystem s { " + blocks + " }")}}
}

func lightOf(lines string) *Spec {
	spec, err := ReadLight(fstest.MapFS{"main.lc": {Data: []byte("Specification s { Clock a b c [ " + lines + " ] }")}}, "main.lc", Dialect{})
	if err != nil {
		panic(err)
	}
	return spec
}

// computed are the ticks of a clock in a run of the clocks a, b and c.
func computed(spec *Spec, name string, ticks []ticksOf, steps int) ticksOf {
	c := NewChecker(spec, []ClockID{0, 1, 2})
	id, found := spec.Find(name)
	if !found || !c.Known(id) {
		panic("no clock " + name)
	}
	var r ticksOf
	for s := range steps {
		var now []ClockID
		for i, of := range ticks {
			if of.at(s) {
				now = append(now, ClockID(i))
			}
		}
		if c.Step(now); c.Ticked(id) {
			r = append(r, s)
		}
	}
	return r
}

// Laws of the language: both sides of each tick alike in every run.
func TestLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, law := range []string{
		"x = a or b y = b or a", "x = a and b y = b and a", "x = a or (b or c) y = (a or b) or c",
		"Let x be inf(a, b) Let y be inf(b, a, b)", "Let x be sup(a, b, c) Let y be sup(sup(a, b), c)",
		"Let x be inf(inf(a, b), c) Let y be inf(a, inf(b, c))",
		"x = a and (b or c) y = (a and b) or (a and c)", "x = a minus b y = a minus (a and b)",
		"x = a $ 2 y = a $ 1 $ 1", "x = a $ 1 on b y = a sampledOn b", "x = a $ 3 on b y = (a sampledOn b) $ 1 on b $ 1 on b",
		"repeat x every 4 a repeat e every 2 a repeat y every 2 e", "repeat x every 2 a from 1 z = a $ 1 repeat y every 2 z",
		"x = a $ 2 on a y = a $ 2", "Let x be inf(a, sup(a, b)) Let y be a",
	} {
		spec := lightOf(law)
		for range 300 {
			steps := rng.IntN(20)
			ticks := randomTicks(rng, 3, steps)
			if x, y := computed(spec, "x", ticks, steps), computed(spec, "y", ticks, steps); !slices.Equal(x, y) {
				t.Fatalf("%s on %v: %v and %v", law, ticks, x, y)
			}
		}
	}
}

// The order in which constraints and clocks are written changes no verdict.
func TestOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	lines := []string{"Precedence a <= b < (max: 3) c", "x = a or y", "y = b $ 1", "Let z be sup(x, y)", "Exclusion x # c",
		"SubClocking y <- x", "repeat w every 2 z from 1", "Precedence w < c", "Alternates a ~ w"}
	byName := func(order []int, ticks []ticksOf) map[string]Verdict {
		var text []string
		for _, i := range order {
			text = append(text, lines[i])
		}
		spec := lightOf(strings.Join(text, "\n"))
		c, _ := play(spec, ticks, 12)
		all := map[string]Verdict{}
		for i, v := range c.Verdicts() {
			v.Clock = 0
			all[spec.Constraints[i].Name] = v
		}
		return all
	}
	for range 200 {
		ticks := randomTicks(rng, 3, 12)
		written := byName([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}, ticks)
		for name, v := range byName(rng.Perm(len(lines)), ticks) {
			if v != written[name] {
				t.Fatalf("%s: %+v and %+v", name, v, written[name])
			}
		}
	}
}

// Specifications whose relations allow no clock to tick: two precedences in a circle, and one through a sub-clock.
func TestDeadlocks(t *testing.T) {
	for _, c := range []struct {
		lines string
		dead  bool
	}{
		{"Precedence a < b Precedence b < a Synchronizes c = a", true},
		{"Precedence a < b Precedence c < a SubClocking c <- b", true},
		{"Precedence a <= b Precedence b <= a Synchronizes c = a", false},
		{"Precedence a < (init: 1 max: 1) b Precedence b < a Synchronizes c = a", false},
	} {
		spec := lightOf(c.lines)
		free := 0
		for mask := 1; mask < 8; mask++ {
			checker := NewChecker(spec, []ClockID{0, 1, 2})
			var now []ClockID
			for id := range ClockID(3) {
				if mask>>id&1 == 1 {
					now = append(now, id)
				}
			}
			checker.Step(now)
			if !slices.ContainsFunc(checker.Verdicts(), func(v Verdict) bool { return v.Outcome == Violated }) {
				free++
			}
		}
		expect.Equal(t, free == 0, c.dead, "%s: %d steps are allowed, dead", c.lines, free)
	}
}

// A clock that the run lacks is taken from a coincidence; one that needs itself at once is unknown.
func TestUnobserved(t *testing.T) {
	spec := lightOf("Synchronizes c = d = e d = a or b Clock e f g Synchronizes f = g h = f or i i = h or a Precedence h < a Precedence e < b")
	c := NewChecker(spec, []ClockID{0, 1})
	c.Step([]ClockID{0})
	for name, want := range map[string]bool{"c": true, "d": true, "e": true, "f": false, "g": false, "h": false, "i": false} {
		id, _ := spec.Find(name)
		if c.Known(id) != want || c.Ticked(id) != want {
			t.Errorf("%s: known %v, ticked %v, want %v", name, c.Known(id), c.Ticked(id), want)
		}
	}
	spec = lightOf("x = a or y y = x and b Precedence x < b")
	v := NewChecker(spec, []ClockID{0, 1}).Verdicts()
	for i := range v {
		if v[i].Outcome != Unchecked || !strings.Contains(v[i].Reason, "needs itself") && spec.Constraints[i].Name != "" {
			t.Errorf("%s: %+v", spec.Constraints[i].Name, v[i])
		}
	}
}

// Two concatenations that follow each other are started again without end only step by step.
func TestConcatenationsInACircle(t *testing.T) {
	spec := expect.Value(readMain(systemOf(`Block m { Clock a Clock b Expression x = Concatenation(LeftClock -> p, RightClock -> y)
		Expression y = Concatenation(LeftClock -> q, RightClock -> x) Expression z = Concatenation(LeftClock -> x, RightClock -> z)
		Expression p = OneTickAndDie(OneTickAndDieClock -> a) Expression q = Death() }`), Dialect{}))(t)
	var all []ClockID
	for id := range spec.Clocks {
		all = append(all, ClockID(id))
	}
	c := NewChecker(spec, all)
	for range 10 {
		c.Step(all)
	}
}

// Garcés et al. 2011, section III: b[k] = a[2k+2] for b = a filtered by the word 00(01), whose gaps are 4(2).
func TestFilterOfThePaper(t *testing.T) {
	s := Sequence{Prefix: []int64{4}, Period: []int64{2}}
	a := make(ticksOf, 12)
	for i := range a {
		a[i] = i
	}
	for k, step := range selected(a, s) {
		if step+1 != 2*(k+1)+2 {
			t.Errorf("b[%d] is a[%d]", k+1, step+1)
		}
	}
}

func TestFind(t *testing.T) {
	spec := expect.Value(readMain(systemOf("Block m { Clock a Block n { Clock a Clock b } }"), Dialect{}))(t)
	for name, want := range map[string]ClockID{"m::a": 0, "s::m::a": 0, "a": NoClock, "m::n::a": 1, "b": 2, "x": NoClock, "s::x": NoClock} {
		if id, found := spec.Find(name); id != want || found != (want != NoClock) {
			t.Errorf("%s: %d %v", name, id, found)
		}
	}
}

// A step allocates nothing once delays have their room.
func TestNoAllocation(t *testing.T) {
	spec, ticks := tenConstraints(t)
	c := NewChecker(spec, []ClockID{0, 1, 2})
	i := 0
	step := func() { c.Step(ticks[i%len(ticks)]); i++ }
	for range 1000 {
		step()
	}
	expect.Equal(t, testing.AllocsPerRun(1000, step), 0, "allocations a step")
	for _, v := range c.Verdicts() {
		expect.Equal(t, v.Outcome, Holds, "%+v", v)
	}
}
