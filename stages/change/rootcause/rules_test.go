package rootcause

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// sheet is subjects written down by hand, each taken once per root execution. Times are in ms.
type sheet []Subject

func (s *sheet) row(one Subject, base, cand float64) *schema.Change {
	*s = append(*s, judged(one, &Run{base * ms, 1}, &Run{cand * ms, 1}))
	return (*s)[len(*s)-1].Change
}

func (s *sheet) own(component, fragment, subject, function string, base, cand float64) *schema.Change {
	c := &schema.Change{Level: schema.LevelTransition, Component: component, Fragment: fragment, Subject: subject}
	return s.row(Subject{Change: c, Function: function}, base, cand)
}

func (s *sheet) wait(component, fragment, awaited string, base, cand float64) *schema.Change {
	c := &schema.Change{Level: schema.LevelTransition, Component: component, Fragment: fragment, Subject: "wait for " + awaited}
	return s.row(Subject{Change: c, Awaited: awaited}, base, cand)
}

func (s *sheet) fragment(component, name string, base, cand float64) *schema.Change {
	function, _, _ := strings.Cut(strings.TrimPrefix(name, component+"."), " ")
	c := &schema.Change{Level: schema.LevelFragment, Component: component, Fragment: name, Subject: name, Function: function}
	return s.row(Subject{Change: c, Initial: name == component+".main"}, base, cand)
}

// Functions that run inside of fragments are waited for as callbacks are.
func TestACallbackInsideAFragment(t *testing.T) {
	var s sheet
	s.fragment("src.a", "src.a.main", 6, 16)
	s.own("src.a", "src.a.main", "enter", "main", 1, 1)
	s.own("src.a", "src.a.main", "exit done", "done", 2, 12) // called back
	s.wait("src.a", "src.a.main", "b.f", 3, 3)
	s.fragment("b", "b.f from src.a", 5, 15)
	s.own("b", "b.f from src.a", "enter", "f", 3, 3)
	s.wait("b", "b.f from src.a", "src.a.done", 2, 12)
	finds(t, s, "1 regressed slower src.a.done +10000000 share 1.00, 3 inherited, src.a.main")
	none(t, s)
}

// A cost that moved stands behind a lesser one that did not.
func TestMovedCostsComeLast(t *testing.T) {
	p := siblings()
	p.functions["app.main"] = p.functions["app.main"].calling("db.read", 1)
	p.functions["db.read"] = own(4 * ms)
	s := compare(p, p.with("a.f", own(4.5*ms)).with("b.g", own(1.5*ms)).with("db.read", own(5*ms)))
	finds(t, s,
		"1 regressed slower db.read +1000000 share -, 2 inherited, db.read < app.main",
		"2 moved_cost slower a.f +1500000 share -, 2 inherited, a.f < lib.solve < app.main, moved from b.g",
		"3 moved_cost slower b.g -1500000 share -, 2 inherited, b.g < lib.solve < app.main, moved from a.f")
}

// Two fragments call the leaf and one of them more often: the chain goes through that one, though it is longer.
func TestTheChainGoesThroughWhatChanged(t *testing.T) {
	p := chainOfThree()
	p.roots = append(p.roots, "lib.idle")
	p.functions["lib.idle"] = own(1*ms).calling("io.poll", 1)
	s := compare(p, p.with("lib.solve", own(1*ms).calling("io.poll", 10)))
	finds(t, s, "1 regressed called io.poll +9600000 share 1.00, 5 inherited, io.poll < lib.solve < app.main")
	none(t, s)
}

// Two fragments wait for messages: each has its part of what these take longer.
func TestMessagesAreDivided(t *testing.T) {
	var s sheet
	s.fragment("app", "app.main", 5, 8)
	s.wait("app", "app.main", "io.poll", 5, 8)
	idle := s.fragment("app", "app.idle", 5, 6)
	s[len(s)-1].Initial = true
	s.wait("app", idle.Fragment, "io.poll", 5, 6)
	s.fragment("io", "io.poll from app", 9, 9)
	s.own("io", "io.poll from app", "step", "poll", 9, 9)
	s = append(s, message("io", "poll", "app", schema.Transit, 2, 1*ms, 5*ms))
	finds(t, s, "1 regressed transit io.poll +4000000 share 1.00, 4 inherited, io.poll < app.idle")
}

// One call in ten more is less than a quarter of it: the calls take four times as long.
func TestMostlySlower(t *testing.T) {
	cand := chainOfThree().with("lib.solve", own(1*ms).calling("io.poll", 2.2)).with("io.poll", own(2*ms, .4*ms))
	if f := Find(compare(chainOfThree(), cand), defaults()); len(f) != 1 || f[0].Kind != schema.KindSlower || f[0].CalledNs <= 0 {
		t.Errorf("got %+v", f)
	}
}

// What changed in shape alone joins what else its function has, whichever way that goes; else it stands for itself.
func TestShapes(t *testing.T) {
	var s sheet
	s.own("app", "app.main", "a", "f", 10, 15)
	s.own("app", "app.main", "b", "f", 10, 9.99).Verdict = schema.ShapeChanged
	s.own("app", "app.main", "c", "g", 10, 9.99).Verdict = schema.ShapeChanged
	finds(t, s,
		"1 regressed slower app.f +4990000 share -, 0 inherited, app.main",
		"2 shape_changed shape app.g -10000 share -, 0 inherited, app.main")
}

// Where a functional change only cuts a step in two, nothing is found; count changes follow from their function.
func TestStepsCutInTwo(t *testing.T) {
	p := program{[]string{"app.main"}, map[string]work{"app.main": own(5*ms, 8*ms)}}
	s := compare(p, p.with("app.main", own(5*ms, 1*ms, 7*ms)))
	for i := range s {
		if s[i].Change.Subject == "step 1 of main" {
			s[i].Change.RootCause = otherSteps
		}
	}
	finds(t, s)
	var more sheet
	more.own("app", "app.main", "a", "f", 10, 15)
	more.own("app", "app.main", "b", "f", 10, 10).Verdict = schema.CountChanged
	finds(t, more, "1 regressed slower app.f +5000000 share -, 1 inherited, app.main")
}

// Steps behind a functional change count only as far as their fragment's difference needs them.
func TestOtherStepsAreReserves(t *testing.T) {
	var s sheet
	s.own("app", "app.main", "a", "f", 10, 15).RootCause = otherSteps
	s.own("app", "app.main", "b", "g", 10, 15).RootCause = otherSteps
	s.own("app", "app.main", "c", "h", 10, 5).Verdict = schema.Undetermined
	finds(t, s, "1 regressed slower app.f +5000000 share -, 0 inherited, app.main")
	s = s[:0]
	s.own("app", "app.main", "a", "f", 10, 20).RootCause = otherSteps
	s.own("app", "app.main", "c", "h", 10, 1).Verdict = schema.Undetermined
	finds(t, s)
	// Half of the step is enough, and anything less is not.
	for cand, want := range map[float64][]string{5: {"1 regressed slower app.f +10000000 share -, 0 inherited, app.main"}, 4.9: nil} {
		s = s[:0]
		s.own("app", "app.main", "a", "f", 10, 20).RootCause = otherSteps
		s.own("app", "app.main", "c", "h", 10, cand).Verdict = schema.Undetermined
		finds(t, s, want...)
	}
}

// A caller of whose 20 ms the finding explains 12 is mixed, and folded; one of which it explains 8 is a diffuse finding
// of 12 ms.
func TestMixed(t *testing.T) {
	for _, c := range []struct {
		root float64
		want []string
	}{
		{12, []string{"1 regressed slower io.poll +12000000 share 0.60, 3 inherited, io.poll < app.main"}},
		{8, []string{
			"1 regressed diffuse app.main +12000000 share 0.60, 0 inherited, app.main",
			"2 regressed slower io.poll +8000000 share 0.40, 2 inherited, io.poll < app.main",
		}},
	} {
		var s sheet
		s.fragment("app", "app.main", 20, 40)
		s.own("app", "app.main", "a", "f", 5, 25-c.root).Verdict = schema.Undetermined
		s.wait("app", "app.main", "io.poll", 15, 15+c.root)
		s.fragment("io", "io.poll from app", 15, 15+c.root)
		s.own("io", "io.poll from app", "step", "poll", 15, 15+c.root)
		finds(t, s, c.want...)
		f := Find(s, defaults())[0]
		expect.Equal(t, f.SlowerNs+f.CalledNs, 12*ms, "sum of the account")
	}
}

// A wait is longer than what it is for: the rest is not explained by that.
func TestAWaitPassesOnNoMoreThanThereIs(t *testing.T) {
	var s sheet
	s.fragment("app", "app.main", 20, 50)
	s.wait("app", "app.main", "io.poll", 20, 50)
	s.fragment("io", "io.poll from app", 15, 25)
	s.own("io", "io.poll from app", "step", "poll", 15, 25)
	got := Find(s, defaults())
	if len(got) != 2 || got[0].Kind != schema.KindDiffuse || got[0].EffectNs != 20*ms || *got[1].Share < .33 || *got[1].Share > .34 {
		t.Errorf("got %v", told(got))
	}
}

// A difference that the findings explain but for the margin is inherited, however small their part.
func TestWithinTheMargin(t *testing.T) {
	var s sheet
	s.fragment("app", "app.main", 1, 1.06)
	s.wait("app", "app.main", "io.poll", .4, .42)
	s.fragment("io", "io.poll from app", .4, .42)
	s.own("io", "io.poll from app", "step", "poll", .1, .12)
	finds(t, s, "1 regressed slower io.poll +20000 share 0.33, 1 inherited, io.poll < app.main")
	s[0].Change.EffectLoNs, s[0].Change.EffectHiNs = whole(10*us), whole(110*us)
	closes := new(account)
	closes.FloorNs = 1
	if g := newCostChange(&s[0]); !closes.isExplained(g, []part{{new(cause), 20 * us}}) || closes.isExplained(g, []part{{new(cause), 5 * us}}) {
		t.Error("the account closes within the interval, and nowhere else")
	}
}

// A fragment that nobody waits longer for, below one whose account closes, is not reported.
func TestWhatACallerDoesNotNeed(t *testing.T) {
	var s sheet
	s.fragment("app", "app.main", 50, 70)
	s.own("app", "app.main", "a", "f", 20, 40)
	s.wait("app", "app.main", "io.poll", 30, 30)
	s.fragment("io", "io.poll from app", 30, 50)
	s.own("io", "io.poll from app", "step", "poll", 30, 50).Verdict = schema.Undetermined
	finds(t, s, "1 regressed slower app.f +20000000 share 1.00, 1 inherited, app.main")
}

// Below a fragment that is shown to be unchanged, costs that differ by more than its margin did not move.
func TestTheMarginOfTheCaller(t *testing.T) {
	var s sheet
	s.fragment("app", "app.main", 50, 50)
	s.own("app", "app.main", "a", "f", 5, 45)
	s.own("app", "app.main", "b", "g", 40, 5)
	s.own("app", "app.main", "c", "h", 5, 0).Verdict = schema.Undetermined
	for _, f := range Find(s, defaults()) {
		if f.Verdict == schema.MovedCost {
			t.Errorf("got %+v", f)
		}
	}
}

// A function that also takes more elsewhere has not only taken over.
func TestPartOfACostDidNotMove(t *testing.T) {
	p := siblings()
	p.functions["app.main"] = p.functions["app.main"].calling("db.read", 1)
	p.functions["db.read"] = own(1*ms).calling("a.f", 4)
	for _, f := range Find(compare(p, p.with("a.f", own(4.5*ms)).with("b.g", own(1.5*ms))), defaults()) {
		if f.Verdict == schema.MovedCost {
			t.Errorf("got %+v", f)
		}
	}
}

// Of a callee whose findings cancel out, all arrives where all its time is waited for.
func TestPassingOnWhatCancelsOut(t *testing.T) {
	var s sheet
	s.fragment("app", "app.main", 24, 29)
	s.own("app", "app.main", "a", "f", 4, 8.98)
	s.wait("app", "app.main", "io.poll", 20, 20.02)
	s.fragment("io", "io.poll from app", 20, 20.05).Verdict = schema.Undetermined
	s.own("io", "io.poll from app", "b", "up", 10, 13)
	s.own("io", "io.poll from app", "c", "down", 10, 7.05)
	got := Find(s, defaults())
	if len(got) != 3 || *got[1].Share < .59 || *got[2].Share > -.58 {
		t.Errorf("got %v", told(got))
	}
}

// Steps that only one side has may be too small to be found alone, and not together: three of 6 us, with a floor of 10 us.
func TestSmallStepsTogether(t *testing.T) {
	for _, c := range []struct {
		base, cand    float64
		verdict, want string
	}{
		{.006, 0, schema.Vanished, "1 vanished slower app.f -18000 share -, 0 inherited, app.main"},
		{0, .006, schema.Appeared, "1 appeared slower app.f +18000 share -, 0 inherited, app.main"},
	} {
		var s sheet
		for _, step := range []string{"a", "b", "c"} {
			s.own("app", "app.main", step, "f", c.base, c.cand).Verdict = c.verdict
		}
		finds(t, s, c.want)
		finds(t, s[:1])
	}
}
