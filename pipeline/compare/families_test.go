package compare

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/functionchanges"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/testdata/expect"
)

func subjectOf(level, component, fragment, function, verdict string, effect int64) Subject {
	c := schema.Change{Level: level, Component: component, Fragment: fragment, Function: function, Verdict: verdict, EffectNs: &effect, AbsNs: effect}
	c.Detected = verdict == schema.Regressed || verdict == schema.Improved
	return Subject{Change: c, Function: function}
}

// family is a program of two functions with everything that is asked about it. Functions and root have the given verdicts.
func family(root, f, g string) (subjects, functions []Subject) {
	whole := subjectOf(schema.LevelFragment, "a", "a.main", "main", root, 100_000)
	whole.Initial = true
	wait := subjectOf(schema.LevelTransition, "a", "a.main", "f", schema.Regressed, 50_000)
	wait.Awaited = "b.f"
	subjects = []Subject{
		whole, wait,
		subjectOf(schema.LevelTransition, "b", "b.f", "f", schema.Regressed, 50_000),
		subjectOf(schema.LevelTransition, "b", "b.f", "f", schema.Undetermined, 50_000),
		subjectOf(schema.LevelTransition, "b", "b.f", "f", schema.Unchanged, 0),
		subjectOf(schema.LevelTransition, "b", "b.f", "f", schema.CountChanged, 0),
		subjectOf(schema.LevelTransition, "c", "c.g", "g", schema.ShapeChanged, 50_000),
		subjectOf(schema.LevelFragment, "b", "b.f", "f", schema.Regressed, 50_000),
		subjectOf(schema.LevelMessage, "b", "", "f", schema.Regressed, 50_000),
	}
	return subjects, []Subject{
		subjectOf(schema.LevelFunction, "b", "", "f", f, 90_000), subjectOf(schema.LevelFunction, "c", "", "g", g, 10_000),
	}
}

const (
	regressed    = schema.Regressed
	undetermined = schema.Undetermined
	not          = schema.NotAsked
)

// What is asked depends on what the families before have found.
func TestAsk(t *testing.T) {
	for _, c := range []struct {
		name, root, f, g string
		want             []string // of the subjects of family
		together         bool
	}{
		{"nothing is found", undetermined, undetermined, undetermined,
			[]string{undetermined, not, not, not, schema.Unchanged, schema.CountChanged, not, not, not}, false},
		{"the function f", undetermined, regressed, undetermined,
			[]string{undetermined, not, regressed, undetermined, schema.Unchanged, schema.CountChanged, not, regressed, regressed}, false},
		{"the root alone", regressed, undetermined, undetermined,
			[]string{regressed, regressed, not, not, schema.Unchanged, schema.CountChanged, not, regressed, regressed}, false},
		{"the root with many functions together", regressed, undetermined, undetermined,
			[]string{regressed, not, not, not, schema.Unchanged, schema.CountChanged, not, not, not}, true},
		{"root and both functions", regressed, regressed, regressed,
			[]string{regressed, regressed, regressed, undetermined, schema.Unchanged, schema.CountChanged, schema.ShapeChanged, regressed, regressed}, false},
	} {
		subjects, functions := family(c.root, c.f, c.g)
		ask(subjects, functions, c.together)
		for i, want := range c.want {
			s := &subjects[i].Change
			expect.Equal(t, s.Verdict, want, "%s: subject %d, a %s of %s", c.name, i, s.Level, s.Function)
			if s.Verdict == not && s.Detected {
				t.Errorf("%s: subject %d is not asked and detected", c.name, i)
			}
		}
	}
}

// The function with most of the root's difference is a candidate where no function is found, if it has at least half of it and the
// same direction.
func TestAttribute(t *testing.T) {
	for _, c := range []struct {
		name, root, f string
		effect        int64
		want          string
	}{
		{"most of it", regressed, undetermined, 90_000, schema.Candidate},
		{"too little", regressed, undetermined, 40_000, undetermined},
		{"the other way", regressed, undetermined, -90_000, undetermined},
		{"the root is not found", undetermined, undetermined, 90_000, undetermined},
	} {
		subjects, functions := family(c.root, c.f, undetermined)
		functions[0].Change.EffectNs, functions[0].Change.AbsNs = &c.effect, c.effect
		attribute(subjects, functions)
		expect.Equal(t, functions[0].Change.Verdict, c.want, "%s", c.name)
		expect.Equal(t, functions[1].Change.Verdict, undetermined, "%s: the other function", c.name)
	}
	subjects, functions := family(regressed, undetermined, regressed)
	if attribute(subjects, functions); functions[0].Change.Verdict != undetermined {
		t.Error("a function is named beside one that is found")
	}
}

// The run time of an initial fragment is decided by its own t test, whatever it is as one of many subjects.
func TestWholes(t *testing.T) {
	j := &comparison{Spec: Spec{Verdicts: verdicts.Defaults()}}
	f := &functions{runs: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, design: functionchanges.Design{Base: 5}}
	level := .02
	decided := func(verdict string, totals ...float64) *schema.Change {
		s := subjectOf(schema.LevelFragment, "a", "a.main", "main", verdict, 0)
		s.Initial = true
		for _, ns := range totals {
			s.Observed.Runs = append(s.Observed.Runs, verdicts.Run{Count: 1, N: 1, TotalNs: ns * 1e6})
		}
		subjects := []Subject{s}
		if changed := j.judgeWholes(f, subjects, func(int) float64 { return level }); changed != subjects[0].Change.Detected {
			t.Errorf("%s is reported as changed: %t", subjects[0].Change.Verdict, changed)
		}
		return &subjects[0].Change
	}
	c := decided(undetermined, 10.5, 1.8, 9.6, 8.8, 3.2, 20.9, 22.9, 28.4, 32.9, 20.9)
	if c.Verdict != regressed || !c.Detected || *c.EffectNs < 12e6 || *c.EffectLoNs <= 0 || *c.EffectHiNs < *c.EffectNs {
		t.Errorf("20 ms more: %s by %d ns, %d to %d", c.Verdict, *c.EffectNs, *c.EffectLoNs, *c.EffectHiNs)
	}
	if c = decided(undetermined, 20.9, 22.9, 28.4, 32.9, 20.9, 10.5, 1.8, 9.6, 8.8, 3.2); c.Verdict != schema.Improved {
		t.Errorf("swapped: %s", c.Verdict)
	}
	if c = decided(regressed, 10.5, 1.8, 9.6, 8.8, 3.2, 9.9, 2.9, 8.4, 10.2, 4.1); c.Verdict != undetermined || c.Detected {
		t.Errorf("the same: %s", c.Verdict)
	}
	if c = decided(schema.Unchanged, 10.1, 10.2, 10, 10.1, 10.2, 10.1, 10.2, 10, 10.1, 10.2); c.Verdict != schema.Unchanged {
		t.Errorf("steady: %s", c.Verdict)
	}
	if c = decided(undetermined, 10.5, 1.8, 9.6, 8.8, 0, 20.9, 22.9, 28.4, 32.9, 20.9); c.Verdict != undetermined {
		t.Errorf("a run without it: %s", c.Verdict)
	}
	// Of 12 us: both bounds of the interval are beyond the margin and within the floor of 10 us. With a floor of 0.5 us it is open.
	small := []float64{.0118, .0125, .0132, .0119, .0131, .0124, .0119, .0133, .0120, .0130}
	if c = decided(undetermined, small...); c.Verdict != schema.Unchanged || float64(*c.EffectHiNs) < .05*float64(*c.CostBaseNs) || *c.EquivalenceP > .05 {
		t.Errorf("within the floor: %s, %d to %d ns, p of a greater change %g", c.Verdict, *c.EffectLoNs, *c.EffectHiNs, *c.EquivalenceP)
	}
	j.Verdicts.FloorNs = 500
	if c = decided(undetermined, small...); c.Verdict != undetermined || *c.RunsNeeded <= 5 {
		t.Errorf("beyond the floor: %s", c.Verdict)
	}
	j.Verdicts.FloorNs = verdicts.Defaults().FloorNs
	// At p = .03 it takes the level of the functions, which these hand on once one of them is found.
	if c = decided(undetermined, 10, 11, 12, 13, 14, 12.6, 13.6, 14.6, 15.6, 16); c.Verdict != undetermined {
		t.Errorf("at the level %g: %s", level, c.Verdict)
	}
	level = .05
	if c = decided(undetermined, 10, 11, 12, 13, 14, 12.6, 13.6, 14.6, 15.6, 16); c.Verdict != regressed || *c.P < .02 {
		t.Errorf("p = %g at the level %g: %s", *c.P, level, c.Verdict)
	}
}
