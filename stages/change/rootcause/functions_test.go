package rootcause

import (
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// function adds a function as a whole, times in ms.
func (s *sheet) function(component, function string, base, cand float64) *schema.Change {
	c := &schema.Change{Level: schema.LevelFunction, Component: component, Subject: function, Function: function}
	return s.row(Subject{Change: c, Function: function}, base, cand)
}

// undetermined withdraws the verdict on a row.
func undetermined(c *schema.Change) { c.Verdict = schema.Undetermined }

// A function is found by all its calls together, and none of its steps: it is the cause, explains the fragment through its steps, and
// what waits for it follows from it.
func TestAFunctionWithoutSteps(t *testing.T) {
	var s sheet
	s.fragment("app", "app.main", 10, 14)
	s.own("app", "app.main", "enter", "main", 1, 1)
	s.wait("app", "app.main", "lib.f", 9, 13)
	s.fragment("lib", "lib.f from app", 9, 13)
	undetermined(s.own("lib", "lib.f from app", "enter f", "f", 4, 6))
	undetermined(s.own("lib", "lib.f from app", "exit f", "f", 5, 7))
	s.function("lib", "f", 9, 13)
	s.function("app", "main", 1, 1)
	finds(t, s, "1 regressed slower lib.f +4000000 share 1.00, 3 inherited, lib.f < app.main")
	none(t, s)
}

// One step of a function is shown, which is a small part of what the function came to: they are one finding, named by the step and
// with the figures of the function.
func TestAStepThatIsASmallPartOfItsFunction(t *testing.T) {
	var s sheet
	s.fragment("app", "app.main", 10, 14)
	s.own("app", "app.main", "enter f", "f", 2, 2.5)
	undetermined(s.own("app", "app.main", "exit f", "f", 8, 11.5))
	s.function("app", "f", 10, 14)
	finds(t, s, "1 regressed slower app.f +4000000 share 1.00, 1 inherited, app.main")
	if f := Find(s, defaults())[0]; f.Subject != "enter f" || f.BaseNs != 10*ms || f.CandNs != 14*ms {
		t.Errorf("the finding is %q, %d -> %d ns", f.Subject, f.BaseNs, f.CandNs)
	}
	none(t, s)
}

// A step that is most of a function names the finding, with the figures of the function: effect and interval are those that decided.
func TestAStepThatIsMostOfItsFunction(t *testing.T) {
	var s sheet
	s.fragment("app", "app.main", 10, 14)
	s.own("app", "app.main", "exit f", "f", 10, 14)
	s.function("app", "f", 10, 14.5)
	finds(t, s, "1 regressed slower app.f +4500000 share 1.00, 1 inherited, app.main")
	none(t, s)
}

// A step of a function takes less, and the function as a whole is only distributed differently: the finding has the verdict that
// belongs to its figures, and comes after what is shown to take another time, though its effect is greater.
func TestADistributionBehindWhatTakesAnotherTime(t *testing.T) {
	var s sheet
	s.fragment("app", "app.main", 30, 29)
	s.own("app", "app.main", "exit f", "f", 10, 8)
	s.own("app", "app.main", "exit g", "g", 10, 11)
	s.function("app", "f", 10, 8).Verdict = schema.ShapeChanged
	s.function("app", "g", 10, 11)
	finds(t, s,
		"1 regressed slower app.g +1000000 share -, 0 inherited, app.main",
		"2 shape_changed shape app.f -2000000 share -, 0 inherited, app.main")
}

// What only one side does of a function that was compared as a whole is a part of its time: whether that changed, the function says.
func TestStepsOfOneSideOfAComparedFunction(t *testing.T) {
	for _, c := range []struct {
		cand float64 // of the function as a whole
		want []string
	}{{10, nil}, {14, []string{"1 regressed slower app.f +4000000 share 1.00, 1 inherited, app.main"}}} {
		var s sheet
		s.fragment("app", "app.main", 10, c.cand)
		s.own("app", "app.main", "enter old", "f", 4, 0).Verdict = schema.Vanished
		s.own("app", "app.main", "enter new", "f", 0, 4).Verdict = schema.Appeared
		undetermined(s.own("app", "app.main", "exit f", "f", 6, c.cand-4))
		s.function("app", "f", 10, c.cand)
		finds(t, s, c.want...)
	}
}

// A function that moved is compared under its new name, and steps have the name of the baseline: they belong to the function that moved,
// also where it was two functions, so that what one side does of it is no finding of its own.
func TestStepsUnderTheNamesOfTheBaseline(t *testing.T) {
	var s sheet
	s.fragment("old", "old.f from app", 10, 10)
	s.own("old", "old.f from app", "enter f", "f", 5, 0).Verdict = schema.Vanished
	s.own("old", "old.f from app", "enter g", "g", 5, 0).Verdict = schema.Vanished
	finds(t, slices.Clone(s),
		"1 vanished slower old.f -5000000 share -, 0 inherited, old.f",
		"2 vanished slower old.g -5000000 share -, 0 inherited, old.f")
	s.function("new", "f", 10, 10).MovedFrom = schema.JoinNames([]string{"old.f", "old.g"})
	finds(t, s)
}

// What is diffuse names no place, and comes after the function that is shown, though its effect is greater.
func TestDiffuseBehindAFunction(t *testing.T) {
	var s sheet
	s.fragment("app", "app.main", 20, 30)
	undetermined(s.own("app", "app.main", "enter g", "g", 10, 18))
	undetermined(s.own("app", "app.main", "exit f", "f", 10, 12))
	s.function("app", "f", 10, 12)
	undetermined(s.function("app", "g", 10, 18))
	finds(t, s,
		"1 regressed slower app.f +2000000 share 0.20, 0 inherited, app.main",
		"2 regressed diffuse app.main +8000000 share 0.80, 0 inherited, app.main")
}
