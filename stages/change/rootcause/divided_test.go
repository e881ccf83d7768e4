package rootcause

import (
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// divided is a function that moved out of a component, where it called another one without a trace, and that one: seen is what it
// takes now that its calls are seen, and self what its caller takes without it, of 3 ms before.
func divided(self, seen float64) (s sheet) {
	s.fragment("app", "app.main", 30, 27+self+seen)
	s.own("app", "app.main", "enter main", "main", 27, 27)
	s.wait("app", "app.main", "new.f", 3, self+seen)
	s.fragment("new", "new.f from app", 3, self+seen)
	s.own("new", "new.f from app", "enter f", "f", 3, self)
	s.wait("new", "new.f from app", "old.upper", 0, seen)
	s.fragment("old", "old.upper from new", 0, seen)
	s.own("old", "old.upper from new", "enter upper", "upper", 0, seen)
	s.function("new", "f", 3, self).MovedFrom = "old.f"
	upper := s.function("old", "upper", 0, seen)
	upper.Verdict, upper.MovedFrom = schema.Appeared, "old.f and old.g"
	for i := range s[len(s)-1].Base {
		s[len(s)-1].Base[i].Count = 0
	}
	return s
}

// What a function seems to save is what one that it called takes, whose calls were not traced: both are one finding, which is no change
// of time.
func TestAFunctionThatIsSeenApart(t *testing.T) {
	finds(t, divided(1, 2),
		"1 moved_cost divided old.upper +0 share -, 2 inherited, old.upper < new.f < app.main, moved from old.f")
	f := Find(divided(1, 2), defaults())[0]
	if f.BaseNs != 3*ms || f.CandNs != 3*ms || f.CountBase != 0 || f.CountCand != 1 || f.Q != nil || f.EffectLoNs > 0 || f.EffectHiNs < 0 {
		t.Errorf("got %+v", f)
	}
}

// The net that is shown to differ has the verdict of the net, whatever the parts say.
func TestAFunctionThatIsSeenApartAndSlower(t *testing.T) {
	finds(t, divided(1, 4),
		"1 regressed divided old.upper +2000000 share 1.00, 5 inherited, old.upper < new.f < app.main, moved from old.f")
	finds(t, divided(1, 1),
		"1 improved divided old.upper -1000000 share -, 4 inherited, old.upper < new.f < app.main, moved from old.f")
}

// The other way round: a function that one component had on its own became a part of another one, which takes longer by as much.
func TestAFunctionThatIsNoLongerSeenApart(t *testing.T) {
	s := divided(1, 2)
	for i := range s {
		row := &s[i]
		c := row.Change
		row.Base, row.Cand = row.Cand, row.Base
		*c.EffectNs, *c.EffectLoNs, *c.EffectHiNs = -*c.EffectNs, -*c.EffectHiNs, -*c.EffectLoNs
		c.CostBaseNs, c.CostCandNs = c.CostCandNs, c.CostBaseNs
		switch c.Verdict {
		case schema.Appeared:
			c.Verdict = schema.Vanished
		case schema.Improved:
			c.Verdict = schema.Regressed
		}
		switch c.Function {
		case "f":
			c.MovedFrom = ""
		case "upper":
			c.MovedFrom = "new.f"
		}
	}
	finds(t, s, "1 moved_cost divided old.upper +0 share -, 2 inherited, old.upper < new.f < app.main, moved from new.f")
}

// A function that did not change, or changed in the same direction, has nothing to do with what is new beside it.
func TestAFunctionBesideOneThatIsNew(t *testing.T) {
	finds(t, divided(3, 2),
		"1 appeared called old.upper +2000000 share 1.00, 5 inherited, old.upper < new.f < app.main, moved from old.f and old.g")
	finds(t, divided(4, 2),
		"1 appeared called old.upper +2000000 share 0.67, 5 inherited, old.upper < new.f < app.main, moved from old.f and old.g",
		"2 regressed slower new.f +1000000 share 0.33, 0 inherited, new.f < app.main, moved from old.f")
}

// Effects of parts do not add up to that of the net: where the runs show the net, its figures and its verdict are those of the runs.
func TestTheNetIsThatOfTheRuns(t *testing.T) {
	o := defaults()
	o.Difference = func(totals []float64) (base, difference, lo, hi float64) {
		if want := []float64{3 * ms, 9 * ms, 3 * ms, 5 * ms, 5 * ms, 5 * ms}; !slices.Equal(totals, want) {
			t.Errorf("got the totals %v, want %v", totals, want)
		}
		return 5 * ms, 0, -4 * ms, 4 * ms
	}
	s := divided(1, 4)
	for i := range s {
		switch c := s[i].Change; {
		case c.Level != schema.LevelFunction:
		case c.Function == "f":
			s[i].Totals = []float64{3 * ms, 9 * ms, 3 * ms, 1 * ms, 1 * ms, 1 * ms}
		case c.Function == "upper":
			s[i].Totals = []float64{0, 0, 0, 4 * ms, 4 * ms, 4 * ms}
		}
	}
	f := Find(s, o)[0]
	if f.Kind != schema.KindDivided || f.Verdict != schema.MovedCost || f.BaseNs != 5*ms || f.CandNs != 5*ms || f.EffectNs != 0 || f.EffectLoNs != -4*ms || f.EffectHiNs != 4*ms || f.SlowerNs+f.CalledNs != 0 {
		t.Errorf("got %+v", f)
	}
	// Where the runs of one part are not known, the parts say what they can.
	s[len(s)-1].Totals = nil
	if f := Find(s, o)[0]; f.Verdict != schema.Regressed || f.EffectNs != 2*ms {
		t.Errorf("got %+v", f)
	}
}

// Only a cause that is the function as a whole, of one that both sides have, is one that a function of one side lay beside.
func TestWholeCause(t *testing.T) {
	for name, c := range map[string]struct {
		alter func(g *costChange)
		want  bool
	}{
		"the function":        {func(*costChange) {}, true},
		"no cause":            {func(g *costChange) { g.cause = nil }, false},
		"a step is the cause": {func(g *costChange) { g.cause.whole = nil }, false},
		"another function":    {func(g *costChange) { g.cause.whole = step("there", "g", schema.Regressed, 9) }, false},
		"new":                 {func(g *costChange) { g.Change.Verdict = schema.Appeared }, false},
		"gone":                {func(g *costChange) { g.Change.Verdict = schema.Vanished }, false},
	} {
		g := step("here", "f", schema.Regressed, 5)
		g.cause = &cause{whole: g}
		c.alter(g)
		got := wholeCause(g)
		if c.want && (got == nil || got != g.cause) || !c.want && got != nil {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}
