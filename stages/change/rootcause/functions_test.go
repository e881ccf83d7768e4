package rootcause

import (
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
