package rootcause

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

const us, ms = 1e3, 1e6

func own(ns ...float64) work { return work{own: ns} }

func (w work) calling(to string, times float64) work {
	w.calls = append(append([]call(nil), w.calls...), call{to, times})
	return w
}

// chainOfThree is a program whose leaf is called four times.
func chainOfThree() program {
	return program{[]string{"app.main"}, map[string]work{
		"app.main":  own(2*ms, 1*ms).calling("lib.solve", 2),
		"lib.solve": own(1*ms).calling("io.poll", 2),
		"io.poll":   own(.5*ms, .1*ms),
	}}
}

func none(t *testing.T, subjects []Subject) {
	t.Helper()
	if left := open(subjects); len(left) > 0 {
		t.Errorf("not folded: %s", strings.Join(left, "; "))
	}
}

// Four calls that take 5 ms longer each: fragments of all three components and two waits follow from it.
func TestASlowLeafIsOneFinding(t *testing.T) {
	s := compare(chainOfThree(), chainOfThree().with("io.poll", own(5.5*ms, .1*ms)))
	finds(t, s, "1 regressed slower io.poll +20000000 share 1.00, 5 inherited, io.poll < lib.solve < app.main")
	none(t, s)
}

// A leaf that takes longer is called through another function of one component than before. Its callers are named as the candidate has them, and those of what is gone
// as the baseline has them.
func TestCallersOfTheSide(t *testing.T) {
	base := program{[]string{"app.main"}, map[string]work{
		"app.main": own(2*ms).calling("http.ask", 1), "http.ask": own(1*ms).calling("io.poll", 4), "io.poll": own(.5*ms).calling("os.read", 1), "os.read": own(2 * ms),
	}}
	cand := base.with("app.main", own(2*ms).calling("http.send", 1)).with("http.send", own(1*ms).calling("io.poll", 4)).with("io.poll", own(5.5*ms))
	var chains []string
	for _, f := range Find(compare(base, cand), defaults()) {
		if f.Component == "io" || f.Component == "os" {
			chains = append(chains, f.Verdict+" "+f.InheritedAt)
		}
	}
	expect.Slice(t, chains, []string{"regressed io.poll < http.send < app.main", "vanished os.read < io.poll < http.ask < app.main"}, "callers")
}

// Both steps of the leaf changed: they are one place.
func TestStepsOfAFunctionAreOneFinding(t *testing.T) {
	s := compare(chainOfThree(), chainOfThree().with("io.poll", own(1*ms, .2*ms)))
	finds(t, s, "1 regressed slower io.poll +2400000 share 1.00, 5 inherited, io.poll < lib.solve < app.main")
}

// 4 calls of .6 ms become 20: 9.6 ms.
func TestCalledMoreOften(t *testing.T) {
	s := compare(chainOfThree(), chainOfThree().with("lib.solve", own(1*ms).calling("io.poll", 10)))
	finds(t, s, "1 regressed called io.poll +9600000 share 1.00, 5 inherited, io.poll < lib.solve < app.main")
	none(t, s)
}

// 4 calls of .6 ms become 8 of .9: 4.8 ms, of which dn x mean = 4 x .75 = 3 ms by calls and 6 x .3 = 1.8 by time.
func TestSlowerAndCalledMoreOften(t *testing.T) {
	cand := chainOfThree().with("lib.solve", own(1*ms).calling("io.poll", 4)).with("io.poll", own(.75*ms, .15*ms))
	s := compare(chainOfThree(), cand)
	f := Find(s, defaults())
	if len(f) != 1 || f[0].Kind != schema.KindBoth || f[0].CalledNs != 3*ms || f[0].SlowerNs != 1.8*ms || f[0].CountBase != 4 || f[0].CountCand != 8 {
		t.Errorf("got %+v", f)
	}
}

func TestTwoIndependentRoots(t *testing.T) {
	p := chainOfThree()
	p.functions["app.main"] = p.functions["app.main"].calling("db.read", 1)
	p.functions["db.read"] = own(4 * ms)
	s := compare(p, p.with("db.read", own(6*ms)).with("io.poll", own(2*ms, .1*ms)))
	finds(t, s,
		"1 regressed slower io.poll +6000000 share 0.75, 5 inherited, io.poll < lib.solve < app.main",
		"2 regressed slower db.read +2000000 share 0.25, 2 inherited, db.read < app.main")
	none(t, s)
}

// A caller that has become slower itself as well as what it calls is a root of its own, and follows from the greater.
func TestACallerSlowerAsWellAsItsCallee(t *testing.T) {
	s := compare(chainOfThree(), chainOfThree().with("lib.solve", own(2*ms).calling("io.poll", 2)).with("io.poll", own(1.5*ms, .1*ms)))
	finds(t, s,
		"1 regressed slower io.poll +4000000 share 0.67, 5 inherited, io.poll < lib.solve < app.main",
		"2 regressed slower lib.solve +2000000 share 0.33, 0 inherited, lib.solve < app.main")
	none(t, s)
}

// Two functions of a library: what one takes more, the other takes less.
func siblings() program {
	return program{[]string{"app.main"}, map[string]work{
		"app.main":  own(20*ms).calling("lib.solve", 1),
		"lib.solve": own(20*ms).calling("a.f", 1).calling("b.g", 1),
		"a.f":       own(3 * ms),
		"b.g":       own(3 * ms),
	}}
}

func TestMovedBetweenSiblings(t *testing.T) {
	finds(t, compare(siblings(), siblings().with("a.f", own(4.5*ms)).with("b.g", own(1.5*ms))),
		"1 moved_cost slower a.f +1500000 share -, 2 inherited, a.f < lib.solve < app.main, moved from b.g",
		"2 moved_cost slower b.g -1500000 share -, 2 inherited, b.g < lib.solve < app.main, moved from a.f")
}

// A step that appeared and one that vanished under the same caller.
func TestMovedToANewFunction(t *testing.T) {
	cand := siblings().with("lib.solve", own(20*ms).calling("a.f", 1).calling("c.h", 1)).with("c.h", own(3*ms))
	finds(t, compare(siblings(), cand),
		"1 moved_cost called b.g -3000000 share -, 2 inherited, b.g < lib.solve < app.main, moved from c.h",
		"2 moved_cost called c.h +3000000 share -, 2 inherited, c.h < lib.solve < app.main, moved from b.g")
}

// One function that becomes two.
func TestMovedToSeveral(t *testing.T) {
	cand := siblings().with("lib.solve", own(20*ms).calling("a.f", 1).calling("b.g", 1).calling("c.h", 1)).with("b.g", own(1*ms)).with("c.h", own(1*ms)).
		with("a.f", own(4*ms))
	finds(t, compare(siblings(), cand),
		"1 moved_cost slower b.g -2000000 share -, 2 inherited, b.g < lib.solve < app.main, moved from a.f",
		"2 moved_cost slower a.f +1000000 share -, 2 inherited, a.f < lib.solve < app.main, moved from b.g",
		"3 moved_cost called c.h +1000000 share -, 2 inherited, c.h < lib.solve < app.main, moved from b.g")
}

// Two steps of one fragment.
func TestMovedWithinAFragment(t *testing.T) {
	p := program{[]string{"app.main"}, map[string]work{"app.main": own(5*ms, 5*ms)}}
	finds(t, compare(p, p.with("app.main", own(7*ms, 3*ms))),
		"1 moved_cost slower app.main +2000000 share -, 0 inherited, app.main, moved from step 1 of main",
		"2 moved_cost slower app.main -2000000 share -, 0 inherited, app.main, moved from step 0 of main")
}

// Costs of equal size far apart in an unchanged program did not move: their callers have nothing in common but the program.
func TestNothingMovesAcrossTheProgram(t *testing.T) {
	p := program{[]string{"app.main"}, map[string]work{
		"app.main":  own(50*ms).calling("lib.solve", 1).calling("db.open", 1),
		"lib.solve": own(10*ms).calling("a.f", 1), "db.open": own(10*ms).calling("b.g", 1),
		"a.f": own(3 * ms), "b.g": own(3 * ms),
	}}
	for _, f := range Find(compare(p, p.with("a.f", own(4.5*ms)).with("b.g", own(1.5*ms))), defaults()) {
		if f.Verdict == schema.MovedCost {
			t.Errorf("%+v", f)
		}
	}
}

// A distribution that changed has no cost that could have moved, however its mean differs.
func TestADistributionDoesNotMove(t *testing.T) {
	var s sheet
	s.fragment("app", "app.main", 50, 50)
	s.own("app", "app.main", "a", "f", 5, 10)
	down := s.own("app", "app.main", "b", "g", 10, 5)
	down.EffectLoNs, down.EffectHiNs = whole(-11*ms), whole(1*ms)
	for _, f := range Find(s, defaults()) {
		if f.Verdict == schema.MovedCost {
			t.Errorf("%+v", f)
		}
	}
}

// What is up by 1.5 ms and down by .5 ms did not move, although a caller that takes 46 ms does not notice.
func TestUnequalCostsDidNotMove(t *testing.T) {
	for _, f := range Find(compare(siblings(), siblings().with("a.f", own(4.5*ms)).with("b.g", own(2.5*ms))), defaults()) {
		if f.Verdict == schema.MovedCost {
			t.Errorf("%+v", f)
		}
	}
}

// The nearest caller of both got slower by itself: it is not the place to say that costs moved, and no other is.
func TestNothingMovesBelowAChangedCaller(t *testing.T) {
	cand := siblings().with("a.f", own(4.5*ms)).with("b.g", own(1.5*ms)).with("lib.solve", own(30*ms).calling("a.f", 1).calling("b.g", 1))
	cand = cand.with("app.main", own(10*ms).calling("lib.solve", 1))
	for _, f := range Find(compare(siblings(), cand), defaults()) {
		expect.Equal(t, f.Verdict == schema.MovedCost, f.Component == "app" || f.Component == "lib", "%+v", f)
	}
}

// A function that only the candidate calls, with all of its time, and one that costs nothing.
func TestAnAppearedFunctionTakesTheTime(t *testing.T) {
	cand := chainOfThree().with("lib.solve", own(1*ms).calling("io.poll", 2).calling("x.wait", 1).calling("x.none", 1)).
		with("x.wait", own(3*ms)).with("x.none", own(.5*us))
	s := compare(chainOfThree(), cand)
	finds(t, s, "1 appeared called x.wait +6000000 share 1.00, 5 inherited, x.wait < lib.solve < app.main")
}

// The same where the steps of the new fragment are not told.
func TestAnAppearedFragmentWithoutSteps(t *testing.T) {
	cand := chainOfThree().with("lib.solve", own(1*ms).calling("io.poll", 2).calling("x.wait", 1)).with("x.wait", own(3*ms))
	var s []Subject
	for _, one := range compare(chainOfThree(), cand) {
		if one.Change.Component != "x" || one.Change.Level != schema.LevelTransition {
			s = append(s, one)
		}
	}
	finds(t, s, "1 appeared called x.wait +6000000 share 1.00, 4 inherited, x.wait < lib.solve < app.main")
}

// Small steps of a new function come to something together: 20 of 6 us.
func TestSmallStepsOfANewFunction(t *testing.T) {
	steps := make([]float64, 20)
	for i := range steps {
		steps[i] = 6 * us
	}
	p := program{[]string{"app.main"}, map[string]work{"app.main": own(1 * ms)}}
	finds(t, compare(p, p.with("app.main", own(1*ms).calling("x.f", 1)).with("x.f", own(steps...))),
		"1 appeared called x.f +120000 share 1.00, 3 inherited, x.f < app.main")
}

// Functions that call each other back in a circle, every second time.
func circle() program {
	return program{[]string{"app.main"}, map[string]work{
		"app.main": own(1*ms).calling("a.f", 1),
		"a.f":      own(1*ms).calling("b.g", 1),
		"b.g":      own(1*ms).calling("a.f", .5),
	}}
}

// A fragment in a circle contains itself. Calls of b.g: 1 + 1/2 + 1/4 + ... = 2.
func TestACircleEnds(t *testing.T) {
	s := compare(circle(), circle().with("b.g", own(3*ms).calling("a.f", .5)))
	finds(t, s, "1 regressed slower b.g +4000000 share 1.00, 8 inherited, b.g < a.f < app.main")
	none(t, s)
}

// Steps that all take 6 % longer and none of which is shown to: the fragment is the finding, and its caller follows.
func TestDiffuse(t *testing.T) {
	p := program{[]string{"app.main"}, map[string]work{"app.main": own(1*us).calling("lib.solve", 1)}}
	slow := p
	var few, many []float64
	for range 50 {
		few, many = append(few, 100*us), append(many, 106*us)
	}
	p, slow = p.with("lib.solve", own(few...)), slow.with("lib.solve", own(many...))
	s := compare(p, slow)
	finds(t, s, "1 regressed diffuse lib.solve +300000 share 1.00, 2 inherited, lib.solve < app.main")
	none(t, s)
}

// The same over many callees of which none has half: then it is the caller, and the callees follow.
func TestDiffuseOverCallees(t *testing.T) {
	p := program{[]string{"app.main"}, map[string]work{"app.main": own(1 * us)}}
	slow := p
	for _, name := range []string{"a.f", "b.f", "c.f", "d.f"} {
		p, slow = p.with("app.main", p.functions["app.main"].calling(name, 1)), slow.with("app.main", slow.functions["app.main"].calling(name, 1))
		var few, many []float64
		for range 20 {
			few, many = append(few, 100*us), append(many, 109*us)
		}
		p, slow = p.with(name, own(few...)), slow.with(name, own(many...))
	}
	s := compare(p, slow)
	finds(t, s, "1 regressed diffuse app.main +720000 share 1.00, 4 inherited, app.main")
}

// A step right behind a functional change explains what nothing else does, and joins the new step of its function.
func TestOtherSteps(t *testing.T) {
	p := program{[]string{"app.main"}, map[string]work{"app.main": own(5*ms, 8*ms)}}
	s := compare(p, p.with("app.main", own(5*ms, 1*ms, 10*ms)))
	for i := range s {
		if strings.HasPrefix(s[i].Change.Subject, "step 1") {
			s[i].Change.RootCause = otherSteps
		}
	}
	finds(t, s, "1 appeared slower+called app.main +3000000 share 1.00, 1 inherited, app.main")
	alone := compare(p, p.with("app.main", own(5*ms, 9*ms)))
	for i := range alone {
		alone[i].Change.RootCause = otherSteps
	}
	finds(t, alone, "1 regressed slower app.main +1000000 share 1.00, 1 inherited, app.main")
}

// Of a callee that no trace tells of, the wait is the finding.
func TestAWaitForWhatIsNotTraced(t *testing.T) {
	var s []Subject
	for _, one := range compare(chainOfThree(), chainOfThree().with("io.poll", own(5.5*ms, .1*ms))) {
		if one.Change.Component != "io" {
			s = append(s, one)
		}
	}
	finds(t, s, "1 regressed slower lib.poll +20000000 share 1.00, 3 inherited, lib.solve < app.main")
}
